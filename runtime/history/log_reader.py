"""Which changes of one key does a server's log have, in a range? Transactions that our own runs have written are left
out, as by the stream.

Runs in the process of the command; reads the server's log. What it gives has values as they are: not to be printed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from shardwright.compiler.plan.catalogue import Column, ColumnType
from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.history.former_columns import columns_before, find_renewed_tables
from shardwright.runtime.history.images import Image
from shardwright.runtime.mysql.keys import Key, key_text
from shardwright.runtime.sources.binlog.captured_tables import images_of
from shardwright.runtime.sources.binlog.dump import dump
from shardwright.runtime.sources.binlog.events import (
    DELETES,
    INSERTS,
    Kind,
    LogEvent,
    Statement,
    statement_of,
    with_effect,
)
from shardwright.runtime.sources.binlog.gtid_event import GTID_EVENTS, parse_gtid
from shardwright.runtime.sources.binlog.source import LogStream
from shardwright.runtime.sources.binlog.statements import Effect, Statements
from shardwright.runtime.sources.binlog.table_changed import TableChanged, without_values
from shardwright.runtime.sources.binlog.walk import Step, walk
from shardwright.runtime.sources.event import DELETE, INSERT, UPDATE
from shardwright.runtime.sources.positions.log_position import LogPosition

_OTHER_COLUMNS: Final = "SW8113"
_IN_TRANSACTION: Final = "a DDL statement is in one transaction with rows"
_UNKNOWN_COLUMNS: Final = "the table had other columns there, which are not known"
_STATEMENT: Final = 300
"""Characters of a DDL statement that are shown."""
Columns = Mapping[str, tuple[Column, ...]]
"""Table ("database.table") -> its columns."""


@dataclass(frozen=True, slots=True)
class RowChange:
    """A change of the key."""

    log: str
    """The source's name."""
    place: LogPosition
    """Where its event begins."""
    row: int
    """Its number among the event's rows."""
    gtid: str | None
    """Of its transaction."""
    committed_at: int | None
    """When that committed (seconds since 1970)."""
    table: str
    """As "database.table"."""
    op: str
    """As the log has it: I, U or D."""
    before: Image | None
    """None where there was no row."""
    after: Image | None
    """None where there is no row."""
    was_key: bool
    """Whether the row had the key before."""
    is_key: bool
    """Whether it has it afterwards."""

    @property
    def effective(self) -> str:
        """What it is for the key: an update that changes it is the delete of one and the insert of another."""
        return UPDATE if self.was_key and self.is_key else INSERT if self.is_key else DELETE


@dataclass(frozen=True, slots=True)
class LoggedDdl:
    """A DDL statement on one of the tables, without its values."""

    log: str
    place: LogPosition
    committed_at: int
    statement: str
    renews: frozenset[str]
    """The tables that it dropped or made: what the log has of them before it is about other rows."""


@dataclass(frozen=True, slots=True)
class NotRead:
    """A part of a log whose changes are not listed: to the next DDL statement, or to the end."""

    log: str
    why: str


Logged = RowChange | LoggedDdl | NotRead


@dataclass(frozen=True, slots=True)
class KeyImages:
    """How the key is found in images of the log."""

    keys: frozenset[Key]
    """The key, in each spelling that is known: the parts that the table's own columns have."""
    columns: tuple[str, ...]
    """The columns that have it."""
    kinds: tuple[ColumnType, ...]
    """Their types."""

    def is_in(self, image: Image) -> bool:
        values = tuple(image.get(name) for name in self.columns)
        if None in values:
            return False
        return tuple(key_text(value, kind) for value, kind in zip(values, self.kinds, strict=True)) in self.keys


@dataclass(frozen=True, slots=True)
class _Part:
    """A range that ends with `ddl`. `columns` is None where they are not known."""

    columns: Columns | None
    start: LogPosition
    end: LogPosition
    ddl: LoggedDdl | None


@dataclass(frozen=True, slots=True)
class LogReader:
    """`stream` has the tables of the key alone, with their columns of now."""

    stream: LogStream
    key: KeyImages

    def read(self, start: LogPosition, end: LogPosition) -> list[Logged]:
        """In the log's order. Both ends are transaction boundaries. A part that cannot be read is named, not raised.
        What the log has of a table before it was dropped, or made anew, is about other rows: it is left out."""
        found: list[Logged] = []
        for one in self._read(start, end):
            if isinstance(one, LoggedDdl):
                found = [other for other in found if not (isinstance(other, RowChange) and other.table in one.renews)]
            found.append(one)
        return found

    def _read(self, start: LogPosition, end: LogPosition) -> Iterator[Logged]:
        while start < end:
            try:
                yield from self._segment(self.stream.columns, start, end)
                return
            except TableChanged as met:
                yield self._ddl(met.event, met.statement)
                if not met.alone:
                    yield _not_read(self.stream, start, _IN_TRANSACTION)
                    return
                start = replace(start, file=met.event.file, offset=met.event.end, created=None)
            except RuntimeFailure as failure:
                if failure.code == _OTHER_COLUMNS:
                    yield from self._read_parts(start, end)
                else:
                    yield _not_read(self.stream, start, failure.message)
                return

    def _read_parts(self, start: LogPosition, end: LogPosition) -> Iterator[Logged]:
        """The same where the tables had other columns before some DDL statement."""
        for part in self._parts(start, end):
            if not part.columns:
                yield from [] if part.columns is not None else [_not_read(self.stream, part.start, _UNKNOWN_COLUMNS)]
                yield from [] if part.ddl is None else [part.ddl]
                continue
            try:
                yield from self._segment(part.columns, part.start, part.end)
            except TableChanged as met:
                yield self._ddl(met.event, met.statement)
                if not met.alone:
                    yield _not_read(self.stream, part.start, _IN_TRANSACTION)
            except RuntimeFailure as failure:
                yield _not_read(self.stream, part.start, failure.message)

    def _segment(self, columns: Columns, start: LogPosition, end: LogPosition) -> Iterator[RowChange]:
        gtid: str | None = None
        waiting: list[RowChange] = []
        for step in walk(replace(self.stream, columns=columns).log(), start, end):
            if step.event.kind in GTID_EVENTS:
                found = parse_gtid(step.event).gtid
                gtid = None if found is None else str(found)
            if step.table is not None:
                waiting += self._changes(step, columns, gtid, epoch=start.epoch)
            if not step.inside:
                yield from (replace(change, committed_at=step.committed_at) for change in waiting)
                waiting.clear()

    def _changes(self, step: Step, columns: Columns, gtid: str | None, *, epoch: int) -> Iterator[RowChange]:
        event, table = step.event, step.table
        assert table is not None
        order = self.stream.orders.get(table.name)
        described = columns[table.name]
        names = [described[at].name for at in order] if order is not None else [column.name for column in described]
        images = [dict(zip(names, image, strict=True)) for image in images_of(event, table)]
        for row, (op, before, after) in enumerate(_pairs(event, images)):
            was, now = (image is not None and self.key.is_in(image) for image in (before, after))
            if was or now:
                place = LogPosition(event.file, event.start, epoch=epoch)
                yield RowChange(
                    self.stream.name, place, event.line + row, gtid, None, table.name, op, before, after, was, now
                )

    def _ddl(self, event: LogEvent, statement: Statement) -> LoggedDdl:
        place, words = LogPosition(event.file, event.start), without_values(statement.text, length=_STATEMENT)
        renews = find_renewed_tables(_text(statement), statement.database, self.stream.columns)
        return LoggedDdl(self.stream.name, place, event.timestamp, words, renews)

    def _parts(self, start: LogPosition, end: LogPosition) -> list[_Part]:
        """From one DDL statement on the tables to the next. A table has no columns before the statement that made it;
        nothing is read before all of them were made."""
        tables = {name: Statements([name]) for name in self.stream.columns}
        met: list[tuple[LogEvent, Statement, list[str]]] = []
        for event in with_effect(dump(self.stream.endpoint, start, end)):
            if event.kind == Kind.QUERY:
                statement = statement_of(event)
                names = [name for name, known in tables.items() if _changes(known, statement)]
                met += [(event, statement, names)] if names else []
        columns: Columns | None = self.stream.columns
        parts: list[_Part] = []
        ddl: LoggedDdl | None = None
        for event, statement, names in reversed(met):
            behind = replace(start, file=event.file, offset=event.end, created=None)
            parts.append(_Part(columns, behind, end, ddl))
            ddl, end = self._ddl(event, statement), behind
            for name in ddl.renews:
                tables.pop(name, None)
            columns = _columns_before(columns, statement, [name for name in names if name in tables], tables)
            if not tables:
                break
        return [_Part(columns, start, end, ddl), *reversed(parts)]


def _not_read(stream: LogStream, start: LogPosition, why: str) -> NotRead:
    return NotRead(stream.name, f"from {start} on: {why}")


def _pairs(event: LogEvent, images: Sequence[Image]) -> Iterator[tuple[str, Image | None, Image | None]]:
    if event.kind in INSERTS:
        yield from ((INSERT, None, image) for image in images)
    elif event.kind in DELETES:
        yield from ((DELETE, image, None) for image in images)
    else:
        yield from ((UPDATE, before, after) for before, after in zip(images[::2], images[1::2], strict=True))


def _changes(table: Statements, statement: Statement) -> bool:
    return table.effect(statement.database, statement.text) is Effect.CHANGES_TABLE


def _columns_before(
    after: Columns | None, statement: Statement, changed: Iterable[str], tables: Collection[str]
) -> Columns | None:
    """Of `tables`, which are those that were there; `changed` are the ones among them that the statement is about."""
    if not tables:
        return {}
    if after is None:
        return None
    found = {name: columns_before(after[name], _text(statement)) for name in changed}
    if None in found.values():
        return None
    kept = {name: columns for name, columns in after.items() if name in tables}
    return {**kept, **{name: columns for name, columns in found.items() if columns is not None}}


def _text(statement: Statement) -> str:
    return statement.text.decode("utf-8", "replace")
