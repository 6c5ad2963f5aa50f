"""Dataclasses as plain data and back, and plain data as JSON text: what `dataclasses.asdict` and
`json.dumps(indent=2)` give, in a fraction of the time. A plan of a thousand tables holds fifty thousand columns of a
few hundred types: a column is on one line, and the text of a type is made once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache, lru_cache, partial
from json.encoder import encode_basestring
from operator import attrgetter
from types import NoneType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from shardwright.compiler.plan.catalogue import ColumnType, FunctionalKey, PrefixKey
from shardwright.compiler.plan.plan import CopiedColumn
from shardwright.compiler.plan.table_parts import IDENTITIES, PLACEMENTS, Placement, ReadColumn, RowKey, SourceColumn

_SCALARS = frozenset({str, int, bool, type(None)})
_LINES = frozenset({SourceColumn, ReadColumn, CopiedColumn})


class JsonText(str):
    """JSON text that stands in other JSON text as it is."""

    __slots__ = ()


def as_data(value: Any) -> Any:
    """As `dataclasses.asdict`, also for tuples of dataclasses; nothing is copied that need not be, and what is on
    one line (`_LINES`) is that line."""
    kind: Any = type(value)
    if kind in _SCALARS:
        return value
    if kind is tuple:
        return tuple([as_data(item) for item in value])
    if kind is list:
        return [as_data(item) for item in value]
    if kind in _LINES:
        return _line(value)
    if isinstance(value, Mapping):
        return {key: as_data(item) for key, item in value.items()}
    if is_dataclass(value):
        names, values = _fields(kind)
        return {name: as_data(item) for name, item in zip(names, values(value), strict=True)}
    return value.value if isinstance(value, Enum) else value


@cache
def _fields(kind: Any) -> tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]]]:
    """The names of at least two fields, and what gives their values; not those that the class makes of the others."""
    names = tuple(field.name for field in fields(kind) if field.init)
    return names, attrgetter(*names)


_T = TypeVar("_T")
_KINDS: Mapping[type, Callable[[Mapping[str, Any]], type]] = {
    RowKey: lambda data: IDENTITIES[data["kind"]],
    Placement: lambda data: PLACEMENTS[data["kind"]],
    PrefixKey: lambda data: FunctionalKey if "expressions" in data else PrefixKey,
}
"""Which class a value has whose field names its base."""


def from_data(kind: type[_T], data: Mapping[str, Any]) -> _T:
    """The value of a dataclass: the inverse of `as_data`. What is not there has its default."""
    made: Any = _KINDS[kind](data) if kind in _KINDS else kind
    value: _T = made(**fields_from_data(made, data))
    return value


def fields_from_data(kind: type, data: Mapping[str, Any]) -> dict[str, Any]:
    """The values of some fields of a dataclass, by their types."""
    values = dict(data)
    for name, read in _read_fields(kind):
        if name in values:
            values[name] = read(values[name])
    return values


@cache
def _read_fields(kind: Any) -> tuple[tuple[str, Callable[[Any], Any]], ...]:
    """The fields whose values are others than in the data, and what makes them."""
    made = ((name, _reader(hint)) for name, hint in get_type_hints(kind).items())
    return tuple((name, read) for name, read in made if read is not None)


def _reader(hint: Any) -> Callable[[Any], Any] | None:
    """What makes a value of the type; None: it is as in the data."""
    arguments = get_args(hint)
    if isinstance(hint, type) and is_dataclass(hint):
        return partial(from_data, hint)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint
    if get_origin(hint) is tuple:
        item = _reader(arguments[0])
        return tuple if item is None else lambda values: tuple(map(item, values))
    if get_origin(hint) is Mapping:
        entry = _reader(arguments[1])
        return entry and (lambda values: {key: entry(value) for key, value in values.items()})
    if NoneType in arguments:
        present = _reader(arguments[0])
        return present and (lambda value: None if value is None else present(value))
    return None


def _line(value: Any) -> JsonText:
    kind: Any = type(value)
    names, values = _fields(kind)
    texts = [f'"{name}": {_TEXT_OF[type(item)](item)}' for name, item in zip(names, values(value), strict=True)]
    return JsonText("{" + ", ".join(texts) + "}")


@lru_cache(maxsize=4096)
def _type_line(kind: ColumnType) -> JsonText:
    """Only what differs from a type of that name and nothing else; `ColumnType(**json.loads(line))` is the type, but
    for its labels, which are a list."""
    plain = ColumnType(kind.name)
    every_type: Any = ColumnType
    names, values = _fields(every_type)
    every = zip(names, values(kind), values(plain), strict=True)
    data = {name: value for name, value, usual in every if name == "name" or value != usual}
    return JsonText(json.dumps(data, ensure_ascii=False))


_TEXT_OF: Mapping[type, Callable[[Any], str]] = {
    str: encode_basestring,
    int: repr,
    bool: {True: "true", False: "false"}.__getitem__,
    type(None): {None: "null"}.__getitem__,
    JsonText: lambda text: text,
    ColumnType: _type_line,
}


def json_pieces(data: Mapping[str, Any]) -> Iterator[str]:
    """In pieces, what `json.dumps(data, indent=2, sort_keys=True, ensure_ascii=False)` gives for dict, list, tuple,
    str, int, bool and None. A value of `data` itself may be an iterator: a list whose items are made one after the
    other, or are there already as what `item_text` made of them."""
    before = "{"
    for key in sorted(data):
        yield f"{before}\n  {encode_basestring(key)}: "
        before = ","
        if not isinstance(data[key], Iterator):
            yield _text(data[key], "\n  ")
            continue
        opening = "["
        for item in data[key]:
            yield opening + "\n    " + item_text(item)
            opening = ","
        yield "[]" if opening == "[" else "\n  ]"
    yield "{}" if before == "{" else "\n}"


def item_text(data: Any) -> JsonText:
    """The text of one item of a list that is a value of the whole."""
    return JsonText(_text(data, "\n    "))


def _text(data: Any, line: str) -> str:
    """`line` is a line break with the indentation of what is around."""
    text_of = _TEXT_OF.get(type(data))
    if text_of is not None:
        return text_of(data)
    inner = line + "  "
    if isinstance(data, dict):
        items = [f"{encode_basestring(key)}: {_text(data[key], inner)}" for key in sorted(data)]
        return "{" + inner + ("," + inner).join(items) + line + "}" if items else "{}"
    if isinstance(data, list | tuple):
        items = [_text(item, inner) for item in data]
        return "[" + inner + ("," + inner).join(items) + line + "]" if items else "[]"
    raise TypeError(f"{type(data).__name__} is no plain data")
