"""What a queue has next: range after range of offsets.

Runs in the driver; reads the brokers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Protocol

from shardwright.runtime.sources.positions.queue_offsets import Offsets, QueueOffsets
from shardwright.runtime.sources.source import FetchedRange

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class Readable(Protocol):
    """What a reading needs of the queue."""

    def share_after(self, start: QueueOffsets) -> Offsets: ...

    def between(self, spark: SparkSession, start: Offsets, end: Offsets) -> DataFrame: ...


@dataclass(frozen=True, slots=True)
class QueueReading:
    queue: Readable
    spark: SparkSession

    def fetch(self, start: QueueOffsets, until: None = None) -> FetchedRange | None:
        end = self.queue.share_after(start)
        if all(offset == start.offsets.get(name, 0) for name, offset in end.items()):
            return None
        return FetchedRange(
            QueueOffsets(offsets=end), events=partial(self.queue.between, self.spark, start.offsets, end)
        )

    def close(self) -> None:
        """Closes nothing: the queue belongs to its source."""
