"""Drawings: what a seat sees, as lines of text."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import gdl
from gdl.interpreter.drawing import Drawer
from gdl.interpreter.drawing_boards import Line
from gdl.interpreter.drawing_signs import Ink, abbreviations, width_of
from gdl.interpreter.state import State

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = (ROOT / "specs", ROOT / "specs" / "classics")
SPECS = sorted(path for folder in FOLDERS for path in folder.glob("*.yaml") if not path.name.endswith(".test.yaml"))
END = "phases:\n  play: {turns: each, actions: go}\nactions:\n  go: {do: []}\n"


def begin(*lines: str, players: str = "players: 2") -> State:
    text = "\n".join(["gdl: 1", "game: t", players, *lines, END])
    return gdl.loads(text).game().new_state(1)


def text_of(lines: list[Line]) -> str:
    return "\n".join("".join(ink.text for ink in line).rstrip() for line in lines)


def drawn(state: State, seat: int | None = 0, width: int = 80) -> str:
    return text_of(Drawer(state.game).draw(state, seat, width))


# --- boards -----------------------------------------------------------------------------------------------------------


def test_a_grid_has_the_numbers_of_its_rows_and_columns() -> None:
    state = begin(
        "zones: {board: {grid: [2, 3], variables: {mark: player or none}}}",
        "setup:",
        "  - board[0, 2].mark = players[1]",
        "  - board[1, 0].mark = players[0]",
    )
    assert drawn(state) == "board\n     0 1 2\n  0  . . 1\n  1  0 . ."


def test_labels_by_column_and_row_stand_at_the_sides() -> None:
    grid = "zones: {board: {grid: [2, 3], variables: {mark: player or none}, "
    board = "board\n     a b c\n  2  . . .\n  1  . . ."
    assert drawn(begin(grid + 'label: "{letter(this.col)}{2 - this.row}"}}')) == board
    assert drawn(begin(grid + 'label: "{2 - this.row}{letter(this.col)}"}}')) == board
    assert drawn(begin(grid + 'label: "{2 - this.row}, {letter(this.col)}"}}')) == board


def test_other_labels_stand_below_their_cells() -> None:
    state = begin('zones: {board: {grid: [2, 2], cells: this.row + this.col < 2, variables: {n: 0..9 = 7}, label: "cell {this.index}"}}')
    assert drawn(state) == ("board\n     0      1\n  0  7      7\n     cell 0 cell 1\n  1  7\n     cell 2")


def test_a_hex_is_slanted() -> None:
    state = begin(
        'zones: {board: {hex: 3, variables: {mark: player or none}, label: "{letter(this.col)}{this.row + 1}"}}',
        'setup: ["board[1, 1].mark = players[0]"]',
    )
    assert drawn(state) == "board\n     a b c\n  1  . . .\n  2   . 0 .\n  3    . . ."


def test_cells_of_a_hex_are_an_even_step_apart() -> None:
    state = begin("zones: {board: {hex: 2, variables: {n: 0..99 = 25}}}")
    assert drawn(state) == "board\n     0   1\n  0  25  25\n  1    25  25"


def test_holes_of_a_board_are_blank() -> None:
    state = begin("zones: {board: {grid: [2, 2], cells: this.row == this.col, variables: {b: bool}}}")
    assert drawn(state) == "board\n     0 1\n  0  .\n  1    ."


def test_a_track_is_broken_where_the_line_ends() -> None:
    state = begin("zones: {path: {track: 8, variables: {n: 0..99 = 0}}}", 'setup: ["path[2].n = 44"]')
    assert drawn(state) == "path\n    0 1 2  3 4 5 6 7\n    . . 44 . . . . ."
    assert drawn(state, width=15) == "path\n    0 1 2  3 4\n    . . 44 . .\n    5 6 7\n    . . ."


def test_a_long_track_is_a_list() -> None:
    state = begin("zones: {score: {track: 99, holds: man}}", 'pieces: {man: {per: player, at: "score[5]"}}')
    assert drawn(state) == "score\n  5      man of player 0, man of player 1\n  empty  98 of 99 spaces"


# --- signs ------------------------------------------------------------------------------------------------------------


def test_a_piece_bears_its_kind_its_seat_and_its_variables() -> None:
    board = "zones: {board: {grid: [1, 4], holds: [man, rock]}}"
    pieces = '  man: {per: player, count: 2, at: "[board[0, 0], board[0, 1]]", variables: {king: bool, load: 0..9 = 0}}'
    setup = ["setup:", "  - players[0].man[0].king = true", "  - players[1].man[1].load = 3"]
    rock = '  rock: {count: 5, at: "board[0, 3]"}'
    state = begin(board, "seats: [ann, bob]", "pieces:", pieces, rock, *setup)
    assert drawn(state).splitlines()[2].split() == ["0", "mAKmB", "mAmB3", ".", "r×5"]


def test_where_only_one_kind_lies_the_seat_is_enough() -> None:
    state = begin(
        "seats: [white, black]",
        "zones: {board: {grid: [1, 2], holds: man}}",
        'pieces: {man: {per: player, at: "board[0, if this.owner == white then 0 else 1]"}}',
    )
    assert drawn(state).splitlines()[2] == "  0  w b"


def test_display_gives_glyphs_colours_and_names() -> None:
    state = begin(
        "seats: [white, black]",
        "zones: {board: {grid: [1, 2], holds: man}}",
        'pieces: {man: {per: player, at: "board[0, 0]"}}',
        "display:",
        "  man: {glyph: o, color: player, label: pawn}",
        "  black: {glyph: x, color: green}",
        "  board: {label: The board}",
    )
    drawer = Drawer(state.game)
    lines = drawer.draw(state, 0)
    assert text_of(lines) == "The board\n     0    1\n  0  oWoX ."
    assert Ink("oX", "green") in lines[2]
    assert text_of(drawer.legend()) == "o pawn\nw white, x black"


def test_seats_have_the_shortest_beginnings_that_tell_them_apart() -> None:
    assert abbreviations(["red", "green"]) == {"red": "r", "green": "g"}
    assert abbreviations(["king", "knight", "ox"]) == {"king": "ki", "knight": "kn", "ox": "ox"}
    assert abbreviations(["a", "ab"]) == {"a": "a", "ab": "ab"}
    assert abbreviations([]) == {}


def test_wide_characters_take_two_columns() -> None:
    state = begin("zones: {board: {grid: [1, 2], holds: man}}", 'pieces: {man: {at: "board[0, 0]"}}', "display: {man: {glyph: 王}}")
    assert width_of("王a") == 3
    assert drawn(state).splitlines()[1:] == ["     0  1", "  0  王 ."]


def test_several_variables_of_a_cell_bear_their_letters() -> None:
    state = begin(
        "enums: {soil: [sand, clay]}",
        "zones: {board: {grid: [1, 2], variables: {height: 0..9 = 0, soil: soil = clay, wet: bool}}}",
        "setup:",
        "  - board[0, 1].height = 3",
        "  - board[0, 1].wet = true",
    )
    assert drawn(state).splitlines()[2] == "  0  c    h3cw"


# --- lists ------------------------------------------------------------------------------------------------------------

CARDS = (
    "enums: {suit: [red, blue]}",
    "zones:",
    "  deck: {stack: true, visible: none}",
    "  market: {stack: true, visible: top}",
    "  hand: {per: player, visible: owner}",
    "  purse: {per: player, visible: [owner, secret], holds: coin}",
    "pieces:",
    '  card: {attributes: {suit: suit, rank: int}, each: {suit: suit, rank: 1..3}, at: deck, label: "{this.suit} {this.rank}"}',
    "  coin: {per: player, count: 3, at: this.owner.purse}",
    "  tile: {at: market, count: 3, back: grey}",
    "setup:",
    "  - move(card[red, 3], players[0].hand)",
    "  - move(card[blue, 1], players[0].hand)",
    "  - move(card[red, 1], players[1].hand)",
)


def test_parts_are_drawn_in_their_cells() -> None:
    state = begin(
        "zones: {city: {grid: [2, 3], parts: {names: [n, e, s, w], legend: {◤: [n, w], ◢: [e, s]}, variables: {mark: 0..9 = 0}}}}",
        "setup:",
        "  - place: {city: [ahx, .o.]}",
        "    key:",
        "      a: [n.mark = 3, e.mark = 3, s.mark = 3, w.mark = 3]",
        "      h: [n.mark = 1, w.mark = 1, e.mark = 2, s.mark = 2]",
        "      x: [n.mark = 1, s.mark = 1]",
        "      o: [e.mark = 4, s.mark = 4]",
    )
    assert drawn(state) == "city\n     0    1    2\n  0  3    ◤1◢2 ns1\n  1  .    ◢4   ."


def test_parts_with_several_variables_are_listed() -> None:
    state = begin(
        "zones: {city: {grid: [1, 2], parts: {names: [n, e, s, w], variables: {mark: 0..9 = 0, old: bool}}}}",
        "setup: [{place: {city: [.h]}, key: {h: [e.mark = 4, e.old = true]}}]",
    )
    assert drawn(state) == "city\n     0 1\n  0  . .\n\ncity.part\n  city[0, 1].e  mark 4, old"


def test_where_nothing_can_be_is_not_drawn() -> None:
    state = begin(
        "zones: {rows: {holds: [], attributes: {n: int}, spaces: {one: {n: 1}}}, stock: {holds: man}}",
        "pieces: {man: {at: stock}}",
    )
    assert drawn(state) == "stock  man"


def test_hidden_pieces_are_backs() -> None:
    assert drawn(begin(*CARDS), 1) == (
        "deck    3 face down\n"
        "market  tile, 2 grey, face down\n"
        "\n"
        "player 0\n"
        "  hand   2 face down\n"
        "  purse  not to be seen\n"
        "\n"
        "player 1 (you)\n"
        "  hand   red 1\n"
        "  purse  coin ×3"
    )


def test_who_looks_on_sees_what_is_open_to_all() -> None:
    text = drawn(begin(*CARDS), None)
    assert "(you)" not in text
    assert "red" not in text
    assert "blue" not in text


def test_a_stack_is_listed_from_its_top() -> None:
    state = begin(
        "zones: {pile: {stack: true}}",
        'pieces: {card: {attributes: {n: int}, each: {n: 1..3}, at: pile, label: "{this.n}"}}',
    )
    assert drawn(state) == "pile  3, 2, 1"


def test_named_spaces_show_what_is_on_them() -> None:
    state = begin(
        "zones:",
        "  map: {graph: {nodes: [port, town, mine], edges: [[port, town], [town, mine]]}}",
        "  rooms: {variables: {seen: bool, guest: player or none}, spaces: {salon: {}, attic: {}}}",
        "pieces: {cart: {at: town}}",
        "setup:",
        "  - attic.seen = true",
        "  - attic.guest = players[1]",
    )
    assert drawn(state) == (
        "map\n"
        "  town (port, mine)  cart\n"
        "  empty              port (town), mine (town)\n"
        "\n"
        "rooms\n"
        "  attic  seen, guest player 1\n"
        "  empty  salon"
    )


def test_edges_are_listed_where_they_have_something() -> None:
    state = begin(
        "zones: {board: {grid: [1, 2], holds: [], edges: {variables: {fence: player or none}}}}",
        "setup:",
        "  - edge(board[0, 0], board[0, 1]).fence = players[1]",
    )
    assert drawn(state).splitlines()[-2:] == ["board.edge", "  board[0, 0]-board[0, 1]  fence player 1"]


def test_long_lists_go_on_below() -> None:
    state = begin(
        "zones: {box: {}}",
        'pieces: {card: {attributes: {n: int}, each: {n: 1..12}, at: box, label: "number {this.n}"}}',
    )
    assert drawn(state, width=40) == (
        "box  number 1, number 2, number 3,\n"
        "     number 4, number 5, number 6,\n"
        "     number 7, number 8, number 9,\n"
        "     number 10, number 11, number 12"
    )


# --- players and variables --------------------------------------------------------------------------------------------


def test_what_belongs_to_a_player_stands_with_the_player() -> None:
    state = begin(
        "seats: [ann, bob]",
        "enums: {good: [salt, silk]}",
        "zones: {field: {per: player, grid: [1, 2], holds: man}, mat: {per: [player, good]}}",
        'pieces: {man: {per: player, at: "this.owner.field[0, 1]"}}',
        "variables:",
        "  round: 1..9 = 2",
        "  leader: player or none",
        "  order: list[player, max 3]",
        "  price: {type: 1..9, per: good, start: 3}",
        "  goods: {type: 0..9, per: [player, good], start: 1}",
        "  ready: {type: bool, per: player}",
        "setup:",
        "  - leader = bob",
        "  - order = [bob, ann]",
    )
    text = drawn(state)
    assert text.startswith("price  salt 3, silk 3\nround 2, leader bob, order bob, ann\n\nann (you)\n  field\n       0 1\n    0  . a\n")
    assert text.endswith("  mat[salt]  –\n  mat[silk]  –\n  goods      salt 1, silk 1\n  ready no")


def test_dice_show_their_faces() -> None:
    state = begin(
        "zones: {cup: {per: player}}",
        "pieces:",
        "  die: {faces: [star, 1]}",
        "  own: {faces: 4..6, per: player, count: 2}",
        "  kept: {faces: 1..6, per: player, at: this.owner.cup}",
    )
    assert drawn(state) == ("die star\n\nplayer 0 (you)\n  cup  kept = 1\n  own 4 4\n\nplayer 1\n  cup  kept = 1\n  own 4 4")


def test_pieces_that_moves_call_by_label_are_looked_up() -> None:
    state = begin(
        "zones: {path: {track: 3, holds: man}}",
        'pieces: {man: {per: player, count: 2, at: "path[this.number]", label: "man {this.number + 1} of {this.owner}"}}',
    )
    assert "man 1 of player 0 on path[0], man 2 of player 0 on path[1]" in drawn(state)


# --- any game ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", SPECS, ids=[path.stem for path in SPECS])
def test_every_game_can_be_drawn(path: Path) -> None:
    game = gdl.load(path).game()
    drawer = Drawer(game)
    state = game.new_state(1)
    choice = random.Random(1)
    for turn in range(40):
        if state.is_terminal():
            break
        if turn % 4 == 0:
            for seat in (*range(game.players), None):
                lines = drawer.draw(state, seat)
                assert all(isinstance(ink.text, str) for line in lines for ink in line)
        state.apply(choice.choice(state.legal_moves(state.deciders()[0])))
    assert drawer.legend()
