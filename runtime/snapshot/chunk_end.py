"""Where does the next chunk of a table end: after how many rows, and at which key? A chunk is a second or two of work
and no more bytes than a task should hold; the source itself computes the key.

Runs in the driver; reads the source server.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Step
from shardwright.compiler.plan.table_parts import SourceName
from shardwright.runtime.mysql.estimates import Estimate
from shardwright.runtime.mysql.keys import Key, set_key, source_sql
from shardwright.runtime.mysql.transactions import query
from shardwright.runtime.snapshot.changed_table import as_planned

FIRST_ROWS: Final = 10_000
"""Small, so that the first rows reach the shards at once and the first measure comes soon."""
_UNMEASURED: Final = 4
"""Chunks that are planned before the first measure comes get larger, up to so many times FIRST_ROWS."""
SECONDS: Final = 1.5
BYTES: Final = 32 << 20
_GROWTH: Final = 3.0
_MOST_ROWS: Final = 1_000_000
_SMOOTHING: Final = 0.5
_LAST: Final = 4
"""The last chunks of a table have no less than this part of the usual rows."""


@dataclass
class ChunkSize:
    """How many rows the next chunk has, as measured on those before. Several threads may use it."""

    fixed: int | None = None
    """Rows of every chunk, as the environment says; None: as measured."""
    least: int = 1_000
    """Rows; they make a chunk's transactions, one for each shard, worth their commit."""
    left: Estimate | None = None
    """What is still to be copied, as the source's server estimates it. None: unknown."""
    at_once: int = 1
    """How many chunks are copied at the same time."""
    _rows: float = FIRST_ROWS
    _measured: bool = False
    _bytes_a_row: float = 0.0
    _rows_left: int | None = field(init=False, default=None)
    _lock: threading.Lock = field(init=False, default_factory=threading.Lock)

    def __post_init__(self) -> None:
        if self.left is not None and self.left.rows:
            self._rows_left = self.left.rows
            self._bytes_a_row = self.left.bytes / self.left.rows

    def next_rows(self, most: int | None = None) -> int:
        """Called once for each chunk that is planned. `most`: the cap on copied rows per second, None without one."""
        with self._lock:
            rows = self.fixed or self._short_of_the_end(self._usual_rows())
            rows = rows if most is None else min(rows, most)
            if self._rows_left is not None:
                self._rows_left -= rows
            if not self._measured:
                self._rows = min(2 * self._rows, _UNMEASURED * FIRST_ROWS)
            return rows

    def _usual_rows(self) -> int:
        rows = min(self._rows, float(_MOST_ROWS))
        if self._bytes_a_row:
            rows = min(rows, BYTES / self._bytes_a_row)
        return max(1, int(max(rows, min(self.least, BYTES / max(self._bytes_a_row, 1.0)))))

    def _short_of_the_end(self, rows: int) -> int:
        """The last chunks are shorter, so that all tasks end at about the same time: the remaining rows divided by the
        tasks (guided self-scheduling, Polychronopoulos and Kuck 1987). Not where the estimate was far too low."""
        if self._rows_left is None or self._rows_left < -rows:
            return rows
        least = max(rows // _LAST, self.least, FIRST_ROWS)
        return min(rows, max(least, self._rows_left // self.at_once))

    def learn(self, rows: int, size: int, seconds: float) -> None:
        """A chunk of `rows` and `size` bytes took `seconds`, from the begin of its read to the last commit."""
        if not rows:
            return
        with self._lock:
            wide = size / rows
            # Rows that have become wider count at once, or the next chunk would not fit into memory.
            known = self._bytes_a_row if self._measured else wide
            self._bytes_a_row = max(wide, known + _SMOOTHING * (wide - known))
            wanted = rows * SECONDS / max(seconds, 1e-3)
            if not self._measured:
                self._rows, self._measured = float(rows), True
            if wanted < self._rows:
                wanted = self._rows + _SMOOTHING * (wanted - self._rows)
            self._rows = max(1.0, min(wanted, self._rows * _GROWTH))


_STRIDES: Final = 32
_LEAST: Final = 50
"""Rows of a stride, so that reading the row at its end stays cheap. Only among rows that have turned out long are there
fewer."""
_MOST: Final = 2_000
"""Rows of a stride, however large the chunk: long rows within one stride are not seen."""
_OVERSHOOT: Final = 4
"""A stride may go past the limit by this part of it."""


@dataclass(frozen=True, slots=True)
class ChunkEnds:
    """Finds where the chunks of one source table end."""

    step: Step
    """The table's statements that find an end (chunk-bound)."""
    source: SourceName
    """The source table."""
    reader: Connection[Any]
    """A connection to its server."""
    most_bytes: int | None
    """About how many bytes of long values a chunk may have; None: it is not asked."""

    def after(self, low: Key | None, rows: int) -> Key | None:
        """The last key of the chunk after `low`: of as many `rows`, or of about `most_bytes` if that is less. None: no
        more rows than that are left. Raises Refused when the table is no longer the plan's (SW8128)."""
        walk = _SourceWalk(self.step, self.source, self.reader)
        with as_planned(self.source):
            if self.most_bytes is None or not self.step.has("bytes"):
                return walk.on(low, rows)
            return by_bytes(walk, low, rows=rows, most_bytes=self.most_bytes)


class Walk(Protocol):
    """Along a table's key."""

    def on(self, low: Key | None, rows: int) -> Key | None:
        """The key so many rows after `low`; None: there are fewer."""
        ...

    def bytes_at(self, key: Key) -> int:
        """Bytes of the long values in the row of `key`; 0 when that row has just been deleted."""
        ...


def by_bytes(walk: Walk, low: Key | None, *, rows: int, most_bytes: int) -> Key | None:
    """See `ChunkEnds.after`."""
    at, size, left = low, 0, rows
    to_long = 0  # rows from `at` to a long row that was found; 0: none is known
    usual = stride = min(max(_LEAST, rows // _STRIDES), _MOST)
    if low is not None and (long := walk.bytes_at(low)):
        # The chunk before may have ended among long rows, and the first whole stride could skip the rest of these.
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
            continue  # again, with a shorter stride
        at, size, left = end, size + long * stride, left - stride
        to_long = max(0, to_long - stride)
        # Strides that have become short grow again, but not past the long row: all long rows around it would be
        # skipped.
        stride = min(usual, 2 * stride, to_long or usual)
    return at


class _SourceWalk:
    def __init__(self, step: Step, source: SourceName, reader: Connection[Any]) -> None:
        self._step = step
        self._source = source
        self._reader = reader
        self._low: Key | None = None

    def on(self, low: Key | None, rows: int) -> Key | None:
        self._set_low(low)
        sql = source_sql(self._step.statement("first" if low is None else "next"), self._source)
        found = query(self._reader, sql.replace("`${chunk_rows}`", str(rows - 1)))
        return tuple(str(value) for value in found[0]) if found else None

    def bytes_at(self, key: Key) -> int:
        self._set_low(key)
        found = query(self._reader, source_sql(self._step.statement("bytes"), self._source))
        return int(found[0][0]) if found else 0

    def _set_low(self, key: Key | None) -> None:
        if key != self._low:
            set_key(self._reader, "sw_low", key)
            self._low = key
