"""Information flow: what is hidden must not reach those who may not see it by another way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from gdl.diagnostics import Related, Severity
from gdl.ownership import OTHERS, OWN
from gdl.validators import leaks
from gdl.validators.hidden import NOBODY, Secret
from gdl.validators.leaks import Leak
from gdl.validators.rule import Finding, Rule
from gdl.validators.rules.examples import POINTS, example
from gdl.validators.subject import Subject

_WHO: Final = {NOBODY: "nobody sees", OWN: "only its player sees", OTHERS: "only its player sees"}


def _of(way: str, say: Callable[[Leak], str], cure: Callable[[Secret], str]) -> Callable[[Subject], Iterator[Finding]]:
    """A check for the leaks of one way."""

    def check(subject: Subject) -> Iterator[Finding]:
        for leak in subject.leaks:
            if leak.way == way:
                secret = leak.secret
                elsewhere = secret.span != leak.span and not (
                    secret.span.source is leak.span.source and leak.span.start <= secret.span.start and secret.span.end <= leak.span.end
                )
                related = (Related(secret.span, f"{secret.what} is read here"),) if elsewhere else ()
                yield Finding(leak.span, say(leak), label=_who(secret), help=cure(secret), related=related)

    return check


def _who(secret: Secret) -> str:
    return f"{_WHO.get(secret.seen_by, 'not everybody sees')} {secret.what}"


def _show_first(secret: Secret) -> str:
    if secret.zone:
        return "`reveal` the pieces first, or move them to where all see them"
    return "give it to a variable that is hidden as well; where the game tells it just so, silence this with the reason"


_CARDS: Final = """\
zones:
  deck: {stack: true, visible: none}
  hand: {per: player, visible: owner}
pieces:
  card: {attributes: {rank: int}, each: {rank: 1..9}, at: deck}
setup: [shuffle(deck), "deal(3, deck, hand)"]
"""

_WALK: Final = "{do: [points += 1]}"


def _walk(*steps: str) -> dict[str, str]:
    """The action of the example with these steps."""
    return {_WALK: "\n    do:\n" + "".join(f"      - {step}\n" for step in steps).rstrip("\n")}


RULES = (
    Rule(
        340,
        "secret-in-variable",
        Severity.WARNING,
        "A variable that all see gets a value from something hidden",
        "Observations show the variable to everybody, and its value comes from pieces or variables that not everybody sees, as it is "
        "or reckoned with. Reveal or move the pieces first. What is only compared or counted is not reported, nor what happens as the "
        "game ends.",
        example(_CARDS + POINTS, _walk("points += sum(player.hand, it.rank) // 30")),
        example(_CARDS + POINTS, _walk("reveal(player.hand)", "points += sum(player.hand, it.rank) // 30")),
        _of(
            leaks.VARIABLE,
            lambda leak: f"all see `{leak.seen}`, and this tells of something hidden",
            _show_first,
        ),
    ),
    Rule(
        341,
        "secret-in-moves",
        Severity.WARNING,
        "The legal moves tell a player of something hidden from it",
        "What may be chosen, or when, depends on pieces or variables that the player who decides does not see: from what is offered it "
        "can tell what they are. Choosing hidden pieces by where they lie tells nothing. Test the condition behind the choice, or "
        "`reveal` to the player what it may look at before.",
        example(_CARDS + POINTS, {_WALK: "\n    choose: c in opponent(player).hand where c.rank > 5\n    do: points += 1"}),
        example(_CARDS + POINTS, {_WALK: "\n    choose: c in opponent(player).hand\n    do: points += 1"}),
        _of(
            leaks.MOVES,
            lambda _: "the moves that are offered tell of something that the player does not see",
            lambda _: "test this behind the choice, or `reveal` it to the player before",
        ),
    ),
    Rule(
        342,
        "secret-in-branch",
        Severity.WARNING,
        "What happens depends on a piece that nobody sees",
        "Players at a table could not follow this rule: it asks what a piece is that lies hidden from all, and everybody sees what "
        "comes of it. Turn the piece over first. The same goes for when the game ends, there also if a variable that nobody sees is asked.",
        example(_CARDS + POINTS, _walk("if: top(deck).rank > 5\n        then: points += 1")),
        example(_CARDS + POINTS, _walk("reveal(top(deck))", "if: top(deck).rank > 5\n        then: points += 1")),
        _of(
            leaks.BRANCH,
            lambda leak: f"what everybody sees happen depends on a {'piece' if leak.secret.zone else 'variable'} that nobody sees",
            lambda secret: _show_first(secret) if secret.zone else "ask a variable that somebody sees, or silence this with the reason",
        ),
    ),
    Rule(
        343,
        "secret-in-text",
        Severity.WARNING,
        "A text that tells what nobody sees",
        "A log line, prompt or label shows each reader what it may see, and `?` for what it may not. Nobody sees this, so all read `?`.",
        example(_CARDS + POINTS, _walk("points += 1", 'log("the next is {top(deck).rank}")')),
        example(_CARDS + POINTS, _walk("points += 1", "reveal(top(deck))", 'log("the next is {top(deck).rank}")')),
        _of(
            leaks.TEXT,
            lambda _: "everybody reads `?` here",
            lambda secret: "`reveal` the piece first" if secret.zone else "tell something else, or let somebody see the variable",
        ),
    ),
)
