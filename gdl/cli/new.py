"""`gdl new`: begin something: a spec that can be played at once, and scenarios for it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from gdl.cli.files import SCENARIOS, exists, reason, write_text
from gdl.cli.output import Unusable, write_line
from gdl.diagnostics import Report
from gdl.expression_parser import parse_name
from gdl.source import Fragment, SourceFile

EXAMPLES: Final = """\b
Examples:
  gdl new game harvest
  gdl new game harvest --folder specs
"""


_SPEC: Final = """\
gdl: 1
game: {name}
title: {title}
about: >-
  A first sketch: pawns race to the end of a path. A throw of the die may be used or left.
source: a sketch to begin with
players: 2..4

options:
  length: {{range: 6..30, default: 12, label: Spaces of the path}}

zones:
  path: {{track: length}}

pieces:
  die: {{faces: 1..6}}
  pawn:
    per: player
    at: path[0]

phases:
  race:
    turns: cycle
    do:
      - roll(die)
      - actions: [walk, rest]

actions:
  walk:
    label: "{{player}} walks on by {{die.value}}"
    when: goal(player) != none                          # it may not walk beyond the end
    do:
      - move(player.pawn[0], goal(player))
      - if: player.pawn[0].at == path[length - 1]
        then: win(player)
  rest:
    label: "{{player}} rests"
    do: []

functions:
  "goal(p: player)": step(p.pawn[0].at, die.value)

limits: {{turns: 1000}}                                  # so that it ends even if all of them rest for ever

result:
  score: player.pawn[0].at.index
  ranking: [highest score]

invariants:
  - count(pawn) == count(players)

display:
  pawn: {{glyph: p, color: player}}
"""

_SCENARIOS: Final = """\
# A scenario goes on to the next decision after every move, so it lists one throw more than it makes moves.
spec: {name}.yaml
players: 2

tests:
  - name: a pawn walks as far as the die says
    chance: [roll(die) = 4, roll(die) = 1]
    do:
      - walk
    expect:
      - players[0].pawn[0].at == path[4]
      - player == players[1]

  - name: nobody has to walk
    chance: [roll(die) = 6, roll(die) = 1]
    do:
      - rest
    expect:
      - players[0].pawn[0].at == path[0]

  - name: no pawn walks beyond the end of the path
    options: {{length: 6}}
    given:
      phase: race
      place: {{"pawn[0, 0]": "path[3]"}}
    chance: [roll(die) = 5]
    legal:
      - rest

  - name: who reaches the end wins
    options: {{length: 6}}
    chance: [roll(die) = 5]
    do:
      - walk
    expect:
      - over and winners == [players[0]]
"""


def command(
    what: Annotated[str, typer.Argument(metavar="WHAT", help="What to begin: `game`.", show_default=False)],
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Its name, an identifier: letters, digits and underscores.", show_default=False)
    ],
    folder: Annotated[
        Path, typer.Option("--folder", metavar="DIR", help="Where its files go; made if it does not exist.", show_default=False)
    ] = Path(),
) -> int:
    """Begin a game: a small spec that can be played at once, and scenarios for it.

    Writes NAME.yaml and NAME.test.yaml and says how to go on. Nothing that exists is overwritten.

    Exit codes: 0 when both are written, 2 when one of them exists or the name can't be used.
    """
    if what != "game":
        raise Unusable(f"`{what}` can't be begun", "bad-option", "`gdl new game NAME` begins a game")
    if parse_name(Fragment(name, SourceFile("<name>", name), 0), Report()) is None:
        cure = "letters, digits and underscores, the first no digit, and no word of the language's grammar"
        raise Unusable(f"`{name}` can't be the name of a game", "bad-option", cure)
    spec, scenarios = folder / f"{name}.yaml", folder / f"{name}{SCENARIOS}"
    for path in (spec, scenarios):
        if exists(path):
            raise Unusable(f"`{path}` exists", help="choose another name or folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise Unusable(f"`{folder}` can't be made: {reason(error)}") from None
    words = {"name": name, "title": _title(name)}
    write_text(spec, _SPEC.format(**words))
    write_text(scenarios, _SCENARIOS.format(**words))
    _write_note(spec, scenarios)
    return 0


def _title(name: str) -> str:
    """The name as a title: `river_crossing` is River crossing."""
    words = name.strip("_").replace("_", " ")
    return words[:1].upper() + words[1:] if words and not words[0].isdigit() else name


def _write_note(spec: Path, scenarios: Path) -> None:
    steps = (
        (f"gdl lint {spec}", "is it in order?"),
        (f"gdl play {spec}", "play it at the keyboard"),
        (f"gdl run {spec} --seed 1", "let bots play it"),
        (f"gdl test {scenarios}", "run its scenarios"),
    )
    write_line(f"{spec} is a race on a path, {scenarios} says what its rules mean. Now:")
    write_line()
    margin = max(len(line) for line, _ in steps)
    for line, meaning in steps:
        write_line("  ", (line.ljust(margin), "bold"), f"  {meaning}")
    write_line()
    write_line("Change one rule at a time, and pin it down by a scenario; `docs/language.md` lists all that a spec can say.")
