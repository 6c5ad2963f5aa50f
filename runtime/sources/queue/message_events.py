"""How a queue's messages become change events.

Runs in Spark tasks; the driver uses `Judge` for single messages. Pure.

In addition to the one event shape, a row says where its message is and, by a coarse hash, which row it changes. A row
without a table is about a whole range of one partition (`STRETCH`): how far in the source's log it goes, messages
without changes included, and in `key_after` the newest marker that it shows.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import pyarrow as pa

from shardwright.compiler.ddl.logged.new_tables import NOTHING_MEANT, MeantTables
from shardwright.compiler.plan.catalogue import Column
from shardwright.runtime.failures import Refused
from shardwright.runtime.sources.binlog.statements import Effect, Statements
from shardwright.runtime.sources.binlog.table_changed import by_hand
from shardwright.runtime.sources.event import EVENT_DDL, EVENT_SCHEMA
from shardwright.runtime.sources.messages.decoder import message_decoder
from shardwright.runtime.sources.messages.images import Hidden
from shardwright.runtime.sources.messages.json_text import quote
from shardwright.runtime.sources.messages.outcome import Aside, Decoded, Image, LogCoordinate, NotAChange, RowChange
from shardwright.runtime.sources.positions.log_position import LogPosition
from shardwright.runtime.sources.positions.message_ref import SKIPPABLE, TABLE_CHANGED, Where
from shardwright.runtime.sources.positions.queue_offsets import BY_QUEUE
from shardwright.runtime.sources.queue.marker import COLUMNS
from shardwright.specs.spec.stream_format import StreamFormat

FRAME_DDL = (
    f"{EVENT_DDL}, origin string, origin_offset bigint, key_before bigint, key_after bigint, log string, source string"
)
_SCHEMA = pa.schema(
    [
        *EVENT_SCHEMA,
        pa.field("origin", pa.string()),
        pa.field("origin_offset", pa.int64()),
        pa.field("key_before", pa.int64()),
        pa.field("key_after", pa.int64()),
        pa.field("log", pa.string()),
        pa.field("source", pa.string()),
    ]
)
STRETCH = "stretch"
BY_LOG = 0
"""Like `BY_QUEUE`, a value of `epoch`: what orders the event, its place in the source's log or in its partition."""
_ORDERS = {BY_QUEUE: 1, BY_LOG: 2}
_LARGEST_FILE, _LARGEST_ROW = 2**63 - 1, 2**31 - 1
"""The largest values that the columns `file` and `row` of a change event can hold."""
MIXED = 3
"""Value of `row` of a stretch: both orders occur in it."""


@dataclass(frozen=True, slots=True)
class Decoding:
    """What the tasks need to decode a source's messages."""

    source: str
    """Name of the stream's source."""
    stream_format: StreamFormat
    """Format of the messages, with the producer's options."""
    tables: Mapping[str, tuple[Column, ...]]
    """Table ("database.table") -> all its columns, for every captured table."""
    keys: Mapping[str, tuple[int, ...]]
    """Table ("database.table") -> indexes of its key's columns."""
    passed: frozenset[Where] = frozenset()
    """Messages to skip."""
    marker: str = ""
    """The table ("database.table") of markers; empty where there is none."""
    hidden: Hidden = field(default_factory=dict)
    """Table ("database.table") -> columns whose values no failure may show."""
    meant: MeantTables = NOTHING_MEANT
    """Names that new tables must not get unseen."""


def event_maker(decoding: Decoding) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """For `mapInArrow` over key, value, topic, partition and offset, each partition's messages in their order."""

    def events(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        judge = Judge(decoding)
        for batch in batches:
            made = _Events(decoding)
            columns = [batch.column(name).to_pylist() for name in ("key", "value", "topic", "partition", "offset")]
            for key, value, topic, partition, offset in zip(*columns, strict=True):
                where = Where(topic, partition, offset)
                if where in decoding.passed:
                    made.reach(where, None, None)
                    continue
                decoded = judge.decode(key, value, where)
                if isinstance(decoded, NotAChange):
                    made.reach(where, decoded.coordinate, decoded.committed_at)
                    continue
                for index, change in enumerate(decoded):
                    if change.table == decoding.marker:
                        made.pass_marker(change, where)
                    else:
                        made.add(change, where, index)
            yield made.batch()

    return events


class Judge:
    """Decodes messages, and refuses those that change a captured table itself. Any other message without a change only
    moves the stream on."""

    def __init__(self, decoding: Decoding) -> None:
        self._tables = frozenset(decoding.tables)
        self._statements = Statements(decoding.tables, decoding.meant)
        self._format = decoding.stream_format.name
        tables = {**decoding.tables, **({decoding.marker: COLUMNS} if decoding.marker else {})}
        self._decode = message_decoder(decoding.stream_format, tables, decoding.hidden).decode

    def decode(self, key: bytes | None, value: bytes | None, where: Where) -> Decoded:
        found = self.read(key, value, where)
        if isinstance(found, NotAChange):
            self._judge(found, where)
        return found

    def read(self, key: bytes | None, value: bytes | None, where: Where) -> Decoded:
        """The content of a message, whatever it is. Raises Refused for a message that cannot be read; the failure says
        how to skip it."""
        try:
            found = self._decode(key, value, where)
            _require_places(found, where)
            return found
        except Refused as failure:
            if failure.code not in SKIPPABLE:
                raise
            raise Refused(failure.code, f"{failure.message}. {_by_hand(failure.code, where)}") from None
        except MemoryError:
            raise  # not the message's fault
        except Exception as error:  # noqa: BLE001
            # A message must not be able to stop the stream for ever. The error's text may hold values of the row.
            why = f"{where} cannot be read as {self._format}: {type(error).__name__} in {_place_of_error(error)}"
            raise Refused("SW8431", f"{why}. Nothing of it was applied. {_by_hand('SW8431', where)}") from None

    def _judge(self, found: NotAChange, where: Where) -> None:
        if found.aside is Aside.TRUNCATE and f"{found.database}.{found.table}" in self._tables:
            raise _ddl(f"empties table {found.database}.{found.table} (TRUNCATE)", where)
        if found.aside is Aside.SCHEMA_CHANGE and found.text:
            effect = self._statements.effect(found.database or "", found.text.encode())
            if effect in (Effect.CHANGES_TABLE, Effect.CHANGES_ROWS, Effect.MAKES_TABLE):
                raise _ddl(f"changes a followed table: {found.text[:200]}", where)


def _place_of_error(error: Exception) -> str:
    """The innermost place in the code, for the developer who corrects it."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return "its decoder" if trace is None else f"{Path(trace.tb_frame.f_code.co_filename).name}, line {trace.tb_lineno}"


def _require_places(found: Decoded, where: Where) -> None:
    """Raises Refused (SW8432) when a message's place in the source's log cannot exist: it could order nothing."""
    for each in (found,) if isinstance(found, NotAChange) else found:
        place = each.coordinate
        if place is None or place.file is None or place.offset is None:
            continue
        try:
            number = _file_number(place.file)
        except ValueError:
            number = _LARGEST_FILE + 1
        if number > _LARGEST_FILE or (place.row or 0) > _LARGEST_ROW:
            found_at = f"file {quote(place.file)}, offset {place.offset}, row {place.row}"
            raise Refused(
                "SW8432",
                f"{where} says that its change is in the source's log at {found_at}: there is no such place",
            )


@lru_cache(maxsize=64)
def _file_number(file: str) -> int:
    return LogPosition(file, 0).file_number


def _ddl(what: str, where: Where) -> Refused:
    return Refused(
        TABLE_CHANGED,
        f"{where}: the source {what}. {by_hand(TABLE_CHANGED, where.place)}",
        where.place,
    )


def _by_hand(code: str, where: Where) -> str:
    return (
        "To skip this one message without applying it: shardwright run --allow "
        f"{code}@{where.place}, then verify and repair"
    )


@dataclass(slots=True)
class _Stretch:
    """The messages of one partition within one Arrow batch."""

    offset: int
    """Of the last message."""
    highest: LogCoordinate | None = None
    """The highest place in the source's log; None where no message has one."""
    committed_at: int | None = None
    """The newest commit time, in seconds since 1970."""
    turned_back: bool = False
    """Whether places go back while times advance."""
    orders: int = 0
    """Bits: 1 where the queue orders changes, 2 where the log does."""
    marker: int | None = None
    """The newest marker; None where no message shows one."""

    def reach(self, coordinate: LogCoordinate | None, committed_at: int | None) -> None:
        if coordinate is not None and coordinate.file is not None and coordinate.offset is not None:
            if self.highest is None or _place(coordinate) >= _place(self.highest):
                self.highest = coordinate
            elif committed_at is not None and self.committed_at is not None and committed_at > self.committed_at:
                self.turned_back = True  # older in the log and younger in time: not sent again, but of another log
        if committed_at is not None and committed_at > (self.committed_at or 0):
            self.committed_at = committed_at


@dataclass(slots=True)
class _Events:
    decoding: Decoding
    rows: list[tuple[Any, ...]] = field(default_factory=list)
    stretches: dict[str, _Stretch] = field(default_factory=dict)

    def reach(self, where: Where, coordinate: LogCoordinate | None, committed_at: int | None) -> str:
        origin = f"{where.topic}/{where.partition}"
        stretch = self.stretches.setdefault(origin, _Stretch(where.offset))
        stretch.offset = where.offset
        stretch.reach(coordinate, committed_at)
        return origin

    def pass_marker(self, change: RowChange, where: Where) -> None:
        stretch = self.stretches[self.reach(where, change.coordinate, change.committed_at)]
        if change.after is not None:
            stretch.marker = max(int(change.after[1] or 0), stretch.marker or 0)

    def add(self, change: RowChange, where: Where, index: int) -> None:
        origin = self.reach(where, change.coordinate, change.committed_at)
        key = self.decoding.keys[change.table]
        hashes = (_key_hash(change.table, key, change.before), _key_hash(change.table, key, change.after))
        order = _order(change.coordinate, where, index)
        self.stretches[origin].orders |= _ORDERS[order[0]]
        self.rows.append(
            (change.table, change.op, *order, change.committed_at, change.before, change.after)  # noqa: RUF005
            + (origin, where.offset, *hashes, None, self.decoding.source)
        )

    def batch(self) -> pa.RecordBatch:
        for origin, stretch in self.stretches.items():
            file = stretch.highest.file if stretch.highest else None
            number, offset, _ = _place(stretch.highest) if stretch.highest else (0, 0, 0)
            back = STRETCH + " turned back" if stretch.turned_back else STRETCH
            place = (BY_LOG if file else BY_QUEUE, number, offset, stretch.orders)
            self.rows.append(
                (None, back, *place, stretch.committed_at, None, None)  # noqa: RUF005
                + (origin, stretch.offset, None, stretch.marker, file, self.decoding.source)
            )
        columns = zip(*self.rows, strict=True) if self.rows else ([] for _ in _SCHEMA)
        arrays = [pa.array(list(column), field.type) for column, field in zip(columns, _SCHEMA, strict=True)]
        return pa.RecordBatch.from_arrays(arrays, schema=_SCHEMA)


def _order(coordinate: LogCoordinate | None, where: Where, index: int) -> tuple[int, int, int, int]:
    """epoch, file, offset and row. By the log only when the message has all four: otherwise rows of one event could be
    equal."""
    if coordinate is None or coordinate.file is None or coordinate.offset is None or coordinate.row is None:
        return BY_QUEUE, 0, where.offset, index
    return (BY_LOG, *_place(coordinate))


def _place(coordinate: LogCoordinate) -> tuple[int, int, int]:
    assert coordinate.file is not None and coordinate.offset is not None
    return _file_number(coordinate.file), coordinate.offset, coordinate.row or 0


def _key_hash(table: str, key: tuple[int, ...], image: Image | None) -> int | None:
    """A hash that is equal for keys that any collation treats as equal; different keys may share one."""
    if image is None:
        return None
    parts = (_coarse(image[place] or "") for place in key)
    digest = hashlib.blake2b("\0".join((table, *parts)).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def _coarse(text: str) -> str:
    if text.isdecimal():
        return text
    folded = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in folded if letter.isalnum() and letter.isascii())
