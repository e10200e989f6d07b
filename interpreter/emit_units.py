"""Functions for units that neither wait nor leave, and for actions that are carried out in one go."""

from __future__ import annotations

from gdl import typed
from gdl.interpreter.emit_steps import Writer
from gdl.interpreter.program import ProgramBuilder
from gdl.interpreter.unit_writer import UnitWriter, leave_lines
from gdl.typed import ActionInfo, TriggerInfo, Unit


class FunctionWriter(Writer):
    """A procedure, trigger or effect cell as one Python function."""

    def __init__(self, builder: ProgramBuilder) -> None:
        super().__init__(builder.emitter, builder.analysis, builder.phase_numbers)

    def write(self, unit: Unit, prefix: str) -> None:
        """Add the function of a unit to the module."""
        saved = dict(self.emitter.locals)
        locals_ = tuple(unit.locals.values()) if isinstance(unit, TriggerInfo) else unit.parameters
        parameters = ["s", "w", *[self.emitter.bind(x) for x in locals_]]
        if unit.player is not None:
            self.emitter.locals[unit.player] = "w"
        self.player = "w"
        if isinstance(unit, TriggerInfo):
            self.marked_trigger(unit)
            self.line("deeper()")
            self.line("try:")
            self.nested(unit.body)
            self.line("finally:")
            self.line("    shallower()")
        else:
            self.lines += self.emitter.entry_lines(unit)
            self.block(unit.body)
        self.emitter.locals = saved
        self.emitter.module.function(f"{prefix}_{unit.name}", ", ".join(parameters), self.lines, f"{unit.form} {unit.name}")

    def marked_trigger(self, unit: TriggerInfo) -> None:
        """A trigger burns fuel, and its condition is tested when its turn comes."""
        self.lines.append(f"{self.emitter.module.mark(unit.span)}burn({self.emitter.call_cost(unit)})")
        if unit.when is not None:
            self.line(f"if not {self.expr(unit.when)}:")
            self.line("    return")


class InlineWriter(Writer):
    """The body of an action, inside the function that enters a move."""

    def __init__(self, outer: UnitWriter, action: ActionInfo, after: str, first: list[str]) -> None:
        super().__init__(outer.emitter, outer.analysis, outer.phase_numbers)
        self.action = action
        self.after = after
        self.lines = list(first)
        self.player = "p"

    def write(self, values: list[str]) -> list[str]:
        """The lines; parameters and choices are Python names."""
        saved = dict(self.emitter.locals)
        locals_ = (*self.action.parameters, *(b.local for b in self.action.choices))
        self.emitter.locals.update(zip(locals_, values, strict=True))
        if self.action.player is not None:
            self.emitter.locals[self.action.player] = "p"
        self.block(self.action.body)
        names = {x.name: self.emitter.locals[x] for x in locals_}
        for trigger in self.analysis.after_action(self.action):
            self.line(f"if {self._with_phase(trigger, 'True')}:")
            self.line("    " + self.trigger_call(trigger, names))
        self.line(self.return_text())
        self.emitter.locals = saved
        return self.lines

    def return_text(self) -> str:
        """On behind the decision."""
        return f"return @{self.after}@"

    def leave(self, step: typed.TControl) -> None:
        """What ends a turn, a phase or the game answers with a control code."""
        for text in leave_lines(self, step):
            self.line(text)
