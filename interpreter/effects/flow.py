"""Effects that direct the flow of the game. The program builder turns them into jumps; here stand their meanings."""

from __future__ import annotations

from gdl.registry import Topic

topic = Topic("flow")


@topic.effect("win(ps: list[player])", control=True)
def win() -> None:
    """End the game at once: the players given have won, the others rank behind them by `result`.

    Example: win(player)
    """


@topic.effect("lose(ps: list[player])", control=True)
def lose() -> None:
    """The players given have lost. With two players the other has won; with more they are out until one is left, who has won.

    Example: lose(player)
    """


@topic.effect("tie()", control=True)
def tie() -> None:
    """End the game at once without winners.

    Example: tie
    """


@topic.effect("end_game()", control=True)
def end_game() -> None:
    """End the game at once; `result` ranks.

    Example: end_game
    """


@topic.effect("end_phase(p: phase = none)", control=True)
def end_phase() -> None:
    """Leave the innermost running phase at once, or the phase named, through calls, loops and waiting triggers.

    Example: end_phase
    """


@topic.effect("end_turn()", control=True)
def end_turn() -> None:
    """Leave the running turn at once.

    Example: end_turn
    """


@topic.effect("again()", control=True)
def again() -> None:
    """When this turn ends, the same seat has a further one; `until` is not tested between them.

    Example: again
    """


@topic.effect("next_turn(p: player)", control=True)
def next_turn() -> None:
    """When this turn ends, the next one is that of the player given; the order goes on from there.

    Example: next_turn(player)
    """


@topic.effect("stop()", control=True)
def stop() -> None:
    """Leave the innermost `for`, `while` or `repeat`.

    Example: stop
    """


@topic.effect("return()", control=True)
def return_() -> None:
    """Leave the procedure, trigger or effect cell.

    Example: return
    """
