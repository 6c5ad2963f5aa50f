"""A folder of recorded messages as a source of the stream. What orders its changes, and what is kept of its position, is as with
Kafka; it is read from its beginning, so it holds all changes since before the copy, whatever came before does no harm."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from shardwright.runtime.binlog.identity import server_identity
from shardwright.runtime.queues.brokers import Topics
from shardwright.runtime.queues.kafka_source import KafkaSource
from shardwright.runtime.queues.offsets import Offsets, QueueOffsets
from shardwright.runtime.raw_rows import raw_connection
from shardwright.runtime.recorded.folder import RecordedFolder
from shardwright.specs.stream_place import FolderStream

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@dataclass
class FolderQueue:
    """The questions of `runtime/queues/brokers.py`, answered by the folder."""

    stream: FolderStream

    @property
    def folder(self) -> RecordedFolder:
        return RecordedFolder(self.stream.path)

    def topics(self) -> Topics:
        folder, identity = self.folder, self.folder.identity()
        return Topics({} if identity is None else {folder.topic: identity}, (folder.partition,))

    def beginnings(self, partitions: tuple[str, ...]) -> Offsets:
        return dict.fromkeys(partitions, 0)

    def ends(self, partitions: tuple[str, ...]) -> Offsets:
        return self.folder.ends()

    def commit(self, group: str, offsets: Offsets) -> None:
        """Nobody else reads how far we are."""


@dataclass
class FolderSource(KafkaSource):
    brokers: FolderQueue  # type: ignore[assignment]  # it answers the same questions

    def identity(self) -> str:
        with raw_connection(self.address, self.database) as connection:
            return f"folder {self.brokers.stream.path} of {server_identity(connection)}"

    def proved(self) -> QueueOffsets:
        topics = self.brokers.topics()
        begin = self.brokers.beginnings(topics.partitions)
        return QueueOffsets(offsets=begin, ids=topics.ids, committed_at=int(time.time()), since=begin)

    def events(self, spark: SparkSession, start: QueueOffsets, *, attempt: int) -> DataFrame:
        from shardwright.runtime.queues.planned_source import PlannedSettings, planned_source

        start = self._from(start)
        opened = partial(RecordedFolder, self.brokers.stream.path)
        settings = PlannedSettings(opened, dict(start.offsets), self.limits.max_rows)
        source = planned_source(settings, name=f"shardwright_folder_{attempt}_{self.name}")
        spark.dataSource.register(source)
        return self._decoded(spark.readStream.format(source.name()).load())

    def between(self, spark: SparkSession, start: Offsets, end: Offsets) -> DataFrame:
        from shardwright.runtime.queues.planned_source import MESSAGES_DDL

        folder = self.brokers.folder
        rows = [row for name, until in end.items() for row in folder.rows(name, start.get(name, 0), until)]
        return self._decoded(spark.createDataFrame(rows, MESSAGES_DDL))

    def end_of(self, offset: Mapping[str, Any]) -> QueueOffsets:
        return QueueOffsets(offsets={name: int(end) for name, end in offset.items()})
