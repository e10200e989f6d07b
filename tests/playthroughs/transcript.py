"""A seeded match in full, as text: every decision, what each seat sees, what it may do, what it does, what chance brings, and the end.

What a seat sees is written as a sum over its whole observation and, below it, the lines that are new or gone since the last decision; a
seat that sees what another one sees is said to do so. Where there are many legal moves, their number and the first and last of them stand
for all. Nothing in it depends on how a state is laid out in cells.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from attrs import Factory, define

import gdl
from gdl.interpreter.choices import Chance
from gdl.interpreter.told import Line

MOST_MOVES: Final = 12
"""Longer lists of moves are cut."""
MOST_NEW: Final = 450
"""Of more that a seat sees at once for the first time, such as large sheets of many players, the first and last lines stand for all."""
MOST_DECISIONS: Final = 60
MOST_CHARACTERS: Final = 24_000
"""Longer matches are cut."""
LEAST_DECISIONS: Final = 6
"""So many are told however long that is: on large sheets the first sight of all is long."""


@define
class Transcript:
    """Writes one match, in which `choose` makes all decisions."""

    game: gdl.Game
    seed: int
    choose: Callable[[gdl.State], gdl.Move]
    lines: list[str] = Factory(list)
    events: list[str] = Factory(list)
    seen: dict[int | None, tuple[str, ...]] = Factory(dict)

    def write(self, heading: str) -> str:
        """The whole text."""
        self.lines = [heading, ""]
        self.game.machine.on_chance = self._chance
        self.game.telling.listener = self._told
        try:
            self._play()
        finally:
            self.game.machine.on_chance = self.game.telling.listener = None
        return "\n".join(self.lines) + "\n"

    def _chance(self, s: list[int], chance: Chance, frame: int, value: int) -> None:
        self.events.append(f"chance: {self.game.chance_text(s, chance, frame, value)}")

    def _told(self, line: Line) -> None:
        self.events.append(f"log{'' if line.to is None else f' to {list(line.to)}'}: {line.text}")

    def _play(self) -> None:
        state = self.game.new_state(self.seed)
        number = 0
        self._events("set-up")
        while not state.is_terminal():
            number += 1
            if number > MOST_DECISIONS or (number > LEAST_DECISIONS and sum(map(len, self.lines)) > MOST_CHARACTERS):
                self.lines.append(f"cut: the match goes on after decision {number - 1}")
                return
            self.lines.append(f"--- decision {number}: seat {', '.join(map(str, state.deciders()))}")
            self._observations(state)
            self._moves(state)
            move = self.choose(state)
            label = state.label(move)
            self.lines.append(f"> {move.seat}: {move}" + (f"    {label}" if label != str(move) else ""))
            state.apply(move)
            self._events("")
            self.lines.append("")
        self._end(state)

    def _events(self, heading: str) -> None:
        """What chance has brought and what was told."""
        if self.events and heading:
            self.lines.append(f"--- {heading}")
        self.lines += [f"  {event}" for event in self.events]
        if self.events and heading:
            self.lines.append("")
        self.events.clear()

    def _observations(self, state: gdl.State) -> None:
        """What each seat and an onlooker see."""
        shown: dict[tuple[str, ...], int | None] = {}
        for seat in (*range(self.game.players), None):
            observed = dict(state.observation(seat))
            del observed["seat"], observed["deciders"], observed["game"]
            lines = tuple(flat(observed))
            name = "onlooker" if seat is None else f"seat {seat}"
            if lines in shown:
                self.lines.append(f"{name} sees the same as seat {shown[lines]}")
            else:
                shown[lines] = seat
                self.lines.append(f"{name} sees {digest(lines)}")
                self._difference(self.seen.get(seat, ()), lines)
            self.seen[seat] = lines

    def _difference(self, before: Sequence[str], now: Sequence[str]) -> None:
        known, new = set(before), set(now)
        self.lines += [f"  - {line}" for line in before if line not in new]
        added = [f"  + {line}" for line in now if line not in known]
        kept = MOST_NEW // 2
        self.lines += added if len(added) <= MOST_NEW else [*added[:kept], f"  … {digest(added)}", *added[-kept:]]

    def _moves(self, state: gdl.State) -> None:
        """The legal moves of each seat that decides."""
        for seat in state.deciders():
            moves = state.legal_moves(seat)
            prompt = state.prompt(seat)
            self.lines.append(f"seat {seat} has {len(moves)} moves" + (f": {prompt}" if prompt else ""))
            kept = MOST_MOVES // 2
            written = [f"  {move}" for move in moves]
            self.lines += written if len(moves) <= MOST_MOVES else [*written[:kept], f"  … {digest(written)}", *written[-kept:]]

    def _end(self, state: gdl.State) -> None:
        """How the match has ended."""
        self.lines.append("--- over")
        self._observations(state)
        self.lines.append(f"winners {list(state.winners())}")
        self.lines.append(f"ranking {[list(place) for place in state.ranking()]}")
        self.lines += [f"score of seat {seat}: {json.dumps(parts)}" for seat, parts in enumerate(state.score_parts())]


def flat(value: Any, path: str = "") -> Iterator[str]:  # noqa: ANN401 - data as JSON has it
    """Data as lines, each a path and a plain value; spaces are named by their names, pieces stand together in one line."""
    if isinstance(value, Mapping):
        if "space" in value:
            path, value = f"{path.rpartition('.')[0]}.{value['space']}", {key: item for key, item in value.items() if key != "space"}
        for key, item in value.items():
            yield from flat(item, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list) and value and all(isinstance(item, Mapping) and "space" in item for item in value):
        for number, item in enumerate(value):
            yield from flat(item, f"{path}.{number}")
    elif isinstance(value, list) and value and all(isinstance(item, Mapping) and "piece" in item for item in value):
        runs = [(shown, len(list(same))) for shown, same in groupby(map(piece, value))]
        yield f"{path} = {'; '.join(shown if times == 1 else f'{times} x {shown}' for shown, times in runs)}"
    else:
        yield f"{path} = {json.dumps(value, ensure_ascii=False)}"


def piece(observed: Mapping[str, Any]) -> str:
    """A piece with what is seen of it."""
    rest = {key: value for key, value in observed.items() if key not in ("piece", "hidden")}
    shown = " ".join(f"{key}={json.dumps(value, ensure_ascii=False)}" for key, value in rest.items())
    name = f"({observed['piece']})" if observed.get("hidden") else str(observed["piece"])
    return f"{name} {shown}".rstrip()


def digest(lines: Sequence[str]) -> str:
    """A short sum over lines."""
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]
