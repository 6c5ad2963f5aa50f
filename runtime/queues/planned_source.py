"""A queue as a Spark streaming source whose messages Spark's planning process reads and hands to the tasks: for queues that can
only be read beside the driver. A batch is bounded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from pyspark.sql.datasource import DataSource, DataSourceStreamReader, InputPartition
from pyspark.sql.streaming.datasource import ReadLimit, ReadMaxRows, SupportsTriggerAvailableNow
from pyspark.sql.types import StructType

from shardwright.runtime.queues.offsets import Offsets, Row

MESSAGES_DDL = "key binary, value binary, topic string, partition int, offset bigint"


class PlannedQueue(Protocol):
    """What is asked of the queue, all in one process."""

    def ends(self) -> Offsets:
        """The offset behind the last message of each partition."""
        ...

    def rows(self, name: str, start: int, end: int) -> tuple[Row, ...]:
        """The messages of a partition, as the frame has them."""
        ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class PlannedSettings:
    """Everything the reader needs. It travels pickled with the source, so nothing of it stands in Spark options; `open` is made
    of what can be pickled."""

    open: Callable[[], PlannedQueue] = field(repr=False)
    start: Offsets
    max_messages: int


@dataclass(frozen=True)
class QueueRange(InputPartition):
    """Messages of one partition, read already."""

    rows: tuple[Row, ...]


def planned_source(settings: PlannedSettings, *, name: str) -> type[DataSource]:
    """A data source class to register under `name`."""

    class Messages(DataSource):
        @classmethod
        def name(cls) -> str:
            return name

        def schema(self) -> str:
            return MESSAGES_DDL

        def streamReader(self, schema: StructType) -> DataSourceStreamReader:
            return QueueStreamReader(settings)

    return Messages


class QueueStreamReader(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """Offsets are a JSON object: partition -> offset of the next message."""

    def __init__(self, settings: PlannedSettings) -> None:
        self._settings = settings
        self._queue: PlannedQueue | None = None
        self._until: Offsets | None = None

    def initialOffset(self) -> dict[str, Any]:
        return dict(self._settings.start)

    def getDefaultReadLimit(self) -> ReadLimit:
        return ReadMaxRows(self._settings.max_messages)

    def prepareForTriggerAvailableNow(self) -> None:
        self._until = self._asked().ends()

    def latestOffset(self, start: dict[str, Any], limit: ReadLimit) -> dict[str, Any]:
        """Every partition gets the same share of what a batch may hold."""
        ends = self._until or self._asked().ends()
        most = limit.max_rows if isinstance(limit, ReadMaxRows) else self._settings.max_messages
        share = max(1, most // max(1, len(ends)))
        return {name: max(start.get(name, 0), min(end, start.get(name, 0) + share)) for name, end in ends.items()}

    def partitions(self, start: dict[str, Any], end: dict[str, Any]) -> Sequence[InputPartition]:
        return [
            QueueRange(self._asked().rows(name, start.get(name, 0), until))
            for name, until in end.items()
            if until > start.get(name, 0)
        ]

    def read(self, partition: InputPartition) -> Iterator[Row]:
        assert isinstance(partition, QueueRange)
        return iter(partition.rows)

    def stop(self) -> None:
        if self._queue is not None:
            self._queue.close()

    def _asked(self) -> PlannedQueue:
        if self._queue is None:
            self._queue = self._settings.open()
        return self._queue
