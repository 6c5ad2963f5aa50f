"""How Spark reads ranges of logs: as a frame that stays the same from batch to batch, so that what is built on it is
analysed once. The ranges that it holds are in a property of the job, which Spark carries to its tasks.

The driver makes the frame; its function runs in Spark tasks and reads the source servers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import pyarrow as pa  # at run time too: Spark reads the functions' annotations

from shardwright.runtime.sources.binlog.log_range import Log, LogRange
from shardwright.runtime.sources.binlog.position import LogPosition
from shardwright.runtime.sources.binlog.read import BatchBuilder, read_changes, taken_out
from shardwright.runtime.sources.binlog.update_chains import UpdateChains
from shardwright.runtime.sources.binlog.xa import from_json, to_json
from shardwright.runtime.sources.event import EVENT_DDL
from shardwright.runtime.sources.events import Events
from shardwright.runtime.spark.job_properties import task_parameters
from shardwright.runtime.spark.planned import KeptFrame
from shardwright.runtime.spark.worker import task_begins

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_RANGES = "log ranges"


class LogFrame:
    """The frame of `logs`, which ranges name. One range is read by one task, several by as many as there are cores."""

    def __init__(self, spark: SparkSession, logs: Mapping[str, Log]) -> None:
        self._narrow = _frames(spark, logs, tasks=1)
        self._wide = _frames(spark, logs, tasks=spark.sparkContext.defaultParallelism)

    def events(self, ranges: Sequence[LogRange]) -> Events:
        wanted = [[item.log, item.start.to_json(), item.end.to_json(), to_json(item.prepared)] for item in ranges]
        frame, kept = self._narrow if len(ranges) <= 1 else self._wide
        return Events(frame, {_RANGES: wanted}, kept)

    def close(self) -> None:
        for _, kept in (self._narrow, self._wide):
            kept.close()


def _frames(spark: SparkSession, logs: Mapping[str, Log], *, tasks: int) -> tuple[DataFrame, KeptFrame]:
    """The frame that a batch reads once, and the one of which Spark keeps the rows. Their numbers differ, or Spark
    would take the rows of the one for those of the other."""
    once, kept = (
        spark.range(first, first + tasks, 1, tasks).mapInArrow(_reader(logs, first=first, tasks=tasks), EVENT_DDL)
        for first in (0, tasks)
    )
    return once, KeptFrame(kept)


def _reader(
    logs: Mapping[str, Log], *, first: int, tasks: int
) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def read(numbers: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        task_begins()
        ranges = task_parameters(_RANGES)
        chains = UpdateChains()
        for batch in numbers:
            for number in batch.column(0).to_pylist():
                for name, begin, end, prepared in ranges[number - first :: tasks]:
                    start, pending = LogPosition.from_json(begin), from_json(prepared)
                    yield from read_changes(
                        logs[name], start, LogPosition.from_json(end), chains=chains, pending=pending
                    )
        yield from taken_out(chains, BatchBuilder())

    return read
