"""What the RocketMQ cluster holds: the queries of `runtime/sources/queue/kafka/brokers.py`, answered by
`RocketMqQueues`.

Runs in the driver; reads the brokers, and writes the offsets of the consumer group.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from shardwright.runtime.sources.queue.broker_metadata import Row, Topics
from shardwright.runtime.sources.queue.fetched_jars import jar_files
from shardwright.runtime.sources.queue.rocketmq.java_client import get_java_client
from shardwright.runtime.sources.queue.rocketmq.queues import Offsets, RocketMqQueues
from shardwright.specs.environment.stream_place import RocketMqStream

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass
class RocketMqBrokers:
    """The broker metadata of RocketMQ. `session` starts Spark when it is first needed. The Java client's jars are those
    of Spark's class path."""

    stream: RocketMqStream
    group: str
    session: Callable[[], SparkSession]
    _queues: RocketMqQueues | None = None
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def name(self) -> str:
        return f"rocketmq {self.stream.name_servers}"

    def topics(self) -> Topics:
        """Topics of RocketMQ have no identity but their name."""
        with self._lock:
            return Topics(dict.fromkeys(self.stream.topics, "by name"), self._client().queues())

    def beginnings(self, partitions: tuple[str, ...]) -> Offsets:
        with self._lock:
            found = self._client().beginnings()
        return {name: found[name] for name in partitions}

    def ends(self, partitions: tuple[str, ...]) -> Offsets:
        with self._lock:
            found = self._client().ends()
        return {name: found[name] for name in partitions}

    def rows(self, name: str, start: int, end: int) -> tuple[Row, ...]:
        with self._lock:
            return self._client().rows(name, start, end)

    def readable(self, partitions: tuple[str, ...]) -> Offsets:
        return self.ends(partitions)

    def commit(self, group: str, offsets: Offsets) -> None:
        """Ignores `group`: it is the one that this object was made with."""
        with self._lock:
            self._client().show_offsets(offsets)

    def _client(self) -> RocketMqQueues:
        if self._queues is None:
            paths = ":".join(map(str, jar_files(self.session())))
            self._queues = RocketMqQueues(self.stream, get_java_client(paths), self.group)
        return self._queues
