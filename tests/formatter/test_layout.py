"""What the formatter sets, and what it leaves alone."""

from __future__ import annotations

from typing import Final

import pytest

from gdl.formatter.layout import format_source
from gdl.source import SourceFile

CASES: Final = {
    "two blanks for each level, lists below keys included": (
        """\
zones:
    board:
        grid: [6, 7]
phases:
    play:
        do:
        -   let: k = 3
        - if: k > 2
          then:
          - next_turn
""",
        """\
zones:
  board:
    grid: [6, 7]
phases:
  play:
    do:
      - let: k = 3
      - if: k > 2
        then:
          - next_turn
""",
    ),
    "a string literal that a comment cuts off stays; an apostrophe opens none": (
        """\
title: Don't # say
actions:
  walk: {do: log('a #b')  # real
    }
  run:
    do:
      - log('a # b')  # real
      - if: x == "y",  # "
        then: log('it' , 'a # b')
    label: It's {1} # '
""",
        """\
title: Don't  # say
actions:
  walk: {do: log('a #b')  # real
    }
  run:
    do:
      - log('a # b')  # real
      - if: x == "y",  # "
        then: log('it' , 'a # b')
    label: It's {1}  # '
""",
    ),
    "signs of YAML": (
        "options :\n  size:     { values : [ a,b ,c ],default: a }\n  'fast': {type: bool,  default: }\n",
        'options:\n  size: {values: [a, b, c], default: a}\n  "fast": {type: bool, default: }\n',
    ),
    "double quotes where no escapes are needed": (
        "title: 'One'\nabout: 'say \"two\"'\nsource: 'it''s'\nlog: 'a\\b'\n",
        "title: \"One\"\nabout: 'say \"two\"'\nsource: 'it''s'\nlog: 'a\\b'\n",
    ),
    "expressions": (
        """\
constants:
  a: -1+2*3- -4
  b: (x+1)*f( y,z )
  c: "{1:2,3 : 4}[ 3 ]"
  d: not( x==y )and z in[ 1,2 ]
  e: board [ 0,1 ] . disc ?? 2 .. 3
functions:
  "f( a:int,b :list[ int,max 5 ]=[ 1 ] )": a+count( b where it>-1 )
pieces:
  card: {attributes: {met: "computed  bool(p:player)"}}
setup:
  - p.points+=1
  - move( a,to=b,reverse = true )
  - for: p  in players
    do: p.points  =  2
""",
        """\
constants:
  a: -1 + 2 * 3 - -4
  b: (x + 1) * f(y, z)
  c: "{1: 2, 3: 4}[3]"
  d: not (x == y) and z in [1, 2]
  e: board[0, 1].disc ?? 2..3
functions:
  "f(a: int, b: list[int, max 5] = [1])": a + count(b where it > -1)
pieces:
  card: {attributes: {met: "computed bool (p: player)"}}
setup:
  - p.points += 1
  - move(a, to=b, reverse=true)
  - for: p in players
    do: p.points = 2
""",
    ),
    "texts, but their holes": (
        'actions:\n  go:\n    label: "{ player }  goes {a+1 }, {{not }}"\n    do: log( "a  b {c+1}" )\n',
        'actions:\n  go:\n    label: "{player}  goes {a + 1}, {{not }}"\n    do: log("a  b {c+1}")\n',
    ),
    "what does not parse is left alone": (
        "invariants:\n  - a+b+\n  - a+b\n  - a ; b\n",
        "invariants:\n  - a+b+\n  - a + b\n  - a ; b\n",
    ),
    "expressions of several lines": (
        """\
functions:
  "f()":
        if a
          then b
        else c+1
  "g()": >-   # of blocks
        a+b        #second
          +c
""",
        """\
functions:
  "f()":
    if a
      then b
    else c + 1
  "g()": >-   # of blocks
    a + b          # second
      + c
""",
    ),
    "prose keeps its blanks and blank lines": (
        "about: >-\n     one  two\n       three\n\n\n     four\nsource: |\n  a\n   b\n\n\n\nplayers: 2\n",
        "about: >-\n  one  two\n    three\n\n\n  four\nsource: |\n  a\n   b\n\nplayers: 2\n",
    ),
    "a block that says how it is indented": (
        "zones:\n    a:\n        label: |2\n             x\n            y\n",
        "zones:\n  a:\n    label: |2\n         x\n        y\n",
    ),
    "blank lines and ends": ("\n\ngdl: 1  \n\n\n\nplayers: 2\t\n\n", "gdl: 1\n\nplayers: 2\n"),
    "comments go with what they stand by": (
        """\
#one
phases:
    # two
    play:
        do:
        - a
        # three
            # four
    # five
# gdl: ignore[unused-zone] six
actions: {}
""",
        """\
# one
phases:
  # two
  play:
    do:
      - a
      # three
      # four
  # five
# gdl: ignore[unused-zone] six
actions: {}
""",
    ),
    "comments below each other stay so": (
        "a:    1   # one\nbcdefgh: 2 # two\nc: [1,2,3,4]    # three\nd: [1,2,3]      # four\n",
        "a: 1      # one\nbcdefgh: 2  # two\nc: [1, 2, 3, 4]  # three\nd: [1, 2, 3]     # four\n",
    ),
    "values below each other stay so": (
        """\
variables:
  left:    int
  starter: player

  stake:   1..64
other:
  - {name: a,  cost:  1}
  - {name: bc, cost: 10}
  - {name: d,   cost: 1}
""",
        """\
variables:
  left:    int
  starter: player

  stake: 1..64
other:
  - {name: a,  cost:  1}
  - {name: bc, cost: 10}
  - {name: d, cost: 1}
""",
    ),
    "flow collections of several lines": (
        "zones:\n    map: {graph: {nodes: [ a,\n                b],\n      edges: []\n    }}\n",
        "zones:\n  map: {graph: {nodes: [a,\n              b],\n    edges: []\n  }}\n",
    ),
    "anchors and aliases": ("a: &one   [1,2]\nb:   *one\nc: {*one : 1}\n", "a: &one [1, 2]\nb: *one\nc: {*one : 1}\n"),
}


@pytest.mark.parametrize(("before", "after"), CASES.values(), ids=CASES)
def test_layout(before: str, after: str) -> None:
    formatted = format_source(SourceFile("sample.yaml", before))
    assert formatted.problems == ()
    assert formatted.text == after
    assert format_source(SourceFile("sample.yaml", after)).text == after


def test_conditions_of_scenarios_are_expressions_and_moves_are_not() -> None:
    before = """\
spec: x.yaml
tests:
- name: one
  given: {set: {speed: 1+2}}
  do:
  - walk(g=guest[0,0])
  - {move: walk,  expect: a==b}
  expect: count( x )==2
"""
    after = """\
spec: x.yaml
tests:
  - name: one
    given: {set: {speed: 1 + 2}}
    do:
      - walk(g=guest[0,0])
      - {move: walk, expect: a == b}
    expect: count(x) == 2
"""
    assert format_source(SourceFile("x.test.yaml", before), scenarios=True).text == after


def test_line_ends_stay_what_the_first_is() -> None:
    assert format_source(SourceFile("x", "gdl:  1\r\nplayers: 2\n")).text == "gdl: 1\r\nplayers: 2\r\n"
    assert format_source(SourceFile("x", "gdl:  1\nplayers: 2\r\n")).text == "gdl: 1\nplayers: 2\n"


def test_what_is_no_yaml_is_left_alone() -> None:
    text = "gdl:  1\n  players: 2\n"
    formatted = format_source(SourceFile("x", text))
    assert [problem.code for problem in formatted.problems] == ["unreadable-yaml"]
    assert formatted.text == text


def test_what_would_say_something_else_is_left_alone() -> None:
    text = "setup:\n  ? - a: b\n      c: d\n  : 1\n"
    formatted = format_source(SourceFile("x", text))
    assert [problem.code for problem in formatted.problems] == ["not-formatted"]
    assert formatted.text == text
