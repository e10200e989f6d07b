"""How spaces are written: by labels, unless several spaces of a zone have the same."""

from __future__ import annotations

import gdl

SPEC = """
gdl: 1
game: mats
players: 2
zones:
  mat:
    per: player
    grid: [1, 2]
    label: "{letter(this.col)}1"
    edges: {variables: {wall: bool}}
  shelf: {track: 2, label: "place {this.index + 1}"}
  box: {}
pieces: {disc: {count: 4, at: box}}
phases:
  play:
    turns: cycle
    do:
      - choose:
          - d in box
          - where_to in PLACES
        name: put
        do: move(d, where_to)
        else: end_game
"""


def begin() -> gdl.State:
    return gdl.loads(SPEC.replace("PLACES", "player.mat"), "mats.yaml").game().new_state(seed=1)


def observed(state: gdl.State) -> list[str]:
    return [entry["space"] for entry in state.observation(0)["zones"]["mat"]]


def test_places_of_several_players_with_one_label_are_told_apart() -> None:
    state = begin()
    state.apply(state.legal_moves()[1])
    state.apply(state.legal_moves()[1])
    assert observed(state) == ["mat[0, 0, 1]", "mat[1, 0, 1]"]


def test_moves_write_places_so_that_they_can_be_told_apart_and_read_labels() -> None:
    state = begin()
    written = [str(move) for move in state.legal_moves()]
    assert written == ["put(d=disc[0], where_to=mat[0, 0, 0])", "put(d=disc[0], where_to=mat[0, 0, 1])"]
    assert str(state.parse_move("put(d=disc[0], where_to=b1)")) == written[1]
    assert str(state.parse_move(written[1])) == written[1]


def test_a_label_that_one_space_has_is_its_name() -> None:
    state = gdl.loads(SPEC.replace("PLACES", "shelf"), "mats.yaml").game().new_state(seed=1)
    assert str(state.legal_moves()[0]) == 'put(d=disc[0], where_to="place 1")'


def test_edges_of_several_mats_are_told_apart() -> None:
    game = begin().game
    zone = game.plan.zones["mat.edge"]
    assert [game.names.space(edge) for edge in range(zone.base, zone.end)] == [
        "mat[0, 0, 0]-mat[0, 0, 1]",
        "mat[1, 0, 0]-mat[1, 0, 1]",
    ]


def test_many_effects_do_not_take_the_place_of_types() -> None:
    rows = "".join(f"\n      - {{effect: player.points += {n + 1}}}" for n in range(80))
    text = f"""
gdl: 1
game: effects
players: 2
zones: {{box: {{}}}}
variables: {{points: {{type: 0..99, per: player, start: 0}}}}
pieces:
  card:
    attributes: {{effect: effect}}
    at: box
    rows:{rows}
actions:
  use:
    label: "{{player}} uses {{c.number}}"
    choose: c in card where possible(c.effect)
    do: perform(c.effect)
phases:
  play: {{turns: each, actions: use}}
"""
    state = gdl.loads(text, "effects.yaml").game().new_state(seed=1)
    for name in ("player 0", "player 1"):
        moves = state.legal_moves()
        assert [state.label(move) for move in moves] == [f"{name} uses {n}" for n in range(80)]
        state.apply(moves[0])
