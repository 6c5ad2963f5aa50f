"""Where the next chunk of a table ends: the source walks its key so many rows on.

Where rows may be long, it walks in strides, and the row at the end of each says how long its values are: some dozens of rows tell how many bytes
the chunk has, and a stretch of long rows among short ones ends it early instead of making it a straggler that fills a task's memory.
"""

from __future__ import annotations

from typing import Any, Final, Protocol

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan, SourceName, Step, StepName, TablePlan
from shardwright.runtime.mysql.keys import Key, set_key, source_sql
from shardwright.runtime.mysql.transactions import query
from shardwright.runtime.snapshot.changed_table import as_planned

_STRIDES: Final = 32
_LEAST: Final = 50
"""Rows of a stride, so that looking at rows stays cheap; fewer only among rows that have turned out long."""
_MOST: Final = 2_000
"""Rows of a stride, however large the chunk: a stretch of long rows within one is not seen."""
_OVERSHOOT: Final = 4
"""A stride may go past the limit by this part of it."""


def next_end(
    plan: Plan,
    table: TablePlan,
    source: SourceName,
    *,
    reader: Connection[Any],
    low: Key | None,
    rows: int,
    most_bytes: int | None = None,
) -> Key | None:
    """The last key of the chunk after `low`: of as many `rows`, or of about `most_bytes` of long values if that is less. None: no more rows
    than that are left. Raises Refused when the table is no longer the plan's (SW8128)."""
    walk = _SourceWalk(plan.step(table.logical, StepName.CHUNK_BOUND), source, reader)
    with as_planned(source):
        if most_bytes is None or not walk.step.has("bytes"):
            return walk.on(low, rows)
        return by_bytes(walk, low, rows=rows, most_bytes=most_bytes)


class Walk(Protocol):
    """Along a table's key."""

    def on(self, low: Key | None, rows: int) -> Key | None:
        """The key so many rows after `low`; None: there are fewer."""
        ...

    def bytes_at(self, key: Key) -> int:
        """Of the long values there; 0 when the row has just been deleted."""
        ...


def by_bytes(walk: Walk, low: Key | None, *, rows: int, most_bytes: int) -> Key | None:
    """See `next_end`."""
    at, size, left = low, 0, rows
    to_long = 0  # rows from `at` to a long row that was met; 0: none is known
    usual = stride = min(max(_LEAST, rows // _STRIDES), _MOST)
    if low is not None and (long := walk.bytes_at(low)):
        # The chunk before may have ended within a stretch of long rows, and the first whole stride could leap over what is left of it.
        stride = max(1, min(stride, most_bytes // _OVERSHOOT // long))
    while left > 0 and size < most_bytes:
        stride = min(stride, left)
        end = walk.on(at, stride)
        if end is None:
            if stride == 1:
                return None
            usual = stride = stride // 2  # the table's last rows may be long, too
            continue
        long = walk.bytes_at(end)
        if stride > 1 and long * stride > most_bytes // _OVERSHOOT:
            to_long = stride
            stride = max(1, min(stride - 1, most_bytes // _OVERSHOOT // long))
            continue  # not so far, then
        at, size, left = end, size + long * stride, left - stride
        to_long = max(0, to_long - stride)
        # Strides that have become short grow again, but not past the long row: its whole stretch would be leapt over.
        stride = min(usual, 2 * stride, to_long or usual)
    return at


class _SourceWalk:
    def __init__(self, step: Step, source: SourceName, reader: Connection[Any]) -> None:
        self.step = step
        self._source = source
        self._reader = reader
        self._low: Key | None = None

    def on(self, low: Key | None, rows: int) -> Key | None:
        self._set_low(low)
        sql = source_sql(self.step.statement("first" if low is None else "next"), self._source)
        found = query(self._reader, sql.replace("`${chunk_rows}`", str(rows - 1)))
        return tuple(str(value) for value in found[0]) if found else None

    def bytes_at(self, key: Key) -> int:
        self._set_low(key)
        found = query(self._reader, source_sql(self.step.statement("bytes"), self._source))
        return int(found[0][0]) if found else 0

    def _set_low(self, key: Key | None) -> None:
        if key != self._low:
            set_key(self._reader, "sw_low", key)
            self._low = key
