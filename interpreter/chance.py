"""Random numbers: one 64-bit generator whose whole state is one integer.

SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014). An index below n is the high half of
one output times n, so every engine that shares the state draws the same.
"""

from __future__ import annotations

from typing import Final

_MASK: Final = (1 << 64) - 1
_GAMMA: Final = 0x9E3779B97F4A7C15


def mix(value: int) -> int:
    """The output function of SplitMix64: a bijection on 64-bit numbers that scatters them."""
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _MASK
    return value ^ (value >> 31)


def advance(state: int) -> int:
    """The generator's next state."""
    return (state + _GAMMA) & _MASK


def index_below(state: int, n: int) -> tuple[int, int]:
    """The next state and an index from 0 to n - 1."""
    state = advance(state)
    return state, (mix(state) * n) >> 64


class Stream:
    """A generator outside the state: bots have one each, so that they don't disturb the game's own."""

    def __init__(self, seed: int) -> None:
        self.state = mix(seed & _MASK)

    def index(self, n: int) -> int:
        """An index from 0 to n - 1."""
        self.state, result = index_below(self.state, n)
        return result
