"""Tables that fill themselves, and keep only so much."""

from __future__ import annotations

from gdl.interpreter.memo import MOST_SETS, Memo, Sets, bits_of_mask


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
    pieces, bits = Sets((7, 8, 20)), bits_of_mask()
    assert (pieces[0], pieces[0b101], bits[0b1010]) == ((), (7, 20), (1, 3))
    for mask in range(3 * MOST_SETS):
        assert sum(1 << bit for bit in bits[mask]) == mask
        assert len(pieces[mask & 0b111]) == (mask & 0b111).bit_count()
    assert len(bits) <= MOST_SETS
    many = Sets(tuple(range(63)))
    for mask in range(3 * MOST_SETS):
        assert sum(1 << piece for piece in many[mask]) == mask
    assert len(many) <= MOST_SETS


def test_few_and_many_bits_are_listed_alike() -> None:
    pieces = Sets(tuple(range(100, 163)))
    for count in (1, 5, 6, 7, 8, 30, 63):
        mask = sum(1 << (place * 5) % 63 for place in range(count))
        assert pieces[mask] == tuple(sorted(100 + (place * 5) % 63 for place in range(count)))
