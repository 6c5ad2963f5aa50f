"""A parsed YAML file: plain data, the place of every value and key, and typed access to a document that may not have
the shape it should.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from shardwright.specs.findings.diagnostics import Path, Places, Span
from shardwright.specs.yaml.scalars import seconds


@dataclass(frozen=True, slots=True)
class YamlSource(Places):
    """A parsed file. `data` holds dict, list, str, int, float, bool and None only; keys are always text.

    A quoted scalar's span covers what is between the quotes and a block scalar's begins at its first line of text, so
    that an offset inside the text can be added to it. `refused` are the paths whose value was left out because of a
    finding: nothing more should be said about them. `incomplete` are mappings that lost an entry that way: what seems
    to be missing there may have been written.
    """

    file: str
    data: object
    spans: Mapping[Path, Span]
    key_spans: Mapping[Path, Span]
    refused: frozenset[Path]
    incomplete: frozenset[Path]


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


def duration(value: Mapping[str, object], key: str, default: float) -> float:
    """In seconds."""
    found = seconds(text(value, key) or "")
    return default if found is None else found


def texts(value: Mapping[str, object], key: str) -> tuple[str, ...] | None:
    """The texts of a list; None when there is no list."""
    found = value.get(key)
    return tuple(item for item in found if isinstance(item, str)) if isinstance(found, list) else None
