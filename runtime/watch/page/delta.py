"""What has changed between two states? A page gets the whole state once, and then only that.

Pure. The form is that of a JSON merge patch (RFC 7396): a mapping has what is new or other, and null for what is gone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """The patch that makes `new` of `old`; empty where they are equal. No value of a mapping in them is None."""
    patch: dict[str, Any] = {}
    for name, value in new.items():
        before = old.get(name)
        if value is before:
            continue
        if isinstance(value, Mapping) and isinstance(before, Mapping):
            if inner := difference(before, value):
                patch[name] = inner
        elif value != before:
            patch[name] = value
    patch |= {name: None for name in old if name not in new}
    return patch


def apply_patch(old: Mapping[str, Any], patch: Mapping[str, Any]) -> dict[str, Any]:
    """What the page does with a patch; its script has the same in its own words."""
    new = dict(old)
    for name, value in patch.items():
        if value is None:
            new.pop(name, None)
        elif isinstance(value, Mapping):
            before = new.get(name)
            new[name] = apply_patch(before if isinstance(before, Mapping) else {}, value)
        else:
            new[name] = value
    return new
