"""The JSON Schema validator, with the few keywords that are checked differently from jsonschema's way.

Importing this module imports jsonschema.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from jsonschema import Draft7Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend

from shardwright.specs.shape.deviations import Schema


class _KeyError(ValidationError):
    """Marks, inside an error's context, that the error is about a key and not about a value."""


def make_validator(schema: Schema) -> Draft7Validator:
    """A validator for the schema, with our keywords."""
    validator: Draft7Validator = extend(Draft7Validator, _KEYWORDS)(schema)  # type: ignore[no-untyped-call]
    return validator


def is_about_key(error: ValidationError) -> bool:
    """Whether the error's value is a key."""
    return any(isinstance(inner, _KeyError) for inner in error.context or ())


def _pattern(validator: Any, pattern: str, instance: object, schema: Schema) -> Iterator[ValidationError]:
    """The whole text must match: Python's `$` would accept a line break after it."""
    if isinstance(instance, str) and not re.fullmatch(pattern.removesuffix("$"), instance):
        yield ValidationError("the text does not match")


def _additional_properties(
    validator: Any, allowed: object, instance: object, schema: Schema
) -> Iterator[ValidationError]:
    """One error for each unknown key, whose path ends in that key."""
    if not isinstance(instance, dict):
        return
    escapes = schema.get("patternProperties", {})
    for key, value in instance.items():
        if key in schema.get("properties", {}) or any(re.search(escape, key) for escape in escapes):
            continue
        if allowed is False:
            yield ValidationError("unknown key", path=(key,))
        else:
            yield from validator.descend(value, allowed, path=key)


def _property_names(validator: Any, names: object, instance: object, schema: Schema) -> Iterator[ValidationError]:
    """The error's path ends in the key that is wrong."""
    for key in instance if isinstance(instance, dict) else ():
        for error in validator.descend(instance=key, schema=names):
            error.path.appendleft(key)
            error.context.append(_KeyError("about a key"))
            yield error


def _require_keys(validator: Any, names: list[str], instance: object, schema: Schema) -> Iterator[ValidationError]:
    """The message is the missing key itself."""
    for name in names if isinstance(instance, dict) else ():
        if name not in instance:  # type: ignore[operator]  # a mapping, see the line before
            yield ValidationError(name)


def _require_otherwise(
    validator: Any, condition: Schema, instance: object, schema: Schema
) -> Iterator[ValidationError]:
    """`if` and `else`, where `else` has `required` alone: the error is that of the schema around it."""
    if not validator.evolve(schema=condition).is_valid(instance):
        for error in _require_keys(validator, schema["else"]["required"], instance, schema):
            yield ValidationError(error.message, validator="required")


_KEYWORDS: Mapping[str, Any] = {
    "pattern": _pattern,
    "additionalProperties": _additional_properties,
    "propertyNames": _property_names,
    "required": _require_keys,
    "if": _require_otherwise,
}
