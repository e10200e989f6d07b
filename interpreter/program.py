"""Units that wait or leave → instructions.

An instruction is a Python function of the state and the running frame that answers with the number of the next one, or with a control
code (`gdl.interpreter.cells`). What has to outlive an instruction lies in the frame's cells, so a waiting game is a list of integers and nothing else.

Instructions are written as text with `@label@` where a number goes; labels get their numbers when all are written.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from attrs import define

from gdl import typed, types
from gdl.interpreter.analysis import Analysis
from gdl.interpreter.cells import (
    FRAME_CALLER,
    FRAME_LOCALS,
    FRAME_PLAYER,
    FRAME_RETURN,
    OVER,
    STOP,
    THREAD,
    THREAD_LIMIT,
)
from gdl.interpreter.choices import Chance, Decision
from gdl.interpreter.emit import Emitter
from gdl.interpreter.emit_steps import Writer
from gdl.interpreter.plan import Frame
from gdl.source import Span
from gdl.typed import Local, TBlock, TExpression, TStep, Unit
from gdl.types import ListType

_LABEL = re.compile("@([^@]+)@")
_LIST_ROOM = 64
"""Elements of a list of numbers that is kept across a decision."""


@define(eq=False)
class Instruction:
    """One instruction as text."""

    label: str
    lines: list[str]
    rule: str


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

    def slot(self, local: Local, value: str | None, step: TStep | None = None) -> None:
        """Keep a local in the frame from here on."""
        width = self.builder.width_of(local.type)
        slot = self.frame.take(width)
        self.frame.slots[local] = slot
        self.emitter.locals[local] = self.builder.slot_text(slot, width)
        if value is not None:
            self.line(self.builder.store_text(slot, width, value))

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
                self.slot(step.local, self.guarded(step.local, self.expr(step.value)))
            elif waits[index]:
                self.waiting_step(step)
            else:
                self.step(step)
        self.tail = outer
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
                texts = [self.expr(a) for a in arguments]
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
        known = self.emitter.known_value(source)
        if isinstance(known, tuple):
            kept, items, length = 0, self.emitter.module.constant(known), str(len(known))
        else:
            width = self.builder.list_width(source.type)
            kept = self.frame.take(width)
            self.line(f"keep_list(s, f + {kept}, {self.expr(source)}, {width - 1})")
            items, length = "", f"s[f + {kept}]"
        self.slot(local, None)
        self.line(f"s[f + {place}] = 0")
        top, exit_ = self.label("for"), self.label("end")
        self.start(top)
        index = f"s[f + {place}]"
        self.line(f"if {index} >= {length}:")
        self.line(f"    s[f + {place}] = 0")
        self.line(f"    s[f + {self.frame.slots[local]}] = 0")
        if not items:
            self.line(f"    clear_list(s, f + {kept})")
        self.line(f"    return @{exit_}@")
        value = f"{items}[{index}]" if items else f"s[f + {kept + 1} + {index}]"
        self.line(f"s[f + {self.frame.slots[local]}] = {value}")
        self.line(f"{index} += 1")
        self._loop(body, exit_)
        self.close(f"return @{top}@")
        self.start(exit_)

    def waiting_while(self, step: TStep, condition: TExpression, body: TBlock) -> None:
        """`while` whose body waits."""
        top, exit_ = self.label("while"), self.label("end")
        self.start(top)
        self.line(f"if not {self.expr(condition)}:")
        self.line(f"    return @{exit_}@")
        self.marked(step, "burn()")
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
        self.close("return enter(s, n, @entry:" + self.builder.entry_of(unit) + "@)")
        self.start(after)

    def call_lines(self, unit: Unit, player: str, arguments: list[str], after: str, tail: bool, span: Span) -> list[str]:
        """Lines that make the frame of a call; its first cell is then in `n`. A call in tail position takes the caller's place."""
        self.builder.note_call(self.unit, unit)
        names = [self.emitter.fresh("a") for _ in arguments]
        lines = [f"{name} = {text}" for name, text in zip(names, arguments, strict=True)]
        lines.append(f"w = {player}")
        if tail and self.unit.form != "phases" and self.unit.form != "setup":
            lines.append(f"back, caller, n = s[f], s[f + {FRAME_CALLER}], f")
            lines.append(f"clear(s, f, f + %size:{self.builder.entry_of(self.unit)}%)")
        else:
            lines.append(f"back, caller, n = @{after}@, f, f + %size:{self.builder.entry_of(self.unit)}%")
        lines.append(f"if n + %size:{self.builder.entry_of(unit)}% > s[s[{THREAD}] + {THREAD_LIMIT}]:")
        lines.append(f"    ({self.emitter.module.mark(span)}too_deep({unit.name!r}))")
        lines.append(f"s[n + {FRAME_RETURN}] = back")
        lines.append(f"s[n + {FRAME_CALLER}] = caller")
        lines.append(f"s[n + {FRAME_PLAYER}] = w")
        frame = self.builder.frame_of(unit)
        for name, local in zip(names, self.builder.parameters_of(unit), strict=False):
            lines.append(self.builder.store_text(frame.slots[local], frame.widths[local], name).replace("f + ", "n + "))
        return lines

    # --- leaving ------------------------------------------------------------------------------------------------------

    def return_text(self) -> str:
        """Back to the caller."""
        if self.unit.form in ("setup", "phases"):
            return f"return @{self.unit.form}.end@"
        return f"return leave(s, f, %size:{self.builder.entry_of(self.unit)}%)"

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
            return ["return end_turn(s)"]
    number = "None" if step.phase is None else repr(step.phase)
    return [f"return end_phase(s, {number})"]


class ProgramBuilder:
    """Collects the instructions of all units and gives them their numbers."""

    def __init__(
        self,
        emitter: Emitter,
        analysis: Analysis,
        phase_numbers: dict[str, int],
        decide: Callable[..., None],
        waiting_effect: Callable[..., None],
    ) -> None:
        self.emitter = emitter
        self.analysis = analysis
        self.phase_numbers = phase_numbers
        self.decide = decide
        self.waiting_effect = waiting_effect
        self.instructions: list[Instruction] = []
        self.functions: list[tuple[str, str, list[str], str]] = []
        self.frames: dict[Unit, Frame] = {}
        self.entries: dict[Unit, str] = {}
        self.todo: list[Unit] = []
        self.calls: dict[Unit, list[Unit]] = {}
        self.has_end = any(e.declaration.check == "decision" for e in emitter.plan.spec.end)
        self.end_moments: dict[str, str] = {}
        self.controls: set[str] = set()
        self.can_lose = False
        self.decisions: list[Decision] = []
        self.chances: list[Chance] = []
        self.forks: list[Unit] = []
        self.numbers: dict[str, int] = {}
        self.needed_labels: set[str] = set()
        self._labels = 0

    # --- labels and frames --------------------------------------------------------------------------------------------

    def new_label(self, word: str) -> str:
        """A label that nothing else has."""
        self._labels += 1
        return f"{word}.{self._labels}"

    def add(self, instruction: Instruction) -> None:
        """Take an instruction in."""
        self.instructions.append(instruction)

    def entry_of(self, unit: Unit) -> str:
        """The label of a unit's first instruction; the unit is written later if it is not yet."""
        if unit not in self.entries:
            self.entries[unit] = f"{unit.form}.{unit.name}.{len(self.entries)}"
            if unit.form not in ("setup", "phases"):
                self.todo.append(unit)
        return self.entries[unit]

    def parameters_of(self, unit: Unit) -> tuple[Local, ...]:
        """The locals that a call sets: parameters, an action's choices, what a trigger's event gives."""
        if isinstance(unit, typed.ActionInfo):
            return (*unit.parameters, *(b.local for b in unit.choices))
        if isinstance(unit, typed.TriggerInfo):
            return tuple(unit.locals.values())
        return unit.parameters

    def frame_of(self, unit: Unit) -> Frame:
        """The frame of a unit, its parameters in their places."""
        if unit not in self.frames:
            frame = Frame(FRAME_LOCALS)
            for local in self.parameters_of(unit):
                width = self.width_of(local.type)
                frame.widths[local] = width
                frame.slots[local] = frame.take(width)
            self.frames[unit] = frame
        return self.frames[unit]

    def note_call(self, caller: Unit, callee: Unit) -> None:
        """Remember a call, for the size of the stack."""
        self.calls.setdefault(caller, []).append(callee)

    def width_of(self, type_: types.Type) -> int:
        """How many cells a local takes."""
        return self.list_width(type_) if isinstance(types.without_none(type_), ListType) else 1

    def list_width(self, type_: types.Type) -> int:
        """Cells of a list that lives across a decision: its length, then as many elements as its type has."""
        inner = types.without_none(type_)
        element = types.without_none(inner.element) if isinstance(inner, ListType) else types.ERROR
        size = self.emitter.type_size(element)
        return 1 + (size if size is not None else _LIST_ROOM)

    def slot_text(self, slot: int, width: int) -> str:
        """How a local in the frame is read."""
        return f"s[f + {slot}]" if width == 1 else f"kept_list(s, f + {slot})"

    def store_text(self, slot: int, width: int, value: str) -> str:
        """How a local in the frame is written."""
        return f"s[f + {slot}] = {value}" if width == 1 else f"keep_list(s, f + {slot}, {value}, {width - 1})"

    def uses(self, control: str) -> bool:
        """Whether the spec has such a control step anywhere."""
        return control in self.controls

    def add_function(self, name: str, parameters: str, lines: list[str], rule: str) -> None:
        """A function that names labels, such as those of decisions."""
        self.functions.append((name, parameters, lines, rule))

    def new_decision(self, step: typed.TDecide | typed.TChoose, keys: typed.TKeys) -> Decision:
        """The next decision."""
        decision = Decision(len(self.decisions), step.span, "", keys.prompt)
        self.decisions.append(decision)
        return decision

    def new_chance(self, span: Span, label: str) -> Chance:
        """The next chance event."""
        chance = Chance(len(self.chances), span, label)
        self.chances.append(chance)
        return chance

    # --- units --------------------------------------------------------------------------------------------------------

    def write_unit(self, unit: Unit) -> None:
        """The instructions of a procedure, action, trigger or effect cell."""
        writer = UnitWriter(self, unit)
        for local in self.parameters_of(unit):
            self.emitter.locals[local] = self.slot_text(writer.frame.slots[local], writer.frame.widths[local])
        if unit.player is not None:
            self.emitter.locals[unit.player] = f"s[f + {FRAME_PLAYER}]"
        writer.start("entry:" + self.entry_of(unit))
        writer.tail = True
        writer.block(unit.body)
        writer.close(writer.return_text())

    def write_pending(self) -> None:
        """All units that were called so far and have no instructions yet."""
        while self.todo:
            self.write_unit(self.todo.pop(0))

    # --- numbers ------------------------------------------------------------------------------------------------------

    def assemble(self) -> None:
        """Give labels their numbers and hand the text of all instructions to the module."""
        tighten(self.instructions, self.kept_labels(), {d.after for d in self.decisions})
        numbers = {instruction.label: n for n, instruction in enumerate(self.instructions)}
        sizes = {label: self.frame_of(unit).size for unit, label in self.entries.items()}
        self.numbers = numbers
        for number, instruction in enumerate(self.instructions):
            body = [self._resolve(line, numbers, sizes) for line in instruction.lines]
            self.emitter.module.function(f"I{number}", "s, f", body, instruction.rule)
        for name, parameters, lines, rule in self.functions:
            self.emitter.module.function(name, parameters, [self._resolve(x, numbers, sizes) for x in lines], rule)

    def kept_labels(self) -> set[str]:
        """Labels that something outside the instructions speaks of."""
        kept = {"setup.start", "phases.start", "phases.end", *self.needed_labels}
        kept |= {label for d in self.decisions for label in (d.label, d.after)} | {e.label for e in self.chances}
        for _, _, lines, _ in self.functions:
            kept |= {label for line in lines for label in _LABEL.findall(line)}
        return kept

    @staticmethod
    def _resolve(line: str, numbers: dict[str, int], sizes: dict[str, int]) -> str:
        line = re.sub("%size:([^%]+)%", lambda m: str(sizes[m.group(1)]), line)
        return _LABEL.sub(lambda m: str(numbers[m.group(1)]), line)

    def stack_need(self, unit: Unit, depth: int) -> int:
        """Cells that the frames of a unit and all that it calls can take; recursion goes `depth` deep."""
        sizes: dict[Unit, int] = {}
        looping: list[int] = []

        def need(each: Unit, above: tuple[Unit, ...]) -> int:
            if each in above:
                looping.append(sum(self.frame_of(u).size for u in above[above.index(each) :]))
                return 0
            if each not in sizes:
                below = [need(callee, (*above, each)) for callee in self.calls.get(each, [])]
                sizes[each] = self.frame_of(each).size + max(below, default=0)
            return sizes[each]

        total = need(unit, ())
        return total + depth * max(looping, default=0)


_JUMP = re.compile("return @([^@]+)@")
_LONGEST = 60


def tighten(instructions: list[Instruction], kept: set[str], alone: set[str]) -> None:
    """Put behind each instruction what it goes on to in any case, as far as that is short; then drop what nothing leads to.

    Instructions in `alone` are put behind no other, so that one can stop in front of them.
    """
    by_label = {instruction.label: instruction for instruction in instructions}
    original = {label: list(instruction.lines) for label, instruction in by_label.items()}
    for instruction in instructions:
        seen = {instruction.label}
        lines = list(original[instruction.label])
        while lines:
            jump = _JUMP.fullmatch(lines[-1])
            target = jump.group(1) if jump is not None else ""
            if target not in original or target in seen or target in alone:
                break
            if len(lines) + len(original[target]) > _LONGEST:
                break
            seen.add(target)
            lines = [*lines[:-1], *original[target]]
        instruction.lines = lines
    reached = set()
    todo = [label for label in kept if label in by_label]
    while todo:
        label = todo.pop()
        if label not in reached:
            reached.add(label)
            todo += [x for line in by_label[label].lines for x in _LABEL.findall(line) if x in by_label]
    instructions[:] = [i for i in instructions if i.label in reached]
