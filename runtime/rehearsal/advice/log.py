"""What has the source's binary log of a database's tables? The newest files are read from their beginning.

Runs in the process of the command; reads the log, and writes nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from pymysql.connections import Connection

from shardwright.compiler.advise.log_counter import KeyColumns, LogCounter
from shardwright.compiler.advise.source import LoggedWrites
from shardwright.compiler.plan.catalogue import SourceTable
from shardwright.runtime.failures import Refused, RuntimeFailure
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.transactions import query
from shardwright.runtime.sources.binlog.captured_tables import CapturedTable, CapturedTables, images_of
from shardwright.runtime.sources.binlog.connection import log_head
from shardwright.runtime.sources.binlog.dump import dump
from shardwright.runtime.sources.binlog.events import DELETES, INSERTS, ROWS, UPDATES, Kind, LogEvent
from shardwright.runtime.sources.binlog.log import Log
from shardwright.runtime.sources.positions.log_position import FIRST_OFFSET, LogPosition

_BEGINS: Final = frozenset(map(int, (Kind.GTID, Kind.ANONYMOUS_GTID, Kind.GTID_TAGGED, Kind.MARIADB_GTID)))
_TABLE_MAP: Final = int(Kind.TABLE_MAP)


def read_log(
    connection: Connection[Any],
    endpoint: Endpoint,
    database: str,
    tables: Mapping[str, SourceTable],
    keys: KeyColumns,
    *,
    files: int,
    within: float,
    note: Callable[[str], None],
) -> LoggedWrites | None:
    """Of the newest `files` files, and no longer than `within` seconds. None where the log cannot be read; `note` gets
    the reason. Rows that were written when a table had other columns are left out, with a note."""
    counter = LogCounter(keys)
    reader = _Reader(endpoint, database, tables, counter)
    began = time.monotonic()
    try:
        names = [str(row[0]) for row in query(connection, "SHOW BINARY LOGS")][-files:]
        end = log_head(endpoint)
        for event in dump(endpoint, LogPosition(names[0], FIRST_OFFSET), end):
            reader.take(event)
            if time.monotonic() - began > within:
                note(f"the binary log was read up to {event.place}: --seconds {within:g} were over")
                break
    except (RuntimeFailure, IndexError) as failure:
        note(f"nothing is known from the binary log: {failure}")
        return None
    if reader.unread:
        note(f"the binary log has rows of {', '.join(sorted(reader.unread))} from before their last change")
    return counter.writes(seconds=reader.seconds)


class _Reader:
    """Finds the rows of the tables in the log's events."""

    def __init__(
        self, endpoint: Endpoint, database: str, tables: Mapping[str, SourceTable], counter: LogCounter
    ) -> None:
        self._names = {f"{database}.{table.name}": name for name, table in tables.items()}
        self._columns = {
            full: [
                at for at, column in enumerate(tables[name].columns) if column.name.lower() in counter.columns_of(name)
            ]
            for full, name in self._names.items()
        }
        self._tables = tables
        self._counter = counter
        columns = {full: tuple(tables[name].columns) for full, name in self._names.items()}
        orders = {full: tuple(places) for full, places in self._columns.items()}
        self._captured = CapturedTables(Log(endpoint, columns, orders=orders))
        self.unread: set[str] = set()
        self._first = self._last = 0

    @property
    def seconds(self) -> float:
        """From the first transaction to the last one."""
        return float(self._last - self._first)

    def take(self, event: LogEvent) -> None:
        if event.kind in _BEGINS:
            self._counter.end_transaction()
            self._first = self._first or event.timestamp
            self._last = event.timestamp
        elif event.kind == _TABLE_MAP:
            self._describe(event)
        elif event.kind in ROWS:
            self._rows(event)

    def _describe(self, event: LogEvent) -> None:
        try:
            self._captured.describe(event)
        except Refused as other:
            self.unread |= {name for full, name in self._names.items() if full in other.message}

    def _rows(self, event: LogEvent) -> None:
        try:
            table = self._captured.table_of_rows(event)
            if table is None:
                return
            images = images_of(event, table.as_logged(event))
        except Refused:
            return  # its table was not described as it is now, or lacks columns
        before, after = _pairs(event, images)
        for old, new in zip(before, after, strict=True):
            self._counter.add(self._names[table.name], self._row(table, old), self._row(table, new))

    def _row(self, table: CapturedTable, image: Sequence[str | None] | None) -> Mapping[str, str | None] | None:
        if image is None:
            return None
        columns = self._tables[self._names[table.name]].columns
        names = (columns[at].name.lower() for at in self._columns[table.name])
        return dict(zip(names, image, strict=True))


_Images = Sequence[Sequence[str | None] | None]


def _pairs(event: LogEvent, images: Sequence[Sequence[str | None]]) -> tuple[_Images, _Images]:
    """The rows before and after."""
    if event.kind in UPDATES:
        return images[::2], images[1::2]
    nothing = [None] * len(images)
    assert event.kind in INSERTS or event.kind in DELETES
    return (nothing, images) if event.kind in INSERTS else (images, nothing)
