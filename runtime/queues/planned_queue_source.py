"""Queues whose messages Spark's planning process reads, as sources of the stream (see `planned_source`)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from shardwright.runtime.queues.offsets import Offsets, QueueOffsets, Row
from shardwright.runtime.queues.queue_source import Books, QueueSource

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from shardwright.runtime.queues.planned_source import PlannedQueue


class PlannedQueueSource(QueueSource[Books]):
    """`kind` names Spark's data source."""

    kind: str

    @abstractmethod
    def opener(self) -> Callable[[], PlannedQueue]:
        """What opens the queue in the planning process; made of what can be pickled."""

    @abstractmethod
    def rows(self, partition: str, start: int, end: int) -> Iterable[Row]:
        """The messages of a partition, read by this process."""

    def stream(self, spark: SparkSession, start: Offsets, *, attempt: int) -> DataFrame:
        from shardwright.runtime.queues.planned_source import PlannedSettings, planned_source

        settings = PlannedSettings(self.opener(), dict(start), self.limits.max_rows)
        source = planned_source(settings, name=f"shardwright_{self.kind}_{attempt}_{self.name}")
        spark.dataSource.register(source)
        return spark.readStream.format(source.name()).load()

    def messages(self, spark: SparkSession, start: Offsets, end: Offsets) -> DataFrame:
        from shardwright.runtime.queues.planned_source import MESSAGES_DDL

        rows: list[Row] = []
        for name, until in end.items():
            first = start.get(name, 0)
            rows += self.rows(name, first, until) if until > first else ()
        return spark.createDataFrame(rows, MESSAGES_DDL)

    def end_of(self, offset: Mapping[str, Any]) -> QueueOffsets:
        return QueueOffsets(offsets={name: int(end) for name, end in offset.items()})
