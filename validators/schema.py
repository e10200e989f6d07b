"""The forms → a JSON Schema (draft 2020-12) of specs or of scenario files, for editors and other tools.

What a spec's keys are is said once, in `gdl.forms`; the loader checks maps against the forms and the schema is made from them, so the
two can't differ. The schema knows structure only: what the texts inside say is the checker's business. Where a map's form depends on
one of its keys, as with steps, `if` and `then` choose it, so that a validator complains of the one key that is wrong.
"""

from __future__ import annotations

import json
from itertools import combinations
from typing import Final

from gdl.forms import FORMS, LEAVES, STEP_FORMS, Either, Form, Key, Leaf, ListOf, MapOf, Shape, Use
from gdl.interpreter import scenario_forms

DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"
Json = dict[str, object]

_TEXTS: Final = ["string", "number", "boolean"]
"""What YAML makes of a plain text: `5` and `true` are texts of the language as well."""
_OPEN: Final = ("expression", "steps")
"""Leaves that may also be written as YAML lists and maps."""


def spec_schema() -> Json:
    """The schema of a spec, or of an included file but for the keys that only a whole spec needs."""
    spec = _form(FORMS["spec"])
    needed = spec.pop("required")
    return {
        "$schema": DRAFT,
        **spec,
        "title": "A game in GDL",
        "if": {"required": ["include"]},  # what an included file has need not be said again
        "else": {"required": needed},
        "$defs": {
            **_leaves(),
            **{form.name: _form(form) for form in FORMS.values() if form.name != "spec"},
            **{f"step_{form.name}": _form(form) for form in STEP_FORMS},
            "step": _step(),
        },
    }


def scenario_schema() -> Json:
    """The schema of a scenario file."""
    file, scenario, move = scenario_forms.FILE, _form(scenario_forms.SCENARIO), _form(scenario_forms.MOVE)
    schema = _form(file)
    properties = schema["properties"]
    inner = scenario["properties"]
    assert isinstance(properties, dict)
    assert isinstance(inner, dict)
    properties["tests"] = {"type": "array", "items": {"$ref": "#/$defs/scenario"}, "description": file.keys[-1].doc}
    inner["given"] = {"$ref": "#/$defs/given"}
    inner["do"] = {"type": "array", "items": {"anyOf": [{"type": _TEXTS}, {"$ref": "#/$defs/move"}]}}
    leaves = {kind: leaf for kind, leaf in _leaves().items() if kind != "steps"}  # which needs the forms of steps
    return {
        "$schema": DRAFT,
        **schema,
        "title": "Scenarios for a game in GDL",
        "$defs": {**leaves, "scenario": scenario, "given": _form(scenario_forms.GIVEN), "move": move},
    }


def schema_text(schema: Json) -> str:
    """A schema as it stands in a file."""
    return json.dumps(schema, ensure_ascii=False, indent=2) + "\n"


def _leaves() -> Json:
    """What has no structure in YAML, by the name of its kind."""
    kinds: Json = {}
    for kind, title in LEAVES.items():
        if kind == "word":
            continue
        if kind == "flag":
            kinds[kind] = {"type": "boolean"}
        elif kind == "number":
            kinds[kind] = {"type": "integer"}
        elif kind == "range":
            kinds[kind] = {"type": "string", "pattern": r"^\s*-?[0-9]+\s*\.\.\s*-?[0-9]+\s*$"}
        elif kind == "steps":
            kinds[kind] = _one_or_list({"$ref": "#/$defs/step"})
        else:
            kinds[kind] = {"type": [*_TEXTS, "array", "object"] if kind in _OPEN else _TEXTS, "description": title}
    return kinds


def _form(form: Form) -> Json:
    """A map of a form: its keys and no others, those that are needed, those that exclude each other."""
    schema: Json = {
        "title": form.title,
        "type": "object",
        "properties": {key.name: _key(key) for key in form.keys},
        "additionalProperties": False,
    }
    required = [key.name for key in form.keys if key.required]
    if required:
        schema["required"] = required
    pairs = [pair for names in form.clashes for pair in combinations(names, 2)]
    if pairs:
        schema["allOf"] = [{"not": {"required": list(pair)}} for pair in pairs]
    if form.needs:
        schema["dependentSchemas"] = {name: {"anyOf": [{"required": [other]} for other in others]} for name, others in form.needs}
    return schema


def _key(key: Key) -> Json:
    return {**_shape(key.shape), "description": key.doc}


def _shape(shape: Shape) -> Json:
    match shape:
        case Leaf(kind="word", words=words):
            return {"enum": list(words)}
        case Leaf(kind=kind):
            return {"$ref": f"#/$defs/{kind}"}
        case ListOf(item=item, or_one=or_one):
            return _one_or_list(_shape(item)) if or_one else {"type": "array", "items": _shape(item)}
        case MapOf(value=value):
            return {"type": "object", "additionalProperties": _shape(value)}
        case Use(form=name):
            return {"$ref": f"#/$defs/{name}"}
        case Either(options=options):
            return _by_type(options)


def _one_or_list(item: Json) -> Json:
    """A single item, or a list of them; a validator complains of the item, not of both possibilities."""
    return {"if": {"type": "array"}, "then": {"items": item}, "else": item}


def _by_type(options: tuple[Shape, ...]) -> Json:
    """One of several shapes, told apart by their type as far as they can be."""
    typed = ((_type(option), option) for option in options)
    structured = {kind: option for kind, option in typed if kind is not None}
    texts = [_shape(option) for option in options if _type(option) is None]
    schema: Json = {"anyOf": texts} if len(texts) > 1 else texts[0] if texts else {"type": sorted(structured)}
    for kind, option in structured.items():
        schema = {"if": {"type": kind}, "then": _shape(option), "else": schema}
    return schema


def _type(shape: Shape) -> str | None:
    """The JSON type of a shape that has only one and is no text."""
    match shape:
        case ListOf(or_one=False):
            return "array"
        case MapOf() | Use():
            return "object"
        case _:
            return None


def _step() -> Json:
    """A step: text, or a map whose leading key says which step it is."""
    names = [form.name for form in STEP_FORMS]
    structured = {
        "type": "object",
        "anyOf": [{"required": [name]} for name in names],
        "allOf": [_chosen(n, name, names) for n, name in enumerate(names)],
    }
    return {"if": {"type": "object"}, "then": structured, "else": {"type": _TEXTS}}


def _chosen(number: int, name: str, names: list[str]) -> Json:
    """Which form a map has that has this leading key; `else` and the like also are keys of steps that lead with another."""
    others = [other for other in names[:number] if _has_key(other, name)]
    test: Json = {"required": [name]}
    if others:
        test["not"] = {"anyOf": [{"required": [other]} for other in others]}
    return {"if": test, "then": {"$ref": f"#/$defs/step_{name}"}}


def _has_key(step: str, name: str) -> bool:
    return any(form.name == step and form.key(name) is not None for form in STEP_FORMS)
