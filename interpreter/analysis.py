"""What units do, found before the program is built: which wait for somebody or for chance, which leave their place, which call which.

A unit that neither waits nor leaves is emitted as one Python function. All others become instructions, whose state between two
of them is in the game's cells.
"""

from __future__ import annotations

from typing import TypeVar

from gdl import typed
from gdl.typed import CheckedSpec, TBlock, TriggerInfo, TStep, Unit, VariableInfo
from gdl.types import ListType, PieceType, SpaceType, Type, without_none
from gdl.walk import nodes_of, steps_of

_Key = TypeVar("_Key")
_LEAVING = ("win", "lose", "tie", "end_game", "end_phase", "end_turn")


def analysis_of(spec: CheckedSpec) -> Analysis:
    """The facts about a spec, found once, however many games are made of it."""
    if "analysis" not in spec.found:
        spec.found["analysis"] = Analysis(spec)
    found: Analysis = spec.found["analysis"]
    return found


class Analysis:
    """Facts about the units of a spec, whatever the players and options."""

    def __init__(self, spec: CheckedSpec) -> None:
        self.spec = spec
        self.triggers = [t for t in spec.triggers if t.body is not None]
        self._by_event: dict[tuple[str, str], list[TriggerInfo]] = {}
        self._by_zone: dict[str, list[TriggerInfo]] = {}
        for trigger in self.triggers:
            for event in trigger.events:
                _note(self._by_event, (event.form, event.name), trigger)
                for zone in event.zones:
                    _note(self._by_zone, zone, trigger)
        self._order = {trigger: number for number, trigger in enumerate(self.triggers)}
        self._caused: dict[TStep, list[TriggerInfo]] = {}
        self._waiting: dict[TStep, bool] = {}
        self._waits: dict[Unit, bool] = {}
        self._leaves: dict[Unit, bool] = {}
        self._recursive: set[Unit] = set()
        self._quiet = {id(step) for step in steps_of(spec.setup.body)} if spec.setup is not None else set()
        self._find()
        self._waiting.clear()  # what was found on the way

    def after_action(self, action: Unit) -> list[TriggerInfo]:
        """The triggers that run when an action has been carried out."""
        return self.triggers_of("after", action.name)

    def triggers_of(self, form: str, name: str) -> list[TriggerInfo]:
        """The triggers of an event that has a name, in order of writing."""
        return self._by_event.get((form, name), [])

    # --- what a step may do -------------------------------------------------------------------------------------------

    def step_waits(self, step: TStep) -> bool:
        """Whether carrying out a step, with all that it causes, may need more than one instruction."""
        known = self._waiting.get(step)
        if known is None:
            known = self._waiting[step] = any(self._waits_itself(s) for s in (step, *steps_of(step)))
        return known

    def block_waits(self, block: TBlock | None) -> bool:
        """Whether any step of a block waits."""
        return block is not None and any(self.step_waits(s) for s in block.steps)

    def _waits_itself(self, step: TStep) -> bool:
        match step:
            case typed.TDecide() | typed.TChoose() | typed.TTogether() | typed.TMoveRandom() | typed.TPerform():
                return True
            case typed.TCall(unit=unit):
                return not self.native(unit)
            case typed.TEffect(entry=entry):
                return entry.random or any(not self.native(t) for t in self.caused_by(step))
            case typed.TAssign() | typed.TLet() | typed.TSwap():
                if not isinstance(step, typed.TSwap) and isinstance(step.value, typed.TEffect) and step.value.entry.random:
                    return True
                return any(not self.native(t) for t in self.caused_by(step))
        return False

    def native(self, unit: Unit) -> bool:
        """Whether a unit can be one Python function."""
        return not (self._waits[unit] or self._leaves[unit] or unit in self._recursive)

    def waits(self, unit: Unit) -> bool:
        """Whether a unit's body has a step that waits."""
        return self._waits[unit]

    def recursive(self, unit: Unit) -> bool:
        """Whether a unit can come back to itself."""
        return unit in self._recursive

    def _find(self) -> None:
        units: list[Unit] = [*self.spec.procedures.values(), *self.spec.actions.values(), *self.triggers]
        rows = [*(k.rows for k in self.spec.kinds.values()), *(z.rows for z in self.spec.zones.values())]
        for each in rows:
            for row in each or ():
                units += row.effects.values()
        for unit in units:
            self._waits[unit] = False
            self._leaves[unit] = any(isinstance(s, typed.TControl) and s.form in _LEAVING for s in steps_of(unit.body))
        self._find_recursion(units)
        changed = True
        while changed:
            changed = False
            for unit in units:
                after = isinstance(unit, typed.ActionInfo) and any(not self.native(t) for t in self.after_action(unit))
                if not self._waits[unit] and (after or self.block_waits(unit.body)):
                    self._waits[unit] = changed = True
                    self._waiting.clear()

    def _find_recursion(self, units: list[Unit]) -> None:
        """Units that can reach themselves through calls (and triggers)."""
        edges = {u: self.callees(u) for u in units}
        for unit in units:
            seen: set[Unit] = set()
            todo = list(edges[unit])
            while todo:
                other = todo.pop()
                if other is unit:
                    if not isinstance(unit, TriggerInfo):
                        self._recursive.add(unit)
                    break
                if other not in seen:
                    seen.add(other)
                    todo += edges.get(other, [])

    def callees(self, unit: Unit) -> list[Unit]:
        """The units that a unit may start: by calls, decisions, and what its effects trigger."""
        found: list[Unit] = [*self.after_action(unit)] if isinstance(unit, typed.ActionInfo) else []
        for step in steps_of(unit.body):
            match step:
                case typed.TCall(unit=callee):
                    found.append(callee)
                case typed.TDecide(entries=entries):
                    found += [action for entry in entries for action in typed.members(entry)]
                case typed.TPerform():
                    found += self.performed(step)
                case typed.TEffect() | typed.TAssign() | typed.TSwap():
                    found += self.caused_by(step)
        return found

    def performed(self, step: typed.TPerform) -> list[Unit]:
        """The effect cells that a step may perform: those of the attributes that it reads, or all if it reads none itself."""
        infos = [i for n in nodes_of(step.cell) if isinstance(n, typed.AttributeValue) for i in n.infos]
        found: list[Unit] = []
        owners = [(k.name, k.rows) for k in self.spec.kinds.values()] + [(z.name, z.rows) for z in self.spec.zones.values()]
        for owner, rows in owners:
            for row in rows or ():
                for name, unit in row.effects.items():
                    if not infos or any(i.name == name and i.holder.name == owner for i in infos):
                        found.append(unit)
        return found

    # --- triggers -----------------------------------------------------------------------------------------------------

    def caused_by(self, step: TStep) -> list[TriggerInfo]:
        """The triggers that an effect can cause, in order of writing. None lives in the set-up."""
        if not self.triggers or id(step) in self._quiet:
            return []
        known = self._caused.get(step)
        if known is None:
            known = self._caused[step] = self._find_caused(step)
        return known

    def _find_caused(self, step: TStep) -> list[TriggerInfo]:
        match step:
            case typed.TSwap(first=first, second=second):
                return [t for t in self.triggers if any(_changes(e, first.infos + second.infos) for e in t.events)]
            case typed.TAssign(target=typed.VariableValue(infos=infos)):
                return [t for t in self.triggers if any(_changes(e, infos) for e in t.events)]
            case typed.TEffect(entry=entry, arguments=arguments) if entry.name in ("move", "swap", "draw", "deal"):
                kinds, zones = self.moved(step)
                sources = _sources(step)
                near = self.triggers if zones is None or sources is None else self._at(zones | sources)
                return [t for t in near if any(self._matches(e, kinds, zones, sources) for e in t.events)]
            case typed.TEffect(entry=entry, arguments=arguments) if entry.name == "shuffle":
                zones = _zones(arguments[0].type) if arguments and arguments[0] is not None else None
                return [t for t in self.triggers if any(_named(e, "shuffled", zones) for e in t.events)]
        return []

    def _at(self, zones: set[str]) -> list[TriggerInfo]:
        """The triggers of events at some zones, in order of writing."""
        found = {trigger for zone in zones for trigger in self._by_zone.get(zone, ())}
        return sorted(found, key=self._order.__getitem__)

    def moved(self, step: typed.TEffect) -> tuple[set[str], set[str] | None]:
        """The kinds that an effect may move and the zones that it may move them to (none: any)."""
        kinds: set[str] = set()
        zones: set[str] | None = None
        for argument in step.arguments:
            if not isinstance(argument, typed.TExpression):
                continue
            inner = without_none(argument.type)
            element = inner.element if isinstance(inner, ListType) else inner
            if isinstance(element, PieceType):
                kinds |= set(element.kinds)
            elif isinstance(element, SpaceType):
                zones = _zones(element)
        if not kinds:
            kinds = set(self.spec.kinds)
        return kinds, zones

    def _matches(self, event: typed.TEvent, kinds: set[str], zones: set[str] | None, sources: set[str] | None) -> bool:
        if event.form == "enter":
            held = any(not kinds.isdisjoint(self.spec.zones[z].holds) for z in event.zones)
            return held and (zones is None or bool(set(event.zones) & zones))
        if event.form in ("leave", "emptied"):
            held = any(not kinds.isdisjoint(self.spec.zones[z].holds) for z in event.zones)
            return held and (sources is None or bool(set(event.zones) & sources))
        return False


def _note(table: dict[_Key, list[TriggerInfo]], key: _Key, trigger: TriggerInfo) -> None:
    known = table.setdefault(key, [])
    if trigger not in known:
        known.append(trigger)


def _sources(step: typed.TEffect) -> set[str] | None:
    """The zones that an effect may take pieces from (none: any)."""
    match step.entry.name, step.arguments:
        case ("draw" | "deal"), (_, typed.TExpression() as stack, *_):
            return _zones(stack.type)
        case "move", (typed.Convert(form="pieces" | "pieces_of_spaces", operand=spaces), *_):
            return _zones(spaces.type)
    return None


def _zones(type_: Type) -> set[str] | None:
    inner = without_none(type_)
    element = inner.element if isinstance(inner, ListType) else inner
    return set(element.zones) if isinstance(element, SpaceType) and element.zones is not None else None


def _changes(event: typed.TEvent, infos: tuple[VariableInfo, ...]) -> bool:
    return event.form == "change" and event.variable in infos


def _named(event: typed.TEvent, form: str, zones: set[str] | None) -> bool:
    return event.form == form and (zones is None or bool(set(event.zones) & zones))
