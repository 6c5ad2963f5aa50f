"""Whether a document has the shape its JSON Schema asks for: yes or no, without jsonschema.

Most documents are as they should be, and jsonschema takes longer to import than all the rest of this package together, and
longer to run. So it is asked only what is wrong (`shape_deviations.py`). Here stand the keywords that our schemas use, with
the meaning that jsonschema and `shape_keywords.py` give them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from shardwright.specs.shape_alternatives import Schema


def conforms(schema: Schema, data: object) -> bool:
    """True only when jsonschema would find nothing. False as well where the schema or the data hold something that is not
    known here."""
    try:
        return _holds(schema, data, schema)
    except _NotKnown:
        return False


class _NotKnown(Exception):
    pass


def _holds(schema: Schema, value: object, root: Schema) -> bool:
    reference = schema.get("$ref")
    if reference is not None:  # in draft 7 what stands beside it does not count
        return _holds(root["definitions"][reference.removeprefix("#/definitions/")], value, root)
    for keyword, limit in schema.items():
        if keyword in _SAID_ONLY:
            continue
        if keyword not in _CHECKS:
            raise _NotKnown(keyword)
        kind, check = _CHECKS[keyword]
        if isinstance(value, kind) and not check(limit, value, schema, root):
            return False
    return True


def _type(limit: str | list[str], value: object, schema: Schema, root: Schema) -> bool:
    if type(value) not in _TYPES:
        raise _NotKnown(type(value))
    if isinstance(value, float) and value.is_integer():
        raise _NotKnown(value)  # whether 1.0 is an integer is for jsonschema to say
    return any(name in _TYPES[type(value)] for name in ([limit] if isinstance(limit, str) else limit))


def _same(one: object, other: object) -> bool:
    """1 is not true."""
    if isinstance(one, list | dict) and isinstance(other, list | dict):
        raise _NotKnown(one)
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def _unique(limit: bool, value: list[object], schema: Schema, root: Schema) -> bool:
    if any(isinstance(item, list | dict) for item in value):
        raise _NotKnown(value)
    return not limit or len({(isinstance(item, bool), item) for item in value}) == len(value)


def _additional(limit: Any, value: dict[str, object], schema: Schema, root: Schema) -> bool:
    known, escapes = schema.get("properties", {}), schema.get("patternProperties", {})
    others = [key for key in value if key not in known and not any(re.search(escape, key) for escape in escapes)]
    return not others if limit is False else all(_holds(limit, value[key], root) for key in others)


def _matching(limit: Mapping[str, Schema], value: dict[str, object], schema: Schema, root: Schema) -> bool:
    return all(
        _holds(inner, value[key], root) for pattern, inner in limit.items() for key in value if re.search(pattern, key)
    )


_TYPES: Mapping[type, frozenset[str]] = {
    str: frozenset({"string"}),
    bool: frozenset({"boolean"}),
    int: frozenset({"integer", "number"}),
    float: frozenset({"number"}),
    list: frozenset({"array"}),
    dict: frozenset({"object"}),
    type(None): frozenset({"null"}),
}
_SAID_ONLY = frozenset(
    {"$schema", "$id", "title", "description", "default", "examples", "definitions", "x-says", "x-conceal"}
)
_CHECKS: Mapping[str, tuple[type | tuple[type, ...], Callable[..., bool]]] = {
    "type": (object, _type),
    "const": (object, lambda limit, value, schema, root: _same(limit, value)),
    "enum": (object, lambda limit, value, schema, root: any(_same(one, value) for one in limit)),
    "oneOf": (object, lambda limit, value, schema, root: sum(_holds(one, value, root) for one in limit) == 1),
    "pattern": (
        str,
        lambda limit, value, schema, root: re.fullmatch(limit.removesuffix("$"), value) is not None,
    ),
    "minLength": (str, lambda limit, value, schema, root: len(value) >= limit),
    "maxLength": (str, lambda limit, value, schema, root: len(value) <= limit),
    "items": (list, lambda limit, value, schema, root: all(_holds(limit, item, root) for item in value)),
    "minItems": (list, lambda limit, value, schema, root: len(value) >= limit),
    "maxItems": (list, lambda limit, value, schema, root: len(value) <= limit),
    "uniqueItems": (list, _unique),
    "properties": (
        dict,
        lambda limit, value, schema, root: all(
            _holds(inner, value[key], root) for key, inner in limit.items() if key in value
        ),
    ),
    "patternProperties": (dict, _matching),
    "additionalProperties": (dict, _additional),
    "propertyNames": (dict, lambda limit, value, schema, root: all(_holds(limit, key, root) for key in value)),
    "required": (dict, lambda limit, value, schema, root: all(key in value for key in limit)),
    "minProperties": (dict, lambda limit, value, schema, root: len(value) >= limit),
    "minimum": ((int, float), lambda limit, value, schema, root: isinstance(value, bool) or value >= limit),
    "maximum": ((int, float), lambda limit, value, schema, root: isinstance(value, bool) or value <= limit),
}
