"""Dataclasses as plain data, and plain data as JSON text: what `dataclasses.asdict` and `json.dumps(indent=2)` give, in a
fraction of the time. A plan of a thousand tables holds fifty thousand columns of a few hundred types: a type is written once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache, lru_cache
from json.encoder import encode_basestring
from typing import Any

from shardwright.compiler.catalogue import ColumnType


class Shared(dict[str, Any]):
    """Data that stands in many places. Never changed."""


def as_data(value: Any) -> Any:
    """As `dataclasses.asdict`, also for tuples of dataclasses; nothing is copied that need not be."""
    kind: Any = type(value)
    if kind is str or kind is int or value is None or kind is bool:
        return value
    if kind is ColumnType:
        return _type_data(value)
    if kind is tuple:
        return tuple(as_data(item) for item in value)
    if kind is list:
        return [as_data(item) for item in value]
    if isinstance(value, Mapping):
        return {key: as_data(item) for key, item in value.items()}
    if is_dataclass(value):
        return {name: as_data(getattr(value, name)) for name in _names(kind)}
    return value


@cache
def _names(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


@lru_cache(maxsize=4096)
def _type_data(kind: ColumnType) -> Shared:
    return Shared({name: as_data(getattr(kind, name)) for name in _names(ColumnType)})


_Texts = dict[tuple[int, str], tuple[Shared, str]]
"""By the id of shared data, which is kept so that its id stays its own, and the line break before it."""


def json_pieces(data: Mapping[str, Any]) -> Iterator[str]:
    """In pieces, what `json.dumps(data, indent=2, sort_keys=True, ensure_ascii=False)` gives for dict, list, tuple, str, int,
    bool and None. A value of `data` itself may be an iterator: a list whose items are made one after the other."""
    shared: _Texts = {}
    before = "{"
    for key in sorted(data):
        yield f"{before}\n  {encode_basestring(key)}: "
        before = ","
        if not isinstance(data[key], Iterator):
            yield _text(data[key], "\n  ", shared)
            continue
        opening = "["
        for item in data[key]:
            yield opening + "\n    " + _text(item, "\n    ", shared)
            opening = ","
        yield "[]" if opening == "[" else "\n  ]"
    yield "{}" if before == "{" else "\n}"


def _text(data: Any, line: str, shared: _Texts) -> str:
    """`line` is a line break with the indentation of what is around."""
    if isinstance(data, str):
        return encode_basestring(data)
    if data is None or isinstance(data, bool):
        return "null" if data is None else "true" if data else "false"
    if isinstance(data, int):
        return int.__repr__(data)
    known = shared.get((id(data), line)) if isinstance(data, Shared) else None
    if known is not None:
        return known[1]
    inner = line + "  "
    if isinstance(data, dict):
        items = [f"{encode_basestring(key)}: {_text(data[key], inner, shared)}" for key in sorted(data)]
        text = "{" + inner + ("," + inner).join(items) + line + "}" if items else "{}"
    elif isinstance(data, list | tuple):
        items = [_text(item, inner, shared) for item in data]
        text = "[" + inner + ("," + inner).join(items) + line + "]" if items else "[]"
    else:
        raise TypeError(f"{type(data).__name__} is no plain data")
    if isinstance(data, Shared):
        shared[(id(data), line)] = data, text
    return text
