"""The declarations of a spec → typed ones: enums, options, kinds, zones, variables, attributes, constants, functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from gdl import ast, model, typed, types
from gdl.check_convert import coerce
from gdl.check_expressions import check_expression, check_value
from gdl.check_functions import check_constant
from gdl.check_rows import check_rows
from gdl.check_scope import OWN_FIELDS, Context, Scope, Symbol
from gdl.check_templates import check_template
from gdl.check_types import domain, key_domain, key_name, written_type
from gdl.check_zones import check_each, check_forward, check_legend, check_refill, check_variable_visible, check_zone_visible
from gdl.diagnostics import Related
from gdl.source import Span
from gdl.typed import AttributeInfo, Domain, Holder, KindInfo, Local, TExpression, VariableInfo, ZoneInfo
from gdl.types import BOOL, ERROR, INT, EnumType, ListType, PieceType, SpaceType, Type
from gdl.values import DIAGONAL, DIRECTIONS, EVERY_WAY, ORTHOGONAL

# --- enums, options, predeclared names --------------------------------------------------------------------------------


def declare_basics(ctx: Context) -> None:
    """Directions, `players`, seats, enums, options: what everything else may use."""
    nowhere = ctx.spec.declarations.span
    for number, name in enumerate(DIRECTIONS):
        ctx.add_symbol(Symbol(name, types.DIRECTION, _constant_maker(types.DIRECTION, number)))
    for number, name in enumerate(("top", "bottom")):
        ctx.add_symbol(Symbol(name, types.STACK_END, _constant_maker(types.STACK_END, number)))
    ways = ListType(types.DIRECTION)
    for name, value in (("orthogonal", ORTHOGONAL), ("diagonal", DIAGONAL), ("every_way", EVERY_WAY)):
        ctx.values[name] = typed.Constant(nowhere, ways, value)
    ctx.values["players"] = typed.AllPlayers(nowhere, ListType(types.PLAYER))
    enums = {enum.name: enum for enum in ctx.spec.declarations.enums}
    for enum in ctx.spec.declarations.enums:
        _declare_enum(ctx, enum, enums, ())
    for option in ctx.spec.declarations.options:
        _declare_option(ctx, option)
    _declare_seats(ctx)


def _constant_maker(type_: Type, value: int) -> Callable[[Span], TExpression]:
    return lambda span: typed.Constant(span, type_, value)


def _new_symbol(ctx: Context, name: str) -> int:
    ctx.spec.symbols.append(name)
    return len(ctx.spec.symbols) - 1


DEEPEST_ENUM: Final = 50
"""How many enums may contain each other."""


def _declare_enum(ctx: Context, enum: model.Enum, others: Mapping[str, model.Enum], within: tuple[str, ...]) -> EnumType | None:
    if enum.name in ctx.spec.enums:
        known = ctx.spec.enums[enum.name]
        if not within and ctx.value_spans.get(enum.name) != enum.span:
            ctx.declare("values", enum.name, known, enum.span)
        return known if isinstance(known, EnumType) else None
    if len(within) > DEEPEST_ENUM:
        ctx.report.error("too-deep", enum.span, f"the enums that `{within[0]}` is made of are nested too deeply")
        return None
    symbols: list[int] = []
    names: set[str] = set()
    own: list[tuple[str, int]] = []
    for entry in enum.symbols:
        if entry.name in others and entry.name != enum.name and entry.name not in within:
            included = _declare_enum(ctx, others[entry.name], others, (*within, enum.name))
            symbols += included.symbols if included else ()
            names.update(ctx.spec.symbols[n] for n in (included.symbols if included else ()))
            continue
        if entry.name in names:
            ctx.report.error("duplicate-name", entry.span, f"`{entry.name}` stands twice in `{enum.name}`")
            continue
        number = _new_symbol(ctx, entry.name)
        symbols.append(number)
        names.add(entry.name)
        own.append((entry.name, number))
    type_ = EnumType(enum.name, tuple(symbols))
    ctx.spec.enums[enum.name] = type_
    ctx.declare("values", enum.name, type_, enum.span)
    for name, number in own:
        ctx.add_symbol(Symbol(name, type_, _constant_maker(type_, number)))
    return type_


def _declare_option(ctx: Context, option: model.Option) -> None:
    type_: Type = {"bool": BOOL, "range": INT}.get(option.kind, ERROR)
    if option.kind == "values":
        numbers = []
        for name, _ in option.values:
            numbers.append(_new_symbol(ctx, name))
        type_ = EnumType(option.name, tuple(numbers))
        for (name, _), number in zip(option.values, numbers, strict=True):
            ctx.add_symbol(Symbol(name, type_, _constant_maker(type_, number)))
    info = typed.OptionInfo(option.name, option, type_)
    ctx.spec.options[option.name] = info
    ctx.declare("values", option.name, info, option.span)


def _declare_seats(ctx: Context) -> None:
    declarations = ctx.spec.declarations
    ctx.spec.seats = tuple(s.name for s in declarations.seats)
    for number, seat in enumerate(declarations.seats):
        ctx.declare("values", seat.name, typed.Constant(seat.span, types.PLAYER, number), seat.span)


# --- kinds and zones --------------------------------------------------------------------------------------------------


def declare_shells(ctx: Context) -> None:
    """Kinds and zones by name, so that types and expressions anywhere can speak of them."""
    for kind in ctx.spec.declarations.kinds:
        info = KindInfo(kind.name, kind, (kind.name,))
        ctx.spec.kinds[kind.name] = info
        ctx.declare("values", kind.name, info, kind.span)
    for zone in ctx.spec.declarations.zones:
        facts = ctx.geometries.get(zone.geometry.kind)
        coordinates = facts.coordinates if facts is not None else ()
        info_zone = ZoneInfo(zone.name, zone, coordinates=coordinates, single=zone.geometry.kind == "single")
        ctx.spec.zones[zone.name] = info_zone
        ctx.declare("values", zone.name, info_zone, zone.span)
        for name, declaration in _derived_zones(zone):
            ctx.spec.zones[name] = ZoneInfo(name, declaration, single=False, base=zone.name)
    for kind in ctx.spec.declarations.kinds:
        if kind.any_of:
            ctx.spec.kinds[kind.name].members = _members(ctx, kind, ())
    _set_holds(ctx)
    _declare_row_symbols(ctx)


def _derived_zones(zone: model.Zone) -> list[tuple[str, model.Zone]]:
    """The parts of a zone's cells and the edges between its spaces, as zones."""
    found = []
    if zone.parts is not None:
        geometry = model.Geometry("part", zone.parts.span)
        part = model.Zone(f"{zone.name}.part", zone.span, geometry, zone.per, holds=zone.parts.holds or (), variables=zone.parts.variables)
        found.append((part.name, part))
    if zone.has_edges:
        geometry = model.Geometry("edge", zone.span)
        edge = model.Zone(f"{zone.name}.edge", zone.span, geometry, zone.per, holds=(), variables=zone.edge_variables)
        found.append((edge.name, edge))
    return found


def _members(ctx: Context, kind: model.Kind, within: tuple[str, ...]) -> tuple[str, ...]:
    members: list[str] = []
    for name in kind.any_of:
        info = ctx.spec.kinds.get(name.name)
        if info is None:
            ctx.unknown("unknown-name", name.span, f"no kind is called `{name.name}`", name.name, ctx.spec.kinds)
        elif info.declaration.any_of and name.name not in within:
            members += _members(ctx, info.declaration, (*within, kind.name))
        else:
            members.append(name.name)
    return tuple(dict.fromkeys(members))


def lies_in_zones(kind: model.Kind) -> bool:
    """Whether pieces of a kind are at a space at all: dice without `at:` are not."""
    return not kind.any_of and (kind.at is not None or any("at" in _columns(r) for r in kind.rows or ()))


def _columns(row: model.Row) -> set[str]:
    return {name.name for name, _ in row.cells}


def _set_holds(ctx: Context) -> None:
    everything = [k.name for k in ctx.spec.declarations.kinds if lies_in_zones(k)]
    for zone in ctx.spec.zones.values():
        written = zone.declaration.holds
        if written is None:
            zone.holds = tuple(everything)
            continue
        held: list[str] = []
        unknown = False
        for name in written:
            kind = ctx.spec.kinds.get(name.name)
            if kind is None:
                ctx.unknown("unknown-name", name.span, f"no kind is called `{name.name}`", name.name, ctx.spec.kinds)
                unknown = True
            else:
                held += kind.members
        zone.holds = tuple(k for k in everything if k in held or unknown)  # an unknown one may have been any


def _named_rows(ctx: Context, rows: tuple[model.Row, ...]) -> Iterator[tuple[int, model.Row]]:
    """Rows with their numbers; one whose name has come before is reported. Of those with `when` perhaps only one is there."""
    first: dict[str, Span] = {}
    for number, row in enumerate(rows):
        if row.name is None or row.when is not None or row.name.name not in first:
            yield number, row
        else:
            related = (Related(first[row.name.name], "first here"),)
            message = f"two rows are called `{row.name.name}`"
            cure = "several pieces of one row are `copies`; a row needs no name"
            ctx.report.error("duplicate-name", row.name.span, message, related=related, help=cure)
        if row.name is not None and row.when is None:
            first.setdefault(row.name.name, row.name.span)


def _declare_row_symbols(ctx: Context) -> None:
    """Rows with a name are symbols of their kind or zone."""
    for kind in ctx.spec.declarations.kinds:
        for number, row in _named_rows(ctx, kind.rows or ()):
            if row.name is not None:
                piece = PieceType((kind.name,))
                ctx.add_symbol(Symbol(row.name.name, piece, _row_maker(typed.RowPiece, piece, kind.name, number)))
    for zone in ctx.spec.declarations.zones:
        space = SpaceType((zone.name,))
        for number, row in _named_rows(ctx, zone.rows or ()):
            if row.name is not None and not zone.per:
                ctx.add_symbol(Symbol(row.name.name, space, _row_maker(typed.RowSpace, space, zone.name, number)))
        for number, node in enumerate(zone.geometry.nodes):
            if not zone.per:
                ctx.add_symbol(Symbol(node.name, space, _row_maker(typed.RowSpace, space, zone.name, number)))


def _row_maker(make: Callable[[Span, Type, str, int], TExpression], type_: Type, owner: str, number: int) -> Callable[[Span], TExpression]:
    return lambda span: make(span, type_, owner, number)


def declare_members(ctx: Context) -> None:
    """Keys, attributes and variables of kinds, zones and the spec itself: their types, not yet their values."""
    for constant in ctx.spec.declarations.constants:
        ctx.declare("values", constant.name, constant.value, constant.span)
    scope = Scope()
    for kind in ctx.spec.kinds.values():
        kind.per = tuple(key_domain(ctx, scope, p) for p in kind.declaration.per)
        _check_keys(ctx, kind.declaration.per)
        kind.this = Local("this", PieceType(kind.members), kind.declaration.span)
        _declare_table(ctx, scope, Holder("kind", kind.name), kind.declaration.attributes, kind.declaration.variables,
                       kind.attributes, kind.variables)  # fmt: skip
    for zone in ctx.spec.zones.values():
        declaration = zone.declaration
        zone.per = tuple(key_domain(ctx, scope, p) for p in declaration.per)
        zone.key_names = tuple("owner" if d.form == "player" else key_name(p) for d, p in zip(zone.per, declaration.per, strict=True))
        if zone.base == "":
            _check_keys(ctx, declaration.per)
        zone.this = Local("this", SpaceType((zone.name,)), declaration.span)
        _declare_table(ctx, scope, Holder("zone", zone.name), declaration.attributes, declaration.variables,
                       zone.attributes, zone.variables)  # fmt: skip
    for variable in ctx.spec.declarations.variables:
        info = _variable(ctx, scope, Holder("global"), variable)
        ctx.spec.variables[variable.name] = info
        ctx.declare("values", variable.name, info, variable.span)


def _check_keys(ctx: Context, per: tuple[ast.TypeExpression, ...]) -> None:
    """A piece or space has its keys as fields, so each type comes once."""
    names = [key_name(node) for node in per if isinstance(node, ast.TypeName)]
    for node in per:
        if isinstance(node, ast.TypeName) and names.count(key_name(node)) > 1:
            message = f"`{key_name(node)}` stands twice in `per`"
            ctx.report.error("duplicate-name", node.span, message, help="of pairs, a variable can have values: `per: [player, player]`")
            return


def _declare_table(
    ctx: Context, scope: Scope, holder: Holder, attributes: tuple[model.Attribute, ...], variables: tuple[model.Variable, ...],
    attribute_table: dict[str, AttributeInfo], variable_table: dict[str, VariableInfo],
) -> None:  # fmt: skip
    for attribute in attributes:
        type_ = written_type(ctx, attribute.type)
        per = domain(ctx, scope, attribute.per, "as a key") if attribute.per is not None else None
        parameters: tuple[Local, ...] = ()
        if isinstance(attribute.type, ast.ComputedType):
            parameters = tuple(Local(p.name.name, written_type(ctx, p.type), p.span) for p in attribute.type.parameters)
        if attribute.name in attribute_table:
            ctx.report.error("duplicate-name", attribute.span, f"`{attribute.name}` is declared twice")
        _check_own_field(ctx, holder, attribute)
        attribute_table[attribute.name] = AttributeInfo(attribute.name, holder, type_, attribute.span, per, parameters=parameters)
    for variable in variables:
        if variable.name in attribute_table or variable.name in variable_table:
            ctx.report.error("duplicate-name", variable.span, f"`{variable.name}` is declared twice")
        _check_own_field(ctx, holder, variable)
        variable_table[variable.name] = _variable(ctx, scope, holder, variable)


def _check_own_field(ctx: Context, holder: Holder, declared: model.Attribute | model.Variable) -> None:
    """What every piece has can't be declared again."""
    if holder.form == "kind" and declared.name in OWN_FIELDS:
        ctx.report.error("duplicate-name", declared.span, f"every piece has `{declared.name}` already", help="choose another name")


def _variable(ctx: Context, scope: Scope, holder: Holder, variable: model.Variable) -> VariableInfo:
    kind = domain(ctx, scope, variable.type, f"`{variable.name}`")
    per = tuple(domain(ctx, scope, p, f"a key of `{variable.name}`") for p in variable.per)
    return VariableInfo(variable.name, holder, kind, per, variable.span, variable.clamp, declaration=variable)


# --- values of declarations -------------------------------------------------------------------------------------------


def check_declarations(ctx: Context) -> None:
    """Sizes, starts, formulas, labels of everything declared."""
    for kind in ctx.spec.kinds.values():
        check_faces(ctx, kind)
    for name in [c.name for c in ctx.spec.declarations.constants]:
        check_constant(ctx, name, ctx.value_spans.get(name, ctx.spec.declarations.span))
    for kind in ctx.spec.kinds.values():
        _check_kind(ctx, kind)
    for zone in ctx.spec.zones.values():
        _check_zone(ctx, zone)
    for info in ctx.spec.variables.values():
        _check_start(ctx, Scope(constant=True), info, None)


def check_faces(ctx: Context, kind: KindInfo) -> None:
    """The faces of dice: numbers and words; words that nothing else means are symbols of the kind."""
    node = kind.declaration.faces
    if node is None:
        return
    scope = Scope(constant=True)
    if isinstance(node, ast.ListLiteral) and not node.items:
        ctx.report.error("wrong-form", node.span, "a die needs faces", help="write them as `1..6`, or as a list of numbers and words")
        kind.faces = typed.Faulty(node.span, ListType(INT))
        return
    if not isinstance(node, ast.ListLiteral):
        value = check_value(ctx, scope, node, ListType(INT), "`faces`")
        kind.faces = value
        return
    own: dict[str, int] = {}
    type_: EnumType | None = None
    for item in node.items:
        if isinstance(item, ast.Name) and item.name not in ctx.symbols and item.name not in ctx.values:
            own.setdefault(item.name, _new_symbol(ctx, item.name))
        elif isinstance(item, ast.Name) and item.name in own:
            pass
    type_ = EnumType(f"faces of {kind.name}", tuple(own.values()))
    for name, number in own.items():
        ctx.add_symbol(Symbol(name, type_, _constant_maker(type_, number)))
    kind.faces = tuple(check_expression(ctx, scope, item, type_ if own else None) for item in node.items)


def _check_kind(ctx: Context, kind: KindInfo) -> None:
    declaration = kind.declaration
    constant = Scope(constant=True)
    this = kind.this or Local("this", ERROR, declaration.span)
    scope = constant.child(this)
    if declaration.when is not None:
        kind.when = check_value(ctx, constant, declaration.when, BOOL, "`when`")
    if declaration.count is not None:
        kind.count = check_value(ctx, scope, declaration.count, INT, "`count`")
    kind.each = check_each(ctx, kind)
    check_attributes(ctx, kind.attributes, declaration.attributes, this)
    for info in kind.variables.values():
        info.this = this
        _check_start(ctx, scope, info, this)
    if declaration.at is not None:
        kind.at = check_expression(ctx, scope, declaration.at, types.SPACE)
        _check_at(ctx, kind, kind.at)
    if declaration.rows is not None:
        kind.rows = check_rows(ctx, declaration.rows, kind.attributes, kind.variables, this, kind)
    if declaration.label is not None:
        kind.label = check_template(ctx, Scope().child(this), declaration.label)
    if declaration.at is None and not declaration.any_of and declaration.faces is None and not lies_in_zones(declaration):
        ctx.report.error(
            "missing-key",
            declaration.span,
            f"where do the pieces of `{kind.name}` lie at the start?",
            help="add `at:` with a space (only kinds with `faces` may leave it out)",
        )


def _check_at(ctx: Context, kind: KindInfo, at: TExpression) -> None:
    """`at:` is a space, or a list of spaces (one piece on each)."""
    type_ = types.without_none(at.type)
    space = type_.element if isinstance(type_, ListType) else type_
    if not isinstance(space, SpaceType):
        coerce(ctx, at, types.SPACE, "`at`")
        return
    for zone in space.zones or ():
        held = ctx.spec.zones[zone].holds
        if kind.name not in held:
            ctx.report.error("wrong-type", at.span, f"`{zone}` does not hold a {kind.name}", help=f"add it to `holds` of `{zone}`")


def check_attributes(ctx: Context, table: dict[str, AttributeInfo], declared: tuple[model.Attribute, ...], this: Local) -> None:
    """The defaults of attributes: constants or formulas over `this`."""
    for attribute in declared:
        info = table[attribute.name]
        info.this = this
        if attribute.default is None:
            continue
        if isinstance(info.type, types.ComputedType):
            scope = Scope().child(this, *info.parameters)
            info.default = check_value(ctx, scope, attribute.default, info.type.result, f"`{info.name}`")
        else:
            info.default = check_value(ctx, Scope(constant=True).child(this), attribute.default, info.type, f"`{info.name}`")


def _check_start(ctx: Context, scope: Scope, info: VariableInfo, this: Local | None) -> None:
    declaration = info.declaration
    if declaration is None:
        return
    if declaration.when is not None:
        info.when = check_value(ctx, Scope(constant=True), declaration.when, BOOL, "`when`")
    if info.per and info.per[0].form == "player":
        info.seat = Local("player", types.PLAYER, info.span)
        scope = scope.child(player=info.seat)
    info.this = this
    check_variable_visible(ctx, info, this)
    if declaration.start is not None:
        info.start = check_value(ctx, scope, declaration.start, info.domain.type, f"the start of `{info.name}`")
    elif info.domain.form not in ("bool", "set", "list", "error") and not info.domain.none and info.declaration is not None:
        ctx.report.error(
            "missing-key",
            info.span,
            f"`{info.name}` needs a start: a {_words(info.domain)} has none by itself",
            help=f"write `{info.name}: {declaration.type.span.text} = …`",
        )


def _words(kind: Domain) -> str:
    return "number" if kind.form == "range" else str(kind.type)


def _check_zone(ctx: Context, zone: ZoneInfo) -> None:
    declaration = zone.declaration
    this = zone.this or Local("this", ERROR, declaration.span)
    constant = Scope(constant=True)
    sizes = [check_value(ctx, constant, size, INT, "a size") for size in declaration.geometry.sizes]
    facts = ctx.geometries.get(declaration.geometry.kind)
    if facts is not None and len(sizes) != facts.size_count:
        ctx.report.error(
            "wrong-form",
            declaration.geometry.span,
            f"a {declaration.geometry.kind} takes {facts.size_count} sizes, not {len(sizes)}",
        )
    zone.sizes = tuple(sizes)
    nodes = [node.name for node in declaration.geometry.nodes]
    for name in (end for edge in declaration.geometry.edges for end in edge):
        if name.name not in nodes:
            ctx.unknown("unknown-name", name.span, f"no node is called `{name.name}`", name.name, nodes)
    scope = constant.child(this)
    if declaration.cells is not None:
        zone.cells = check_value(ctx, scope, declaration.cells, BOOL, "`cells`")
    if declaration.capacity is not None:
        zone.capacity = check_value(ctx, scope, declaration.capacity, INT, "`capacity`")
    check_attributes(ctx, zone.attributes, declaration.attributes, this)
    for info in zone.variables.values():
        _check_start(ctx, scope, info, this)
    if declaration.rows is not None:
        places = () if declaration.geometry.kind in ("named", "table") else (zone.coordinates or ("index",))
        zone.rows = check_rows(ctx, declaration.rows, zone.attributes, zone.variables, this, None, places)
    check_refill(ctx, zone, scope)
    check_zone_visible(ctx, zone)
    if zone.declaration.parts is not None:
        check_legend(ctx, zone.declaration.parts)
    if declaration.label is not None:
        zone.label = check_template(ctx, scope, declaration.label)
    zone.forward = check_forward(ctx, declaration)
