"""Cutting a table into key ranges that cover it without gap or overlap."""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.compiler.plan import SourceName
from shardwright.runtime.verify.key_range import Key, KeyRange
from shardwright.runtime.verify.sessions import CouldNotCheck
from shardwright.runtime.verify.source_end import SourceEnd

_TRIES = 3


def ranges(source: SourceEnd, *, steps: int, low: Key | None = None) -> Iterator[KeyRange]:
    """All keys above `low`, open at the end, in ranges of `steps` boundaries of the largest source table each."""
    name = source.largest()
    inner: list[Key] = []
    for key in _boundaries(source, name, KeyRange(low, None), statement="split"):
        inner.append(key)
        if len(inner) == steps:
            yield KeyRange(low, key, tuple(inner[:-1]))
            low, inner = key, []
    yield KeyRange(low, None, tuple(inner))


def small_ranges(source: SourceEnd, name: SourceName, over: KeyRange) -> Iterator[KeyRange]:
    """A range cut so small that its keys can be listed."""
    keys = tuple(_boundaries(source, name, over, statement="split_small"))
    return KeyRange(over.low, over.high, keys).pieces()


def _boundaries(source: SourceEnd, name: SourceName, over: KeyRange, *, statement: str) -> Iterator[Key]:
    low = over.low
    while True:
        key = _boundary(source, name, KeyRange(low, over.high), statement=statement)
        if key is None or key == over.high:
            return
        yield key
        low = key


def _boundary(source: SourceEnd, name: SourceName, over: KeyRange, *, statement: str) -> Key | None:
    """The next boundary, proved: a key that the server does not find again would make every range after it empty, on
    both sides alike, and the tables look equal. (A boundary may also have been deleted meanwhile: then another is taken.)
    """
    key = None
    for _ in range(_TRIES):
        key = source.boundary(name, over, statement=statement)
        if key is None or source.has(name, key):
            return key
    raise CouldNotCheck("SW8503", f"{name}: key {key} cannot bound a range, the server does not find it again")
