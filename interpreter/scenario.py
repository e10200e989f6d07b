"""Scenarios: small tests that a spec's authors write beside it. A file of them → how each one went.

Loading specs is not done here but handed in (`load`), since the interpreter stands below the composition root;
`gdl.testing` puts both together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from os.path import normpath
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol

from attrs import Factory, define, frozen

from gdl.check_scope import Context
from gdl.codes import label_of
from gdl.diagnostics import Report, SpecError, did_you_mean, nearest
from gdl.interpreter.chance import Stream
from gdl.interpreter.errors import BadOption, GameFault
from gdl.interpreter.game import Game
from gdl.interpreter.given import start
from gdl.interpreter.moves import Move
from gdl.interpreter.scenario_chance import Script
from gdl.interpreter.scenario_events import Events
from gdl.interpreter.scenario_given import Situation, check_given, make_state
from gdl.interpreter.scenario_labels import labelled_context
from gdl.interpreter.scenario_loading import Judged, Scenario, ScenarioFile, load_scenarios
from gdl.interpreter.scenario_moves import (
    Alternatives,
    alternatives_of,
    check_move,
    find_move,
    judge_illegal,
    judge_legal,
)
from gdl.interpreter.scenario_questions import Questions
from gdl.interpreter.scenario_results import Failure, FileResult, ScenarioResult
from gdl.interpreter.scenario_stop import behind_effects
from gdl.interpreter.state import State
from gdl.load_files import Unreadable, read_source, unreadable_file
from gdl.source import Span
from gdl.typed import TExpression

__all__ = ["Failure", "FileResult", "Loader", "PlayableSpec", "ScenarioResult", "check_file", "given_state", "run_file"]

OptionText = str | int | bool


class PlayableSpec(Protocol):
    """What scenarios need of a spec."""

    @property
    def options(self) -> Mapping[str, Any]:
        """The declared options by name."""

    def option_values(self, given: Mapping[str, OptionText]) -> Mapping[str, OptionText]:
        """A value for every option. Raises BadOption."""

    def game(self, players: int | None = None, options: Mapping[str, OptionText] | None = None) -> Game:
        """The game for these players and options. Raises BadOption and SpecError."""


Loader = Callable[[Path], PlayableSpec]
"""Loads the spec in a file; raises SpecError."""


def run_file(path: Path, only: Callable[[str], bool] | None = None, *, load: Loader) -> FileResult:
    """Run the scenarios of a file, of which `only` may choose some by their names.

    Never raises for what is wrong with the file, its spec or the rules: `problem` and the failures say it. A scenario
    that has a problem is not run.
    """
    results: list[ScenarioResult] = []

    def run(bench: _Bench, scenario: Scenario, report: Report) -> None:
        if only is not None and not only(scenario.name):
            return
        started = perf_counter()
        failures = bench.run(scenario, report)
        if failures is not None:
            results.append(ScenarioResult(scenario.name, scenario.covers, failures, scenario.span, perf_counter() - started))

    found = _go_through(path, load, run)
    found.results = results
    return found


def check_file(path: Path, *, load: Loader) -> FileResult:
    """Read the scenarios of a file and check them against their spec, without playing: names, moves, given situations.

    As `run_file` it never raises for what is wrong; there are no `results`.
    """
    return _go_through(path, load, lambda bench, scenario, report: bench.check(scenario, report))


def _go_through(path: Path, load: Loader, treat: Callable[[_Bench, Scenario, Report], object]) -> FileResult:
    """Read a file and treat each of its scenarios that can be read; what is wrong is reported and stands in `problem`."""
    report = Report()
    bench = _open(path, report, load)
    result = FileResult(path)
    if bench is not None:
        _cite(bench, result)
        for scenario in bench.file.tests:
            if scenario.sound:
                treat(bench, scenario, report)
    result.problem = report.errors()
    return result


def _cite(bench: _Bench, result: FileResult) -> None:
    result.rules = [(node.value, node.inside) for node in bench.file.rules]
    result.cited = [(node.value, node.inside) for scenario in bench.file.tests for node in scenario.cited]


def given_state(path: Path, name: str | None = None, *, load: Loader) -> State:
    """The state that a scenario gives (the first of the file, if left out), at its first decision or chance event.

    The state has explicit chance. Raises SpecError, with all that is wrong, if the file or the scenario can't be used.
    """
    report = Report()
    bench = _open(path, report, load)
    state = None
    if bench is not None:
        scenario = _named(bench.file, name, report)
        if scenario is not None and scenario.sound:
            plan = bench.plan(scenario, report)
            state = bench.begin(plan, report) if plan is not None else None
    if state is None:
        raise SpecError(report.errors())
    return state


def _named(file: ScenarioFile, name: str | None, report: Report) -> Scenario | None:
    if name is None and file.tests:
        return file.tests[0]
    for scenario in file.tests:
        if scenario.name == name:
            return scenario
    close = nearest(name or "", [s.name for s in file.tests])
    message = f"no scenario is called `{name}`" if name is not None else "there is no scenario in this file"
    report.error("bad-scenario", file.tests_span, message, help=did_you_mean(close[:1]))
    return None


def _open(path: Path, report: Report, load: Loader) -> _Bench | None:
    """The scenarios of a file and their spec."""
    source = read_source(path, str(path))
    if isinstance(source, Unreadable):
        report.add(unreadable_file(str(path), source))
        return None
    file = load_scenarios(source, report)
    if file is None:
        return None
    spec_path = Path(normpath(path.parent / file.spec))
    if not spec_path.is_file():
        near = sorted(p.name for p in spec_path.parent.glob("*.yaml")) if spec_path.parent.is_dir() else []
        close = nearest(spec_path.name, near)
        cure = did_you_mean(close[:1], "the path is relative to this file's folder")
        report.error("file-missing", file.spec_span, f"there is no file `{file.spec}`", help=cure)
        return None
    try:
        return _Bench(file, load(spec_path))
    except SpecError as error:
        report.items += error.diagnostics
        return None



# --- scenarios of one file --------------------------------------------------------------------------------------------


@frozen(eq=False)
class _Setting:
    """A game with what scenarios need of it; made once for all scenarios with equal players and options."""

    game: Game
    context: Context
    questions: Questions
    alternatives: Alternatives
    events: Events


@frozen(eq=False)
class _Moment:
    """What is judged at one moment, with conditions checked."""

    judged: Judged
    conditions: tuple[TExpression, ...]


@frozen(eq=False)
class _Plan:
    """A scenario that has been checked against its game."""

    scenario: Scenario
    setting: _Setting
    situation: Situation | None
    moments: tuple[_Moment, ...]
    last: _Moment


@define(eq=False)
class _Bench:
    """A file, its spec, and the games made so far."""

    file: ScenarioFile
    spec: PlayableSpec
    settings: dict[tuple[object, ...], _Setting | None] = Factory(dict)

    def run(self, scenario: Scenario, report: Report) -> list[Failure] | None:
        """The failures of a scenario; none after messages in the report that it can't be run."""
        plan = self.plan(scenario, report)
        if plan is None:
            return None
        try:
            state = self.begin(plan, report)
        except GameFault as fault:
            return [_fault(fault, scenario.span)]
        return _Run(plan, state).play() if state is not None else None

    def check(self, scenario: Scenario, report: Report) -> None:
        """Whatever keeps a scenario from being run."""
        plan = self.plan(scenario, report)
        if plan is not None and plan.situation is not None:
            make_state(plan.setting.game, plan.situation, plan.scenario.seed, report)

    def plan(self, scenario: Scenario, report: Report) -> _Plan | None:
        """A scenario with all its texts read and checked."""
        setting = self.setting(scenario, report)
        if setting is None:
            return None
        own = Report()
        given = scenario.given
        situation = check_given(setting.game, setting.context, given, own) if given is not None else None
        moments = tuple(self._moment(setting, line.judged, own) for line in scenario.lines)
        last = self._moment(setting, scenario.judged, own)
        for line in scenario.lines:
            check_move(setting.game, setting.alternatives, line.move, own)
        for node in scenario.chance:
            setting.events.check_outcome(node, own)
        for entry in scenario.outcomes:
            setting.events.check_weights(entry, own)
        report.items += own.items
        return None if own.has_errors else _Plan(scenario, setting, situation, moments, last)

    def _moment(self, setting: _Setting, judged: Judged, report: Report) -> _Moment:
        for node in (*(judged.legal or ()), *judged.illegal):
            check_move(setting.game, setting.alternatives, node, report)
        read = [setting.questions.read(node, report) for node in judged.expect]
        return _Moment(judged, tuple(node for node in read if node is not None))

    def begin(self, plan: _Plan, report: Report) -> State | None:
        """The state at the first decision or chance event; none after messages why not. Raises GameFault."""
        game, seed = plan.setting.game, plan.scenario.seed
        if plan.situation is None:
            return game.new_state(seed, explicit_chance=True)
        state = make_state(game, plan.situation, seed, report)
        if state is not None:
            start(state)
        return state

    # --- games --------------------------------------------------------------------------------------------------------

    def setting(self, scenario: Scenario, report: Report) -> _Setting | None:
        """The game of a scenario; none after a message that there is none."""
        options = self._options(scenario, report)
        if options is None:
            return None
        key = (scenario.players, *sorted(options.items()))
        if key not in self.settings:
            self.settings[key] = self._make_setting(scenario, options, report)
        return self.settings[key]

    def _make_setting(self, scenario: Scenario, options: Mapping[str, OptionText], report: Report) -> _Setting | None:
        try:
            game = self.spec.game(scenario.players, options)
        except BadOption as error:
            report.error("bad-option", scenario.players_span, error.message)
            return None
        except SpecError as error:
            report.items += error.diagnostics
            return None
        context = labelled_context(game)
        return _Setting(game, context, Questions(game, context), alternatives_of(game), Events(game, context))

    def _options(self, scenario: Scenario, report: Report) -> dict[str, OptionText] | None:
        """The options that a scenario sets, each tried on its own."""
        found: dict[str, OptionText] = {}
        sound = True
        for entry in scenario.options:
            name, value = entry.name or "", entry.value.span.text.strip("\"'")
            try:
                self.spec.option_values({name: value})
            except BadOption as error:
                sound = False
                close = error.suggestions[:1]
                report.error(
                    "bad-option",
                    entry.value.span if name in self.spec.options else entry.key.span,
                    error.message,
                    help=did_you_mean(close),
                    suggestion=close[0] if close else None,
                    certain=False,
                )
            found[name] = value
        return found if sound else None


# --- one scenario -----------------------------------------------------------------------------------------------------


@define(eq=False)
class _Run:
    """Plays one scenario and collects what is not as it says."""

    plan: _Plan
    state: State
    failures: list[Failure] = Factory(list)
    script: Script = Factory(
        lambda self: Script(list(self.plan.scenario.chance), Stream(self.plan.scenario.seed), self.plan.scenario.span),
        takes_self=True,
    )

    def play(self) -> list[Failure]:
        """From the first decision to the last thing that is judged."""
        scenario = self.plan.scenario
        place = scenario.span
        try:
            if self._on(place):
                for number, line in enumerate(scenario.lines):
                    place = line.move.span
                    last = number == len(scenario.lines) - 1
                    if not self._move(number, alone=last and scenario.until_move):
                        return self.failures
                self._close()
        except GameFault as fault:
            self.failures.append(_fault(fault, place))
        return self.failures

    def _move(self, number: int, *, alone: bool) -> bool:
        """Make a move and go on to the next decision; whether the scenario can go on."""
        line = self.plan.scenario.lines[number]
        found = find_move(self.state, line.move)
        if isinstance(found, Failure):
            self.failures.append(found)
            return False
        if alone:
            self._last(found, number)
            return False
        self.state.apply(found)
        if not self._on(line.move.span):
            return False
        self._judge(self.plan.moments[number], _acting(self.state), line.move.span)
        return True

    def _last(self, move: Move, number: int) -> None:
        """The last move with `until: move`: what is judged is the state right behind its effects."""
        self.state = behind_effects(self.state, move)
        self._judge(self.plan.moments[number], move.seat, self.plan.scenario.lines[number].move.span)
        self._judge(self.plan.last, move.seat, self.plan.scenario.span)
        self._finish()

    def _on(self, place: Span) -> bool:
        """Settle chance up to the next decision, where the invariants have to hold."""
        failure = self.script.settle(self.state)
        if failure is not None:
            self.failures.append(failure)
            return False
        self.failures += self.plan.setting.questions.broken_invariants(self.state.cells, place)
        return True

    def _close(self) -> None:
        """What is judged at the end."""
        self._judge(self.plan.last, _acting(self.state), self.plan.scenario.span)
        self._finish()

    def _finish(self) -> None:
        """What the scenario says of chance."""
        found = [self.script.unused(), *(self.script.compare(entry) for entry in self.plan.scenario.outcomes)]
        self.failures += [failure for failure in found if failure is not None]

    def _judge(self, moment: _Moment, seat: int | None, place: Span) -> None:
        judged = moment.judged
        found: list[Failure | None] = []
        if judged.legal is not None:
            span = judged.legal[0].span.to(judged.legal[-1].span) if judged.legal else place
            found.append(judge_legal(self.state, judged.legal, span))
        found += [judge_illegal(self.state, node) for node in judged.illegal]
        found += [self.plan.setting.questions.judge(node, self.state.cells, seat) for node in moment.conditions]
        self.failures += [failure for failure in found if failure is not None]


def _acting(state: State) -> int | None:
    """The only seat that decides, or none."""
    seats = state.deciders()
    return seats[0] if len(seats) == 1 else None


def _fault(fault: GameFault, span: Span) -> Failure:
    details = [f"at {fault.span}"]
    details += [f"in {place.rule or 'a rule'} ({place.span})" for place in fault.chain]
    return Failure(f"{label_of(fault.code)} {fault.code}: {fault.message}", details, span)
