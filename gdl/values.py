"""Values that the language and its engines agree on.

At run time every value is an int or a tuple of values: false and true 0 and 1 (or Python's), a seat its index, a symbol, piece or space
its number, a direction its index in `DIRECTIONS`. Only text is a string.
"""

from __future__ import annotations

import re
from typing import Final

NONE: Final = -(1 << 40)
"""`none`: so far out that using it as an index or as a number in range is noticed at once."""

DIRECTIONS: Final = (
    "north",
    "northeast",
    "east",
    "southeast",
    "south",
    "southwest",
    "west",
    "northwest",
    "onward",
    "backward",
)
"""All directions by number: the compass clockwise from north, then those of a track."""

ORTHOGONAL: Final = (0, 2, 4, 6)
DIAGONAL: Final = (1, 3, 5, 7)
EVERY_WAY: Final = (0, 1, 2, 3, 4, 5, 6, 7)
ONWARD: Final = 8
BACKWARD: Final = 9

_WHOLE = re.compile(r"-?[0-9]{1,20}\Z")
_EXACT: Final = 1 << 53


def read_whole(text: str) -> int | None:
    """The whole number that a text from outside is, None for any other text.

    Python's own reading takes digits of all scripts, underscores and spaces, and refuses thousands of digits by an error; no number
    that means anything here has more than 20 digits.
    """
    return int(text) if _WHOLE.match(text) else None


def portable(number: int) -> int | str:
    """A number as it stands in JSON: as text if it does not fit 53 bits, since many readers would round it."""
    return number if -_EXACT < number < _EXACT else str(number)
