"""How the stream reads RocketMQ: as a queue that only the driver can read.

Runs in the driver; reads the brokers.
"""

from __future__ import annotations

from collections.abc import Iterable

from shardwright.runtime.sources.queue.broker_metadata import Row
from shardwright.runtime.sources.queue.driver_queue_source import DriverQueueSource
from shardwright.runtime.sources.queue.rocketmq.brokers import RocketMqBrokers


class RocketMqSource(DriverQueueSource[RocketMqBrokers]):
    """A partition is a queue, named "topic/broker/number"."""

    def rows(self, partition: str, start: int, end: int) -> Iterable[Row]:
        return self.brokers.rows(partition, start, end)
