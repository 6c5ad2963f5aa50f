"""What of a document is not as its JSON Schema asks, by jsonschema, reduced to one plain value for each thing that is
wrong. Which alternative of a `oneOf` the author meant is decided by the value's type, then by its keys.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from shardwright.specs.findings.diagnostics import Path

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError


Schema = Mapping[str, Any]

_TYPES: dict[type, tuple[str, ...]] = {
    str: ("string",),
    bool: ("boolean",),
    int: ("integer", "number"),
    float: ("number",),
    list: ("array",),
    dict: ("object",),
}


def find_alternative(branches: Sequence[Schema], value: object) -> int | None:
    """The index of the alternative that was meant; None when the value fits none of them, or several."""
    fitting = [index for index, branch in enumerate(branches) if fits_type(branch, value)]
    if len(fitting) > 1 and isinstance(value, dict):
        fitting = [index for index in fitting if distinctive_key(branches[index]) in value]
    return fitting[0] if len(fitting) == 1 else None


def fits_type(branch: Schema, value: object) -> bool:
    """Whether the alternative takes values of this kind at all."""
    return branch.get("type") in _TYPES.get(type(value), ())


def distinctive_key(branch: Schema) -> str | None:
    """The key that tells this mapping from the other alternatives: the first required one, by our own convention."""
    required = branch.get("required", ())
    return required[0] if required else None


@dataclass(frozen=True, slots=True)
class Deviation:
    """One thing that is wrong: `keyword` of the schema with its `limit` does not hold for `value`.

    `schema` is the part of the schema that holds the keyword; `detail` is the missing key for `required`; `about_key`
    says that the value is the key that `path` ends in. For `oneOf` the limit holds the alternatives, references
    resolved.
    """

    keyword: str
    limit: Any
    value: Any
    schema: Schema
    path: Path
    detail: str
    about_key: bool


def deviations(schema: Schema, data: object) -> Iterator[Deviation]:
    """Everything in the data that is not as the schema asks."""
    # Imported here: jsonschema takes longer to import than everything else of this package together.
    from shardwright.specs.shape.keywords import make_validator

    for error in make_validator(schema).iter_errors(data):
        yield from _refine(error, schema)


def _refine(error: ValidationError, root: Schema) -> Iterator[Deviation]:
    """The errors of the alternative that was meant, or the error itself."""
    inner = error.context or ()
    if error.validator == "oneOf":
        branches = [_resolve(branch, root) for branch in _limit(error)]
        meant = find_alternative(branches, error.instance)
        if meant is None:
            yield _deviation(error, branches)
            return
        inner = [one for one in inner if one.relative_schema_path[0] == meant]
    elif error.validator != "allOf":
        yield _deviation(error, error.validator_value)
        return
    for one in inner:
        yield from _refine(one, root)


def _limit(error: ValidationError) -> list[Schema]:
    return list(error.validator_value)  # type: ignore[arg-type]  # typed as possibly unset


def _deviation(error: ValidationError, limit: object) -> Deviation:
    from shardwright.specs.shape.keywords import is_about_key

    assert isinstance(error.schema, dict)
    path: Path = tuple(error.absolute_path)
    return Deviation(
        str(error.validator), limit, error.instance, error.schema, path, error.message, is_about_key(error)
    )


def _resolve(branch: Schema, root: Schema) -> Schema:
    reference = branch.get("$ref")
    if reference is None:
        return branch
    resolved: Schema = root["definitions"][reference.rsplit("/", 1)[1]]
    return resolved
