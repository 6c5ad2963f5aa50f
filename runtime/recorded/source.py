"""A folder of recorded messages as a source of the stream. It is read from its beginning, so it holds all changes since before the
copy; whatever came before does no harm."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from shardwright.runtime.queues.offsets import Offsets, QueueOffsets, Row
from shardwright.runtime.queues.planned_queue_source import PlannedQueueSource
from shardwright.runtime.queues.queue_books import Topics
from shardwright.runtime.recorded.folder import RecordedFolder
from shardwright.specs.stream_place import FolderStream

if TYPE_CHECKING:
    from shardwright.runtime.queues.planned_source import PlannedQueue


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

    def commit(self, group: str, offsets: Offsets) -> None:
        """Nobody else reads how far we are."""


class FolderSource(PlannedQueueSource[FolderQueue]):
    kind = "folder"

    def opener(self) -> Callable[[], PlannedQueue]:
        return partial(RecordedFolder, self.brokers.stream.path)

    def rows(self, partition: str, start: int, end: int) -> Iterable[Row]:
        return self.brokers.folder.rows(partition, start, end)

    def proved(self) -> QueueOffsets:
        topics = self.brokers.topics()
        begin = self.brokers.beginnings(topics.partitions)
        return QueueOffsets(offsets=begin, ids=topics.ids, committed_at=int(time.time()), since=begin)
