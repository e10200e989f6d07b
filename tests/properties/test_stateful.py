"""All that can be done with a state, in any order: moves, chance, taking back, copies, saving, nonsense; with a plain model beside it."""

from __future__ import annotations

import json
from typing import ClassVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import gdl
from tests.properties.shipped import FEATURES, ROOT, THOROUGH, load


class Playing(RuleBasedStateMachine):
    """The model: the cells after each entry of the trail, and whose moves those were."""

    path: ClassVar = ROOT / "specs" / "classics" / "tic_tac_toe.yaml"

    @initialize(seed=st.integers(0, 2**64 - 1), explicit=st.booleans())
    def begin(self, seed: int, explicit: bool) -> None:
        """Begin a match."""
        self.game = load(self.path).game()
        self.state = self.game.new_state(seed, explicit)
        self.past = [self.state.cells[:]]
        self.aside: list[tuple[gdl.State, list[int]]] = []

    def can_move(self) -> bool:
        """Whether somebody can decide."""
        return not self.state.is_terminal() and not self.state.is_chance()

    @precondition(can_move)
    @rule(number=st.integers(0, 10**6), by_text=st.booleans())
    def move(self, number: int, by_text: bool) -> None:
        """Make a move."""
        moves = self.state.legal_moves()
        chosen = moves[number % len(moves)]
        self.state.apply(f"{chosen.seat}: {chosen}" if by_text else chosen)
        assert self.state.trail()[-1] == chosen
        self.past.append(self.state.cells[:])

    @precondition(lambda self: self.state.is_chance())
    @rule(number=st.integers(0, 10**6))
    def settle(self, number: int) -> None:
        """Settle a chance event."""
        outcomes = self.state.chance_outcomes()
        self.state.apply_chance(outcomes[number % len(outcomes)])
        self.past.append(self.state.cells[:])
        assert self.state.why_not_undo() is not None

    @rule()
    def take_back(self) -> None:
        """Take a move back, if that may be."""
        may_be = self.state.why_not_undo() is None
        assert self.state.undo() == may_be
        if may_be:
            self.past.pop()

    @rule(text=st.text(max_size=20))
    def nonsense(self, text: str) -> None:
        """Try to make a move that is none."""
        try:
            self.state.clone().apply(text)
        except gdl.IllegalMove:
            try:
                self.state.apply(text)
            except gdl.IllegalMove:
                return
            raise AssertionError("refused by the copy and not by the state") from None

    @rule()
    def put_aside(self) -> None:
        """Keep a copy that must not change any more."""
        self.aside.append((self.state.clone(), self.state.cells[:]))

    @precondition(lambda self: self.aside)
    @rule()
    def go_on_with_a_copy(self) -> None:
        """Go on with a copy of what was put aside last."""
        kept, _ = self.aside[-1]
        self.state = kept.clone()
        self.past = self.past_of(self.state)

    @rule()
    def load_again(self) -> None:
        """Save and load, which forgets the past."""
        self.state = self.game.state_from_json(json.loads(json.dumps(self.state.to_json())))
        self.past = [self.state.cells[:]]
        assert self.state.why_not_undo() is not None

    def past_of(self, state: gdl.State) -> list[list[int]]:
        """The cells after each entry of a trail, by playing it again."""
        again = state.restarted()
        found = [again.cells[:]]
        for entry in state.trail():
            if isinstance(entry, gdl.Move):
                again.apply(entry)
            else:
                again.apply_chance(entry)
            found.append(again.cells[:])
        return found

    @invariant()
    def is_as_the_model_says(self) -> None:
        """The state is what its trail leads to, and copies have not changed."""
        if hasattr(self, "state"):
            assert self.state.cells == self.past[-1]
            assert len(self.state.trail()) == len(self.past) - 1
            assert all(copy.cells == cells for copy, cells in self.aside)

    def teardown(self) -> None:
        """At the end, play everything again."""
        if hasattr(self, "state"):
            assert self.past_of(self.state) == self.past


class PlayingDraughts(Playing):
    """A game whose turns have several decisions of one seat, which can be taken back."""

    path = ROOT / "specs" / "classics" / "english_draughts.yaml"


class PlayingHugo(Playing):
    """A game with chance between all decisions."""

    path = ROOT / "specs" / "hugo.yaml"


class PlayingSecrets(Playing):
    """A game in which things come to light."""

    path = next(path for path in FEATURES if path.stem == "secrets")


class PlayingBids(Playing):
    """A game in which several decide at once."""

    path = next(path for path in FEATURES if path.stem == "sealed_bids")


class PlayingAlike(Playing):
    """A game with sets, lists, histories and alike pieces."""

    path = next(path for path in FEATURES if path.stem == "alike_men")


for machine in (Playing, PlayingDraughts, PlayingHugo, PlayingSecrets, PlayingBids, PlayingAlike):
    machine.TestCase.settings = settings(
        max_examples=300 if THOROUGH else 12,
        stateful_step_count=60 if THOROUGH else 25,
        deadline=None,
        derandomize=not THOROUGH,
        suppress_health_check=[HealthCheck.too_slow],
    )

TestPlaying = Playing.TestCase
TestPlayingDraughts = PlayingDraughts.TestCase
TestPlayingHugo = PlayingHugo.TestCase
TestPlayingSecrets = PlayingSecrets.TestCase
TestPlayingBids = PlayingBids.TestCase
TestPlayingAlike = PlayingAlike.TestCase
