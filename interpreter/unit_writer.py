"""Units that wait or leave → instructions: one writer for each unit, over the lines that `Writer` knows.

What has to outlive an instruction lies in the frame's cells, so a waiting game is a list of integers and nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from gdl import typed, types
from gdl.interpreter.cells import FRAME_CALLER, FRAME_PLAYER, FRAME_RETURN, OVER, STOP
from gdl.interpreter.emit_steps import Writer
from gdl.interpreter.instructions import Instruction, entering, leaving
from gdl.interpreter.plan import holding
from gdl.interpreter.step_costs import ROUND
from gdl.source import Span
from gdl.typed import Local, TBlock, TExpression, TStep, Unit
from gdl.types import ListType

if TYPE_CHECKING:
    from gdl.interpreter.program import ProgramBuilder


@frozen
class _Kept:
    """What a loop with decisions goes through, as texts: how many there are, the item with the index `{}`, what forgets them.

    `in_place`: the item can be read there as long as the loop runs.
    """

    length: str
    item: str
    in_place: bool
    forget: str = ""


class UnitWriter(Writer):
    """Writes the instructions of one unit."""

    def __init__(self, builder: ProgramBuilder, unit: Unit) -> None:
        super().__init__(builder.emitter, builder.analysis, builder.phase_numbers)
        self.builder = builder
        self.unit = unit
        self.frame = builder.frame_of(unit)
        self.open_label = ""
        self.player = f"s[f + {FRAME_PLAYER}]"
        self.tail = False
        self.phase_name = ""

    @property
    def rule(self) -> str:
        """What faults call the rule that is being written."""
        if self.unit.form == "phases":
            return f"phase {self.phase_name}" if self.phase_name else "phases"
        return self.unit.name if self.unit.form == "setup" else f"{self.unit.form} {self.unit.name}"

    # --- instructions -------------------------------------------------------------------------------------------------

    def start(self, label: str) -> None:
        """Begin an instruction; one that is open goes on into it."""
        if self.open_label:
            self.close(f"return @{label}@")
        self.open_label = label
        self.lines = []
        self.depth = 0
        self.builder.units[label] = self.unit
        self.builder.kept_pieces[label] = tuple(self.frame.pieces.items())

    def close(self, last: str) -> None:
        """End the open instruction."""
        if not self.open_label:
            return
        self.line(last)
        self.builder.add(Instruction(self.open_label, self.lines, self.rule))
        self.open_label = ""
        self.lines = []

    def label(self, word: str) -> str:
        """A new label."""
        return self.builder.new_label(f"{self.unit.name}.{word}")

    def slot(self, local: Local, value: str | None) -> None:
        """Keep a local in the frame from here on. Raises SpecError for what can't be kept as numbers."""
        slot = self.builder.keep(self.frame, local)
        self.emitter.locals[local] = self.builder.slot_text(slot, local.type)
        if value is not None:
            self.line(self.builder.store_text(slot, local.type, value))

    def assign(self, step: typed.TAssign) -> None:
        """A list that is kept in the frame is written as a whole; all else as everywhere."""
        target = step.target
        if isinstance(target, typed.LocalValue) and target.local in self.frame.slots and isinstance(target.type, ListType):
            assert isinstance(step.value, TExpression)
            self.marked(step, self.builder.store_text(self.frame.slots[target.local], target.type, self.expr(step.value)))
        else:
            super().assign(step)

    # --- blocks -------------------------------------------------------------------------------------------------------

    def block(self, block: TBlock | None) -> None:
        """A block; a `let` that is needed behind a step that waits is kept in the frame."""
        steps = block.steps if block is not None else ()
        waits = [self.analysis.step_waits(s) for s in steps]
        outer = self.tail
        first = self.frame.size
        before = len(self.lines)
        label = self.open_label
        for index, step in enumerate(steps):
            self.tail = outer and index == len(steps) - 1
            if isinstance(step, typed.TLet) and isinstance(step.value, TExpression) and any(waits[index + 1 :]):
                known = None if step.local.assigned else self.emitter.known_value(step.value)
                if known is not None:
                    self.emitter.locals[step.local] = self.emitter.literal(known)
                    continue
                self.slot(step.local, self.guarded(step.local, self.expr(step.value)))
            elif waits[index]:
                self.waiting_step(step)
            else:
                self.step(step)
        self.tail = outer
        self.frame.close(first)
        if self.open_label == label and len(self.lines) == before and self.depth:
            self.line("pass")
        if self.frame.size > first and self.open_label and not outer and not self.depth:
            self.line(f"clear(s, f + {first}, f + {self.frame.size})")

    def waiting_step(self, step: TStep) -> None:
        """A step that needs several instructions."""
        match step:
            case typed.TIf():
                self.waiting_if(step)
            case typed.TMatch():
                self.waiting_match(step)
            case typed.TFor(local=local, source=source, body=body):
                self.waiting_for(local, source, body)
            case typed.TRepeat(count=count, body=body):
                counter = Local("(round)", types.INT, step.span)
                numbers = typed.NumberRange(count.span, ListType(types.INT), typed.Constant(count.span, types.INT, 1), count)
                self.waiting_for(counter, numbers, body)
            case typed.TWhile(condition=condition, body=body):
                self.waiting_while(step, condition, body)
            case typed.TAs(player=player, local=local, body=body):
                self.slot(local, self.expr(player))
                outer, self.player = self.player, self.emitter.locals[local]
                self.block(body)
                self.player = outer
            case typed.TCall(unit=unit, arguments=arguments, player=player):
                texts = [self.emitter.argument(p, a) for p, a in zip(unit.parameters, arguments, strict=True)]
                self.call_unit(unit, self.expr(player) if player is not None else "NONE", texts, step.span)
            case typed.TDecide() | typed.TChoose():
                self.builder.decide(self, step)
            case _:
                self.builder.waiting_effect(self, step)

    def waiting_if(self, step: typed.TIf) -> None:
        """`if` with a branch that waits."""
        truth = self.emitter.known_value(step.condition)
        if truth is not None:
            self.block(step.then if truth else step.otherwise)
            return
        other, after = self.label("else"), self.label("after")
        self.line(f"if not {self.condition(step.condition)}:")
        self.line(f"    return @{other}@")
        self.block(step.then)
        if step.otherwise is None:
            self.start(other)
            return
        self.close(f"return @{after}@")
        self.start(other)
        self.block(step.otherwise)
        self.start(after)

    def waiting_match(self, step: typed.TMatch) -> None:
        """`match` with a case that waits."""
        after = self.label("after")
        name = self.emitter.fresh("m")
        self.line(f"{name} = {self.expr(step.subject)}")
        bodies = []
        for key, block in step.cases:
            label = self.label("case")
            self.line(f"if {self.case_test(name, key)}:")
            self.line(f"    return @{label}@")
            bodies.append((label, block))
        if step.otherwise is not None:
            self.block(step.otherwise)
        self.close(f"return @{after}@")
        for label, block in bodies:
            self.start(label)
            self.block(block)
            self.close(f"return @{after}@")
        self.start(after)

    # --- loops --------------------------------------------------------------------------------------------------------

    def waiting_for(self, local: Local, source: TExpression, body: TBlock) -> None:
        """`for` over a list that is kept, with the place reached, in the frame."""
        place = self.frame.take()
        index = f"s[f + {place}]"
        kept = self._keep_source(source)
        if kept.in_place and not local.assigned:
            self.emitter.locals[local] = kept.item.format(f"{index} - 1")
        else:
            self.slot(local, None)
        self.line(f"{index} = 0")
        top, exit_ = self.label("for"), self.label("end")
        self.start(top)
        self.line(f"if {index} >= {kept.length}:")
        self.line(f"    {index} = 0")
        if local in self.frame.slots:
            slot = self.frame.slots[local]
            self.line(f"    clear(s, f + {slot}, f + {slot + self.builder.width_of(local.type)})")
        if kept.forget:
            self.line(f"    {kept.forget}")
        self.line(f"    return @{exit_}@")
        if local in self.frame.slots:
            self.line(self.builder.store_text(self.frame.slots[local], local.type, kept.item.format(index)))
        self.line(f"{index} += 1")
        self.line(f"({self.emitter.module.mark(local.span)}charge({ROUND + self.emitter.cost(body)}))")
        self._loop(body, exit_)
        self.close(f"return @{top}@")
        self.frame.pieces.pop(self.frame.slots.get(local, 0), None)
        self.start(exit_)

    def _keep_source(self, source: TExpression) -> _Kept:
        """Keep what a loop goes through: nothing of what is known, of numbers in a row the first and how many, else the list."""
        known = self.emitter.known_value(source)
        if isinstance(known, tuple):
            return _Kept(str(len(known)), f"{self.emitter.module.constant(known)}[{{}}]", in_place=True)
        if isinstance(source, typed.NumberRange):
            first = self.frame.take(2)
            self.line(f"s[f + {first}] = {self.expr(source.low)}")
            self.line(f"s[f + {first + 1}] = max(0, {self.expr(source.high)} - s[f + {first}] + 1)")
            return _Kept(f"s[f + {first + 1}]", f"(s[f + {first}] + {{}})", in_place=True, forget=f"clear(s, f + {first}, f + {first + 2})")
        first = self.frame.take(self.builder.width_of(source.type), holding(source.type))
        self.line(self.builder.store_text(first, source.type, self.expr(source)))
        forget = f"clear_list(s, f + {first})"
        if isinstance(source.type, ListType) and isinstance(types.without_none(source.type.element), ListType):
            lists = self.builder.slot_text(first, source.type)
            return _Kept(f"len({lists})", f"{lists}[{{}}]", in_place=True, forget=forget)
        return _Kept(f"s[f + {first}]", f"s[f + {first + 1} + {{}}]", in_place=False, forget=forget)

    def waiting_while(self, step: TStep, condition: TExpression, body: TBlock) -> None:
        """`while` whose body waits."""
        top, exit_ = self.label("while"), self.label("end")
        self.start(top)
        self.line(f"if not {self.expr(condition)}:")
        self.line(f"    return @{exit_}@")
        self.marked(step, self.round(step))
        self._loop(body, exit_)
        self.close(f"return @{top}@")
        self.start(exit_)

    def _loop(self, body: TBlock, exit_: str) -> None:
        outer, self.tail = self.tail, False
        self.loops.append(f"@{exit_}@")
        self.block(body)
        self.loops.pop()
        self.tail = outer

    # --- calls --------------------------------------------------------------------------------------------------------

    def call_unit(self, unit: Unit, player: str, arguments: list[str], span: Span) -> None:
        """A call of a unit that has instructions of its own."""
        after = self.label("after")
        for line in self.call_lines(unit, player, arguments, after, self.tail, span):
            self.line(line)
        self.close(entering(f"@entry:{self.builder.entry_of(unit)}@"))
        self.start(after)

    def call_lines(self, unit: Unit, player: str, arguments: list[str], after: str, tail: bool, span: Span) -> list[str]:
        """Lines that make the frame of a call; its first cell is then in `n`. A call in tail position takes the caller's place."""
        self.builder.note_call(self.unit, unit)
        names = [self.emitter.fresh("a") for _ in arguments]
        lines = [f"{name} = {text}" for name, text in zip(names, arguments, strict=True)]
        lines.append(f"w = {player}")
        work = self.emitter.call_cost(unit)
        if tail and self.unit.form != "phases" and self.unit.form != "setup":
            lines.append(f"({self.emitter.module.mark(span)}burn({work}))")
            lines.append(f"back, caller, n = s[f], s[f + {FRAME_CALLER}], f")
            lines.append(f"clear(s, f, f + %size:{self.builder.entry_of(self.unit)}%)")
        else:
            lines.append(f"({self.emitter.module.mark(span)}charge({work}))")
            lines.append(f"back, caller, n = @{after}@, f, f + %size:{self.builder.entry_of(self.unit)}%")
        lines += self.builder.room_test(f"%size:{self.builder.entry_of(unit)}%", unit.name, span)
        lines.append(f"s[n + {FRAME_RETURN}] = back")
        lines.append(f"s[n + {FRAME_CALLER}] = caller")
        lines.append(f"s[n + {FRAME_PLAYER}] = w")
        frame = self.builder.frame_of(unit)
        for name, local in zip(names, self.builder.parameters_of(unit), strict=False):
            lines.append(self.builder.store_text(frame.slots[local], local.type, name).replace("f + ", "n + "))
        return lines

    def run_trigger(self, trigger: typed.TriggerInfo, test: str, names: dict[str, str]) -> None:
        """One trigger, if its test holds: as a function where it can be one, else with a frame."""
        if self.analysis.native(trigger):
            self.line(f"if {test}:")
            self.line("    " + self.trigger_call(trigger, names))
            return
        skip = self.label("skip")
        self.line(f"if not ({test}):")
        self.line(f"    return @{skip}@")
        outer, self.tail = self.tail, False
        self.call_unit(trigger, self.player, [names.get(name, "NONE") for name in trigger.locals], trigger.span)
        self.tail = outer
        self.start(skip)

    # --- leaving ------------------------------------------------------------------------------------------------------

    def return_text(self) -> str:
        """Back to the caller."""
        if self.unit.form in ("setup", "phases"):
            return f"return @{self.unit.form}.end@"
        return leaving(f"%size:{self.builder.entry_of(self.unit)}%")

    def leave(self, step: typed.TControl) -> None:
        """`win`, `lose`, `tie`, `end_game`, `end_phase`, `end_turn`."""
        for text in leave_lines(self, step):
            self.line(text)

    def check_end(self) -> None:
        """Test the entries of `end`."""
        if self.builder.has_end:
            self.line("if end_reached(s):")
            self.line(f"    return {STOP}")


def leave_lines(writer: Writer, step: typed.TControl) -> list[str]:
    """The lines of a control step that leaves its place."""
    argument = writer.expr(step.argument) if step.argument is not None else "()"
    mark = writer.emitter.module.mark(step.span)
    match step.form:
        case "win":
            return [f"set_won(s, {argument})", f"return {STOP}"]
        case "lose":
            return [f"if set_lost(s, {argument}):", f"    return {STOP}"]
        case "tie":
            return ["set_tied(s)", f"return {STOP}"]
        case "end_game":
            return [f"s[{OVER}] = 1", f"return {STOP}"]
        case "end_turn":
            return [f"return ({mark}end_turn(s))"]
    number = "None" if step.phase is None else repr(step.phase)
    return [f"return ({mark}end_phase(s, {number}))"]
