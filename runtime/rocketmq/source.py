"""RocketMQ as a source of the stream."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

from shardwright.runtime.queues.offsets import Row
from shardwright.runtime.queues.planned_queue_source import PlannedQueueSource
from shardwright.runtime.rocketmq.brokers import RocketMqBrokers
from shardwright.runtime.rocketmq.java_client import JavaAddress, join_java_client
from shardwright.runtime.rocketmq.queues import RocketMqQueues
from shardwright.specs.stream_place import RocketMqStream

if TYPE_CHECKING:
    from shardwright.runtime.queues.planned_source import PlannedQueue


def _opened(stream: RocketMqStream, java: JavaAddress, group: str) -> RocketMqQueues:
    """In Spark's planning process."""
    return RocketMqQueues(stream, join_java_client(java), group)


class RocketMqSource(PlannedQueueSource[RocketMqBrokers]):
    """A partition is a queue, named "topic/broker/number"."""

    kind = "rocketmq"

    def opener(self) -> Callable[[], PlannedQueue]:
        return partial(_opened, self.brokers.stream, self.brokers.client.address, self.group)

    def rows(self, partition: str, start: int, end: int) -> Iterable[Row]:
        return self.brokers.rows(partition, start, end)
