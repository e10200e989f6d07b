"""Scenario files: what is judged, what each mistake is told as, and the scenarios beside the project's own specs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gdl import SpecError
from gdl.testing import FileResult, ScenarioResult, given_state, run_file

SPECS = Path(__file__).resolve().parent.parent.parent / "specs"

RACE = """\
gdl: 1
game: race
players: 2..3
options:
  long: {type: bool, default: false}
enums:
  weather: [calm, storm]
zones:
  lane: {track: "if long then 9 else 6", holds: pawn}
  deck: {stack: true, visible: none, holds: card}
  hand: {per: player, visible: owner, holds: card}
pieces:
  die: {faces: [1, 2, star, star]}
  pawn: {per: player, count: 2, at: "lane[0]"}
  card:
    attributes: {rank: int}
    rows:
      - {rank: 1, copies: 2}
      - {rank: 2}
    at: deck
variables:
  points: {type: 0..20, per: player, start: 0}
  sky: weather = calm
  visited: set[lane]
  secret: {type: 0..9, start: 3, visible: none}
  first: player = players[0]
setup:
  - shuffle(deck)
  - deal(1, deck, hand)
actions:
  run:
    choose: p in player.pawn where die.face != star
    do: move(p, step(p.at, die.value))
  rest:
    do: []
  bank:
    choose: n in 1..2
    do: player.points += n
phases:
  race:
    turns: cycle
    from: first
    do:
      - roll(die)
      - actions: [run, rest]
      - player.points += 1
    triggers:
      seen:
        on: enter(lane)
        do: visited += to
  banking:
    together: players
    do: {actions: bank}
end:
  - when: not empty(lane[count(lane) - 1])
    winners: lane[count(lane) - 1] select it.owner
result:
  score: player.points
  ranking: [highest score]
invariants:
  - all(players, it.points < 9)
"""

BOARD = """\
gdl: 1
game: board
players: 2
seats: [white, black]
zones:
  board: {grid: [2, 3], capacity: 1, label: "{letter(this.col)}{2 - this.row}", variables: {hole: bool}}
  box: {}
pieces:
  man: {per: player, count: 3, at: box, variables: {king: bool}}
phases:
  play: {turns: cycle, actions: step_on}
actions:
  step_on:
    choose:
      - start in board where any(start, it.owner == player)
      - target in neighbours(start) where empty(target) and not target.hole
    do: move(sole(start), target)
"""

Play = Callable[..., FileResult]


@pytest.fixture
def play(tmp_path: Path) -> Play:
    """Runs scenarios given as text against a spec given as text."""

    def run(scenarios: str, spec: str = RACE, only: Callable[[str], bool] | None = None) -> FileResult:
        (tmp_path / "spec.yaml").write_text(spec, "utf-8")
        (tmp_path / "spec.test.yaml").write_text(scenarios, "utf-8")
        return run_file(tmp_path / "spec.test.yaml", only)

    return run


def only_result(result: FileResult) -> ScenarioResult:
    """The only scenario of a file without problems."""
    assert [d.message for d in result.problem] == []
    (scenario,) = result.results
    return scenario


def lines_of(scenario: ScenarioResult) -> list[str]:
    """Messages and details of a scenario's failures."""
    return [line for failure in scenario.failures for line in (failure.message, *failure.details)]


def file_of(*scenarios: str) -> str:
    """A file with these scenarios, each given without its name."""
    head = "spec: spec.yaml\ntests:\n"
    return head + "".join(f"  - name: test {n}\n{_indented(text)}" for n, text in enumerate(scenarios, start=1))


def _indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.strip("\n").split("\n"))


# --- the specs of the project -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", sorted(SPECS.rglob("*.test.yaml")), ids=lambda p: str(p.relative_to(SPECS)))
def test_scenarios_beside_the_specs_pass(path: Path) -> None:
    result = run_file(path)
    assert [f"{d.span}: {d.message}" for d in result.problem] == []
    assert [(s.name, lines_of(s)) for s in result.results if not s.passed] == []


def test_every_rule_of_hugo_has_a_scenario() -> None:
    covered = {label for scenario in run_file(SPECS / "hugo.test.yaml").results for label in scenario.covers}
    assert covered == {f"HUGO-{number:02d}" for number in range(1, 136)}


# --- what a result holds ----------------------------------------------------------------------------------------------


def test_a_result_tells_name_rules_place_and_time(play: Play) -> None:
    result = play(file_of("covers: [R-1, R-2]\nexpect: [sky == calm]"))
    scenario = only_result(result)
    assert (scenario.name, scenario.covers, scenario.passed) == ("test 1", ("R-1", "R-2"), True)
    assert (scenario.span.line, scenario.span.column) == (3, 11)
    assert scenario.seconds > 0
    assert result.passed


def test_only_some_scenarios_are_run(play: Play) -> None:
    result = play(file_of("seed: 1", "seed: 2", "seed: 3"), only=lambda name: name.endswith("2"))
    assert [s.name for s in result.results] == ["test 2"]


def test_a_scenario_with_a_problem_is_left_out_and_the_others_run(play: Play) -> None:
    result = play(file_of("expect: [skyy == calm]", "expect: [sky == calm]", "expct: [sky == calm]"))
    assert [s.name for s in result.results] == ["test 2"]
    assert [d.code for d in result.problem] == ["unknown-name", "unknown-key"]
    assert not result.passed


# --- expectations -----------------------------------------------------------------------------------------------------


def test_a_failing_comparison_shows_the_values_of_both_sides(play: Play) -> None:
    scenario = only_result(play(file_of("expect: [count(lane) + 1 == secret]")))
    assert lines_of(scenario) == [
        "`count(lane) + 1 == secret` does not hold",
        "`count(lane) + 1` is 7",
        "`count(lane)` is 6",
        "`secret` is 3",
    ]
    assert str(scenario.failures[0].span).endswith("spec.test.yaml:4:14")


def test_of_several_conditions_the_first_that_fails_is_explained(play: Play) -> None:
    scenario = only_result(play(file_of("expect: [sky == calm and secret == 4 and over]")))
    assert lines_of(scenario)[1:] == ["`secret` is 3"]


def test_all_names_the_elements_for_which_it_fails(play: Play) -> None:
    text = """
given:
  place: {"lane[2]": "pawn where it.number == 1"}
expect: ["all(pawn, it.at == lane[0])"]
"""
    assert lines_of(only_result(play(file_of(text))))[1:] == ["not for [pawn[0, 1], pawn[1, 1]]"]


def test_a_condition_that_fails_at_run_time_is_a_failure(play: Play) -> None:
    scenario = only_result(play(file_of("expect: ['lane[7 + secret] == lane[0]']")))
    assert lines_of(scenario)[0] == "`lane[7 + secret] == lane[0]` can't be answered: there is no lane[10]"


def test_player_is_the_seat_that_decides(play: Play) -> None:
    text = "do: [rest]\nexpect: ['player == players[1]', not over, empty(winners)]"
    assert only_result(play(file_of(text))).passed


def test_after_the_end_there_is_no_player_but_an_outcome(play: Play) -> None:
    text = """
given:
  place: {"pawn[1, 0]": "lane[4]"}
  player: 1
chance: [roll(die) = 1]
do: ["run(p=pawn[1, 0])"]
legal: []
expect:
  - over
  - winners == [players[1]]
  - score(1) == 1 and score(players[0]) == 0
  - player == players[0]
"""
    scenario = only_result(play(file_of(text)))
    assert lines_of(scenario) == ["`player == players[0]` asks for `player`, but the game is over"]


def test_sees_asks_for_pieces_and_variables(play: Play) -> None:
    text = """
chance: ["draw(deck) = card[2]", "draw(deck) = card[1]"]
expect:
  - sole(players[0].hand).rank == 2
  - sees(0, sole(players[0].hand)) and not sees(players[1], sole(players[0].hand))
  - not sees(0, top(deck))
  - sees(1, pawn[0, 0]) and sees(1, die)
  - sees(0, "points") and not sees(0, "secret")
"""
    assert only_result(play(file_of(text))).passed


def test_names_that_a_spec_declares_keep_their_meaning(play: Play) -> None:
    spec = RACE.replace("  sky: weather = calm", "  sky: weather = calm\n  over: 0..5 = 4")
    assert only_result(play(file_of("expect: [over == 4]"), spec)).passed


def test_invariants_are_tested_at_every_decision(play: Play) -> None:
    text = 'given:\n  set: {"players[0].points": 8}\ndo: [rest]'
    lines = lines_of(only_result(play(file_of(text))))
    assert lines[0] == "the invariant `all(players, it.points < 9)` is broken"
    assert lines[2] == "not for [players[0]]"


# --- moves ------------------------------------------------------------------------------------------------------------


def test_legal_lists_what_is_missing_and_what_is_too_much(play: Play) -> None:
    text = 'chance: [roll(die) = 1]\ngiven: {}\nlegal: ["run(p=pawn[0, 0])", "run(p=pawn[1, 0])", "run(pawn[0, 0])"]'
    scenario = only_result(play(file_of(text)))
    assert lines_of(scenario) == [
        "the legal moves are not those listed",
        "- run(p=pawn[1, 0])   listed, but not legal",
        "+ rest   legal, but not listed",
    ]


def test_alike_pieces_stand_for_each_other(play: Play) -> None:
    text = 'given: {}\nchance: [roll(die) = 2]\nlegal: ["run(p=pawn[0, 1])", rest]'
    assert only_result(play(file_of(text))).passed


def test_a_legal_move_said_to_be_illegal(play: Play) -> None:
    scenario = only_result(play(file_of('given: {}\nchance: [roll(die) = star]\nillegal: [rest, "run(p=pawn[0, 0])"]')))
    assert lines_of(scenario) == ["`rest` is legal", "legal: rest"]


def test_an_illegal_move_stops_the_scenario(play: Play) -> None:
    text = 'given: {}\nchance: [roll(die) = star]\ndo: ["run(p=pawn[0, 0])"]\nexpect: [over]'
    scenario = only_result(play(file_of(text)))
    assert lines_of(scenario) == [
        "can't play `run(p=pawn[0, 0])`: no legal move is called `run` now",
        "legal: rest",
    ]


def test_a_line_of_do_is_judged_by_itself(play: Play) -> None:
    text = """
do:
  - move: rest
    expect: ["player == players[1]", "players[0].points == 2"]
    illegal: [rest]
  - rest
"""
    lines = lines_of(only_result(play(file_of(text))))
    assert lines[0] == "`rest` is legal"
    assert lines[2] == "`players[0].points == 2` does not hold"


def test_where_several_wait_moves_have_seats(play: Play) -> None:
    text = """
given: {phase: banking}
do: ["1: bank(n=2)"]
legal: ["0: bank(n=1)", "0: bank(n=2)"]
expect: ["players[1].points == 2"]
"""
    before = 'given: {phase: banking}\nlegal: ["0: bank(n=1)", "0: bank(n=2)", "1: bank(n=1)", "1: bank(n=2)"]'
    several = "given: {phase: banking}\nexpect: ['player == players[0]']"
    result = play(file_of(text, before, several))
    assert [s.passed for s in result.results] == [True, True, False]
    assert "nobody or more than one decides" in lines_of(result.results[2])[0]


def test_until_move_stops_behind_the_effects(play: Play) -> None:
    text = """
given: {}
chance: [roll(die) = 1]
do: ["run(p=pawn[0, 0])"]
until: move
expect:
  - player == players[0]
  - players[0].points == 0
  - lane[1] in visited
  - pawn[0, 0].at == lane[1]
"""
    further = text.replace("until: move\n", "").replace("points == 0", "points == 1").replace("  - player == players[0]\n", "")
    result = play(file_of(text, further))
    assert [lines_of(s) for s in result.results] == [[], []]


def test_until_move_stops_behind_a_chain_of_jumps(play: Play) -> None:
    spec = (SPECS / "classics" / "english_draughts.yaml").read_text("utf-8")
    text = """
given:
  place:
    board:
      - . . . . . . . .
      - b . . . . . . .
      - . w . . . . . .
      - . . . . . . . .
      - . . . w . . . .
      - . . . . . . . .
      - . . . . . . . .
      - w . . . . . . .
  key: {b: man(black), w: man(white)}
do:
  - jump(start="5", target="14")
  - jump(start="14", target="23")
until: move
expect: [player == black, "sole(board[5, 4]).owner == black"]
"""
    assert only_result(play(file_of(text), spec)).passed


# --- chance -----------------------------------------------------------------------------------------------------------


def test_listed_outcomes_come_in_order_and_the_rest_from_the_seed(play: Play) -> None:
    text = "chance: [roll(die)=2, 'roll( die ) = star']\ndo: [{move: rest, expect: [die.face == star]}, rest]\nseed: {seed}"
    values = {}
    for seed in range(12):
        asked = text.replace("{seed}", str(seed)) + "\nexpect: [die.face == star]"
        values[seed] = only_result(play(file_of(asked))).passed
        assert only_result(play(file_of(asked))).passed == values[seed]
    assert set(values.values()) == {True, False}


def test_an_impossible_outcome_shows_those_possible(play: Play) -> None:
    scenario = only_result(play(file_of('chance: ["draw(deck) = card[2]", "draw(deck) = card[2]"]')))
    assert lines_of(scenario) == [
        "`draw(deck) = card[2]` can't come out here",
        "did you mean `draw(deck) = card[0]`?",
        "possible: draw(deck) = card[0] (2 in 2)",
    ]


NO_OUTCOMES = {
    "chance: [rol(die) = 2]": ("rol(die)", "no chance event is written `rol(die)`", "did you mean `roll(die)`?"),
    "chance: [roll(dice) = 2]": ("roll(dice)", "no chance event is written `roll(dice)`", "did you mean `roll(die)`?"),
    "chance: [roll(die) = stars]": ("stars", "this die never shows `stars`", "did you mean `star`?"),
    "chance: [roll(die) = 6]": ("6", "this die never shows `6`", "its faces are 1, 2, star"),
    "chance: [roll(die) == 2]": (
        "roll(die) == 2",
        "expected a chance event with its outcome, with one `=` between them",
        "such as `roll(die) = 1`",
    ),
    "chance: [2]": ("2", "expected a chance event with its outcome, with one `=` between them", "such as `roll(die) = 1`"),
    "chance: [draw(deck) = crad]": ("crad", "nothing is called `crad`", "did you mean `card`?"),
    "outcomes: {roll(die): {1: 1, 2: x, star: 1}}": ("x", "a weight is a number from 1 on", ""),
    "outcomes: {roll(die): {1: 1, 2: 0, star: 1}}": ("0", "a weight is a number from 1 on", ""),
    "outcomes: {roll(die): {1: -1, 2: 1, star: 1}}": ("-1", "a weight is a number from 1 on", ""),
    "outcomes: {roll(die): {1: 1, 3: 1, star: 1}}": ("3", "this die never shows `3`", "its faces are 1, 2, star"),
    "outcomes: {roll(dice): {1: 1}}": ("roll(dice)", "no chance event is written `roll(dice)`", "did you mean `roll(die)`?"),
}


@pytest.mark.parametrize("text", NO_OUTCOMES)
def test_what_can_never_come_out_is_told_at_its_place(play: Play, text: str) -> None:
    result = play(file_of(text))
    assert [(d.span.text, d.message, d.help) for d in result.problem] == [NO_OUTCOMES[text]]


def test_an_outcome_that_was_not_used_is_a_failure(play: Play) -> None:
    scenario = only_result(play(file_of("given: {}\nchance: [roll(die) = 2, roll(die) = 1, roll(die) = 1]")))
    assert lines_of(scenario) == [
        "`roll(die) = 1` was never used, nor were the 1 behind it",
        "the chance events that came: roll(die) = 2",
    ]


def test_a_drawn_piece_may_be_named_by_any_alike(play: Play) -> None:
    text = "chance: ['draw(deck) = card[1]', 'draw(deck) = card[0]']\nexpect: ['all(hand, sole(it).rank == 1)']"
    assert only_result(play(file_of(text))).passed


def test_weights_of_an_event_can_be_stated(play: Play) -> None:
    good = "outcomes: {roll(die): {1: 1, 2: 1, star: 2}, draw(deck): {'card[0]': 2, 'card[2]': 1}}"
    bad = "outcomes: {roll(die): {1: 1, 2: 1, star: 1}}"
    result = play(file_of(good, bad))
    assert [d.message for d in result.problem] == []
    assert [f.message for f in result.results[1].failures] == ["`roll(die)` has other outcomes"]
    assert [f.message for f in result.results[0].failures] == ["`draw(deck)` has other outcomes"]  # the second card


def test_stated_outcomes_of_an_event_that_never_came_are_a_failure(play: Play) -> None:
    scenario = only_result(play(file_of("given: {}\noutcomes: {draw(deck): {'card[0]': 2, 'card[2]': 1}}")))
    assert lines_of(scenario)[0] == "the chance event `draw(deck)` never came"


NOT_THERE = {
    "illegal: ['run(p=pawn[0, 7])']": ("pawn[0, 7]", "no move can name this"),
    "illegal: ['run(p=pawn[5, 0])']": ("pawn[5, 0]", "no move can name this"),
    "expect: sees(players[0], 'secrte')": ("'secrte'", "there is no variable `secrte`"),
    'given: {set: {"players[4].points": 1}}': ("players[4].points", "the given situation can't be"),
    'given: {set: {"players[1].points": 21}}': ("21", "the given situation can't be"),
}


@pytest.mark.parametrize("text", NOT_THERE)
def test_what_is_not_there_is_told_at_its_place(play: Play, text: str) -> None:
    (found,) = play(file_of(text)).problem
    place, message = NOT_THERE[text]
    assert found.span.text == place
    assert found.message.startswith(message)


def test_a_move_of_a_seat_that_does_not_decide_says_who_does(play: Play) -> None:
    scenario = only_result(play(file_of('given: {}\nchance: [roll(die) = 1]\ndo: ["1: rest"]')))
    assert lines_of(scenario)[0] == "can't play `1: rest`: player 0 decides here"
    scenario = only_result(play(file_of('given: {place: {"man[0, 0]": a2}}\ndo: ["black: step_on"]'), BOARD))
    assert lines_of(scenario)[0] == "can't play `black: step_on`: white decides here"


# --- given ------------------------------------------------------------------------------------------------------------


def test_pieces_and_values_are_put_where_they_are_given(play: Play) -> None:
    text = """
players: 3
options: {long: true}
given:
  phase: race
  player: players[2]
  place:
    pawn[0, 0]: lane[4]
    lane[5]: ["pawn[1, 0]", "pawn[1, 1]"]
    deck: ["card[2]", "card[0]"]
  set: {sky: storm, "players[1].points": 5, visited: ["lane[1]", "lane[2]"], die.value: 2}
chance: [roll(die) = star]
expect:
  - player == players[2]
  - pawn[0, 0].at == lane[4] and count(lane[5]) == 2 and count(lane[0]) == 3
  - top(deck) == card[0]
  - sky == storm and players[1].points == 5 and count(visited) == 2
"""
    assert only_result(play(file_of(text))).passed


def test_a_phase_says_itself_who_begins(play: Play) -> None:
    text = "players: 3\ngiven:\n  set: {first: 'players[1]'}\nexpect: ['player == players[1]']"
    assert only_result(play(file_of(text))).passed


def test_pieces_may_change_places(play: Play) -> None:
    text = """
given:
  place: {"man[0, 0]": b2, "man[0, 1]": a2, b2: "man[1, 0]"}
expect: ["man[0, 0].at == b1"]
"""
    result = play(file_of(text), BOARD)
    assert [d.message for d in result.problem] == ["the given situation can't be: a space of `board` holds 1 at most, and it is full"]
    assert only_result(play(file_of(text.replace("b2: ", "b1: ").replace("== b1", "== b2")), BOARD)).passed


def test_diagrams_share_the_key_of_the_file(play: Play) -> None:
    text = """\
spec: spec.yaml
key:
  w: man(white)
  k: man(black)
tests:
  - name: rows of characters
    given:
      place:
        board:
          - . w x
          - . k .
      key:
        k: man(black, king=true)
        x: hole = true
      set: {a1.hole: true}
    legal:
      - step_on(start=b2, target=a2)
    expect:
      - sole(b1).king and sole(b1).owner == black
      - a1.hole and c2.hole and not a2.hole
"""
    assert only_result(play(text, BOARD)).passed


def test_without_a_given_situation_the_set_up_runs(play: Play) -> None:
    assert only_result(play(file_of("expect: [count(deck) == 1, not empty(hand)]"))).passed
    assert only_result(play(file_of("given: {}\nexpect: [count(deck) == 3]"))).passed


def test_a_given_state_waits_at_its_first_event(tmp_path: Path) -> None:
    (tmp_path / "spec.yaml").write_text(RACE, "utf-8")
    (tmp_path / "spec.test.yaml").write_text(file_of("seed: 1", "given: {player: 1, place: {'pawn[1, 0]': 'lane[3]'}}"), "utf-8")
    state = given_state(tmp_path / "spec.test.yaml", "test 2")
    assert state.is_chance()
    state.apply_chance("roll(die) = 1")
    assert (state.deciders(), [str(m) for m in state.legal_moves()][:1]) == ((1,), ["run(p=pawn[1, 0])"])
    assert given_state(tmp_path / "spec.test.yaml").is_chance()
    with pytest.raises(SpecError, match="no scenario is called `test 9`"):
        given_state(tmp_path / "spec.test.yaml", "test 9")


# --- faults -----------------------------------------------------------------------------------------------------------


def test_a_rule_that_fails_is_a_failure_with_its_place(play: Play) -> None:
    text = """
given:
  place: {"pawn[0, 0]": "lane[5]"}
chance: [roll(die) = 1]
do: ["run(p=pawn[0, 0])"]
"""
    spec = RACE.replace("  - when: not empty(lane[count(lane) - 1])", "  - when: false and not empty(lane[count(lane) - 1])")
    scenario = only_result(play(file_of(text), spec))
    assert scenario.failures[0].message.startswith("GDL901 fault-none: ")
    assert scenario.failures[0].details[0].endswith("spec.yaml:33:17")
    assert str(scenario.failures[0].span).endswith("spec.test.yaml:7:10")
    assert any("action run" in line for line in scenario.failures[0].details)


def test_a_set_up_that_fails_is_a_failure(play: Play) -> None:
    spec = RACE.replace("  - shuffle(deck)\n", "  - players[0].points = 20 + secret\n")
    scenario = only_result(play(file_of("seed: 3"), spec))
    assert scenario.failures[0].message == "GDL902 fault-range: the value 23 is outside 0..20"


# --- problems ---------------------------------------------------------------------------------------------------------

PROBLEMS = [
    ("expect: [secrt == 3]", "unknown-name", 4, 14, "secret"),
    ("expect: [secret]", "wrong-type", 4, 14, ""),
    ("expect: [secret ==]", "syntax", 4, 23, ""),
    ("expect: [scor(0) == 1]", "unknown-call", 4, 14, "score"),
    ("legal: [rset]", "unknown-name", 4, 13, "rest"),
    ("illegal: ['run(q=3)']", "wrong-arguments", 4, 20, "possible: `p`"),
    ("illegal: ['run(p=pwan[0, 0])']", "unknown-name", 4, 22, "pawn"),
    ("do: ['5: rest']", "bad-scenario", 4, 11, "the seats are 0, 1"),
    ("do: [1: rest]", "wrong-form", 4, 10, '"1: rest"'),
    ("do: [{mvoe: rest, move: rest}]", "unknown-key", 4, 11, "move"),
    ("given: {phase: rce}", "unknown-name", 4, 20, "race"),
    ("given: {phase: banking, player: 1}", "bad-scenario", 4, 37, ""),
    ("given: {player: 2}", "bad-scenario", 4, 21, ""),
    ("given: {player: sky}", "wrong-type", 4, 21, ""),
    ("given: {place: {pwan: lane}}", "unknown-name", 4, 21, "pawn"),
    ("given: {place: {die: lane}}", "wrong-type", 4, 26, ""),
    ("given: {place: {lane: pawn}}", "bad-scenario", 4, 21, "rows of characters"),
    ("given: {place: {'pawn[0, 0]': 'lane[9]'}}", "bad-scenario", 4, 36, ""),
    ("given: {place: {'pawn[0, 0]': 'lane[1]', 'lane[2]': pawn}}", "bad-scenario", 4, 57, ""),
    ("given: {place: {'pawn[0, 0]': deck}}", "bad-scenario", 4, 22, ""),
    ("given: {set: {points: 3}}", "unknown-name", 4, 19, "player.points"),
    ("given: {set: {count: 3}}", "unknown-name", 4, 19, ""),
    ("given: {set: {lane: 3}}", "not-assignable", 4, 19, ""),
    ("given: {set: {secret: 30}}", "bad-scenario", 4, 27, ""),
    ("given: {set: {secret: calm}}", "wrong-type", 4, 27, ""),
    ("given: {palce: {pawn: lane}}", "unknown-key", 4, 13, "place"),
    ("players: 7", "bad-option", 4, 14, ""),
    ("players: many", "wrong-form", 4, 14, ""),
    ("options: {lnog: true}", "bad-option", 4, 15, "long"),
    ("options: {long: maybe}", "bad-option", 4, 21, ""),
    ("seed: -4", "wrong-form", 4, 11, ""),
    ("until: end", "wrong-word", 4, 12, ""),
    ("when: [rest]", "unknown-key", 4, 5, "`do`"),
    ("chance: roll", "wrong-form", 4, 13, ""),
]


@pytest.mark.parametrize(("text", "code", "line", "column", "cure"), PROBLEMS, ids=[p[0] for p in PROBLEMS])
def test_every_mistake_is_told_at_its_place(play: Play, text: str, code: str, line: int, column: int, cure: str) -> None:
    result = play(file_of(text))
    assert result.results == []
    (problem,) = result.problem
    assert (problem.code, problem.span.line, problem.span.column) == (code, line, column)
    assert cure in problem.help


def test_an_unknown_label_of_a_space(play: Play) -> None:
    text = "given: {place: {'man[0, 0]': a1}}\nillegal: ['step_on(start=b2, target=\"b3\")']"
    (problem,) = play(file_of(text), BOARD).problem
    assert problem.message == "no space is called `b3`"
    assert problem.span.text == '"b3"'


TILES = """\
gdl: 1
game: tiles
players: 1
zones: {field: {grid: [2, 2], label: "{letter(this.col)}{this.row + 1}", variables: {taken: bool}}}
phases: {play: {turns: cycle, actions: lay}}
actions:
  lay:
    choose: spot in placements("##", field) where all(spot.cells, not it.taken)
    do:
      - for: c in spot.cells
        do: c.taken = true
"""


def test_placements_are_written_as_moves_print_them(play: Play) -> None:
    text = "do: ['lay(spot=\"a2/r0\")']\nlegal: ['lay(spot=\"a1/r0\")']\nillegal: ['lay(spot=\"a1/r1\")', 'lay(\"a2/r2f\")']"
    assert lines_of(only_result(play(file_of(text), TILES))) == []


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("c1/r0", "no space is called `c1`"),
        ("a1/r4", "`a1/r4` is no placement"),
        ("a1", "`a1` is no placement"),
        ("a1/r1ff", "`a1/r1ff` is no placement"),
    ],
)
def test_a_placement_that_can_not_be(play: Play, written: str, message: str) -> None:
    (problem,) = play(file_of(f"illegal: ['lay(spot=\"{written}\")']"), TILES).problem
    assert problem.message == message
    assert problem.span.text == f'"{written}"'


def test_parts_of_cells_are_written_in_moves_as_they_are_printed(play: Play) -> None:
    spec = BOARD.replace("variables: {hole: bool}}", "parts: {names: [n, e, s, w], variables: {wall: bool}}}")
    spec = spec.replace("actions: step_on", "actions: build")
    spec = spec[: spec.index("\nactions:")]
    spec += "\nactions:\n  build:\n    choose: p in parts(board[0, 0]) where not p.wall\n    do: p.wall = true\n"
    text = "do: [build(p=a2.s)]\nlegal: [build(p=a2.n), build(p=a2.e), build(p=a2.w)]\nexpect: 'parts(a2)[2].wall'"
    assert only_result(play(file_of(text), spec)).failures == []
    problems = play(file_of("illegal: [build(p=a2.x)]"), spec).problem
    assert [(d.code, d.span.text) for d in problems] == [("unknown-name", "a2.x")]


def test_two_scenarios_of_one_name(play: Play) -> None:
    result = play(
        file_of("seed: 1").replace("test 1", "twice") + file_of("seed: 1")[len("spec: spec.yaml\ntests:\n") :].replace("test 1", "twice")
    )
    (problem,) = result.problem
    assert (problem.code, problem.span.line, problem.related[0].span.line) == ("duplicate-name", 5, 3)


def test_a_spec_that_is_not_there(play: Play) -> None:
    (problem,) = play("spec: spce.yaml\ntests: []\n").problem
    assert (problem.code, problem.span.line, problem.span.column) == ("file-missing", 1, 7)
    assert problem.help == "did you mean `spec.yaml`?"


def test_a_spec_that_can_not_be_used(play: Play) -> None:
    result = play(file_of("seed: 1"), RACE.replace("die.face != star", "die.face != sun"))
    assert [(d.code, Path(d.span.source.name).name) for d in result.problem] == [("unknown-name", "spec.yaml")]


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    result = run_file(tmp_path / "none.test.yaml")
    assert [d.code for d in result.problem] == ["file-missing"]
    with pytest.raises(SpecError):
        given_state(tmp_path / "none.test.yaml")


@pytest.mark.parametrize("text", ["", "- a", "spec: [a]\ntests: 3", "spec: spec.yaml", "tests: []", "spec: spec.yaml\ntests: [3]"])
def test_files_that_are_no_scenarios(play: Play, text: str) -> None:
    result = play(text)
    assert result.problem
    assert result.results == []
