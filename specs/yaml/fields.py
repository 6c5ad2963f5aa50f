"""Typed access to a parsed document that may not have the shape it should.

Every getter gives its default where the value is missing or of another kind: the shape check has reported that already,
and what follows can still look at the rest of the file.
"""

from __future__ import annotations

from collections.abc import Mapping


def mapping(value: object, *keys: str) -> Mapping[str, object]:
    """The mapping under `keys`; empty when there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def text(value: Mapping[str, object], key: str) -> str | None:
    found = value.get(key)
    return found if isinstance(found, str) else None


def whole(value: Mapping[str, object], key: str) -> int | None:
    found = value.get(key)
    if isinstance(found, float) and found.is_integer():
        return int(found)
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def texts(value: Mapping[str, object], key: str) -> tuple[str, ...] | None:
    """The texts of a list; None when there is no list."""
    found = value.get(key)
    return tuple(item for item in found if isinstance(item, str)) if isinstance(found, list) else None
