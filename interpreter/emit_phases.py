"""Phases, rounds and turns → instructions. Whatever a phase has to remember lies in cells of its own, outside all frames."""

from __future__ import annotations

from attrs import define, field

from gdl import typed, types
from gdl.interpreter.cells import AGAIN, NEXT, OVER, PHASE, STOP, TURNS
from gdl.interpreter.program import ProgramBuilder
from gdl.interpreter.unit_writer import UnitWriter
from gdl.typed import PhaseInfo, TExpression, Unit
from gdl.types import ListType


@define(eq=False)
class PhaseRecord:
    """A phase at run time: labels to jump to and cells to set. `loop` is the list that `for` goes through, if it is known."""

    info: PhaseInfo
    number: int
    parent: PhaseRecord | None
    counter: int = 0
    place: int = 0
    kept: int = 0
    kept_width: int = 0
    seat: int = 0
    count: int = 0
    order: int = 0
    order_width: int = 0
    exit: str = ""
    turn_end: str = ""
    body: str = ""
    loop: TExpression | None = None
    nested: list[PhaseRecord] = field(factory=list)

    @property
    def path(self) -> str:
        """Its name with those of the phases around it."""
        return self.info.path


def number_phases(phases: tuple[PhaseInfo, ...], parent: PhaseRecord | None, found: list[PhaseRecord]) -> list[PhaseRecord]:
    """A record for every phase, outer ones first."""
    records = []
    for info in phases:
        record = PhaseRecord(info, len(found), parent)
        found.append(record)
        record.nested = number_phases(info.phases, record, found)
        records.append(record)
    return records


class PhaseWriter:
    """Writes the instructions of all phases, one after the other."""

    def __init__(self, builder: ProgramBuilder, records: list[PhaseRecord], unit: Unit) -> None:
        self.builder = builder
        self.records = records
        self.writer = UnitWriter(builder, unit)
        self.plan = builder.emitter.plan

    def write(self, roots: list[PhaseRecord]) -> None:
        """From the start of the first phase to the end of the game."""
        writer = self.writer
        writer.start("phases.start")
        for record in roots:
            self.phase(record)
        writer.line(f"s[{OVER}] = 1")
        writer.close(f"return {STOP}")
        writer.start("phases.end")
        writer.line(f"s[{OVER}] = 1")
        writer.close(f"return {STOP}")

    # --- a phase ------------------------------------------------------------------------------------------------------

    def phase(self, record: PhaseRecord) -> None:
        """Its entry, its rounds, its exit."""
        writer, info = self.writer, record.info
        done = writer.label("done")
        record.exit = writer.label("exit")
        if info.when is not None:
            writer.line(f"if not {writer.expr(info.when)}:")
            writer.line(f"    return @{done}@")
        writer.line(f"s[{PHASE}] = {record.number}")
        writer.player = "NONE"
        self.events("start", info.path)
        outer_name, writer.phase_name = writer.phase_name, info.name
        if info.loop is not None or (info.until is not None and info.seat is None):
            self.rounds(record)
        else:
            self.round(record)
        writer.phase_name = outer_name
        writer.start(record.exit)
        self.exit(record)
        writer.start(done)

    def rounds(self, record: PhaseRecord) -> None:
        """`for` and `until` around nested phases or a plain body."""
        writer, info = self.writer, record.info
        if info.loop is not None:
            self.begin_loop(record)
        top, work = writer.label("round"), writer.emitter.round_cost(info)
        writer.start(top)
        if info.loop is not None:
            self.next_round(record)
        if info.until is not None and info.seat is None:
            writer.line(f"if {writer.expr(info.until)}:")
            writer.line(f"    return @{record.exit}@")
            writer.marked(info, f"burn({work})")
        else:
            writer.marked(info, f"charge({work})")
        self.round(record)
        writer.close(f"return @{top}@")

    def begin_loop(self, record: PhaseRecord) -> None:
        """Keep the list of `for`, unless it is known."""
        writer, loop = self.writer, record.info.loop
        assert loop is not None
        writer.line(f"s[{record.place}] = 0")
        if record.kept_width:
            writer.line(f"keep_list(s, {record.kept}, {writer.expr(loop)}, {record.kept_width - 1})")

    def next_round(self, record: PhaseRecord) -> None:
        """The counter's next value, or out."""
        writer, loop = self.writer, record.info.loop
        assert loop is not None
        known = self.builder.emitter.known_value(loop)
        items = self.builder.emitter.module.constant(known) if isinstance(known, tuple) else f"kept_list(s, {record.kept})"
        writer.line(f"n = {items}")
        writer.line(f"if s[{record.place}] >= len(n):")
        writer.line(f"    return @{record.exit}@")
        writer.line(f"s[{record.counter}] = n[s[{record.place}]]")
        writer.line(f"s[{record.place}] += 1")

    def round(self, record: PhaseRecord) -> None:
        """What happens once: nested phases, turns, or the body."""
        writer, info = self.writer, record.info
        if info.seat is not None:
            self.turns(record)
        elif record.nested:
            for nested in record.nested:
                self.phase(nested)
                writer.line(f"s[{PHASE}] = {record.number}")
        else:
            record.body = writer.label("body")
            writer.start(record.body)
            writer.block(info.body)
            self.clear_frame()

    def exit(self, record: PhaseRecord) -> None:
        """Triggers of the end, the test of the game's end, and everything forgotten."""
        writer = self.writer
        writer.line(f"s[{PHASE}] = {record.number}")
        writer.player = "NONE"
        self.clear_frame()
        self.events("end", record.path)
        self.check_end(f"end:{record.info.name}")
        for each in self.below(record):
            for cell, width in self.cells(each):
                writer.line(f"clear(s, {cell}, {cell + width})")
        writer.line(f"s[{PHASE}] = {record.parent.number if record.parent is not None else -1}")

    def below(self, record: PhaseRecord) -> list[PhaseRecord]:
        """A phase and all inside it."""
        return [record, *(each for nested in record.nested for each in self.below(nested))]

    @staticmethod
    def cells(record: PhaseRecord) -> list[tuple[int, int]]:
        """The cells of a phase, with their widths."""
        found = [(record.counter, 1), (record.place, 1), (record.kept, record.kept_width), (record.seat, 1), (record.count, 1),
                 (record.order, record.order_width)]  # fmt: skip
        return [(cell, width) for cell, width in found if cell and width]

    def check_end(self, moment: str) -> None:
        """Test the entries of `end` that are due at the end of a turn or phase."""
        for name in ("", moment):
            if (name or self.builder.has_end) and (not name or name in self.builder.end_moments):
                function = "end_reached" if not name else self.builder.end_moments[name]
                self.writer.line(f"if {function}(s):")
                self.writer.line(f"    return {STOP}")

    def clear_frame(self) -> None:
        """Forget the locals of the body that has run."""
        self.writer.line(f"clear(s, f + 3, f + %size:{self.builder.entry_of(self.writer.unit)}%)")

    def events(self, form: str, name: str = "") -> None:
        """Run the triggers of `start`, `end`, `turn_start`, `turn_end`."""
        for trigger in self.builder.analysis.triggers_of(form, name):
            test = self.writer._with_phase(trigger, "True")
            self.writer.run_trigger(trigger, test, {})

    # --- turns --------------------------------------------------------------------------------------------------------

    def turns(self, record: PhaseRecord) -> None:
        """Turns in order, until nobody has one any more."""
        writer, info = self.writer, record.info
        seat = f"s[{record.seat}]"
        assert info.seat is not None
        self.begin_turns(record, seat)
        writer.emitter.locals[info.seat] = seat
        top, again, record.turn_end = writer.label("turn"), writer.label("again"), writer.label("turn_end")
        record.body = writer.label("body")
        writer.start(top)
        if info.until is not None:
            writer.line(f"if {writer.expr(info.until)}:")
            writer.line(f"    return @{record.exit}@")
        self.skip(record, seat)
        writer.start(again)
        if self.plan.turn_limit is not None:
            writer.line(f"if s[{TURNS}] >= {self.plan.turn_limit}:")
            writer.line(f"    s[{OVER}] = 1")
            writer.line(f"    return {STOP}")
        writer.line(f"s[{TURNS}] += 1")
        writer.marked(info, f"burn({writer.emitter.turn_cost(info)})")
        writer.player = seat
        self.events("turn_start")
        writer.start(record.body)
        writer.block(info.body)
        writer.start(record.turn_end)
        self.end_turn(record, seat, top, again)

    def begin_turns(self, record: PhaseRecord, seat: str) -> None:
        """The order, and whose turn is first."""
        writer, info = self.writer, record.info
        first = writer.expr(info.start) if info.start is not None else "0"
        if isinstance(info.order, TExpression):
            writer.line(f"keep_list(s, {record.order}, {writer.expr(info.order)}, {record.order_width - 1})")
            if info.start is None:
                first = f"item(kept_list(s, {record.order}), 0)"
        writer.line(f"{seat} = {first}")
        if record.count:
            writer.line(f"s[{record.count}] = 0")

    def seats(self, record: PhaseRecord) -> str:
        """How many seats have turns."""
        return f"s[{record.order}]" if isinstance(record.info.order, TExpression) else str(self.plan.players)

    def following(self, record: PhaseRecord, seat: str) -> str:
        """The seat after a seat."""
        if isinstance(record.info.order, TExpression):
            return f"seat_after(kept_list(s, {record.order}), {seat})"
        step = "- 1" if record.info.order == "counterclockwise" else "+ 1"
        return f"({seat} {step}) % {self.plan.players}"

    def skip(self, record: PhaseRecord, seat: str) -> None:
        """Pass over seats that are out or skipped; a phase in which all are ends."""
        writer, info = self.writer, record.info
        tests = []
        if self.builder.can_lose:
            tests.append(f"s[{self.plan.out} + {seat}]")
        if info.skip is not None and info.asked is not None:
            writer.emitter.locals[info.asked] = seat
            tests.append(writer.expr(info.skip))
        if not tests:
            return
        writer.line(f"for _ in range({self.seats(record)}):")
        writer.line(f"    if not ({' or '.join(tests)}):")
        writer.line("        break")
        if record.count:
            writer.line(f"    s[{record.count}] += 1")
            writer.line(f"    if s[{record.count}] >= {self.seats(record)}:")
            writer.line(f"        return @{record.exit}@")
        writer.line(f"    {seat} = {self.following(record, seat)}")
        writer.line("else:")
        writer.line(f"    return @{record.exit}@")

    def end_turn(self, record: PhaseRecord, seat: str, top: str, again: str) -> None:
        """The end of a turn: triggers, the test of the game's end, a further turn, the next seat."""
        writer = self.writer
        writer.player = seat
        self.events("turn_end")
        self.check_end("turn_end")
        if writer.frame.size > 3:
            self.clear_frame()
        if self.builder.uses("again"):
            out = f" and not s[{self.plan.out} + {seat}]" if self.builder.can_lose else ""
            writer.line(f"if s[{AGAIN}]{out}:")
            writer.line(f"    s[{AGAIN}] = 0")
            writer.line(f"    return @{again}@")
            writer.line(f"s[{AGAIN}] = 0")
        if record.count:
            writer.line(f"s[{record.count}] += 1")
            writer.line(f"if s[{record.count}] >= {self.seats(record)}:")
            writer.line(f"    return @{record.exit}@")
        if self.builder.uses("next_turn"):
            writer.line(f"{seat} = s[{NEXT}] if s[{NEXT}] != NONE else {self.following(record, seat)}")
            writer.line(f"s[{NEXT}] = NONE")
        else:
            writer.line(f"{seat} = {self.following(record, seat)}")
        writer.close(f"return @{top}@")


def phase_cells(record: PhaseRecord, builder: ProgramBuilder, take: object) -> None:
    """Give a phase its cells."""
    assert callable(take)
    info = record.info
    if info.loop is not None:
        record.counter, record.place = take(1), take(1)
        if not isinstance(builder.emitter.known_value(info.loop), tuple):
            record.kept_width = 65
            record.kept = take(record.kept_width)
    if info.seat is not None:
        record.seat = take(1)
        turns = info.declaration.turns
        if turns is not None and turns.mode == "each":
            record.count = take(1)
        if isinstance(info.order, TExpression):
            record.order_width = builder.list_width(ListType(types.PLAYER))
            record.order = take(record.order_width)
    if info.counter is not None:
        builder.emitter.everywhere[info.counter] = f"s[{record.counter}]"
        builder.emitter.locals[info.counter] = f"s[{record.counter}]"


def main_unit(spec: typed.CheckedSpec) -> Unit:
    """The unit that the phases are."""
    return Unit("phases", "phases", spec.declarations.span)
