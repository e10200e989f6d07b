"""The text of calls: builtins, in line, from tables or as calls, and the functions of the spec."""

from __future__ import annotations

import re
from functools import partial
from typing import Any, Final, TypeAlias

from gdl import typed, types
from gdl.dependence import children
from gdl.interpreter.costs import FREE
from gdl.interpreter.emit_module import Module
from gdl.interpreter.inlining import is_cheap, is_soon_done, operands, written_out
from gdl.interpreter.memo import Memo
from gdl.interpreter.plan import Plan
from gdl.interpreter.step_costs import StepCosts
from gdl.registry import Entry
from gdl.typed import Local, TExpression, Unit

Bindings: TypeAlias = tuple[tuple[Local, TExpression], ...]
"""The `let`s of a function, in order."""


_NAME: Final = re.compile(r"\b[A-Za-z_]\w*")
_SMALL_DOMAIN: Final = 64
"""Pieces or spaces for all of which a function is evaluated when a game is set up, if it takes `_LITTLE` work."""
_LITTLE: Final = 100
_FEW: Final = 8
"""Pieces of a list by which values are kept."""


class Calls(StepCosts):
    """The part of the emitter that knows calls."""

    evaluating: bool

    def __init__(self, plan: Plan, module: Module) -> None:
        super().__init__(plan, module)
        self.locals: dict[Local, str] = {}
        self.known: dict[Local, Any] = {}
        self.everywhere: dict[Local, str] = {}
        self.functions: dict[Unit, str | None] = {}
        self.static_functions: set[Unit] = set()
        self.inlined: list[Unit] = []
        self.writing = False

    def bind(self, local: Local) -> str:
        """See the emitter."""
        raise TypeError

    def clauses(self, node: TExpression, name: str, work: int) -> str:
        """See the emitter."""
        raise TypeError

    def builtin(self, node: typed.BuiltinCall) -> str:
        """A call of a builtin: in line where its entry says how, from a table where its value is fixed, else as a call."""
        entry = node.entry
        short = self._short_form(node) or self._search(node)
        if short is not None:
            return short
        if entry.emit is not None and all(a is not None for a in node.arguments):
            return self._in_line(node, entry.emit)
        if entry.table:
            return self._from_table(node, entry)
        arguments = [self._argument(node, a) for a in node.arguments]
        if entry.wants_state:
            self.reads_state = True
            arguments.insert(0, "s")
        return self.at(node, f"{self.builtin_name(entry)}({', '.join(arguments)})")

    def builtin_name(self, entry: Entry) -> str:
        """The function of an entry in the module, with the game given where it wants it."""
        function = partial(entry.function, self.plan) if entry.wants_game else entry.function
        name = f"B_{entry.name}_{id(entry) % 1000}"
        key = ("builtin", id(entry))
        if key not in self.module._constants:
            name = f"B{len(self.module._constants)}_{entry.name}"
            self.module._constants[key] = name
            self.module.namespace[name] = function
        return self.module._constants[key]

    def _argument(self, node: typed.BuiltinCall, argument: TExpression | typed.EachBody | typed.TTemplate | None) -> str:
        if argument is None:
            return "None"
        if isinstance(argument, typed.EachBody):
            name = self.bind(argument.local)
            text = self.expr(argument.body) if self.goes_on(node) else self.whole(argument.body, self.expr(argument.body))
            if self.goes_on(node) and self.walk_work(node) > FREE:
                text = self.at(argument.body, f"charge({self.each_work(node)}), {text}") + "[1]"
            return f"lambda {name}: {text}"
        assert isinstance(argument, TExpression)
        text = self.expr(argument)
        if argument is self.each_source(node):
            work = self.each_work(node)
            return self.at(argument, f"metered({text}, {work})") if self.must_count(argument, work) else text
        return self.whole(argument, text) if self.takes_all(node) else text

    def _in_line(self, node: typed.BuiltinCall, template: str) -> str:
        holes: dict[str, str] = {}
        for parameter, argument in zip(node.entry.signature.parameters, node.arguments, strict=True):
            if isinstance(argument, typed.EachBody):
                source = self.each_source(node)
                assert source is not None
                name = self.fresh()
                holes["each"] = self.clauses(source, name, self.each_work(node))
                self.locals[argument.local] = name
                holes[parameter.name] = self.whole(argument.body, self.expr(argument.body))
            elif isinstance(argument, TExpression) and argument is not self.each_source(node):
                holes[parameter.name] = self._argument(node, argument)
        return f"({template.format(**holes)})"

    def _from_table(self, node: typed.BuiltinCall, entry: Entry) -> str:
        """A memo over the arguments that are not known now."""
        known = [self.known_value(a) if isinstance(a, TExpression) else None for a in node.arguments]
        open_ = [i for i, (a, k) in enumerate(zip(node.arguments, known, strict=True)) if a is not None and k is None]
        defaults = [None if a is None else k for a, k in zip(node.arguments, known, strict=True)]
        function, plan = entry.function, self.plan
        game = (plan,) if entry.wants_game else ()
        given = [p for p, a in zip(entry.signature.parameters, node.arguments, strict=True) if a is not None]
        if len(given) < len(node.arguments):
            names = [p.name for p in entry.signature.parameters]

            def compute(*values: Any) -> Any:
                arguments = dict(zip(names, defaults, strict=True))
                for index, value in zip(open_, values, strict=True):
                    arguments[names[index]] = value
                present = {n: v for n, v, a in zip(names, arguments.values(), node.arguments, strict=True) if a is not None}
                return function(*game, **present)
        else:

            def compute(*values: Any) -> Any:
                arguments = list(defaults)
                for index, value in zip(open_, values, strict=True):
                    arguments[index] = value
                return function(*game, *arguments)

        if not open_:
            return self.at(node, f"{self.module.constant(compute, 'M')}()")
        key = ("memo", id(entry), tuple(open_), tuple(defaults))
        if key not in self.module._constants:
            name = f"M{len(self.module._constants)}_{entry.name}"
            self.module._constants[key] = name
            self.module.namespace[name] = Memo(compute, spread=len(open_) > 1)
        texts = [self.expr(a) for i, a in enumerate(node.arguments) if i in open_ and isinstance(a, TExpression)]
        return self.at(node, f"{self.module._constants[key]}[{', '.join(texts)}]")

    def _short_form(self, node: typed.BuiltinCall) -> str | None:
        """Counting and emptiness of what lies in a space, without listing it."""
        if node.entry.name not in ("empty", "count", "size", "sole") or any(a is not None for a in node.arguments[1:]):
            return None
        first = node.arguments[0]
        if isinstance(first, typed.Convert) and first.form == "pieces":
            if node.entry.name == "sole":
                text = self.only_content(first.operand, node.entry.function, needed=False)
                return text and self.at(node, text)
            return self.contents_test(first.operand, node.entry.name)
        return None

    def sole_needed(self, node: TExpression) -> str | None:
        """A `sole` of what lies in a space, where none is a fault, in one step."""
        match node:
            case typed.BuiltinCall(entry=entry, arguments=(typed.Convert(form="pieces", operand=space),)) if entry.name == "sole":
                return self.only_content(space, entry.function, needed=True)
        return None

    def function_call(self, node: TExpression, unit: Unit, arguments: tuple[TExpression, ...]) -> str:
        """A call of a function of the spec; from a memo if it reads nothing that changes."""
        name = self.function(unit)
        texts = [self.argument(p, a) for p, a in zip(unit.parameters, arguments, strict=True)]
        if unit in self.static_functions:
            if any(self._varies(a) for a in arguments):
                return self.at(node, f"{name}_({', '.join(texts)})")
            soon = self._written_out(node, unit, texts) if is_soon_done(unit) else None
            if soon is not None:
                return soon
            texts = [self.whole(a, text) for a, text in zip(arguments, texts, strict=True)]
            return self.at(node, f"{name}[{', '.join(texts)}]" if texts else f"{name}[()]")
        self.reads_state = True
        return self._written_out(node, unit, texts) or self._call(node, name, texts)

    def _call(self, node: TExpression, name: str, arguments: list[str]) -> str:
        return self.at(node, f"{name}({', '.join(['s', *arguments])})")

    def _written_out(self, node: TExpression, unit: Unit, arguments: list[str]) -> str | None:
        """The tests of a function in place of its call, as far as they are short; behind them the call, if that is not all."""
        if self.evaluating or unit in self.inlined or not all(map(is_cheap, arguments)):
            return None
        operator, parts, is_all = written_out(unit)
        saved = dict(self.locals)
        self.locals.update(zip(unit.parameters, arguments, strict=True))
        self.inlined.append(unit)
        texts: list[str] = []
        with self.module.inside(f"function {unit.name}", node.span):
            for part in parts:
                known = self.known_value(part)
                if known is None or len(parts) == 1:
                    texts.append(self.expr(part))
                elif bool(known) == (operator == "or"):
                    texts.append(str(bool(known)))
                    is_all = True
                    break
        self.inlined.pop()
        self.locals = saved
        if not texts and not is_all:
            return None
        if not is_all:
            texts.append(self._call(node, self.function(unit), arguments))
        return f"({f' {operator} '.join(texts) or operator == 'and'})"

    def _varies(self, node: TExpression) -> bool:
        """Whether a list of pieces may be so long that it is seldom the same: looking it up then takes longer than it spares."""
        inner = types.without_none(node.type)
        if not isinstance(inner, types.ListType) or not isinstance(types.without_none(inner.element), types.PieceType):
            return False
        size = self.list_size(node)
        return size is None or size > _FEW

    def function(self, unit: Unit) -> str:
        """The name under which a function is called; emits it when it is first asked for."""
        known = self.functions.get(unit)
        if known is not None:
            return known
        saved = self.locals, self.reads_state, self.known, self.evaluating
        self.locals, self.reads_state, self.known, self.evaluating = dict(self.everywhere), False, {}, False
        names = [self.bind(p) for p in unit.parameters]
        body = self._function_body(unit)
        static = not self.reads_state
        self.locals, self.reads_state, self.known, self.evaluating = saved
        name = f"F_{unit.name}"
        if static:
            self.static_functions.add(unit)
            self.module.function(f"{name}_", ", ".join(names), body, f"function {unit.name}")
            memo = self._late_memo(f"{name}_", spread=len(names) != 1)
            memo.domain = self._domain(unit)
            self.module.namespace[name] = memo
        else:
            self.module.function(name, ", ".join(["s", *names]), body, f"function {unit.name}")
        self.functions[unit] = name
        if static:
            self.module.define(f"{name}_")  # it may be needed while the set-up still goes on
            self.module.namespace[name].function = self.module.namespace[f"{name}_"]
        return name

    def _domain(self, unit: Unit) -> range | None:
        """The numbers that a function can be asked of, if there is one parameter, these are few, and it is little work."""
        if len(unit.parameters) != 1 or self.body_cost(unit) > _LITTLE:
            return None
        match unit.parameters[0].type:
            case types.SpaceType(zones=(zone,)) if zone in self.plan.zones:
                found = range(self.plan.zones[zone].base, self.plan.zones[zone].end)
            case types.PieceType(kinds=(kind,)) if kind in self.plan.kinds:
                found = range(self.plan.kinds[kind].base, self.plan.kinds[kind].end)
            case _:
                return None
        return found if 0 < len(found) <= _SMALL_DOMAIN else None

    def _late_memo(self, name: str, *, spread: bool) -> Memo:
        namespace = self.module.namespace

        def late(*arguments: Any) -> Any:
            return namespace[name](*arguments)

        return Memo(late, spread=spread)

    def _function_body(self, unit: Unit) -> list[str]:
        assert unit.value is not None
        return [*self.entry_lines(unit), *self._return_lines(unit.value, unit.bindings)]

    def argument(self, local: Local, node: TExpression) -> str:
        """The text of an argument, held to the range of its parameter."""
        text = self.expr(node)
        if local.low is None or local.high is None:
            return text
        low, high, known = self.known_value(local.low), self.known_value(local.high), self.known_value(node)
        if isinstance(known, int) and isinstance(low, int) and isinstance(high, int) and low <= known <= high:
            return text
        return self.at(node, f"within({text}, {self.expr(local.low)}, {self.expr(local.high)})")

    def _return_lines(self, node: TExpression, open_: Bindings = ()) -> list[str]:
        """Lines that return a value. Conditions become branches, `any` and `all` loops: no generators, nothing listed in between.

        Of the `let`s in `open_` each is evaluated in the branches that read it, and nowhere else.
        """
        known = self.known_value(node)
        if known is not None:
            return [f"return {self.expr(node)}"]
        match node:
            case typed.Both(operator=operator):
                return self._test_lines(operands(node, operator), operator, open_)
            case typed.Conditional(condition=condition, then=then, otherwise=otherwise) if self.known_value(condition) is None:
                lines, open_ = self._bound(condition, open_)
                saved = dict(self.locals)
                test = f"if {self.expr(condition)}:"
                first = ["    " + line for line in self._return_lines(then, open_)]
                self.locals = saved
                return [*lines, test, *first, *self._return_lines(otherwise, open_)]
            case typed.BuiltinCall(entry=entry, arguments=(TExpression() as source, typed.EachBody() as each)) if (
                entry.name in ("any", "all")
            ):
                lines, _ = self._bound(node, open_)
                return [*lines, *self._search_lines(source, each, found=entry.name == "any")]
        lines, _ = self._bound(node, open_)
        return [*lines, f"return {self.expr(node)}"]

    def _test_lines(self, tests: list[TExpression], operator: str, open_: Bindings) -> list[str]:
        """Lines that return whether all tests hold, or (with `or`) any: one after the other, each with the `let`s that it reads."""
        found: list[str] = []
        for test in tests[:-1]:
            known = self.known_value(test)
            if known is None:
                lines, open_ = self._bound(test, open_)
                stop = f"if not {self.expr(test)}:" if operator == "and" else f"if {self.expr(test)}:"
                found += [*lines, stop, f"    return {operator == 'or'}"]
            elif bool(known) == (operator == "or"):
                return [*found, f"return {bool(known)}"]
        return [*found, *self._return_lines(tests[-1], open_)]

    def _search(self, node: typed.BuiltinCall) -> str | None:
        """`any` or `all` with a condition as the call of a function of its own, which is done sooner than a generator has begun."""
        match node.arguments:
            case (TExpression() as source, typed.EachBody() as each) if self.writing and node.entry.name in ("any", "all"):
                names = self._python_names(node)
            case _:
                return None
        if names is None or self.evaluating:
            return None
        saved, placed, outer = dict(self.locals), self.placed, self.reads_state
        self.placed, self.reads_state = {}, False
        lines = self._search_lines(source, each, found=node.entry.name == "any")
        parameters = ", ".join((*(["s"] if self.reads_state or "f" in names else []), *names))
        name = self.module.function(self.fresh("W"), parameters, lines)
        if not self.reads_state:
            self.module.define(name)
        self.locals, self.placed, self.reads_state = saved, placed, outer or self.reads_state
        return f"{name}({parameters})"

    def _python_names(self, node: Any) -> list[str] | None:
        """The names in the text of the locals that an expression reads but does not bind; None if what it reads can't be told."""
        names: set[str] = set()
        bound: set[Local] = set()
        todo = [node]
        while todo:
            each = todo.pop()
            if isinstance(each, typed.Possible | typed.After | typed.Seen):
                return None
            if isinstance(each, typed.EachBody | typed.ListOperator):
                bound.add(each.local)
            todo += children(each)
        todo = [node]
        while todo:
            each = todo.pop()
            if isinstance(each, typed.LocalValue) and each.local not in bound:
                if each.local not in self.locals:
                    return None
                names.update(_NAME.findall(self.locals[each.local]))
            todo += children(each)
        return sorted(name for name in names - {"s"} if name not in self.module.namespace)

    def _bound(self, node: TExpression, open_: Bindings) -> tuple[list[str], Bindings]:
        """Lines that evaluate those of the open `let`s that an expression reads, at once if it certainly does; and those still open."""
        readers: list[TExpression] = [node]
        read: list[tuple[Local, TExpression]] = []
        for local, binding in reversed(open_):
            if any(reads(each, local) for each in readers):
                read.insert(0, (local, binding))
                readers.append(binding)
        lines = []
        for local, binding in read:
            name, text = self.fresh(), self.expr(binding)
            if _always_reads(node, local):
                lines.append(f"{name} = {text}")
                self.locals[local] = name
            else:
                lines.append(f"{name} = lazily(lambda: {text})")
                self.locals[local] = f"{name}()"
        return lines, tuple(each for each in open_ if each not in read)

    def _search_lines(self, source: TExpression, each: typed.EachBody, *, found: bool) -> list[str]:
        """A loop that looks for an element for which the body is true (`any`) or false (`all`)."""
        conditions: list[tuple[Local, TExpression]] = []
        while isinstance(source, typed.ListOperator) and source.operator == "where" and self.known_value(source) is None:
            conditions.insert(0, (source.local, source.body))
            source = source.source
        items = self.looped(source, 1 + self.cost(each.body) + sum(self.cost(body) for _, body in conditions))
        name = self.bind(each.local)
        lines = [f"for {name} in {items}:"]
        indent = "    "
        for local, body in conditions:
            self.locals[local] = name
            lines.append(f"{indent}if {self.expr(body)}:")
            indent += "    "
        test = self.expr(each.body)
        lines += [f"{indent}if {test}:" if found else f"{indent}if not {test}:", f"{indent}    return {found}"]
        return [*lines, f"return {not found}"]


def reads(node: Any, local: Local) -> bool:
    """Whether evaluating an expression may read a local."""
    return (isinstance(node, typed.LocalValue) and node.local is local) or any(reads(child, local) for child in children(node))


def _always_reads(node: Any, local: Local) -> bool:
    """Whether evaluating an expression certainly reads a local."""
    match node:
        case typed.LocalValue():
            return node.local is local
        case typed.Conditional():
            return _always_reads(node.condition, local) or (_always_reads(node.then, local) and _always_reads(node.otherwise, local))
        case typed.Both() | typed.Coalesce():
            return _always_reads(node.left, local)
        case typed.ListOperator():
            return _always_reads(node.source, local)
        case typed.EachBody():
            return False
        case typed.Lookup(table=typed.MakeTable()):
            return _always_reads(node.key, local)
    return any(_always_reads(child, local) for child in children(node))
