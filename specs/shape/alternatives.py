"""Which alternative of a `oneOf` did the author have in mind? Decided by the value's type, then by its keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Schema = Mapping[str, Any]

_TYPES: dict[type, tuple[str, ...]] = {
    str: ("string",),
    bool: ("boolean",),
    int: ("integer", "number"),
    float: ("number",),
    list: ("array",),
    dict: ("object",),
}


def meant_alternative(branches: Sequence[Schema], value: object) -> int | None:
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
