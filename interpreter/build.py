"""Plan → game: every rule as a function or as instructions, the first state, and the names that moves are written with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gdl import typed, types
from gdl.interpreter import cells as c
from gdl.interpreter.alikeness import merged_kinds
from gdl.interpreter.analysis import analysis_of
from gdl.interpreter.control import Control
from gdl.interpreter.diagrams import Diagrams
from gdl.interpreter.emit_events import waiting_effect
from gdl.interpreter.emit_phases import PhaseRecord, PhaseWriter, main_unit, number_phases, phase_cells
from gdl.interpreter.emit_possible import first_step_function, possible_text
from gdl.interpreter.emit_subsets import decide_any
from gdl.interpreter.emit_units import FunctionWriter
from gdl.interpreter.faults import Ended, problem
from gdl.interpreter.first_state import FirstState
from gdl.interpreter.history import Histories
from gdl.interpreter.memo import Memo
from gdl.interpreter.placements import placed
from gdl.interpreter.program import ProgramBuilder
from gdl.interpreter.runtime import EFFECT_SHIFT
from gdl.interpreter.setup import Setup
from gdl.interpreter.stacks import Stacks
from gdl.interpreter.unit_writer import UnitWriter
from gdl.typed import CheckedSpec, Local, TExpression, Unit
from gdl.values import NONE
from gdl.walk import spec_nodes


class Build:
    """Builds everything that is shared by all states of a game; if `lazy`, rules are compiled when they are first carried out."""

    def __init__(self, spec: CheckedSpec, players: int, options: Mapping[str, int], *, lazy: bool = False) -> None:
        self.spec = spec
        self.setup = Setup(spec, players, options, lazy=lazy)
        self.plan = self.setup.run()
        self.module, self.emitter = self.setup.module, self.setup.emitter
        self.analysis = analysis_of(spec)
        self.plan.find_merged = lambda: merged_kinds(self.plan, self.analysis)
        self.records: list[PhaseRecord] = []
        self.late: list[tuple[Any, int, str]] = []
        self.roots = number_phases(spec.phases, None, self.records)
        self.builder = ProgramBuilder(self.emitter, self.analysis, {r.path: r.number for r in self.records}, decide_any, waiting_effect)
        self.emitter.possible = lambda node: possible_text(self.emitter, node)
        self.emitter.call_text = self._call_text
        self._find_controls()
        for record in self.records:
            phase_cells(record, self.builder, self.setup.take)
        together = bool(spec_nodes(spec, typed.TTogether))
        self.histories = Histories(self.plan)
        for name, (parts, keep) in spec.histories.items():
            size = self.setup.number(keep)
            if size < 1:
                raise problem("bad-size", keep.span, f"a history keeps at least one record, not {size}")
            wrap = next(h.wrap for h in spec.declarations.histories if h.name == name)
            self.histories.add(name, parts, self.setup.take(1 + size), size, wrap)
        self.threads = self.setup.take(c.THREAD_CELLS * (1 + (players if together else 0)))
        self.sealed = self.setup.size
        sealing = any(n.sealed for n in spec_nodes(spec, typed.TTogether))
        self.shadow = self.setup.take(1 + self.sealed) if sealing else 0
        self.root = self.setup.size
        self.plan.threads, self.plan.shadow = self.threads, self.shadow
        self.plan.thread_count = 1 + (players if together else 0)
        self.control = Control(self.plan, self.threads, self.root)
        self.control.shadow, self.control.sealed = self.shadow, self.sealed
        self.diagrams = Diagrams(self.plan, self.emitter)
        self.stacks = Stacks(self.plan, self.plan.alike_class)
        self.module.namespace.update(self.stacks.functions())
        self.module.namespace.update(self.control.functions())
        self.module.namespace.update(self.histories.functions())
        self.module.namespace["move_piece"] = self.plan.mover.move
        self.module.namespace["Ended"] = Ended
        self.module.namespace["PLACEMENTS"] = Memo(lambda number: placed(self.plan, number))
        self.module.namespace["place_diagram"] = self.diagrams.place
        self.emitter.writing = True
        self._write()
        self.emitter.writing = False
        self._finish(together)
        self.first = self._first_state()
        self.module.settle_tables()

    # --- text ---------------------------------------------------------------------------------------------------------

    def _find_controls(self) -> None:
        for node in spec_nodes(self.spec, typed.TControl):
            self.builder.controls.add(node.form)
        self.builder.can_lose = "lose" in self.builder.controls

    def _call_text(self, call: typed.TCall) -> str:
        """The call of a procedure inside `after`."""
        if not self.analysis.native(call.unit):
            raise problem(
                "bad-after",
                call.span,
                f"`after` can't try `{call.unit.name}`: it waits for a decision or chance, ends something or calls itself",
            )
        who = self.emitter.expr(call.player) if call.player is not None else "NONE"
        texts = ", ".join(["s", who, *[self.emitter.expr(a) for a in call.arguments]])
        return f"P_{call.unit.name}({texts})"

    def _write(self) -> None:
        self._number_effects()
        self._formulas()
        for unit in (*self.spec.procedures.values(), *self.analysis.triggers):
            if self.analysis.native(unit):
                prefix = "T" if isinstance(unit, typed.TriggerInfo) else "P"
                FunctionWriter(self.builder).write(unit, prefix)
        self._refills()
        self._end_functions()
        self._result_functions()
        self._heuristic_function()
        if self.spec.setup is not None:
            self._write_setup(self.spec.setup)
        main = main_unit(self.spec)
        self.main = main
        self.builder.entry_of(main)
        PhaseWriter(self.builder, self.records, main).write(self.roots)
        self.builder.write_pending()
        effects = [u for u in self.plan.effects if u in self.builder.entries]
        self.builder.needed_labels |= {f"entry:{self.builder.entries[u]}" for u in effects}
        for record in self.records:
            self.builder.needed_labels |= {label for label in (record.exit, record.turn_end, record.body) if label}
        self.builder.assemble()

    def _write_setup(self, unit: Unit) -> None:
        writer = UnitWriter(self.builder, unit)
        self.builder.entry_of(unit)
        writer.start("setup.start")
        writer.block(unit.body)
        writer.start("setup.end")
        writer.line(f"clear(s, f + 3, f + %size:{self.builder.entry_of(unit)}%)")
        writer.close("return @phases.start@")

    def _number_effects(self) -> None:
        """Effect cells become numbers: 0 for an empty one, else the place in the list of all of them."""
        numbers: dict[Unit, int] = {}
        for (form, owner, name), values in self.plan.attributes.items():
            holder = self.spec.kinds[owner] if form == "kind" else self.spec.zones[owner]
            if types.without_none(holder.attributes[name].type) != types.EFFECT:
                continue
            for place in range(len(values)):
                unit = values[place]
                if isinstance(unit, Unit):
                    if unit not in numbers:
                        numbers[unit] = len(numbers) + 1
                    values[place] = numbers[unit]
                else:
                    values[place] = 0
        self.plan.effects = list(numbers)
        possible = any(n.cells for n in spec_nodes(self.spec, typed.Possible))
        for unit, number in numbers.items():
            if possible:
                first_step_function(self.emitter, unit, f"Y_{number}")
        self.entries: list[int] = [0] * (len(numbers) + 1)
        self.sizes: list[int] = [0] * (len(numbers) + 1)
        namespace = self.module.namespace
        namespace.update(EFFECT_ENTRIES=self.entries, EFFECT_SIZES=self.sizes)
        namespace["possible_effect"] = self._possible_effect

    def _possible_effect(self, s: list[int], cell: int, player: int) -> bool:
        """Whether an effect could be begun: an empty one always."""
        number, this = cell >> EFFECT_SHIFT, cell & ((1 << EFFECT_SHIFT) - 1)
        return not number or bool(self.module.namespace[f"Y_{number}"](s, player, this))

    def _formulas(self) -> None:
        """`computed` attributes: a function for each row's expression, put into the table in its place."""
        done: dict[int, str] = {}
        for (form, owner, name), values in self.plan.attributes.items():
            holder: Any = self.spec.kinds[owner] if form == "kind" else self.spec.zones[owner]
            info = holder.attributes[name]
            if not isinstance(info.type, types.ComputedType):
                continue
            for number, node in enumerate(values):
                if isinstance(node, TExpression):
                    if id(node) not in done:
                        done[id(node)] = self._formula(holder.this, info, node, f"E{len(done)}_{name}")
                    self.late.append((values, number, done[id(node)]))

    def _refills(self) -> None:
        """`refill`: a function of the empty space for each zone that has it."""
        for name, zone in self.spec.zones.items():
            if zone.refill is not None and zone.this is not None:
                saved = dict(self.emitter.locals)
                this = self.emitter.bind(zone.this)
                text = f"({self.module.mark(zone.refill.span)}{self.emitter.expr(zone.refill)})"
                self.emitter.locals = saved
                self.module.function(f"G_{name}", f"s, {this}", [f"return {text}"], f"refill of {name}")

    def _formula(self, this: Local, info: typed.AttributeInfo, node: TExpression, name: str) -> str:
        saved = dict(self.emitter.locals)
        parameters = [self.emitter.bind(this), *[self.emitter.bind(p) for p in info.parameters]]
        text = self.emitter.expr(node)
        self.emitter.locals = saved
        return self.module.function(name, ", ".join(["s", *parameters]), [f"return {text}"], f"attribute {info.name}")

    def _end_functions(self) -> None:
        """`end`, by the moment at which its entries are tested."""
        moments: dict[str, list[typed.EndInfo]] = {}
        for entry in self.spec.end:
            declared = entry.declaration
            moment = "" if declared.check == "decision" else declared.check
            if declared.check == "end" and declared.phase is not None:
                moment = f"end:{declared.phase.name}"
            moments.setdefault(moment, []).append(entry)
        moments.setdefault("at_once", [])
        for number, (moment, entries) in enumerate(moments.items()):
            name = "end_reached" if not moment else f"end_reached_{number}"
            if moment:
                self.builder.end_moments[moment] = name
            lines = [f"if s[{c.THREAD}] != {self.threads}:", "    return False"]
            for entry in entries:
                lines += self._end_lines(entry)
            self.module.function(name, "s", [*lines, "return False"], "end")
        at_once = self.builder.end_moments["at_once"]
        self.module.function("look_at_end", "s", [f"if {at_once}(s):", "    raise Ended"], "end")

    def _end_lines(self, entry: typed.EndInfo) -> list[str]:
        mark = self.module.mark(entry.when.span)
        everyone = tuple(range(self.plan.players))
        players = self.emitter.expr(entry.players) if entry.players is not None else self.emitter.literal(everyone)
        effect = {
            "winners": f"set_won(s, {players})",
            "losers": f"set_lost(s, {players})",
            "everyone_win": f"set_won(s, {players})",
            "everyone_lose": f"set_lost(s, {players})",
            "tie": "set_tied(s)",
        }.get(entry.declaration.outcome, f"s[{c.OVER}] = 1")
        return [
            f"if ({mark}{self.emitter.expr(entry.when)}):",
            f"    {effect}",
            f"    s[{c.OVER}] = 1",
            "    return True",
        ]

    def _result_functions(self) -> None:
        """The parts of a seat's score, and what the ranking compares."""
        result = self.spec.result
        if result is None:
            return
        self.emitter.locals[result.seat] = "p"
        parts = [f"({self.module.mark(node.span)}{self.emitter.expr(node)})" for _, node in result.score]
        self.module.function("R_score", "s, p", [f"return ({''.join(x + ', ' for x in parts)})"], "result")
        ranks = [
            f"({self.module.mark(node.span)}{self.emitter.expr(node)})" if node is not None else "sum(R_score(s, p))"
            for _, node in result.ranking
        ]
        self.module.function("R_rank", "s, p", [f"return ({''.join(x + ', ' for x in ranks)})"], "result")

    def _heuristic_function(self) -> None:
        """How good a situation looks for a seat."""
        heuristic = self.spec.heuristic
        if heuristic is None:
            return
        self.emitter.locals[heuristic.seat] = "p"
        value = f"({self.module.mark(heuristic.value.span)}{self.emitter.expr(heuristic.value)})"
        self.module.function("H_value", "s, p", [f"return {value}"], "heuristic")

    # --- numbers ------------------------------------------------------------------------------------------------------

    def _finish(self, together: bool) -> None:
        """Compile, and give the machine its tables."""
        need = max(self.builder.stack_need(u, self.plan.depth) for u in self._roots())
        self.limit = self.root + need
        self.control.branch_size = need if together else 0
        self.size = self.limit + (need * self.plan.players if together else 0)
        self.least = self.size if together else self.root + max(self.builder.stack_need(u, 0) for u in self._roots())
        self.setup.check_size(self.size)
        self.plan.size = self.size
        self.module.compile()
        namespace, numbers = self.module.namespace, self.builder.numbers
        kept = self.builder.kept_pieces.items()
        self.plan.kept_pieces = {numbers[label]: places for label, places in kept if places and label in numbers}
        units = self.builder.units.items()
        self.frame_sizes = {numbers[label]: self.builder.frame_of(unit).size for label, unit in units if label in numbers}
        self.code = [namespace[f"I{n}"] for n in range(len(self.builder.instructions))]
        for values, number, name in self.late:
            values[number] = namespace[name]
        self.decisions = {numbers[d.label]: d for d in self.builder.decisions}
        for decision in self.builder.decisions:
            n = decision.number
            decision.any, decision.all, decision.seats = (namespace[f"D{n}_{x}"] for x in ("any", "all", "seats"))
            decision.drawable, decision.holds = namespace.get(f"D{n}_drawable"), namespace.get(f"D{n}_holds")
            decision.enter = [namespace[f"D{n}_{k}"] for k in range(len(decision.alternatives))]
        self.chances = {numbers[e.label]: e for e in self.builder.chances}
        for chance in self.builder.chances:
            chance.outcomes = namespace[f"C{chance.number}_outcomes"]
            chance.enter = namespace[f"C{chance.number}_enter"]
            chance.equals = namespace.get(f"C{chance.number}_equals")
            chance.about = namespace.get(f"C{chance.number}_about")
        for place, unit in enumerate(self.plan.effects, start=1):
            if unit in self.builder.entries:
                self.entries[place] = numbers[f"entry:{self.builder.entries[unit]}"]
                self.sizes[place] = self.builder.frame_of(unit).size
        for name, zone in self.spec.zones.items():
            if zone.refill is not None:
                self.stacks.refills[name] = namespace[f"G_{name}"]
        self.control.exits = [numbers[r.exit] for r in self.records]
        self.control.turn_ends = [numbers[r.turn_end] if r.turn_end else -1 for r in self.records]
        self.control.parents = [r.parent.number if r.parent is not None else -1 for r in self.records]
        self.control.names = [r.info.name for r in self.records]
        self.start = numbers["setup.start" if self.spec.setup is not None else "phases.start"]

    def _roots(self) -> list[Unit]:
        return [self.main, *([self.spec.setup] if self.spec.setup else [])]

    def _first_state(self) -> list[int]:
        """The state before the set-up runs, with the main thread about to begin."""
        s = FirstState(self.setup).cells(self.least)
        s[c.THREAD] = self.threads
        s[self.threads : self.threads + c.THREAD_CELLS] = [self.start, self.root, c.RUNNING, NONE, self.limit]
        return s
