"""How rows of the log become an Arrow record batch of the event schema.

Runs in Spark tasks. Pure. Rows stay bytes until the batch is full. Then those of each table are decoded column by
column (`column_decoder`), or one by one where there are few.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Final, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from shardwright.runtime.sources.binlog.column_decoder import ColumnDecoder, bytes_of, column_decoder
from shardwright.runtime.sources.binlog.column_texts import Bytes, Numbers
from shardwright.runtime.sources.binlog.damaged import UNREADABLE
from shardwright.runtime.sources.binlog.events import INSERTS, UPDATES, LogEvent
from shardwright.runtime.sources.binlog.followed import FollowedTable, first_image_at, images_of
from shardwright.runtime.sources.binlog.position import FIRST_OFFSET, LogPosition
from shardwright.runtime.sources.binlog.row_decoder import Image
from shardwright.runtime.sources.binlog.update_chains import Chain, UpdatedRow, decoded
from shardwright.runtime.sources.event import DELETE, EVENT_SCHEMA, INSERT, UPDATE

BATCH_ROWS: Final = 4096
BATCH_BYTES: Final = 16 << 20
"""Of the log; large values must not pile up 4,096 times."""
FEW_ROWS: Final = 256
"""So many rows of a table are decoded one by one: what each column costs by itself is more."""
_IMAGES: Final = EVENT_SCHEMA.field("after").type


class BatchBuilder:
    """Collects rows until `take`."""

    def __init__(self, epoch: int = 0) -> None:
        self._epoch = epoch
        self._clear()

    def _clear(self) -> None:
        self.rows = 0
        self._bytes = 0
        self._decoded: dict[str, _DecodedRows] = {}
        self._packed: dict[tuple[str, int, _Form], _PackedRows] = {}
        """By table, the identity of its decoder (another one once the table was changed), and form."""

    @property
    def full(self) -> bool:
        return self.rows >= BATCH_ROWS or self._bytes >= BATCH_BYTES

    def add(self, event: LogEvent, table: FollowedTable) -> None:
        packed = self._packed_of(table, "updates" if event.kind in UPDATES else "images")
        count = packed.add(event, epoch=self._epoch, first=self.rows)
        if count is None:
            count = self._decoded_of(table).add(event, table, epoch=self._epoch, first=self.rows)
        self._added(count, len(event.data))

    def add_change(self, change: UpdatedRow) -> None:
        self._decoded_of(change.table).add_change(change, first=self.rows)
        self._added(1, len(change.event.data) // change.rows)

    def add_chains(self, table: FollowedTable, chains: Sequence[Chain]) -> None:
        """Of one table, as many as `parted` gives."""
        if self._packed_of(table, "chains").add_chains(chains, first=self.rows):
            self._added(len(chains), sum(map(_size, chains)))
            return
        for chain in chains:
            self.add_change(decoded(table, chain))

    def _added(self, rows: int, size: int) -> None:
        self.rows += rows
        self._bytes += size

    def _packed_of(self, table: FollowedTable, form: _Form) -> _PackedRows:
        key = (table.name, id(table.decoder), form)
        rows = self._packed.get(key)
        if rows is None:
            rows = self._packed[key] = _PackedRows(table, form)
        return rows

    def _decoded_of(self, table: FollowedTable) -> _DecodedRows:
        return self._decoded.setdefault(table.name, _DecodedRows(table.name))

    def take(self) -> pa.RecordBatch:
        """The rows in the order in which they came."""
        held: list[_DecodedRows | _PackedRows] = [*self._decoded.values(), *self._packed.values()]
        parts = [part for part in held if part.origins.rows]
        self._clear()
        batches = [part.batch() for part in parts]
        if len(batches) == 1:
            return batches[0]
        order = np.argsort(np.concatenate([part.origins.order() for part in parts]))
        (taken,) = pa.Table.from_batches(batches).take(pa.array(order)).combine_chunks().to_batches()
        return taken


def parted(chains: Sequence[Chain]) -> Iterator[Sequence[Chain]]:
    """So many at a time that they are about a batch."""
    size = sum(map(_size, chains))
    rows = min(BATCH_ROWS, 1 + len(chains) * BATCH_BYTES // max(size, 1))
    for begin in range(0, len(chains), rows):
        yield chains[begin : begin + rows]


def _size(chain: Chain) -> int:
    """In bytes."""
    _, _, _, at, end = chain
    return end - at


class _Origins:
    """Where rows of one table are from: an entry for some rows of an event, which follow one another."""

    def __init__(self, table: str) -> None:
        self._table = table
        self._entries = array("q")

    def add(self, event: LogEvent, *, epoch: int, first: int, count: int, row: int = 0) -> None:
        """`first`: the number of the first of these rows in the batch; `row`: its number in the event."""
        op = _UPDATED if event.kind in UPDATES else _INSERTED if event.kind in INSERTS else _DELETED
        file, line = _file_number(event.file), event.line + row
        self._entries.extend((op, epoch, file, event.start, line, event.timestamp, first, count))

    @property
    def rows(self) -> int:
        return sum(self._entries[_WIDTH - 1 :: _WIDTH])

    def order(self) -> Numbers:
        *_, first, within = self._numbers()
        return first + within

    def are(self, op: str) -> npt.NDArray[np.bool_]:
        found: npt.NDArray[np.bool_] = self._numbers()[0] == _OPS.index(op)
        return found

    def columns(self) -> list[pa.Array]:
        """All columns of the event schema but the images."""
        ops, epochs, files, offsets, lines, times, _, within = self._numbers()
        return [
            pa.repeat(pa.scalar(self._table), len(ops)),
            pa.array(_OPS).take(pa.array(ops)),
            *(pa.array(number) for number in (epochs, files, offsets)),
            pa.array((lines + within).astype(np.int32)),
            pa.array(times),
        ]

    def _numbers(self) -> Sequence[Numbers]:
        """Those of `add`, for each row; instead of the count the row's number within its entry."""
        entries = np.frombuffer(self._entries, np.int64).reshape(-1, _WIDTH)
        counts = entries[:, -1]
        begins = np.cumsum(counts) - counts
        found = np.repeat(entries, counts, axis=0)
        within = np.arange(len(found)) - np.repeat(begins, counts)
        return [*found.T[:-1], within]


_WIDTH: Final = 8
"""Numbers of an entry of `_Origins`."""
_OPS: Final = (INSERT, UPDATE, DELETE)
_INSERTED, _UPDATED, _DELETED = range(3)


class _DecodedRows:
    """Rows of one table that are decoded one by one."""

    def __init__(self, table: str) -> None:
        self.origins = _Origins(table)
        self._before: list[Image | None] = []
        self._after: list[Image | None] = []

    def add(self, event: LogEvent, table: FollowedTable, *, epoch: int, first: int) -> int:
        """Returns how many rows there are."""
        before, after = _read(event, table)
        self.origins.add(event, epoch=epoch, first=first, count=len(after))
        self._before += before
        self._after += after
        return len(after)

    def add_change(self, change: UpdatedRow, *, first: int) -> None:
        self.origins.add(change.event, epoch=change.epoch, first=first, count=1, row=change.row)
        self._before.append(change.before)
        self._after.append(change.after)

    def batch(self) -> pa.RecordBatch:
        columns = [*self.origins.columns(), pa.array(self._before, _IMAGES), pa.array(self._after, _IMAGES)]
        return pa.RecordBatch.from_arrays(columns, schema=EVENT_SCHEMA)


def _read(event: LogEvent, table: FollowedTable) -> tuple[Sequence[Image | None], Sequence[Image | None]]:
    """The images before and after, row by row."""
    images = images_of(event, table)
    nothing: list[Image | None] = [None] * len(images)
    if event.kind in UPDATES:
        return images[0::2], images[1::2]
    return (nothing, images) if event.kind in INSERTS else (images, nothing)


_Form = Literal["images", "updates", "chains"]
"""What the rows of a `_PackedRows` are: those that events insert or delete, with one image each; updates, with two; or
chains, of which the second image is enough."""


class _PackedRows:
    """Rows of one table as the log has them."""

    def __init__(self, table: FollowedTable, form: _Form) -> None:
        self.origins = _Origins(table.name)
        self._table = table
        self._form = form
        self._columns = column_decoder(table.decoder.fields, table.decoder.order)
        self._images_of_a_row = 2 if form == "updates" else 1
        self._rows: list[LogEvent | Chain] = []
        self._parts: list[bytes] = []
        self._starts = array("q")
        self._size = 0

    def add(self, event: LogEvent, *, epoch: int, first: int) -> int | None:
        """Returns how many rows there are; None where they are to be read one by one, so that what is wrong with them
        is named."""
        at = first_image_at(event, self._table)
        if self._columns is None:
            return None
        before = len(self._starts)
        try:
            end = self._columns.starts(event.data, at, self._size, self._starts.append)
        except UNREADABLE:
            end = -1
        count, rest = divmod(len(self._starts) - before, self._images_of_a_row)
        if end != len(event.data) or rest:
            del self._starts[before:]
            return None
        self.origins.add(event, epoch=epoch, first=first, count=count)
        self._rows.append(event)
        self._part(event.data)
        return count

    def add_chains(self, chains: Sequence[Chain], *, first: int) -> bool:
        """Returns whether they were added."""
        if self._columns is None:
            return False
        add, starts = self.origins.add, self._starts
        for number, (event, epoch, row, at, end) in enumerate(chains, first):
            starts.append(self._size)
            self._part(event.data[at:end])
            add(event, epoch=epoch, first=number, count=1, row=row)
        self._rows += chains
        return True

    def _part(self, data: bytes) -> None:
        self._parts.append(data)
        self._size += len(data)

    def batch(self) -> pa.RecordBatch:
        before, after = self._before_and_after()
        return pa.RecordBatch.from_arrays([*self.origins.columns(), before, after], schema=EVENT_SCHEMA)

    def _before_and_after(self) -> tuple[pa.ListArray, pa.ListArray]:
        if self._columns is not None and self.origins.rows > FEW_ROWS:
            with suppress(*UNREADABLE):  # row by row the same failure has its place and its column
                return self._at_once(self._columns)
        return self._one_by_one()

    def _at_once(self, columns: ColumnDecoder) -> tuple[pa.ListArray, pa.ListArray]:
        starts = np.frombuffer(self._starts, np.int64)
        values = bytes_of(self._parts)
        replaced = self._table.decoder.replaced
        if self._form == "chains" and replaced is not None:
            return columns.images_twice(values, starts, only=replaced.columns)
        if self._form == "updates":
            after = columns.images(values, starts[1::2])
            return self._replaced(columns, values, starts[0::2], after), after
        images, inserts = columns.images(values, starts), self.origins.are(INSERT)
        nothing = pa.nulls(len(images), _IMAGES)
        if inserts.all():
            return nothing, images
        mask = pa.array(inserts)
        return pc.if_else(mask, nothing, images), pc.if_else(mask, images, nothing)

    def _replaced(self, columns: ColumnDecoder, values: Bytes, starts: Numbers, after: pa.ListArray) -> pa.ListArray:
        """The images that updates replace: as far as they matter, or whole where the key changes."""
        replaced = self._table.decoder.replaced
        if replaced is None:
            return columns.images(values, starts)
        before = columns.images(values, starts, only=replaced.columns)
        alike = np.ones(len(starts), bool)
        for at in replaced.key:
            same = pc.equal(pc.list_element(before, at), pc.list_element(after, at))
            alike &= pc.fill_null(same, False).to_numpy(zero_copy_only=False)
        if alike.all():
            return before
        whole = columns.images(values, starts[~alike])
        places = np.where(alike, np.arange(len(alike)), len(alike) + np.cumsum(~alike) - 1)
        return pa.concat_arrays([before, whole]).take(pa.array(places))

    def _one_by_one(self) -> tuple[pa.ListArray, pa.ListArray]:
        before: list[Image | None] = []
        after: list[Image | None] = []
        for row in self._rows:
            if isinstance(row, LogEvent):
                some = _read(row, self._table)
            else:
                change = decoded(self._table, row)
                some = [change.before], [change.after]
            before += some[0]
            after += some[1]
        return pa.array(before, _IMAGES), pa.array(after, _IMAGES)


@lru_cache(maxsize=16)
def _file_number(file: str) -> int:
    return LogPosition(file, FIRST_OFFSET).file_number
