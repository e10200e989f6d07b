"""The program of a game: the instructions of all its units, with labels for numbers until all are written."""

from __future__ import annotations

import re
from collections.abc import Callable

from gdl import typed, types
from gdl.interpreter.analysis import Analysis
from gdl.interpreter.cells import (
    FRAME_LOCALS,
    FRAME_PLAYER,
    THREAD,
    THREAD_LIMIT,
)
from gdl.interpreter.choices import Chance, Decision
from gdl.interpreter.emit import Emitter
from gdl.interpreter.faults import problem
from gdl.interpreter.instructions import LABEL, Instruction, cleared, tighten
from gdl.interpreter.plan import Frame, holding
from gdl.interpreter.unit_writer import UnitWriter
from gdl.source import Span
from gdl.typed import Local, Unit
from gdl.types import ListType
from gdl.walk import spec_nodes

_LIST_ROOM = 64
"""Elements of a list of numbers that is kept across a decision."""
_NESTED_ROOM = 512
"""Elements and lengths of a list of lists that is kept."""
_DEEPEST_LIST = 2


def _depth(type_: types.Type) -> int:
    """How deep lists are in a type: 0 for what is no list."""
    inner = types.without_none(type_)
    return 1 + _depth(inner.element) if isinstance(inner, ListType) else 0


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
        self.has_branches = bool(spec_nodes(emitter.plan.spec, typed.TTogether))
        self.has_end = any(e.declaration.check == "decision" for e in emitter.plan.spec.end)
        self.end_moments: dict[str, str] = {}
        self.controls: set[str] = set()
        self.can_lose = False
        self.decisions: list[Decision] = []
        self.chances: list[Chance] = []
        self.forks: list[Unit] = []
        self.numbers: dict[str, int] = {}
        self.needed_labels: set[str] = set()
        self.units: dict[str, Unit] = {}
        self.kept_pieces: dict[str, tuple[tuple[int, str], ...]] = {}
        self._labels = 0

    # --- labels and frames --------------------------------------------------------------------------------------------

    def new_label(self, word: str) -> str:
        """A label that nothing else has."""
        self._labels += 1
        return f"{word}.{self._labels}"

    def add(self, instruction: Instruction) -> None:
        """Take an instruction in."""
        self.instructions.append(instruction)

    def room_test(self, size: str, name: str, span: Span) -> list[str]:
        """Lines that see to it that there are cells for a frame that begins at `n`. Branches have each its own ones, which end earlier."""
        end = f"s[s[{THREAD}] + {THREAD_LIMIT}]" if self.has_branches else "len(s)"
        return [f"if n + {size} > {end}:", f"    ({self.emitter.module.mark(span)}make_room(s, n + {size}, {name!r}))"]

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
                self.keep(frame, local)
            self.frames[unit] = frame
        return self.frames[unit]

    def note_call(self, caller: Unit, callee: Unit) -> None:
        """Remember a call, for the size of the stack."""
        self.calls.setdefault(caller, []).append(callee)

    def width_of(self, type_: types.Type) -> int:
        """How many cells a local takes."""
        return self.list_width(type_) if isinstance(types.without_none(type_), ListType) else 1

    def list_width(self, type_: types.Type) -> int:
        """Cells of a list that lives across a decision: its length, then as many elements as its type has.

        A list of lists is kept as one list, of each the length and then the elements.
        """
        if _depth(type_) > 1:
            return 1 + _NESTED_ROOM
        inner = types.without_none(type_)
        element = types.without_none(inner.element) if isinstance(inner, ListType) else types.ERROR
        size = self.emitter.type_size(element)
        return 1 + (size if size is not None else _LIST_ROOM)

    def keep(self, frame: Frame, local: Local) -> int:
        """Give a local its cells in a frame; the first of them. Raises SpecError for what can't be kept as numbers."""
        element = local.type
        for _ in range(_DEEPEST_LIST):
            inner = types.without_none(element)
            element = inner.element if isinstance(inner, ListType) else inner
        if types.without_none(element) == types.TEXT or isinstance(types.without_none(element), ListType | types.TableType):
            message = f"a {local.type} can't be kept across a decision"
            raise problem("wrong-type", local.span, message, help="find it again behind the decision")
        frame.slots[local] = frame.take(self.width_of(local.type), holding(local.type))
        return frame.slots[local]

    def slot_text(self, slot: int, type_: types.Type) -> str:
        """How a local in the frame is read."""
        return (f"s[f + {slot}]", f"kept_list(s, f + {slot})", f"kept_lists(s, f + {slot})")[_depth(type_)]

    def store_text(self, slot: int, type_: types.Type, value: str) -> str:
        """How a local in the frame is written."""
        depth = _depth(type_)
        if depth == 0:
            return f"s[f + {slot}] = {value}"
        return f"{'keep_list' if depth == 1 else 'keep_lists'}(s, f + {slot}, {value}, {self.width_of(type_) - 1})"

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
            self.emitter.locals[local] = self.slot_text(writer.frame.slots[local], local.type)
        if unit.player is not None:
            self.emitter.locals[unit.player] = f"s[f + {FRAME_PLAYER}]"
        writer.start("entry:" + self.entry_of(unit))
        if isinstance(unit, typed.TriggerInfo) and unit.when is not None:
            writer.line(f"if not {writer.expr(unit.when)}:")
            writer.line(f"    {writer.return_text()}")
        after = self.analysis.after_action(unit) if isinstance(unit, typed.ActionInfo) else []
        writer.tail = not after
        writer.block(unit.body)
        names = {local.name: self.emitter.locals[local] for local in self.parameters_of(unit)}
        for trigger in after:
            writer.run_trigger(trigger, writer._with_phase(trigger, "True"), names)
        writer.close(writer.return_text())

    def write_pending(self) -> None:
        """All units that were called so far and have no instructions yet."""
        while self.todo:
            self.write_unit(self.todo.pop(0))

    # --- numbers ------------------------------------------------------------------------------------------------------

    def assemble(self) -> None:
        """Give labels their numbers and hand the text of all instructions to the module."""
        tighten(self.instructions, self.kept_labels(), {d.after for d in self.decisions}, self.kept_pieces)
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
            kept |= {label for line in lines for label in LABEL.findall(line)}
        return kept

    @staticmethod
    def _resolve(line: str, numbers: dict[str, int], sizes: dict[str, int]) -> str:
        if "%size:" in line:
            line = re.sub("%size:([^%]+)%", lambda m: str(sizes[m.group(1)]), line)
        if "clear(" in line:
            line = cleared(line)
        return line if "@" not in line else LABEL.sub(lambda m: str(numbers[m.group(1)]), line)

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
