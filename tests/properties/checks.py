"""What must be true of every state of every game. Each check raises AssertionError where it is not, and leaves the state as it was."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Final

import gdl
from gdl.interpreter import cells as c
from gdl.interpreter.chance import Stream
from gdl.interpreter.hashing import told_apart
from gdl.interpreter.imagining import imagined
from gdl.interpreter.moves import Outcome
from gdl.interpreter.plan import VariablePlan
from gdl.values import NONE
from tests.properties import worlds
from tests.properties.shipped import some, texts

Check = Callable[[gdl.State], None]


# --- what can be asked ------------------------------------------------------------------------------------------------


def asking_changes_nothing(state: gdl.State) -> None:
    before = state.cells[:]
    state.hash()
    state.scores()
    state.ranking()
    state.winners()
    state.to_json()
    for seat in (None, *range(state.game.players)):
        state.observation(seat)
        assert state.cells == before, "an observation changes the state"
    for seat in state.deciders():
        moves = state.legal_moves(seat)
        assert state.cells == before, "listing the legal moves changes the state"
        for move in some(moves):
            state.label(move)
            state.why_not_undo(seat)
    assert state.cells == before, "a question changes the state"


def answers_are_data(state: gdl.State) -> None:
    for seat in (None, *range(state.game.players)):
        observed = dict(state.observation(seat))
        assert json.loads(json.dumps(observed)) == observed
        assert observed["seat"] == seat


def deciders_can_move(state: gdl.State) -> None:
    deciders = state.deciders()
    assert list(deciders) == sorted(set(deciders))
    if state.is_terminal() or state.is_chance():
        assert deciders == (), "seats decide at a chance event or after the end"
        assert state.legal_moves() == ()
        return
    assert deciders, "nobody decides, and the match is not over"
    for seat in range(state.game.players):
        moves = state.legal_moves(seat)
        assert bool(moves) == (seat in deciders), f"seat {seat} and its moves"
        assert all(move.seat == seat for move in moves)


def results_fit(state: gdl.State) -> None:
    seats = list(range(state.game.players))
    ranked = [seat for place in state.ranking() for seat in place]
    assert sorted(ranked) in ([], seats)
    assert len(state.scores()) in (0, len(seats))
    if not state.is_terminal():
        assert state.winners() == ()
    elif state.winners() and ranked:
        assert set(state.winners()) <= set(state.ranking()[0])


def invariants_hold(state: gdl.State) -> None:
    assert [str(node.span) for node in state.game.invariants_broken(state.cells)] == []


# --- cells ------------------------------------------------------------------------------------------------------------


def pieces_are_where_they_lie(state: gdl.State) -> None:
    plan, cells = state.game.plan, state.cells
    lying: dict[int, int] = {}
    for space in range(plan.space_count):
        zone = plan.zone_of_space[space]
        if not zone.holdable:
            continue
        pieces = worlds.contents(plan, cells, space)
        assert zone.capacity is None or len(pieces) <= zone.capacity
        for piece in pieces:
            assert piece not in lying, "a piece lies in two places"
            lying[piece] = space
        if zone.stack:
            first = worlds.first_cell(zone, space)
            low, high = cells[first + 1], cells[first + 2]
            assert 0 <= low <= high <= len(pieces)
            assert high - low != 1
            assert pieces[low:high] == sorted(pieces[low:high]), "pieces in unknown order stand in an order"
            assert not any(cells[first + 3 + len(pieces) : first + zone.stride]), "a stack has something above its top"
    assert lying == {piece: cells[plan.at + piece] for piece in worlds.placed_pieces(plan)}


def variables_are_in_range(state: gdl.State) -> None:
    plan = state.game.plan
    for variable in plan.variables.values():
        for place in range(variable.owners * variable.key_count):
            _check_value(state, variable, variable.first + place * variable.width)


def _check_value(state: gdl.State, variable: VariablePlan, first: int) -> None:
    plan, cells, domain = state.game.plan, state.cells, variable.info.domain
    value = cells[first]
    match domain.form:
        case "set":
            assert all(0 <= cell < 1 << worlds.WORD for cell in cells[first : first + variable.width])
        case "list":
            assert 0 <= value < variable.width
            assert not any(cells[first + 1 + value : first + variable.width]), "a list has something behind its end"
        case _ if value == NONE:
            assert domain.none, f"{variable.info.name} is none"
        case _:
            assert value in worlds.values_of(plan, variable), f"{variable.info.name} is {value}"


# --- moves ------------------------------------------------------------------------------------------------------------


def moves_are_told_apart(state: gdl.State) -> None:
    for seat in state.deciders():
        moves = state.legal_moves(seat)
        written = [str(move) for move in moves]
        assert len(set(written)) == len(written), "two moves are written alike"
        assert len(set(moves)) == len(moves)
        assert all(state.label(move).strip() for move in some(moves))


def drawn_moves_are_legal(state: gdl.State) -> None:
    """Each legal move comes of exactly one of all the ways to draw that are as likely: the candidates that pass are the legal moves."""
    for seat in state.deciders():
        fresh = worlds.state_of(state, state.cells)
        choices, holds, moves = fresh._drawable(seat)
        assert [moves[choice] for choice in choices if holds(choice)] == list(state.legal_moves(seat))
        for number in range(4):
            drawn, again = (each.random_move(random.Random(number).randrange, seat) for each in (fresh, state.clone()))
            assert drawn in state.legal_moves(seat)
            assert drawn == again, "what is known of the legal moves changes what is drawn"
            fresh.clone().apply(drawn)
    for seat in set(range(state.game.players)) - set(state.deciders()):
        try:
            state.random_move(random.Random(1).randrange, seat)
        except gdl.IllegalMove:
            continue
        raise AssertionError(f"seat {seat} draws a move, and does not decide")


def moves_keep_their_order(state: gdl.State) -> None:
    fresh = worlds.state_of(state, state.cells[:])
    assert texts(fresh) == texts(state)
    by_seat = tuple(move for seat in state.deciders() for move in state.legal_moves(seat))
    assert state.legal_moves() == by_seat


def moves_can_be_read(state: gdl.State) -> None:
    several = len(state.deciders()) > 1
    for seat in state.deciders():
        for move in some(state.legal_moves(seat), 4):
            assert state.parse_move(f"{seat}: {move}") == move
            spaced = str(move).replace("(", " ( ").replace("=", " = ").replace(", ", " ,  ").replace(")", " ) ")
            if '"' not in spaced:
                assert state.parse_move(f" {seat} :  {spaced}") == move
            if not several:
                assert state.parse_move(str(move)) == move


def moves_can_be_made(state: gdl.State) -> None:
    before = state.cells[:]
    for move in some(state.legal_moves()):
        by_move, by_text = state.clone(), state.clone()
        by_move.apply(move)
        by_text.apply(f"{move.seat}: {move}")
        assert by_move.cells == by_text.cells
        assert state.cells == before, "a clone's move changes the state that it was made of"
        assert by_move.cells != before, f"{move} changes nothing"


GARBLED: Final = ("", " ", "(", "()", "pass", "nothing(at=all)", "0:", "9: pass", "none", "1 // 0", "a" * 3000, "[" * 500, "\x00", "é(ü=ö)")


def nonsense_is_refused(state: gdl.State) -> None:
    legal = {str(move) for move in state.legal_moves()}
    generator = random.Random(state.hash())
    for text in generator.sample([*GARBLED, *_misspelt(sorted(legal), generator)], 8):
        if text.strip() not in legal:
            refuses(state, text)


def refuses(state: gdl.State, text: str) -> None:
    """The text names no legal move, or one that is legal; nothing else comes of it than that it is refused."""
    before, hashed = state.cells[:], state.hash()
    try:
        move = state.parse_move(text)
    except gdl.IllegalMove:
        try:
            state.apply(text)
        except gdl.IllegalMove:
            pass
        else:
            raise AssertionError(f"{text!r} is refused, and applied") from None
    else:
        assert move in state.legal_moves(move.seat)
    assert state.cells == before
    assert state.hash() == hashed


def _misspelt(legal: list[str], generator: random.Random) -> list[str]:
    """Texts near legal moves."""
    found = []
    for text in generator.sample(legal, min(2, len(legal))):
        place = generator.randrange(len(text))
        found += [text[:place] + text[place + 1 :], text[:place] + generator.choice("x(=,)[]1 ") + text[place:], text[:place], text + text]
    return found


def moves_of_elsewhere_are_refused(state: gdl.State) -> None:
    """A move that was legal before is not carried out once it is no longer."""
    for move in some(state.legal_moves(), 3):
        later = state.clone()
        later.apply(move)
        if move not in later.legal_moves(move.seat):
            before = later.cells[:]
            try:
                later.apply(move)
            except gdl.IllegalMove:
                assert later.cells == before
            else:
                raise AssertionError(f"{move} is made twice, and is not legal")


# --- copies -----------------------------------------------------------------------------------------------------------


def copies_go_their_own_way(state: gdl.State) -> None:
    shared, before, legal = state.cells, state.cells[:], texts(state)
    moves = some(state.legal_moves(), 4)
    children = []
    for move in moves:
        child = state.clone()
        child.apply(move)
        children.append((move, child, child.cells[:]))
    assert state.cells == before
    assert texts(state) == legal
    for move, child, cells in children:
        assert child.cells == cells, "a copy changes when another one does"
        again = state.clone()
        again.apply(move)
        assert again.cells == cells, "the same move leads elsewhere"
        assert texts(again) == texts(child)
    assert state.cells is shared, "the cells of a state are exchanged without a move"
    assert shared == before, "cells that copies share are changed"


def saved_states_are_the_same(state: gdl.State) -> None:
    loaded = state.game.state_from_json(json.loads(json.dumps(state.to_json())))
    assert loaded.cells == state.cells
    assert loaded.hash() == state.hash()
    assert loaded.explicit == state.explicit
    assert texts(loaded) == texts(state)
    assert loaded.to_json() == state.to_json()
    for move in some(state.legal_moves(), 3):
        one, other = state.clone(), loaded.clone()
        one.apply(move)
        other.apply(f"{move.seat}: {move}")
        assert one.cells == other.cells


def clones_are_the_same(state: gdl.State) -> None:
    copy = state.clone()
    assert copy.cells == state.cells
    assert copy.trail() == state.trail()
    assert copy.hash() == state.hash()
    assert copy.why_not_undo() == state.why_not_undo()


# --- situations -------------------------------------------------------------------------------------------------------


def moves_change_the_hash(state: gdl.State) -> None:
    for move in some(state.legal_moves(), 4):
        child = state.clone()
        child.apply(move)
        same = canonical(child) == canonical(state)
        assert (child.hash() == state.hash()) == same, f"the hash and {move}"


def canonical(state: gdl.State) -> tuple[int, ...]:
    """The cells, less what does not tell situations apart."""
    cells = state.cells[:]
    cells[c.RANDOM] = cells[c.TURNS] = 0
    return tuple(cells)


def alike_pieces_are_one(state: gdl.State) -> None:
    """Where no rule can tell alike pieces apart, trading two of them makes the same situation, which goes on in the same way.

    While a rule that waits remembers one of a class, the class is left aside: then it matters which one lies where.
    """
    plan, cells = state.game.plan, state.cells
    apart = told_apart(plan, cells)
    sealed = plan.shadow and cells[plan.shadow]
    pairs = [pair for pair in worlds.alike_pairs(plan, cells) if plan.alike_class[pair[0]] not in apart and not sealed]
    generator = random.Random(state.hash())
    for one, other in generator.sample(pairs, min(4, len(pairs))):
        traded = worlds.state_of(state, worlds.with_pieces_traded(plan, cells, one, other))
        names = f"{state.game.names.piece(one)} and {state.game.names.piece(other)}"
        assert traded.hash() == state.hash(), f"the hash tells {names} apart"
        goes_on_alike(state, traded, generator, names)


def goes_on_alike(one: gdl.State, other: gdl.State, generator: random.Random, names: str, moves: int = 3) -> None:
    """Two states of equal hash look the same to everybody and lead to states of equal hashes, for some moves."""
    for seat in (None, *range(one.game.players)):
        assert other.observation(seat) == one.observation(seat), f"seat {seat} can tell {names} apart"
    assert (one.is_terminal(), one.scores(), one.winners()) == (other.is_terminal(), other.scores(), other.winners())
    assert one.deciders() == other.deciders()
    first, second = followers(one), followers(other)
    if first is None or second is None:
        assert first is second
        return
    assert sorted(hashed for hashed, _ in first) == sorted(hashed for hashed, _ in second), f"{names} lead to different situations"
    if first and moves:
        hashed, child = generator.choice(first)
        goes_on_alike(child, next(state for found, state in second if found == hashed), generator, names, moves - 1)


MOST_FOLLOWERS: Final = 60


def followers(state: gdl.State) -> list[tuple[int, gdl.State]] | None:
    """The next states in which no rule that waits remembers a piece, with their hashes; none where there are very many.

    What chance brings is asked for, since equal states need not draw alike: outcomes come in an order of their own.
    """
    found: list[tuple[int, gdl.State]] = []
    todo = [state]
    while todo:
        here = todo.pop()
        choices: list[Outcome | gdl.Move] = [*here.chance_outcomes(), *here.legal_moves()]
        if len(choices) + len(found) + len(todo) > MOST_FOLLOWERS:
            return None
        for choice in choices:
            child = here.clone()
            child.explicit = True
            child.apply_chance(choice) if isinstance(choice, Outcome) else child.apply(choice)
            if told_apart(state.game.plan, child.cells):
                todo.append(child)
            else:
                found.append((child.hash(), child))
    return found


# --- what a seat can't see --------------------------------------------------------------------------------------------


def worlds_look_alike(state: gdl.State) -> None:
    generator = random.Random(state.hash())
    for seat in (None, *range(state.game.players)):
        for other in worlds.other_worlds(state, seat, generator):
            assert other.observation(seat) == state.observation(seat), f"what seat {seat} sees depends on what it does not see"
            if seat is not None:
                assert offered(other, seat) == offered(state, seat), f"what seat {seat} is offered depends on what it does not see"


def offered(state: gdl.State, seat: int) -> list[tuple[str, str]]:
    """The legal moves of a seat, as written and as people read them."""
    return [(str(move), state.label(move)) for move in state.legal_moves(seat)]


def imagining_goes_by_what_is_seen(state: gdl.State) -> None:
    generator = random.Random(state.hash())
    for seat in state.deciders()[:2]:
        world = imagined(state, seat, Stream(1)).state
        assert seen(world, seat) == seen(state, seat), f"seat {seat} imagines something else than it sees"
        pieces_are_where_they_lie(world)
        for other in worlds.other_worlds(state, seat, generator):
            assert imagined(other, seat, Stream(1)).state.cells == world.cells, f"seat {seat} imagines what it can't see"


def seen(state: gdl.State, seat: int) -> dict[str, object]:
    """What a seat observes, without what it has been told."""
    return {key: value for key, value in state.observation(seat).items() if key != "log"}


CHECKS: Final[tuple[Check, ...]] = (
    asking_changes_nothing,
    answers_are_data,
    deciders_can_move,
    results_fit,
    invariants_hold,
    pieces_are_where_they_lie,
    variables_are_in_range,
    moves_are_told_apart,
    drawn_moves_are_legal,
    moves_keep_their_order,
    moves_can_be_read,
    moves_can_be_made,
    nonsense_is_refused,
    moves_of_elsewhere_are_refused,
    copies_go_their_own_way,
    saved_states_are_the_same,
    clones_are_the_same,
    moves_change_the_hash,
    alike_pieces_are_one,
    worlds_look_alike,
    imagining_goes_by_what_is_seen,
)
"""All of them."""
