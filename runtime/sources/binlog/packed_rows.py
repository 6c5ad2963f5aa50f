"""Rows of one table as the log has them: they stay bytes until they become Arrow record batches of the event schema.
They are decoded column by column (`column_decoder`), or one by one where there are few.

Runs in Spark tasks. Pure.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shardwright.runtime.sources.binlog.captured_tables import CapturedTable, images_of, require_end, unreadable
from shardwright.runtime.sources.binlog.column_decoder import bytes_of, column_decoder
from shardwright.runtime.sources.binlog.column_texts import Bytes, Numbers
from shardwright.runtime.sources.binlog.damage import UNREADABLE
from shardwright.runtime.sources.binlog.events import INSERTS, UPDATES, LogEvent, images_at
from shardwright.runtime.sources.binlog.row_decoder import Image
from shardwright.runtime.sources.event import DELETE, EVENT_SCHEMA, IMAGE, INSERT, UPDATE
from shardwright.runtime.sources.positions.log_position import FIRST_OFFSET, LogPosition

BATCH_ROWS: Final = 4096
BATCH_BYTES: Final = 16 << 20
"""Of the log; large values must not pile up 4,096 times."""
FEW_ROWS: Final = 256
"""So many rows of a table are decoded one by one: what each column costs by itself is more."""


class _Origins:
    """Where rows of one table are from: an entry for the rows of each event."""

    def __init__(self) -> None:
        self._entries = array("q")

    def add(self, event: LogEvent, *, epoch: int, first: int, count: int) -> None:
        """`first`: the number of the first of these rows in the batch."""
        file = _file_number(event.file)
        self._entries.extend((epoch, file, event.start, event.line, event.timestamp, first, count))

    def entries_of(self, rows: Numbers) -> tuple[Numbers, Numbers]:
        """For each of `rows` the number of its entry, and its own number in there."""
        counts = self._numbers()[:, -1]
        ends = np.cumsum(counts)
        entries = np.searchsorted(ends, rows, side="right")
        return entries, rows - (ends - counts)[entries]

    def columns(self, rows: Numbers) -> list[pa.Array]:
        """The event schema's columns from the epoch to the time."""
        entries, within = self.entries_of(rows)
        epochs, files, offsets, lines, times, *_ = self._numbers()[entries].T
        return [
            *(pa.array(number) for number in (epochs, files, offsets)),
            pa.array((lines + within).astype(np.int32)),
            pa.array(times),
        ]

    def order(self, rows: Numbers) -> Numbers:
        """The numbers of `rows` in the batch."""
        entries, within = self.entries_of(rows)
        found: Numbers = self._numbers()[entries, -2] + within
        return found

    def _numbers(self) -> Numbers:
        return np.frombuffer(self._entries, np.int64).reshape(-1, _WIDTH)


_WIDTH: Final = 7
"""Numbers of an entry of `_Origins`."""


class PackedRows:
    """Rows of one table that events of one kind have changed."""

    def __init__(self, table: CapturedTable, op: str) -> None:
        self._table = table
        self._op = op
        self._images_of_a_row = 2 if op == UPDATE else 1
        self._columns = column_decoder(table.decoder.fields, table.decoder.order)
        self._events: list[LogEvent] = []
        self._origins = _Origins()
        self._starts = array("q")
        self._size = 0

    def __len__(self) -> int:
        return len(self._starts) // self._images_of_a_row

    def add(self, event: LogEvent, *, epoch: int, first: int) -> int:
        """Returns how many rows there are. `first`: the number of the first of them in the batch. Raises Refused where
        the images do not end with the event."""
        at, before = images_at(event), len(self._starts)
        try:
            end = self._columns.starts(event.data, at, self._size, self._starts.append)
        except UNREADABLE:
            end = -1
        count, rest = divmod(len(self._starts) - before, self._images_of_a_row)
        if end != len(event.data) or rest:
            images_of(event, self._table)  # raises, and names the column
            require_end(event, self._table, -1)
        self._origins.add(event, epoch=epoch, first=first, count=count)
        self._events.append(event)
        self._size += len(event.data)
        return count

    def batch(self) -> pa.RecordBatch:
        """All rows."""
        return self._batch(self._values(), np.arange(len(self)))

    def order(self) -> Numbers:
        """The number of each row in the batch that it was added to."""
        return self._origins.order(np.arange(len(self)))

    def last_updates(self) -> Iterator[pa.RecordBatch]:
        """The updates without those that are followed by one of the same row, where both leave the row's identity and
        place as they are."""
        values = self._values()
        rows = np.arange(len(self)) if len(self) <= FEW_ROWS else self._last(values)
        most = max(1, min(BATCH_ROWS, len(self) * BATCH_BYTES // max(self._size, 1)))
        for begin in range(0, len(rows), most):
            yield self._batch(values, rows[begin : begin + most])

    def _last(self, values: Bytes) -> Numbers:
        replaced = self._table.decoder.replaced
        assert replaced is not None and replaced.row is not None, "the caller has asked for it"
        codes = self._columns.identities(values, np.frombuffer(self._starts, np.int64), of=replaced.row)
        before, after = codes.reshape(-1, 2).T
        alike = np.flatnonzero(before == after)
        last = np.full(len(codes), -1)
        last[before[alike]] = alike  # of those that have the same index the last counts
        return np.sort(np.concatenate([last[last >= 0], np.flatnonzero(before != after)]))

    def _values(self) -> Bytes:
        return bytes_of(event.data for event in self._events)

    def _batch(self, values: Bytes, rows: Numbers) -> pa.RecordBatch:
        names = [pa.repeat(pa.scalar(name), len(rows)) for name in (self._table.name, self._op)]
        columns = [*names, *self._origins.columns(rows), *self._images(values, rows)]
        return pa.RecordBatch.from_arrays(columns, schema=EVENT_SCHEMA)

    def _images(self, values: Bytes, rows: Numbers) -> tuple[pa.Array, pa.Array]:
        """Before and after."""
        if len(rows) > FEW_ROWS:
            with suppress(*UNREADABLE):  # row by row the same failure has its place and its column
                return self._at_once(values, rows)
        before, after = zip(*self._one_by_one(rows), strict=True)
        return pa.array(before, IMAGE), pa.array(after, IMAGE)

    def _at_once(self, values: Bytes, rows: Numbers) -> tuple[pa.Array, pa.Array]:
        starts = self._starts_of(rows)
        images = self._columns.images(values, starts[:, -1])
        if self._op == UPDATE:
            return self._before_images(values, starts[:, 0], images), images
        nothing = pa.nulls(len(rows), IMAGE)
        return (nothing, images) if self._op == INSERT else (images, nothing)

    def _starts_of(self, rows: Numbers) -> Numbers:
        """Where the images of each row begin."""
        return np.frombuffer(self._starts, np.int64).reshape(-1, self._images_of_a_row)[rows]

    def _before_images(self, values: Bytes, starts: Numbers, after: pa.ListArray) -> pa.ListArray:
        """The images that updates replace: as far as they matter, or whole where the key changes."""
        replaced = self._table.decoder.replaced
        if replaced is None:
            return self._columns.images(values, starts)
        before = self._columns.images(values, starts, only=replaced.columns)
        alike = np.ones(len(starts), bool)
        for at in replaced.key:
            same = pc.equal(pc.list_element(before, at), pc.list_element(after, at))
            alike &= pc.fill_null(same, False).to_numpy(zero_copy_only=False)
        if alike.all():
            return before
        whole = self._columns.images(values, starts[~alike])
        places = np.where(alike, np.arange(len(alike)), len(alike) + np.cumsum(~alike) - 1)
        return pa.concat_arrays([before, whole]).take(pa.array(places))

    def _one_by_one(self, rows: Numbers) -> Iterator[tuple[Image | None, Image | None]]:
        entries, _ = self._origins.entries_of(rows)
        begins = np.cumsum([0, *(len(event.data) for event in self._events)])[entries]
        starts = self._starts_of(rows) - begins[:, None]
        for entry, places in zip(entries.tolist(), starts.tolist(), strict=True):
            event = self._events[entry]
            try:
                yield self._read(event, places)
            except UNREADABLE as error:
                raise unreadable(event, self._table, error) from error

    def _read(self, event: LogEvent, places: Sequence[int]) -> tuple[Image | None, Image | None]:
        decoder = self._table.decoder
        _, image = decoder.read_image(event.data, places[-1])
        if self._op != UPDATE:
            return (None, image) if self._op == INSERT else (image, None)
        _, before = decoder.read_replaced(event.data, places[0])
        if decoder.key_of(before) != decoder.key_of(image):
            _, before = decoder.read_image(event.data, places[0])
        return before, image


class PackedTables:
    """Rows by table and operation."""

    def __init__(self) -> None:
        self._held: dict[tuple[str, int, str], PackedRows] = {}
        """By table, the identity of its decoder (another one once the table was changed), and operation."""

    def of(self, event: LogEvent, table: CapturedTable) -> PackedRows:
        """Those to which the event's rows belong."""
        op = UPDATE if event.kind in UPDATES else INSERT if event.kind in INSERTS else DELETE
        key = (table.name, id(table.decoder), op)
        held = self._held.get(key)
        if held is None:
            held = self._held[key] = PackedRows(table, op)
        return held

    def take(self) -> list[PackedRows]:
        """All of them. None is held afterwards."""
        held, self._held = list(self._held.values()), {}
        return held


@lru_cache(maxsize=16)
def _file_number(file: str) -> int:
    return LogPosition(file, FIRST_OFFSET).file_number
