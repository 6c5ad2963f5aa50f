"""How is a table cut into key ranges that cover it without gap or overlap?

Runs in the driver; reads the source server.
"""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.compiler.plan.table_parts import SourceName
from shardwright.runtime.failures import CouldNotCheck
from shardwright.runtime.verify.key_range import Key, KeyRange, in_strides
from shardwright.runtime.verify.source_end import SourceEnd

_TRIES = 3


def ranges(source: SourceEnd, *, steps: int, low: Key | None = None) -> Iterator[KeyRange]:
    """All keys above `low`, open at the end, in ranges of `steps` boundaries of the largest source table each."""
    name = source.largest()
    start, number = low, 0
    while (key := _boundary(source, name, KeyRange(low, None))) is not None:
        low, number = key, number + 1
        if number == steps:
            yield in_strides(KeyRange(start, key)) if source.has_strides else KeyRange(start, key)
            start, number = key, 0
    yield KeyRange(start, None)


def _boundary(source: SourceEnd, name: SourceName, over: KeyRange) -> Key | None:
    """The next boundary, proved. A key that the server does not find again would make every range after it empty, on
    both sides alike, and the tables would seem equal. (A boundary may also have been deleted meanwhile: then another is
    taken.)"""
    key = None
    for _ in range(_TRIES):
        key = source.boundary(name, over)
        if key is None or source.has(name, key):
            return key
    raise CouldNotCheck("SW8503", f"{name}: key {key} cannot bound a range, the server does not find it again")
