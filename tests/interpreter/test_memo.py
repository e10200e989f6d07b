"""Tables that fill themselves, and keep only so much."""

from __future__ import annotations

from gdl.interpreter.memo import MOST_SETS, Memo, bits_of_mask, pieces_of_mask


def test_a_value_is_found_once() -> None:
    asked: list[tuple[int, int]] = []

    def total(a: int, b: int) -> int:
        asked.append((a, b))
        return a + b

    memo = Memo(total, spread=True)
    assert [memo[1, 2], memo[1, 2], memo[2, 2]] == [3, 3, 4]
    assert asked == [(1, 2), (2, 2)]


def test_a_table_keeps_no_more_than_its_limit() -> None:
    memo = Memo(str, limit=10)
    assert [memo[n] for n in range(25)] == [str(n) for n in range(25)]
    assert len(memo) <= 10


def test_sets_are_listed_and_the_hands_of_long_play_are_not_kept() -> None:
    pieces, bits = pieces_of_mask((7, 8, 20)), bits_of_mask()
    assert (pieces[0], pieces[0b101], bits[0b1010]) == ((), (7, 20), (1, 3))
    for mask in range(3 * MOST_SETS):
        assert sum(1 << bit for bit in bits[mask]) == mask
    assert len(bits) <= MOST_SETS
