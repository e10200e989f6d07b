"""Lines with tokens → how far each line is indented: two blanks for each map and list that is open there, a list below a key included."""

from __future__ import annotations

from typing import Final

from attrs import Factory, define, frozen

from gdl.formatter.tokens import Kind, Line, Token

STEP: Final = 2


@frozen
class _Block:
    """A block map or list that is open: where its keys or dashes stand, and where they will."""

    old: int
    new: int
    is_list: bool


def indents(lines: list[Line]) -> list[int]:
    """The new indentation of every line; that of blank ones means nothing."""
    return _Indenter(lines).run()


@define
class _Indenter:
    lines: list[Line]
    open: list[_Block] = Factory(list)
    shift: int = 0

    def run(self) -> list[int]:
        return [self._indent(index, line) for index, line in enumerate(self.lines)]

    def _indent(self, index: int, line: Line) -> int:
        old = _old(line)
        if line.block:
            return self._inside_block(line, old)
        if not line.tokens:
            return max(self._of_comment(index, old), 0)
        if line.depth or line.tokens[0].kind is Kind.LINE:
            floor = 0 if line.tokens[0].text in {"]", "}"} else self._floor()
            return max(old + self.shift, floor)
        if line.tokens[0].text in {"---", "..."} or line.tokens[0].text.startswith("%"):
            self.open = []
            return 0
        return self._of_content(line, old)

    def _floor(self) -> int:
        """Where a value begins that stands below its key or dash."""
        return self.open[-1].new + STEP if self.open else 0

    def _inside_block(self, line: Line, old: int) -> int:
        if line.raw is not None:
            old = line.base
        if line.fixed:
            top = self.open[-1] if self.open else _Block(0, 0, is_list=False)
            return old + top.new - top.old
        return max(self._floor(), STEP) + old - line.base

    def _of_content(self, line: Line, old: int) -> int:
        """Open and close blocks as the line's dashes and key say."""
        first = new = self._enter(line, 0, old, None)
        place = 0
        while line.tokens[place].text == "-" and line.tokens[place].kind is Kind.MARK and place + 1 < len(line.tokens):
            place += 1
            new += STEP
            self._enter(line, place, line.column(line.tokens[place]), new)
        return first

    def _enter(self, line: Line, place: int, old: int, new: int | None) -> int:
        """Take in what begins at a token: a list, a map or a value; `new` is where it will stand if its line says so."""
        is_list = _is_dash(line.tokens[place])
        is_map = not is_list and _is_key(line.tokens, place)
        while self.open and _is_over(self.open[-1], old, is_list, is_map):
            self.open.pop()
        if self.open and self.open[-1].old == old and self.open[-1].is_list == is_list:
            new = self.open[-1].new
        elif new is None:
            new = self._floor()
            if is_list or is_map:
                self.open.append(_Block(old, new, is_list))
        elif is_list or is_map:
            self.open.append(_Block(old, new, is_list))
        self.shift = new - old
        return new

    def _of_comment(self, index: int, old: int) -> int:
        """A comment on a line of its own goes with what follows if it stands there, else with the block in which it stands."""
        if self.lines[index].depth:
            return old + self.shift
        following = next((number for number in range(index + 1, len(self.lines)) if self.lines[number].tokens), None)
        ahead = self._ahead(self.lines[following]) if following is not None else None
        if ahead is not None and old <= ahead[0]:
            return ahead[1]
        block = next((block for block in reversed(self.open) if block.old <= old), None)
        if block is not None and (ahead is None or block.old >= ahead[0]):
            return block.new
        return ahead[1] if ahead is not None else 0

    def _ahead(self, line: Line) -> tuple[int, int]:
        """Where a line stands that has not been reached yet, and where it will."""
        kept, shift = list(self.open), self.shift
        old = _old(line)
        new = self._of_content(line, old)
        self.open, self.shift = kept, shift
        return old, new


def _old(line: Line) -> int:
    token = line.tokens[0] if line.tokens else line.comment
    return line.column(token) if token is not None else 0


def _is_over(block: _Block, old: int, is_list: bool, is_map: bool) -> bool:
    """Whether what begins at a column ends a block."""
    if block.old != old:
        return block.old > old
    return not is_list and (block.is_list or not is_map)


def _is_dash(token: Token) -> bool:
    return token.kind is Kind.MARK and token.text in {"-", "?"}


def _is_key(tokens: list[Token], place: int) -> bool:
    """Whether a block map's key begins at a token: a colon of YAML follows what stands there, brackets left out."""
    depth = 0
    for token in tokens[place:]:
        if token.kind is not Kind.MARK:
            continue
        depth += (token.text in {"[", "{"}) - (token.text in {"]", "}"})
        if token.text == ":" and depth == 0:
            return True
    return False
