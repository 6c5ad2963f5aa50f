"""A folder of recorded messages as a source of the stream. It is read from its beginning, so it holds all changes since before the
copy; whatever came before does no harm."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass

from shardwright.runtime.sources.queue.driver_queue_source import DriverQueueSource
from shardwright.runtime.sources.queue.offsets import Offsets, QueueOffsets, Row, Topics
from shardwright.runtime.sources.queue.recorded.folder import RecordedFolder
from shardwright.specs.environment.stream_place import FolderStream


@dataclass
class FolderQueue:
    """What is asked of a queue, answered by the folder."""

    stream: FolderStream

    @property
    def folder(self) -> RecordedFolder:
        return RecordedFolder(self.stream.path)

    def name(self) -> str:
        return f"folder {self.stream.path}"

    def topics(self) -> Topics:
        folder, identity = self.folder, self.folder.identity()
        return Topics({} if identity is None else {folder.topic: identity}, (folder.partition,))

    def beginnings(self, partitions: tuple[str, ...]) -> Offsets:
        return dict.fromkeys(partitions, 0)

    def ends(self, partitions: tuple[str, ...]) -> Offsets:
        return self.folder.ends()

    def readable(self, partitions: tuple[str, ...]) -> Offsets:
        return self.folder.ends()

    def commit(self, group: str, offsets: Offsets) -> None:
        """Nobody else reads how far we are."""


class FolderSource(DriverQueueSource[FolderQueue]):
    def rows(self, partition: str, start: int, end: int) -> Iterable[Row]:
        return self.brokers.folder.rows(partition, start, end)

    def proved(self) -> QueueOffsets:
        topics = self.brokers.topics()
        begin = self.brokers.beginnings(topics.partitions)
        return QueueOffsets(offsets=begin, ids=topics.ids, committed_at=int(time.time()), since=begin)
