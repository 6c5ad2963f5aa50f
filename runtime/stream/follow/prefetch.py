"""What can be done of the next range while a batch takes effect? It is found in the log, and Spark reads, merges and
routes it up to the stages, since nothing of that depends on what the batch in progress changes.

Runs in a thread of the driver, beside the stream's; Spark tasks read the sources. Nothing is written before the range
becomes a batch.
"""

from __future__ import annotations

from concurrent.futures import Future, wait
from dataclasses import dataclass

from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.sources.next_range import NextRange, NextRanges
from shardwright.runtime.sources.positions.stream_position import StreamPosition
from shardwright.runtime.stream.batch.query import PreparedBatch
from shardwright.runtime.stream.batch.run import BatchRunner

_WORTH = 20
"""A range with less than this part of what a batch may have grows while the batch in progress takes effect: it is
better to search for it afterwards."""
_PATIENCE_SECONDS = 5


@dataclass(frozen=True, slots=True)
class PrefetchedRange:
    """The range behind `start`, and what has been done of its batch."""

    start: StreamPosition
    found: NextRange
    prepared: PreparedBatch | None


class Prefetcher:
    """Belongs to the thread that makes batches, of `most_rows` each. It fetches one range at a time, in a thread of its
    own."""

    def __init__(self, ranges: NextRanges, batches: BatchRunner, *, most_rows: int) -> None:
        self._ranges = ranges
        self._batches = batches
        self._worth = max(1, most_rows // _WORTH)
        self._seeing: Future[PrefetchedRange | None] | None = None

    def worth(self, found: NextRange) -> bool:
        """Whether there may be as much behind it."""
        return self._ranges.only_logs and found.counts is not None and found.counts.events >= self._worth

    def begin(self, start: StreamPosition) -> None:
        from pyspark import InheritableThread

        assert self._seeing is None, "what has been seen is taken first"
        seeing = self._seeing = Future()

        def look() -> None:
            try:
                seeing.set_result(self._look(start))
            except BaseException as error:  # noqa: BLE001 - the stream asks for the range again and meets it
                seeing.set_exception(error)

        thread = InheritableThread(target=look)
        thread.name, thread.daemon = "look-ahead", True
        thread.start()

    def take(self, start: StreamPosition) -> PrefetchedRange | None:
        """The range that was fetched behind `start`; None when the caller has to search for it (again)."""
        seeing, self._seeing = self._seeing, None
        if seeing is None or seeing.exception() is not None:
            return None
        seen = seeing.result()
        return seen if seen is not None and seen.start == start else None

    def close(self) -> None:
        """The range that is being fetched is not wanted any more. A source that does not answer is not waited for."""
        if self._seeing is not None:
            wait([self._seeing], timeout=_PATIENCE_SECONDS)

    def _look(self, start: StreamPosition) -> PrefetchedRange | None:
        failpoint("before-looking-ahead")
        found = self._ranges.after(start)
        if found is None or found.counts is None or not self.worth(found):
            return None
        return PrefetchedRange(start, found, self._batches.prepare(self._ranges.events(found), found.counts))
