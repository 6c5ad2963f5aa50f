"""How queues are read that only the driver can read: it hands their messages to Spark's tasks, since a batch is
bounded.

Runs in the driver; reads the queue.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING

from shardwright.runtime.sources.positions.queue_offsets import Offsets
from shardwright.runtime.sources.queue.broker_metadata import Row
from shardwright.runtime.sources.queue.queue_source import Metadata, QueueSource

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


_MESSAGES_DDL = "key binary, value binary, topic string, partition int, offset bigint"


class DriverQueueSource(QueueSource[Metadata]):
    """Its messages are in the frame that a batch is made of."""

    @abstractmethod
    def rows(self, partition: str, start: int, end: int) -> Iterable[Row]:
        """The messages of a partition."""

    def messages(self, spark: SparkSession, start: Offsets, end: Offsets) -> DataFrame:
        rows: list[Row] = []
        for name, until in end.items():
            first = start.get(name, 0)
            rows += self.rows(name, first, until) if until > first else ()
        return spark.createDataFrame(rows, _MESSAGES_DDL)
