"""Grammar rules → syntax tree: one method for each rule of `expression.lark`, called by Lark while it parses.

Lark's own trees are never made. What the grammar has to accept but the language does not (a sum at the left of a list
operator, a call of what is no name, a step that does nothing) is refused here, by raising `Refused` with the message.
"""

from __future__ import annotations

from typing import TypeAlias

from lark import Token, Transformer, v_args

from gdl import ast
from gdl import expression_refusals as refusals
from gdl.expression_refusals import Refused
from gdl.source import Fragment, SourceFile, Span

Part: TypeAlias = ast.Node | Token
"""What a method is given: nodes for the rules on the right side of its own, tokens for the terminals."""


@v_args(inline=True)
class Builder(Transformer[Token, ast.Node]):
    """Builds the tree of one text at a time, the one that was given to `begin`."""

    def __init__(self) -> None:
        super().__init__()
        self.begin(Fragment("", SourceFile("", ""), 0))

    def begin(self, fragment: Fragment) -> None:
        """Start with a text."""
        self._fragment = fragment
        # Brackets leave no node of their own, but what stands around them begins and ends with them, and a sum in them
        # may be the left side of `where`. So the span with the brackets is kept while the text is parsed.
        self._bracketed: dict[ast.Node, Span] = {}

    # --- expressions --------------------------------------------------------------------------------------------------

    def chain(self, source: ast.Expression, link: ast.Link) -> ast.Chain:
        self._check_source(source, link)
        return ast.Chain(self._over(source, link), source, (link,))

    def longer_chain(self, chain: ast.Chain, link: ast.Link) -> ast.Chain:
        return ast.Chain(self._over(chain, link), chain.source, (*chain.links, link))

    def link(self, *parts: Part) -> ast.Link:
        match parts:
            case (Token(), Token() as binder, Token() as operator, ast.Expression() as body):
                return ast.Link(self._over(parts[0], body), operator.value, body, self._name(binder))
            case (Token() as operator, ast.Expression() as body):
                return ast.Link(self._over(operator, body), operator.value, body)
        raise AssertionError(parts)

    def if_else(
        self,
        word: Token,
        condition: ast.Expression,
        _then: Token,
        then: ast.Expression,
        _else: Token,
        otherwise: ast.Expression,
    ) -> ast.If:
        return ast.If(self._over(word, otherwise), condition, then, otherwise)

    def logic(self, left: ast.Expression, operator: Token, right: ast.Expression) -> ast.Logic:
        return ast.Logic(self._over(left, right), operator.value, left, right)

    def negation(self, word: Token, operand: ast.Expression) -> ast.Not:
        return ast.Not(self._over(word, operand), operand)

    def compare(self, left: ast.Expression, operator: Token, right: ast.Expression) -> ast.Compare:
        return ast.Compare(self._over(left, right), operator.value, left, right)

    def compare_not_in(self, left: ast.Expression, _not: Token, _in: Token, right: ast.Expression) -> ast.Compare:
        return ast.Compare(self._over(left, right), "not in", left, right)

    def is_kind(self, operand: ast.Expression, _is: Token, kind: ast.TypeName) -> ast.Is:
        return ast.Is(self._over(operand, kind), operand, kind, negated=False)

    def is_not_kind(self, operand: ast.Expression, _is: Token, _not: Token, kind: ast.TypeName) -> ast.Is:
        return ast.Is(self._over(operand, kind), operand, kind, negated=True)

    def coalesce(self, left: ast.Expression, right: ast.Expression) -> ast.Coalesce:
        return ast.Coalesce(self._over(left, right), left, right)

    def range(self, low: ast.Expression, high: ast.Expression) -> ast.Range:
        return ast.Range(self._over(low, high), low, high)

    def arithmetic(self, left: ast.Expression, operator: Token, right: ast.Expression) -> ast.Arithmetic:
        return ast.Arithmetic(self._over(left, right), operator.value, left, right)

    def negate(self, sign: Token, operand: ast.Expression) -> ast.Negate:
        return ast.Negate(self._over(sign, operand), operand)

    def field_access(self, target: ast.Expression, field: Token) -> ast.Field:
        return ast.Field(self._over(target, field), target, field.value, self._at(field))

    def index(self, target: ast.Expression, _opener: Token, *parts: Part) -> ast.Index:
        return ast.Index(self._over(target, parts[-1]), target, _expressions(parts))

    def call(self, target: ast.Expression, _opener: Token, *parts: Part) -> ast.Call:
        if not isinstance(target, ast.Name | ast.Field) or target in self._bracketed:
            raise Refused(refusals.not_callable(self._outer(target)))
        arguments = tuple(part for part in parts if isinstance(part, ast.Argument))
        return ast.Call(self._over(target, parts[-1]), target, arguments)

    def name(self, word: Token) -> ast.Name:
        return self._name(word)

    def number(self, digits: Token) -> ast.Number:
        # The length is tested first: Python itself refuses to convert thousands of digits.
        if len(digits) > refusals.NUMBER_DIGITS or int(digits) > refusals.MAXIMUM_NUMBER:
            raise Refused(refusals.number_too_large(self._at(digits)))
        return ast.Number(self._at(digits), int(digits))

    def text(self, quoted: Token) -> ast.Text:
        start = quoted.start_pos or 0
        letters = self._fragment.part(start + 1, start + len(quoted.value) - 1)
        return ast.Text(self._at(quoted), letters.text, letters)

    def literal(self, word: Token) -> ast.Literal:
        return ast.Literal(self._at(word), {"true": True, "false": False, "none": None}[word.value])

    def parentheses(self, opener: Token, inner: ast.Expression, closer: Token) -> ast.Expression:
        self._bracketed[inner] = self._over(opener, closer)
        return inner

    def list_literal(self, opener: Token, *parts: Part) -> ast.ListLiteral:
        return ast.ListLiteral(self._over(opener, parts[-1]), _expressions(parts))

    def table_literal(self, opener: Token, *parts: Part) -> ast.TableLiteral:
        keys_and_values = _expressions(parts)
        return ast.TableLiteral(
            self._over(opener, parts[-1]), tuple(zip(keys_and_values[::2], keys_and_values[1::2], strict=True))
        )

    # --- arguments ----------------------------------------------------------------------------------------------------

    def argument(self, value: ast.Expression) -> ast.Argument:
        return ast.Argument(self._over(value, value), value)

    def keyword_argument(self, keyword: ast.Name, _equal: Token, value: ast.Expression) -> ast.Argument:
        return ast.Argument(self._over(keyword, value), value, keyword)

    def bound_argument(self, value: ast.Expression, word: Token, binder: Token) -> ast.Argument:
        if not isinstance(value, ast.Chain):
            self._check_source(value, word)
        return ast.Argument(self._over(value, binder), value, None, self._name(binder))

    def keyword(self, word: Token) -> ast.Name:
        return self._name(word)

    # --- steps, binders, bindings -------------------------------------------------------------------------------------

    def step(self, expression: ast.Expression) -> ast.Step:
        match expression:
            case ast.Name():
                return ast.Do(expression.span, ast.Call(expression.span, expression, ()))
            case ast.Call():
                return ast.Do(expression.span, expression)
        raise Refused(refusals.no_step(self._fragment, expression, self._over(expression, expression)))

    def assign(self, target: ast.Expression, operator: Token, value: ast.Expression) -> ast.Assign:
        if not isinstance(target, ast.Name | ast.Field | ast.Index):
            raise Refused(refusals.not_assignable(self._outer(target)))
        return ast.Assign(self._over(target, value), operator.value, target, value)

    def lone_call(self, word: Token, *parts: Part) -> ast.Call:
        function = self._name(word)
        arguments = tuple(part for part in parts if isinstance(part, ast.Argument))
        return ast.Call(self._over(function, parts[-1] if parts else function), function, arguments)

    def bound_call(self, word: Token, *parts: Part) -> ast.Call:
        return self.lone_call(word, *parts)

    def binder(self, word: Token, _in: Token, domain: ast.Expression) -> ast.Binder:
        return ast.Binder(self._over(word, domain), self._name(word), domain)

    def binders(self, *binders: ast.Binder) -> tuple[ast.Binder, ...]:
        return binders

    def binding(self, word: Token, _equal: Token, value: ast.Expression) -> ast.Binding:
        return ast.Binding(self._over(word, value), self._name(word), value)

    def lone_name(self, word: Token) -> ast.Name:
        return self._name(word)

    # --- types and signatures -----------------------------------------------------------------------------------------

    def kind(self, word: Token, part: Token | None = None) -> ast.TypeName:
        return self._type_name(word, part)

    def type_name(self, word: Token, part: Token | None = None) -> ast.TypeName:
        return self._type_name(word, part)

    def optional_type(self, inner: ast.TypeExpression, _or: Token, none: Token) -> ast.OptionalType:
        return ast.OptionalType(self._over(inner, none), inner)

    def range_type(self, low: ast.Expression, high: ast.Expression) -> ast.RangeType:
        return ast.RangeType(self._over(low, high), low, high)

    def generic_type(
        self, word: Token, _opener: Token, element: ast.TypeExpression, *parts: Part
    ) -> ast.TypeExpression:
        span = self._over(word, parts[-1])
        match word.value, parts:
            case "set", (Token(),):
                return ast.SetType(span, element)
            case "list", (Token(),):
                return ast.ListType(span, element)
            case "list", (Token(value="max"), ast.Expression() as maximum, Token()):
                return ast.ListType(span, element, maximum)
            case "list", (Token() as other, ast.Expression(), Token()):
                raise Refused(refusals.unknown_maximum(self._at(other), other.value))
        raise Refused(refusals.unknown_generic(span, self._at(word), word.value))

    def computed_type(self, word: Token, result: ast.TypeExpression, *parts: Part) -> ast.ComputedType:
        if word.value != "computed":
            raise Refused(refusals.two_words_as_type(self._over(word, result), self._at(word), result.span.text))
        parameters = tuple(part for part in parts if isinstance(part, ast.Parameter))
        return ast.ComputedType(self._over(word, parts[-1] if parts else result), result, parameters)

    def declared(self, declared_type: ast.TypeExpression, *parts: Part) -> ast.Declared:
        default = _default(parts)
        return ast.Declared(self._over(declared_type, default or declared_type), declared_type, default)

    def signature(self, word: Token, *parts: Part) -> ast.Signature:
        parameters = tuple(part for part in parts if isinstance(part, ast.Parameter))
        return ast.Signature(self._over(word, parts[-1] if parts else word), self._name(word), parameters, bool(parts))

    def parameter(self, word: Token, declared_type: ast.TypeExpression, *parts: Part) -> ast.Parameter:
        default = _default(parts)
        return ast.Parameter(self._over(word, default or declared_type), self._name(word), declared_type, default)

    # --- places -------------------------------------------------------------------------------------------------------

    def _at(self, token: Token) -> Span:
        return self._fragment.span(token.start_pos or 0, token.end_pos or 0)

    def _name(self, word: Token) -> ast.Name:
        return ast.Name(self._at(word), word.value)

    def _type_name(self, word: Token, part: Token | None) -> ast.TypeName:
        return ast.TypeName(self._over(word, part or word), word.value, part.value if part else None)

    def _outer(self, part: Part) -> Span:
        if isinstance(part, Token):
            return self._at(part)
        return self._bracketed.get(part, part.span)

    def _over(self, first: Part, last: Part) -> Span:
        return Span(self._fragment.source, self._outer(first).start, self._outer(last).end)

    def _check_source(self, source: ast.Expression, operator: Part) -> None:
        if isinstance(source, ast.Arithmetic | ast.Negate) and source not in self._bracketed:
            raise Refused(refusals.loose_source(self._fragment, self._outer(source), self._outer(operator)))


def _expressions(parts: tuple[Part, ...]) -> tuple[ast.Expression, ...]:
    return tuple(part for part in parts if isinstance(part, ast.Expression))


def _default(parts: tuple[Part, ...]) -> ast.Expression | None:
    last = parts[-1] if parts else None
    return last if isinstance(last, ast.Expression) else None
