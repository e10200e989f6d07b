"""The nested loops over the parameters of what can be chosen, as text."""

from __future__ import annotations

from gdl import typed, types
from gdl.interpreter.control import MOST_CANDIDATES
from gdl.interpreter.costs import bare
from gdl.interpreter.emit import Emitter
from gdl.interpreter.emit_calls import reads
from gdl.interpreter.emit_sight import sees_all
from gdl.typed import Local, TBinder, TExpression
from gdl.types import ListType


class Loops:
    """Writes the nested loops over the parameters of an alternative."""

    def __init__(self, emitter: Emitter, counted: bool, *, alike: bool, seat: str, every: bool) -> None:
        self.emitter = emitter
        self.counted = counted
        self.alike = alike
        self.seat = seat
        self.every = every
        self.looped: list[Local] = []
        self.names: list[str] = []
        self.rounds: dict[Local, int] = {}
        self.lines: list[str] = []
        self.depth = 0

    def line(self, text: str) -> None:
        """One line at the present indent."""
        self.lines.append("    " * self.depth + text)

    def never(self) -> None:
        """What follows is never reached."""
        self.line("if False:")
        self.depth += 1

    def binder(self, binder: TBinder) -> str:
        """A loop over a parameter's domain, each value once, in natural order; the name of its variable."""
        local, domain = binder.local, binder.domain
        conditions: list[tuple[Local, TExpression]] = []
        if binder.given is None and not self._merges(domain):
            while isinstance(domain, typed.ListOperator) and domain.operator == "where":
                conditions.insert(0, (domain.local, domain.body))
                domain = domain.source
        items = self._domain(domain)
        name = self.emitter.bind(local)
        text = self._merged(domain, items) if binder.given is None else items
        if binder.given is None and self._is_kept(domain, conditions, text):
            return self._kept_binder(local, name, domain, text, conditions)
        if binder.given is not None:
            self.line(f"{name} = {self.emitter.expr(binder.given)}")
            self.line(f"if {name} in {items}:")
        else:
            self.line(f"for {name} in {self._metered(local, domain, text, conditions)}:")
            self.looped.append(local)
            self.names.append(name)
        self.depth += 1
        if self.counted:
            self.line(f"({self.emitter.module.mark(local.span)}spend())")
        self._tests(name, conditions)
        return name

    def _metered(self, local: Local, domain: TExpression, text: str, conditions: list[tuple[Local, TExpression]]) -> str:
        """The text of a list that is gone through, counted if this is much work altogether."""
        if local not in self.rounds:
            return text
        return self.emitter.at(domain, f"metered({text}, {self.rounds[local] + sum(self.emitter.cost(body) for _, body in conditions)})")

    def _tests(self, name: str, conditions: list[tuple[Local, TExpression]]) -> None:
        for each, body in conditions:
            self.emitter.locals[each] = name
            if not self.emitter.known_value(body):
                self.line(f"if {self.emitter.expr(body)}:")
                self.depth += 1

    # --- what is the same in every round of the loops around ------------------------------------------------------------

    def _is_same(self, node: TExpression) -> bool:
        """Whether an expression reads no parameter of the loops around."""
        return not any(reads(node, local) for local in self.looped)

    def _is_kept(self, domain: TExpression, conditions: list[tuple[Local, TExpression]], text: str) -> bool:
        """Whether to list a domain once, for all rounds of the loops around: if it is the same in all, and takes time to list."""
        if not self.every or self.counted or not self.looped or not self._is_same(domain):
            return False
        first = next(iter(_conjuncts(conditions)), None)
        return (first is not None and self._is_same(first[1])) or not (text.isidentifier() or text == "()")

    def _kept_binder(self, local: Local, name: str, domain: TExpression, text: str, conditions: list[tuple[Local, TExpression]]) -> str:
        """A loop over a domain that is listed in the first round of the loops around, as far as its conditions are the same in all."""
        same: list[tuple[Local, TExpression]] = []
        rest = _conjuncts(conditions)
        while rest and self._is_same(rest[0][1]):
            same.append(rest.pop(0))
        kept = self.emitter.fresh("h")
        for each, _ in conditions:
            self.emitter.locals[each] = name
        tests = "".join(f" if {self.emitter.expr(body)}" for _, body in same)
        listed = f"{kept} = [{name} for {name} in {self._metered(local, domain, text, same)}{tests}]"
        if not self._list_outer(listed):
            self.lines.insert(0, f"{kept} = None")
            self.line(f"if {kept} is None:")
            self.line(f"    {listed}")
        self.line(f"for {name} in {self._metered(local, domain, kept, rest)}:")
        self.looped.append(local)
        self.names.append(name)
        self.depth += 1
        self._tests(name, rest)
        return name

    def _list_outer(self, inner: str) -> bool:
        """List what the loops so far go through, and what the next does, if these are loops and tests alone.

        Two lists and a loop over both are sooner done than a test and a list in every round.
        """
        first = next((i for i, line in enumerate(self.lines) if line.lstrip().startswith("for ")), None)
        if first is None or not _is_nest(self.lines, self.depth) or self.depth != len(self.lines):
            return False
        outer, clauses = self.emitter.fresh("o"), [line.strip().removesuffix(":") for line in self.lines[first:]]
        names = ", ".join(self.names)
        element = names if len(self.names) == 1 else f"({names})"
        self.lines, self.depth = self.lines[:first], first
        is_listed = clauses[0].startswith(f"for {element} in ") and len(clauses) == 1
        self.line(f"{outer} = " + (clauses[0].removeprefix(f"for {element} in ") if is_listed else f"[{element} {' '.join(clauses)}]"))
        self.line(f"if {outer}:")
        self.depth += 1
        self.line(inner)
        self.line(f"for {names} in {outer}:")
        self.depth += 1
        return True

    def _domain(self, domain: TExpression) -> str:
        known = self.emitter.known_value(domain)
        if isinstance(known, tuple):
            return self.emitter.literal(tuple(sorted(set(known))))
        items = self.emitter.iterable(domain)
        if not self.every and not self.counted:
            return items  # whether there is one depends neither on order nor on how often it comes
        if ordered(self.emitter, domain):
            return items
        return f"sorted({items})" if each_once(self.emitter, domain) else f"sorted(set({items}))"

    def _merges(self, domain: TExpression) -> bool:
        """Whether alike pieces come once: those for which the conditions of the domain hold, which may tell pieces apart."""
        element = domain.type.element if isinstance(domain.type, ListType) else None
        inner = types.without_none(element) if element is not None else None
        return self.alike and isinstance(inner, types.PieceType) and any(k in self.emitter.plan.alike for k in inner.kinds)

    def _merged(self, domain: TExpression, items: str) -> str:
        if not self._merges(domain):
            return items
        self.emitter.reads_state = True
        seen = sees_all(self.emitter, domain, self.seat)
        firsts = self.emitter.firsts_at(domain) if seen else None
        return firsts or f"first_of_alike(s, {items}, {'NONE' if seen else self.seat})"


def _conjuncts(conditions: list[tuple[Local, TExpression]]) -> list[tuple[Local, TExpression]]:
    """Conditions on an element, each with its name for the element, as single ones in their order."""
    found: list[tuple[Local, TExpression]] = []
    for each, body in conditions:
        if isinstance(body, typed.Both) and body.operator == "and":
            found += _conjuncts([(each, body.left), (each, body.right)])
        else:
            found.append((each, body))
    return found


def most_candidates(emitter: Emitter, binders: tuple[TBinder, ...]) -> int:
    """The most tuples that the types of the parameters allow; only where these could be too many are they counted in play."""
    total = 1
    for binder in binders:
        known = emitter.known_value(binder.domain)
        if isinstance(known, tuple):
            total *= len(known)
        elif binder.given is None:
            width = emitter.type_size(binder.local.type)
            total *= width if width is not None else MOST_CANDIDATES + 1
    return total


def ordered(emitter: Emitter, domain: TExpression) -> bool:
    """Whether a list comes in natural order with nothing twice, whatever happens."""
    match bare(domain):
        case typed.KindPieces() | typed.ZoneSpaces() | typed.NumberRange() | typed.AllPlayers():
            return True
        case typed.ListOperator(operator="where" | "while" | "until", source=source):
            return ordered(emitter, source)
        case typed.Convert(form="pieces", operand=operand):
            return not _maybe_stack(emitter, operand)
        case typed.Convert(form="list"):
            return True
    return False


def each_once(emitter: Emitter, domain: TExpression) -> bool:
    """Whether nothing comes twice in a list, whatever happens."""
    match bare(domain):
        case typed.ListOperator(operator="where" | "while" | "until", source=source):
            return each_once(emitter, source)
        case typed.Convert(form="pieces"):
            return True
        case typed.Convert(form="pieces_of_spaces", operand=spaces):
            return each_once(emitter, spaces)
        case typed.ListJoin(operator="+", left=left, right=right):
            return each_once(emitter, left) and each_once(emitter, right) and not set(_lie_in(emitter, left)) & set(_lie_in(emitter, right))
        case typed.FunctionCall(unit=unit) if unit.value is not None:
            return each_once(emitter, unit.value)
    return ordered(emitter, domain)


def _lie_in(emitter: Emitter, domain: TExpression) -> list[str]:
    """The zones in which the pieces of a list lie that comes from spaces; all if it does not."""
    match bare(domain):
        case typed.ListOperator(operator="where" | "while" | "until", source=source):
            return _lie_in(emitter, source)
        case typed.Convert(form="pieces" | "pieces_of_spaces", operand=spaces):
            return [zone.info.name for zone in emitter.zones_of(spaces.type)]
    return list(emitter.plan.zones)


def _maybe_stack(emitter: Emitter, space: TExpression) -> bool:
    """Whether a space may keep its pieces in an order of its own."""
    return any(zone.stack for zone in emitter.zones_of(space.type))


def alternative_loops(
    emitter: Emitter,
    binders: tuple[TBinder, ...],
    before: TExpression | None,
    guard: TExpression | None,
    *,
    alike: bool = True,
    every: bool = False,
    seat: str = "NONE",
) -> tuple[list[str], int, list[str]]:
    """The lines of loops over all legal tuples, the indent inside them, and the names of the values.

    `seat` is the text of who chooses, if the tuples are what somebody is offered. `every`: all are wanted, not just whether there is one.
    """
    loops = Loops(emitter, most_candidates(emitter, binders) > MOST_CANDIDATES, alike=alike, seat=seat, every=every)
    if before is not None:
        truth = emitter.known_value(before)
        if truth is None:
            loops.line(f"if {emitter.expr(before)}:")
            loops.depth += 1
        elif not truth:
            loops.never()
    if any(binder.given is None and emitter.known_value(binder.domain) == () for binder in binders):
        loops.never()
    loops.rounds = emitter.rounds_of(binders, guard)[0]
    names = [loops.binder(b) for b in binders]
    if guard is not None:
        loops.line(f"if {emitter.expr(guard)}:")
        loops.depth += 1
    return loops.lines, loops.depth, names


def listing(lines: list[str], depth: int, choice: str, *, first: bool) -> list[str]:
    """Lines that add every choice to `out`; loops and tests alone become one comprehension, which is faster."""
    stripped = [line.strip() for line in lines]
    inner = next((i for i, line in enumerate(stripped) if line.startswith("for ") and _is_nest(lines[i:], depth)), None)
    start = ["out = []"] if first and inner != 0 else []
    if inner is None:
        return [*start, *lines, f"{'    ' * depth}out.append({choice})"]
    indent = "    " * (depth - len(lines) + inner)
    sign = "=" if first and inner == 0 else "+="
    return [*start, *lines[:inner], f"{indent}out {sign} [{choice} {' '.join(x.rstrip(':') for x in stripped[inner:])}]"]


def _is_nest(lines: list[str], depth: int) -> bool:
    """Whether lines are loops and tests alone, each inside the one before, the last at an indent below `depth`."""
    first = depth - len(lines)
    return all(line.startswith(("    " * (first + i) + "for ", "    " * (first + i) + "if ")) for i, line in enumerate(lines))
