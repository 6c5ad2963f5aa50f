"""The log as a Spark streaming source: `spark.readStream.format(...)` with exact positions as offsets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, DataSourceStreamReader, InputPartition
from pyspark.sql.streaming.datasource import (
    ReadAllAvailable,
    ReadLimit,
    ReadMaxBytes,
    ReadMaxRows,
    SupportsTriggerAvailableNow,
)
from pyspark.sql.types import StructType

from shardwright.compiler.catalogue import Column
from shardwright.runtime.binlog.connection import LogConnection, log_head
from shardwright.runtime.binlog.head_watch import HeadWatch
from shardwright.runtime.binlog.position import LogPosition
from shardwright.runtime.binlog.read import read_changes
from shardwright.runtime.binlog.scan import next_boundary
from shardwright.runtime.binlog.schema import EVENT_DDL

DEFAULT_MAX_ROWS = 100_000
DEFAULT_MAX_BYTES = 64 << 20
UNLIMITED = 1 << 62
_CUTS = "cuts"
"""In an offset, beside the position: where the range that ends there may be cut into parts."""


@dataclass(frozen=True, slots=True)
class StreamSettings:
    """Everything a reader needs. It travels pickled with the source, so the password never stands in Spark options."""

    connection: LogConnection
    tables: Mapping[str, tuple[Column, ...]]
    start: LogPosition
    until: LogPosition | None
    max_rows: int
    max_bytes: int
    tasks: int


@dataclass(frozen=True)
class LogRange(InputPartition):
    """A range between two transaction boundaries."""

    start: LogPosition
    end: LogPosition


def binlog_source(
    connection: LogConnection,
    tables: Mapping[str, tuple[Column, ...]],
    *,
    start: LogPosition,
    until: LogPosition | None = None,
    max_rows: int = DEFAULT_MAX_ROWS,
    max_bytes: int = DEFAULT_MAX_BYTES,
    tasks: int = 1,
    name: str = "shardwright_binlog",
) -> type[DataSource]:
    """A data source class to register under `name`. It begins at `start` and, when `until` is given, never passes it.
    Both must be transaction boundaries. A large range is read by up to `tasks` tasks at the same time."""
    settings = StreamSettings(connection, dict(tables), start, until, max_rows, max_bytes, tasks)

    class BinlogSource(DataSource):
        @classmethod
        def name(cls) -> str:
            return name

        def schema(self) -> str:
            return EVENT_DDL

        def streamReader(self, schema: StructType) -> DataSourceStreamReader:
            return BinlogStreamReader(settings)

        def reader(self, schema: StructType) -> DataSourceReader:
            return BinlogReader(settings)

    return BinlogSource


class BinlogReader(DataSourceReader):
    """The whole range at once, which must have an end."""

    def __init__(self, settings: StreamSettings) -> None:
        self._settings = settings

    def partitions(self) -> Sequence[InputPartition]:
        assert self._settings.until is not None
        return [LogRange(self._settings.start, self._settings.until)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        assert isinstance(partition, LogRange)
        return read_changes(self._settings.connection, self._settings.tables, partition.start, partition.end)


class BinlogStreamReader(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """Runs in Spark's planning process (offsets) and on executors (read); the two share nothing but the settings."""

    def __init__(self, settings: StreamSettings) -> None:
        self._settings = settings
        self._until = settings.until
        self._head: LogPosition | None = None
        self._watch = HeadWatch(settings.connection)

    def initialOffset(self) -> dict[str, Any]:
        return self._settings.start.to_json()

    def getDefaultReadLimit(self) -> ReadLimit:
        return ReadMaxRows(self._settings.max_rows)

    def prepareForTriggerAvailableNow(self) -> None:
        head = replace(log_head(self._settings.connection), epoch=self._settings.start.epoch)
        self._until = head if self._until is None else min(head, self._until)

    def latestOffset(self, start: dict[str, Any], limit: ReadLimit) -> dict[str, Any]:
        begin = LogPosition.from_json(start)
        if self._until is not None and begin >= self._until:
            return start
        head = self._watch.head(begin.server)
        if head is not None and (head.file, head.offset) == (begin.file, begin.offset):
            return start  # at rest: no dump is asked for
        max_rows, max_bytes = self._limits(limit)
        boundary = next_boundary(
            self._settings.connection,
            begin,
            tables=self._settings.tables,
            max_bytes=max_bytes,
            max_rows=max_rows,
            until=self._until,
        )
        self._head = boundary.head
        cuts = _evenly(boundary.cuts, self._settings.tasks - 1)
        return {**boundary.end.to_json(), _CUTS: [cut.to_json() for cut in cuts]} if cuts else boundary.end.to_json()

    def _limits(self, limit: ReadLimit) -> tuple[int, int]:
        match limit:
            case ReadMaxRows(max_rows):
                return max_rows, self._settings.max_bytes
            case ReadMaxBytes(max_bytes):
                return self._settings.max_rows, max_bytes
            case ReadAllAvailable():
                return UNLIMITED, UNLIMITED
            case _:
                return self._settings.max_rows, self._settings.max_bytes

    def reportLatestOffset(self) -> dict[str, Any] | None:
        """Where the server stood at the last look: Spark's progress shows the lag."""
        return self._head.to_json() if self._head else None

    def partitions(self, start: dict[str, Any], end: dict[str, Any]) -> Sequence[InputPartition]:
        first, last = LogPosition.from_json(start), LogPosition.from_json(end)
        if not first < last:
            return []
        cuts = [LogPosition.from_json(cut) for cut in end.get(_CUTS, ())]
        places = [first, *(cut for cut in cuts if first < cut), last]
        return [LogRange(one, other) for one, other in pairwise(places)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        assert isinstance(partition, LogRange)
        return read_changes(self._settings.connection, self._settings.tables, partition.start, partition.end)


def _evenly(cuts: Sequence[LogPosition], most: int) -> list[LogPosition]:
    """At most `most` of them, so that the parts between are of about one size."""
    count = min(most, len(cuts))
    return [cuts[(number + 1) * (len(cuts) + 1) // (count + 1) - 1] for number in range(count)]
