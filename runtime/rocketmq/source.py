"""RocketMQ as a source of the stream. What orders its changes, and what is kept of its position, is as with Kafka."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from shardwright.runtime.binlog.identity import server_identity
from shardwright.runtime.queues.kafka_source import KafkaSource
from shardwright.runtime.queues.offsets import Offsets, QueueOffsets
from shardwright.runtime.raw_rows import raw_connection
from shardwright.runtime.rocketmq.brokers import RocketMqBrokers
from shardwright.runtime.rocketmq.java_client import JavaAddress, join_java_client
from shardwright.runtime.rocketmq.queues import RocketMqQueues
from shardwright.specs.stream_place import RocketMqStream

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def _opened(stream: RocketMqStream, java: JavaAddress, group: str) -> RocketMqQueues:
    """In Spark's planning process."""
    return RocketMqQueues(stream, join_java_client(java), group)


@dataclass
class RocketMqSource(KafkaSource):
    """A partition is a queue, named "topic/broker/number"."""

    brokers: RocketMqBrokers  # type: ignore[assignment]  # it answers the same questions

    def identity(self) -> str:
        with raw_connection(self.address, self.database) as connection:
            return f"rocketmq {self.brokers.cluster()} of {server_identity(connection)}"

    def events(self, spark: SparkSession, start: QueueOffsets, *, attempt: int) -> DataFrame:
        from shardwright.runtime.queues.planned_source import PlannedSettings, planned_source

        start = self._from(start)
        self._recent = self._remembered(spark, start)
        opened = partial(_opened, self.brokers.stream, self.brokers.client.address, self.group)
        settings = PlannedSettings(opened, dict(start.offsets), self.limits.max_rows)
        source = planned_source(settings, name=f"shardwright_rocketmq_{attempt}_{self.name}")
        spark.dataSource.register(source)
        return self._decoded(spark.readStream.format(source.name()).load())

    def between(self, spark: SparkSession, start: Offsets, end: Offsets) -> DataFrame:
        from shardwright.runtime.queues.planned_source import MESSAGES_DDL

        rows = []
        for name, until in end.items():
            topic, _, number = name.rpartition("/")
            read = self.brokers.read(name, start.get(name, 0), until) if until > start.get(name, 0) else []
            rows += [(m.key, m.value, topic, int(number), m.offset) for m in read]
        return self._decoded(spark.createDataFrame(rows, MESSAGES_DDL))

    def end_of(self, offset: Mapping[str, Any]) -> QueueOffsets:
        return QueueOffsets(offsets={name: int(end) for name, end in offset.items()})
