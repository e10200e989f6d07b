"""What can go wrong while a game is played, as the API raises it."""

from __future__ import annotations

from attrs import frozen

from gdl.source import Span


@frozen
class Place:
    """A rule that was at work, and where it stands."""

    rule: str
    span: Span


class GameFault(Exception):
    """A rule of the spec that failed while the game ran. The state is as it was before.

    `code` is a name of the catalogue (9xx), `message` what happened, `span` where, `chain` the rules that led there, the outermost first.
    """

    def __init__(self, code: str, message: str, span: Span, chain: tuple[Place, ...]) -> None:
        self.code = code
        self.message = message
        self.span = span
        self.chain = chain
        super().__init__(f"{span}: {code}: {message}")


class IllegalMove(Exception):
    """A move that is not legal now, or text that names none. The state is as it was. `code` is `illegal-move`."""

    code = "illegal-move"

    def __init__(self, message: str, suggestions: tuple[str, ...] = ()) -> None:
        self.message = message
        self.suggestions = suggestions
        super().__init__(message + _question(suggestions))


class BadSave(Exception):
    """A saved state or record that can't be used: broken, of another version, or of another game. `code` is `bad-save`."""

    code = "bad-save"


class BadOption(Exception):
    """Players or options that a spec does not allow. `code` is `bad-option`."""

    code = "bad-option"

    def __init__(self, message: str, suggestions: tuple[str, ...] = ()) -> None:
        self.message = message
        self.suggestions = suggestions
        super().__init__(message + _question(suggestions))


def _question(suggestions: tuple[str, ...]) -> str:
    """What the text of an error says about what may have been meant."""
    return f" (did you mean {' or '.join(suggestions)}?)" if suggestions else ""
