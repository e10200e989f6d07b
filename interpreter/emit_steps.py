"""Typed steps → lines of Python, as far as they neither wait nor leave: the common part of functions and of instructions."""

from __future__ import annotations

from gdl import typed
from gdl.interpreter.analysis import Analysis
from gdl.interpreter.cells import AGAIN, NEXT, PHASE
from gdl.interpreter.costs import children
from gdl.interpreter.emit import Emitter
from gdl.interpreter.emit_texts import emit_line, emit_parts
from gdl.interpreter.plan import VariablePlan
from gdl.typed import Local, PhaseInfo, TBlock, TExpression, TriggerInfo, TStep
from gdl.types import ListType

_LITTLE = 20
"""Work of a round that goes with counting it."""


class Writer:
    """Writes the lines of one function. Subclasses decide how `return` is written and how instructions are split."""

    def __init__(self, emitter: Emitter, analysis: Analysis, phases: dict[str, int]) -> None:
        self.emitter = emitter
        self.analysis = analysis
        self.phase_numbers = phases
        self.lines: list[str] = []
        self.depth = 0
        self.player: str = "NONE"
        self.loops: list[str] = []

    # --- lines --------------------------------------------------------------------------------------------------------

    def line(self, text: str) -> None:
        """One line at the present indent."""
        self.lines.append("    " * self.depth + text)

    def marked(self, step: TStep | TExpression | PhaseInfo, text: str) -> None:
        """A line whose failure is the step's."""
        span = step.declaration.span if isinstance(step, PhaseInfo) else step.span
        mark = self.emitter.module.mark(span)
        self.lines.append("    " * self.depth + mark + text)

    def expr(self, node: TExpression) -> str:
        """The text of an expression."""
        return self.emitter.expr(node)

    def value(self, node: TExpression) -> str:
        """The text of an expression as the whole right side of a line."""
        return self.emitter.expr(node)

    # --- blocks -------------------------------------------------------------------------------------------------------

    def block(self, block: TBlock | None) -> None:
        """The lines of a block."""
        before = len(self.lines)
        for step in block.steps if block is not None else ():
            self.step(step)
        if len(self.lines) == before:
            self.line("pass")

    def nested(self, block: TBlock | None) -> None:
        """A block one indent further in."""
        self.depth += 1
        self.block(block)
        self.depth -= 1

    def step(self, step: TStep) -> None:
        """The lines of a step."""
        match step:
            case typed.TAssign():
                self.assign(step)
            case typed.TLet(local=local, value=value) if isinstance(value, TExpression):
                text = self.expr(value)
                name = self.emitter.bind(local)
                self.line(f"{name} = {self.guarded(local, text)}")
            case typed.TEffect():
                self.effect(step)
            case typed.TCall():
                self.line(self.call(step))
            case typed.TControl():
                self.control(step)
            case typed.TIf():
                self.if_step(step)
            case typed.TMatch():
                self.match_step(step)
            case typed.TFor(local=local, source=source, body=body):
                items = self.emitter.looped(source, 1 + self.emitter.cost(body))
                name = self.emitter.bind(local)
                self.line(f"for {name} in {items}:")
                self.loop_body(body)
            case typed.TRepeat(count=count, body=body):
                self.line(f"for {self.emitter.fresh('i')} in range({self.expr(count)}):")
                self.loop_body(body, counted=step)
            case typed.TWhile(condition=condition, body=body):
                self.line(f"while {self.expr(condition)}:")
                self.loop_body(body, counted=step)
            case typed.TAs(player=player, local=local, body=body):
                text = self.expr(player)
                name = self.emitter.bind(local)
                self.line(f"{name} = {text}")
                outer, self.player = self.player, name
                self.block(body)
                self.player = outer
            case typed.TPlace():
                self.place(step)
            case typed.TRecord(form=form, history=history, player=player):
                who = f", {self.expr(player) if player is not None else 'NONE'}" if form == "record" else ""
                self.marked(step, f"{form}(s, {history!r}{who})")
            case typed.TSwap(first=first, second=second):
                self.swap(step, first, second)
            case _:
                raise TypeError(f"no lines for {type(step).__name__}")

    def loop_body(self, body: TBlock, counted: TStep | None = None) -> None:
        """The body of a loop; rounds of `while` and `repeat` burn fuel."""
        self.loops.append("")
        self.depth += 1
        if counted is not None:
            self.marked(counted, self.round(counted))
        self.block(body)
        self.depth -= 1
        self.loops.pop()

    def round(self, step: TStep) -> str:
        """What a round of `while` or `repeat` begins with."""
        work = sum(self.emitter.cost(part) for part in children(step))
        return f"burn({work})" if work > _LITTLE else "burn()"

    def guarded(self, local: Local, text: str) -> str:
        """A local's value; numbers that are given new values must stay within 64 bits."""
        return f"wide({text})" if local.assigned and str(local.type) == "int" and not text.lstrip("-").isdigit() else text

    # --- branches -----------------------------------------------------------------------------------------------------

    def if_step(self, step: typed.TIf) -> None:
        """`if`; a condition that is known leaves only its branch."""
        truth = self.emitter.known_value(step.condition)
        if truth is not None:
            chosen = step.then if truth else step.otherwise
            if chosen is not None:
                self.block(chosen)
            return
        self.line(f"if {self.condition(step.condition)}:")
        self.nested(step.then)
        if step.otherwise is not None:
            self.line("else:")
            self.nested(step.otherwise)

    def condition(self, node: TExpression) -> str:
        """The text of a condition; `any` and `all` become loops in front of the line, which is faster than a generator."""
        match node:
            case typed.Negation(operand=operand):
                return f"(not {self.condition(operand)})"
            case typed.BuiltinCall(entry=entry, arguments=(source, typed.EachBody() as each)) if (
                entry.name in ("any", "all") and isinstance(source, TExpression) and not self.emitter.is_static(node)
            ):
                return self._quantifier(entry.name, source, each)
        return self.expr(node)

    def _quantifier(self, name: str, source: TExpression, each: typed.EachBody) -> str:
        """A loop that looks for an element that decides."""
        found = self.emitter.fresh("b")
        decided = name == "any"
        items = self.emitter.looped(source, 1 + self.emitter.cost(each.body))
        element = self.emitter.bind(each.local)
        self.line(f"{found} = {not decided}")
        self.line(f"for {element} in {items}:")
        self.depth += 1
        inner = self.condition(each.body)
        self.line(f"if {inner}:" if decided else f"if not {inner}:")
        self.line(f"    {found} = {decided}")
        self.line("    break")
        self.depth -= 1
        return found

    def match_step(self, step: typed.TMatch) -> None:
        """`match`, as a chain of tests in order of writing."""
        name = self.emitter.fresh("m")
        self.line(f"{name} = {self.expr(step.subject)}")
        word = "if"
        for key, block in step.cases:
            self.line(f"{word} {self.case_test(name, key)}:")
            self.nested(block)
            word = "elif"
        if step.otherwise is not None:
            self.line("else:")
            self.nested(step.otherwise)

    def case_test(self, name: str, key: TExpression) -> str:
        """Whether a `match` key fits the value in `name`."""
        if isinstance(key.type, ListType):
            return f"{name} in {self.expr(key)}"
        return f"{name} == {self.expr(key)}"

    # --- assignment ---------------------------------------------------------------------------------------------------

    def assign(self, step: typed.TAssign) -> None:
        """A variable or local gets a value."""
        assert isinstance(step.value, TExpression)
        if isinstance(step.target, typed.LocalValue):
            name = self.emitter.locals[step.target.local]
            operator = "" if step.operator == "=" else f"{name} {step.operator[0]} "
            self.marked(
                step,
                f"{name} = wide({operator}{self.expr(step.value)})"
                if str(step.target.type) == "int"
                else f"{name} = {self.expr(step.value)}",
            )
            return
        assert isinstance(step.target, typed.VariableValue)
        self.store(step, step.target, self.expr(step.value))

    def store(self, step: TStep, target: typed.VariableValue, value: str) -> None:
        """Write a variable, then run what its change triggers."""
        plan = self.emitter.plan.variables[target.infos[0]]
        operator = step.operator if isinstance(step, typed.TAssign) else "="
        place = self.emitter.variable_place(target)
        triggers = self.analysis.caused_by(step)
        if plan.info.domain.form in ("set", "list"):
            self._store_many(step, target, plan, place, operator, value)
            return
        simple = place.isdigit()
        cell = f"s[{place}]"
        if not simple and (operator != "=" or triggers):
            name = self.emitter.fresh("c")
            self.line(f"{name} = {place}")
            cell = f"s[{name}]"
        if operator != "=":
            value = f"{cell} {operator[0]} ({value})"
        if triggers:
            old = self.emitter.fresh("o")
            self.line(f"{old} = {cell}")
            self.marked(step, f"{cell} = {self._in_range(plan, value)}")
            self._change_triggers(target, triggers, old, cell)
        else:
            self.marked(step, f"{cell} = {self._in_range(plan, value)}")
        self.look_at_end()

    def swap(self, step: typed.TSwap, first: typed.VariableValue, second: typed.VariableValue) -> None:
        """Two variables change their values."""
        held = [self.emitter.fresh("w") for _ in range(2)]
        for name, each in zip(held, (first, second), strict=True):
            self.line(f"{name} = {self.expr(each)}")
        for target, name in ((first, held[1]), (second, held[0])):
            value = typed.LocalValue(step.span, target.type, typed.Local(name, target.type, step.span))
            self.emitter.locals[value.local] = name
            self.assign(typed.TAssign(step.span, "=", target, value))

    @staticmethod
    def _in_range(plan: VariablePlan, value: str) -> str:
        if plan.info.domain.form != "range":
            return f"int({value})" if plan.info.domain.form == "bool" else value
        low, high = plan.low, plan.high
        if value.lstrip("-").isdigit() and low <= int(value) <= high:
            return value
        if plan.info.clamp:
            return f"min(max({value}, {low}), {high})"
        if plan.info.domain.none:
            return f"within_or_none({value}, {low}, {high})"
        return f"within({value}, {low}, {high})"

    def _store_many(self, step: TStep, target: typed.VariableValue, plan: VariablePlan, place: str, operator: str, value: str) -> None:
        name = self.emitter.fresh("c")
        self.line(f"{name} = {place}")
        if plan.info.domain.form == "list":
            self.marked(step, f"store_list(s, {name}, {value}, {plan.width - 1})")
            return
        if operator != "=":
            joint = "|" if operator == "+=" else "& ~"
            value = f"({self.emitter.read_variable(target)}) {joint} ({value})"
        self.marked(step, f"store_set(s, {name}, ({value}) >> {plan.shift}, {plan.width})")

    # --- effects and triggers -----------------------------------------------------------------------------------------

    def effect(self, step: typed.TEffect) -> None:
        """An elementary effect, then what it triggers."""
        if step.entry.name == "log":
            self.log(step)
            return
        arguments = ["s", *[self.effect_argument(step, a) for a in step.arguments]]
        call = f"{self.emitter.builtin_name(step.entry)}({', '.join(arguments)})"
        self.emitter.reads_state = True
        triggers = self.analysis.caused_by(step)
        one = self.move_of_one(step)
        if not triggers:
            self.marked(step, call if one is None else f"move_piece(s, {one[0]}, {one[1]})")
        elif one is not None and not any(event.form == "emptied" for trigger in triggers for event in trigger.events):
            self._triggers_of_one(step, triggers, *one)
        else:
            moved = self.emitter.fresh("e")
            self.marked(step, f"{moved} = {call}")
            self.move_triggers(moved, triggers)
        self.look_at_end()

    def move_of_one(self, step: typed.TEffect) -> tuple[str, str] | None:
        """The piece and the space, as texts, of a `move` of one piece to where pieces lie as they come: no list of what moves is needed."""
        match step:
            case typed.TEffect(entry=entry, arguments=(typed.MakeList(items=(piece,)), to, None)) if entry.name == "move":
                return self.expr(piece), self.effect_argument(step, to)
        return None

    def _triggers_of_one(self, step: typed.TEffect, triggers: list[TriggerInfo], moved: str, to: str) -> None:
        """A `move` of one piece, and the triggers in order of writing if it was elsewhere before."""
        piece, source, place = (self.emitter.fresh(x) for x in "pqt")
        self.marked(step, f"{piece}, {place} = {moved}, {to}")
        self.marked(step, f"{source} = move_piece(s, {piece}, {place})")
        self.line(f"if {source} != {place}:")
        self.depth += 1
        self._run_each(triggers, piece, source, place)
        self.depth -= 1

    def _run_each(self, triggers: list[TriggerInfo], piece: str, source: str, place: str) -> None:
        """Run those of the triggers of moves that one piece's move sets off."""
        self.line("pass")
        for trigger in triggers:
            test = self.move_test(trigger, source, place)
            if test:
                self.line(f"if {test}:")
                self.depth += 1
                self.line(self.trigger_call(trigger, {"piece": piece, "from": source, "to": place}))
                self.depth -= 1

    def look_at_end(self) -> None:
        """Entries of `end` with `check: at_once` are tested right after an effect."""
        if any(entry.declaration.check == "at_once" for entry in self.emitter.plan.spec.end):
            self.line("look_at_end(s)")

    def log(self, step: typed.TEffect) -> None:
        """A line for the log."""
        template, to = step.arguments
        assert isinstance(template, typed.TTemplate)
        readers = self.expr(to) if isinstance(to, TExpression) else "None"
        self.emitter.reads_state = True
        is_tainted = self.emitter.secrecy.is_tainted(template)
        line = emit_line(self.emitter, template, is_tainted)
        if line is None:
            self.marked(step, f"tell(s, {emit_parts(self.emitter, template)}, {readers}, {is_tainted})")
        else:
            self.marked(step, f"tell_form(s, {line}, {readers})")

    def effect_argument(self, step: typed.TEffect, argument: object) -> str:
        """The text of what an effect is given."""
        if argument is None:
            return "None"
        assert isinstance(argument, TExpression)
        return self.emitter.listed(argument, self.expr(argument), self.emitter.piece_work(step))

    def move_triggers(self, moved: str, triggers: list[TriggerInfo]) -> None:
        """Per piece that moved, the triggers in order of writing."""
        piece, source, place = (self.emitter.fresh(x) for x in "pqt")
        places = self.emitter.fresh("e")
        at = self.emitter.plan.at
        self.line(f"{places} = [(p, q, s[{at} + p]) for p, q in {moved}]")
        emptied = self.emptied_before(triggers, places)
        self.line(f"for {piece}, {source}, {place} in {places}:")
        self.depth += 1
        self._run_each(triggers, piece, source, place)
        self.depth -= 1
        for trigger, spaces in emptied:
            self.line(f"for {piece} in {spaces}:")
            self.line(f"    if {self._with_phase(trigger, 'True')}:")
            self.line(f"        {self.trigger_call(trigger, {'this': piece})}")

    def emptied_before(self, triggers: list[TriggerInfo], moved: str) -> list[tuple[TriggerInfo, str]]:
        """The spaces that an effect has emptied, for each trigger of that event: found before any trigger runs."""
        found = []
        for trigger in triggers:
            for event in trigger.events:
                if event.form == "emptied":
                    name = self.emitter.fresh("z")
                    zone = self.emitter.plan.zones[event.zones[0]]
                    self.line(f"{name} = emptied(s, {moved}, {zone.base}, {zone.end})")
                    found.append((trigger, name))
        return found

    def move_test(self, trigger: TriggerInfo, source: str, place: str) -> str:
        """Whether a move is one of the trigger's events, and its phase runs."""
        tests = []
        for event in trigger.events:
            if event.form not in ("enter", "leave"):
                continue
            zones = [self.emitter.plan.zones[z] for z in event.zones]
            where = place if event.form == "enter" else source
            tests += [f"{zone.base} <= {where} < {zone.end}" for zone in zones]
        return self._with_phase(trigger, f"({' or '.join(tests)})") if tests else ""

    def _with_phase(self, trigger: TriggerInfo, test: str) -> str:
        """Triggers of a phase live in it and in those below it; none live in the set-up."""
        if trigger.phase is None:
            return f"{test} and s[{PHASE}] >= 0"
        inside = tuple(n for path, n in self.phase_numbers.items() if path == trigger.phase or path.startswith(trigger.phase + "."))
        return f"{test} and s[{PHASE}] in {self.emitter.module.constant(inside)}"

    def trigger_call(self, trigger: TriggerInfo, names: dict[str, str]) -> str:
        """The call of a trigger's function."""
        arguments = [names.get(name, "NONE") for name in trigger.locals]
        mark = self.emitter.module.mark(trigger.span)
        return f"({mark}T_{trigger.name}({', '.join(['s', self.player, *arguments])}))"

    def _change_triggers(self, target: typed.VariableValue, triggers: list[TriggerInfo], old: str, cell: str) -> None:
        new = self.emitter.fresh("n")
        self.line(f"{new} = {cell}")
        self.line(f"if {old} != {new}:")
        self.depth += 1
        owner = "NONE"
        if target.target is not None:
            owner = self.expr(target.target)
        elif target.keys:
            owner = self.expr(target.keys[0])
        for trigger in triggers:
            self.line(f"if {self._with_phase(trigger, 'True')}:")
            self.depth += 1
            self.line(self.trigger_call(trigger, {"old": old, "new": new, "this": owner}))
            self.depth -= 1
        self.depth -= 1

    # --- calls and control --------------------------------------------------------------------------------------------

    def call(self, step: typed.TCall) -> str:
        """The call of a procedure that is one function."""
        who = self.expr(step.player) if step.player is not None else "NONE"
        given = [self.emitter.argument(p, a) for p, a in zip(step.unit.parameters, step.arguments, strict=True)]
        texts = ", ".join(["s", who, *given])
        return f"({self.emitter.module.mark(step.span)}P_{step.unit.name}({texts}))"

    def control(self, step: typed.TControl) -> None:
        """`stop`, `return`, `again`, `next_turn`; what leaves is written by subclasses."""
        match step.form:
            case "stop":
                self.line("break" if not self.loops or not self.loops[-1] else f"return {self.loops[-1]}")
            case "return":
                self.line(self.return_text())
            case "again":
                self.line(f"s[{AGAIN}] = 1")
            case "next_turn" if step.argument is not None:
                self.line(f"s[{NEXT}] = {self.expr(step.argument)}")
            case _:
                self.leave(step)

    def return_text(self) -> str:
        """How `return` is written."""
        return "return"

    def leave(self, step: typed.TControl) -> None:
        """What ends a turn, a phase or the game."""
        raise TypeError(step.form)

    def place(self, step: typed.TPlace) -> None:
        """A diagram."""
        name = self.emitter.module.constant(step, "D")
        self.marked(step, f"place_diagram(s, {name})")
