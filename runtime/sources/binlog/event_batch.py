"""How rows of the log become an Arrow record batch of the event schema.

Runs in Spark tasks. Pure. Rows stay bytes until the batch is full. Then those of each table are decoded column by
column (`column_decoder`), or one by one where there are few.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Final, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from shardwright.runtime.sources.binlog.column_decoder import ColumnDecoder, bytes_of, column_decoder
from shardwright.runtime.sources.binlog.column_texts import Bytes
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

    def add_chain(self, chain: Chain) -> None:
        table, event, _, row, _ = chain
        if self._packed_of(table, "chains").add_chain(chain, first=self.rows):
            self._added(1, len(event.data) // (row + 1))
        else:
            self.add_change(decoded(chain))

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
        parts = [part for part in held if part.origins.counts]
        self._clear()
        batches = [part.batch() for part in parts]
        if len(batches) == 1:
            return batches[0]
        order = np.argsort(np.concatenate([part.origins.order() for part in parts]))
        (taken,) = pa.Table.from_batches(batches).take(pa.array(order)).combine_chunks().to_batches()
        return taken


class _Origins:
    """Where rows of one table are from: an entry for some rows of an event, which follow one another."""

    def __init__(self, table: str) -> None:
        self._table = table
        self._ops: list[int] = []
        self._epochs: list[int] = []
        self._files: list[int] = []
        self._offsets: list[int] = []
        self._lines: list[int] = []
        self._times: list[int] = []
        self._firsts: list[int] = []
        self.counts: list[int] = []

    def add(self, event: LogEvent, *, epoch: int, first: int, count: int, row: int = 0) -> None:
        """`first`: the number of the first of these rows in the batch; `row`: its number in the event."""
        op = UPDATE if event.kind in UPDATES else INSERT if event.kind in INSERTS else DELETE
        self._ops.append(_OPS.index(op))
        self._epochs.append(epoch)
        self._files.append(_file_number(event.file))
        self._offsets.append(event.start)
        self._lines.append(event.line + row)
        self._times.append(event.timestamp)
        self._firsts.append(first)
        self.counts.append(count)

    def order(self) -> npt.NDArray[np.int64]:
        return self._repeated(self._firsts) + self._within()

    def are(self, op: str) -> npt.NDArray[np.bool_]:
        found: npt.NDArray[np.bool_] = self._repeated(self._ops) == _OPS.index(op)
        return found

    def columns(self) -> list[pa.Array]:
        """All columns of the event schema but the images."""
        rows = sum(self.counts)
        numbers = (self._epochs, self._files, self._offsets)
        return [
            pa.repeat(pa.scalar(self._table), rows),
            pa.array(_OPS).take(pa.array(self._repeated(self._ops))),
            *(pa.array(self._repeated(number)) for number in numbers),
            pa.array((self._repeated(self._lines) + self._within()).astype(np.int32)),
            pa.array(self._repeated(self._times)),
        ]

    def _repeated(self, values: Sequence[int]) -> npt.NDArray[np.int64]:
        return np.repeat(np.array(values, np.int64), self.counts)

    def _within(self) -> npt.NDArray[np.int64]:
        """The number of each row among those of its entry."""
        begins = np.cumsum([0, *self.counts[:-1]])
        found: npt.NDArray[np.int64] = np.arange(sum(self.counts)) - np.repeat(begins, self.counts)
        return found


_OPS: Final = (INSERT, UPDATE, DELETE)


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
        self._numbers = array("q")
        self._size = 0

    def add(self, event: LogEvent, *, epoch: int, first: int) -> int | None:
        """Returns how many rows there are; None where they are to be read one by one, so that what is wrong with them
        is named."""
        at = first_image_at(event, self._table)
        if self._columns is None:
            return None
        before = len(self._numbers)
        try:
            end = self._columns.spans(event.data, at, self._size, self._numbers.extend)
        except UNREADABLE:
            end = -1
        count, rest = divmod(len(self._numbers) - before, self._columns.width * self._images_of_a_row)
        if end != len(event.data) or rest:
            del self._numbers[before:]
            return None
        self.origins.add(event, epoch=epoch, first=first, count=count)
        self._rows.append(event)
        self._part(event.data)
        return count

    def add_chain(self, chain: Chain, *, first: int) -> bool:
        """Returns whether it was added."""
        _, event, epoch, row, at = chain
        if self._columns is None:
            return False
        self._part(event.data[at : self._columns.span(event.data, at, self._size - at, self._numbers.extend)])
        self.origins.add(event, epoch=epoch, first=first, count=1, row=row)
        self._rows.append(chain)
        return True

    def _part(self, data: bytes) -> None:
        self._parts.append(data)
        self._size += len(data)

    def batch(self) -> pa.RecordBatch:
        before, after = self._before_and_after()
        return pa.RecordBatch.from_arrays([*self.origins.columns(), before, after], schema=EVENT_SCHEMA)

    def _before_and_after(self) -> tuple[pa.ListArray, pa.ListArray]:
        if self._columns is not None and sum(self.origins.counts) > FEW_ROWS:
            with suppress(*UNREADABLE):  # row by row the same failure has its place and its column
                return self._at_once(self._columns)
        return self._one_by_one()

    def _at_once(self, columns: ColumnDecoder) -> tuple[pa.ListArray, pa.ListArray]:
        numbers = np.frombuffer(self._numbers, np.int64).reshape(-1, columns.width)
        values = bytes_of(self._parts)
        replaced = self._table.decoder.replaced
        if self._form == "chains" and replaced is not None:
            return columns.images_twice(values, numbers, only=replaced.columns)
        if self._form == "updates":
            after = columns.images(values, numbers[1::2])
            return self._replaced(columns, values, numbers[0::2], after), after
        images, inserts = columns.images(values, numbers), self.origins.are(INSERT)
        nothing = pa.nulls(len(images), _IMAGES)
        if inserts.all():
            return nothing, images
        mask = pa.array(inserts)
        return pc.if_else(mask, nothing, images), pc.if_else(mask, images, nothing)

    def _replaced(
        self, columns: ColumnDecoder, values: Bytes, numbers: npt.NDArray[np.int64], after: pa.ListArray
    ) -> pa.ListArray:
        """The images that updates replace: as far as they matter, or whole where the key changes."""
        replaced = self._table.decoder.replaced
        if replaced is None:
            return columns.images(values, numbers)
        before = columns.images(values, numbers, only=replaced.columns)
        alike = np.ones(len(numbers), bool)
        for at in replaced.key:
            same = pc.equal(pc.list_element(before, at), pc.list_element(after, at))
            alike &= pc.fill_null(same, False).to_numpy(zero_copy_only=False)
        if alike.all():
            return before
        whole = columns.images(values, numbers[~alike])
        places = np.where(alike, np.arange(len(alike)), len(alike) + np.cumsum(~alike) - 1)
        return pa.concat_arrays([before, whole]).take(pa.array(places))

    def _one_by_one(self) -> tuple[pa.ListArray, pa.ListArray]:
        before: list[Image | None] = []
        after: list[Image | None] = []
        for row in self._rows:
            if isinstance(row, LogEvent):
                some = _read(row, self._table)
            else:
                change = decoded(row)
                some = [change.before], [change.after]
            before += some[0]
            after += some[1]
        return pa.array(before, _IMAGES), pa.array(after, _IMAGES)


@lru_cache(maxsize=16)
def _file_number(file: str) -> int:
    return LogPosition(file, FIRST_OFFSET).file_number
