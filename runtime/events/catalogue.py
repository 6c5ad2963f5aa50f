"""All kinds of events, and the JSON Schema of a line that holds one.

Pure; reads the source of the modules for the words beside fields. For `jsonschema` and the docs, no run loads it.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from importlib import import_module
from itertools import pairwise
from types import NoneType, UnionType
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

from shardwright.runtime.events.event import RunEvent

MODULES: Final = ("run", "copy", "stream", "compare", "cutover", "notify")
"""In the order of the page."""
_PLAIN: Final = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}
_OF_ALL: Final = {
    "event": "The kind of event.",
    "at": "When it happened, in seconds since 1970.",
    "sentence": "The event as a person reads it.",
}

Schema = dict[str, Any]


def event_types(module: str) -> list[type[RunEvent]]:
    """The kinds of events of one module, in its order."""
    found = import_module(f"shardwright.runtime.events.{module}")
    return [
        kind
        for kind in vars(found).values()
        if inspect.isclass(kind) and issubclass(kind, RunEvent) and kind.__module__ == found.__name__
    ]


def event_schema() -> Schema:
    """The JSON Schema of a line of `--report json=PATH`."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Event of a run",
        "description": "One line of a report. A line of a later version may have kinds and fields that are not here.",
        "oneOf": [kind_schema(kind) for module in MODULES for kind in event_types(module)],
    }


def kind_schema(kind: type[RunEvent]) -> Schema:
    """The schema of one kind of event."""
    plain: Schema = {
        "event": {"const": kind.__name__, "description": _OF_ALL["event"]},
        "at": {"type": "number", "description": _OF_ALL["at"]},
    }
    properties = {**plain, **_properties(kind), "sentence": {"type": "string", "description": _OF_ALL["sentence"]}}
    return _object(properties) | {"title": kind.__name__, "description": inspect.getdoc(kind)}


def _properties(kind: type[Any]) -> Schema:
    hints, words = get_type_hints(kind), _words(kind)
    return {
        field.name: _value(hints[field.name]) | ({"description": words[field.name]} if field.name in words else {})
        for field in fields(kind)
    }


def _object(properties: Schema) -> Schema:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _value(hint: Any) -> Schema:
    if hint in _PLAIN:
        return {"type": _PLAIN[hint]}
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin is UnionType:
        choices = [_value(choice) for choice in arguments]
        if all(set(choice) == {"type"} for choice in choices):
            return {"type": [choice["type"] for choice in choices]}
        return {"oneOf": choices}
    if origin is tuple:
        return {"type": "array", "items": _value(arguments[0])}
    if origin is not None and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _value(arguments[1])}
    assert is_dataclass(hint), hint
    return _object(_properties(hint))  # type: ignore[arg-type]


def _words(kind: type[Any]) -> Mapping[str, str]:
    """What stands below each field."""
    return dict(_field_docs(_tree(kind.__module__), kind.__name__))


@cache
def _tree(module: str) -> ast.Module:
    return ast.parse(inspect.getsource(import_module(module)))


def _field_docs(tree: ast.Module, name: str) -> Iterator[tuple[str, str]]:
    (body,) = (node.body for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name)
    for field, below in pairwise(body):
        if not isinstance(field, ast.AnnAssign) or not isinstance(field.target, ast.Name):
            continue
        if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
            yield field.target.id, inspect.cleandoc(str(below.value.value)).replace("\n", " ")
