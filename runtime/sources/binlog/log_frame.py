"""How Spark reads ranges of logs: as a frame that stays the same from batch to batch, so that what is built on it is
analysed once. The ranges that it holds are in a property of the job, which Spark carries to its tasks.

The driver makes the frame; its function runs in Spark tasks and reads the source servers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import pyarrow as pa  # at run time too: Spark reads the functions' annotations

from shardwright.runtime.sources.binlog.log import Log
from shardwright.runtime.sources.binlog.read import read_changes
from shardwright.runtime.sources.binlog.update_chains import UpdateChains
from shardwright.runtime.sources.event import EVENT_DDL
from shardwright.runtime.sources.events import Events
from shardwright.runtime.sources.positions.log_position import LogPosition, LogRange
from shardwright.runtime.sources.positions.pending import from_json, to_json
from shardwright.runtime.spark.job_properties import task_parameters
from shardwright.runtime.spark.planned_query import KeptFrame
from shardwright.runtime.spark.worker import task_begins

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_RANGES = "log ranges"


class LogFrame:
    """The frame of `logs`, which ranges name. One range is read by one task, several by as many as there are cores.
    Each frame is made when it is first needed: it carries what is known of all tables."""

    def __init__(self, spark: SparkSession, logs: Mapping[str, Log]) -> None:
        self._spark = spark
        self._logs = logs
        self._once: dict[int, DataFrame] = {}
        self._kept: dict[int, KeptFrame] = {}

    def events(self, ranges: Sequence[LogRange]) -> Events:
        wanted = [[item.log, item.start.to_json(), item.end.to_json(), to_json(item.prepared)] for item in ranges]
        tasks = 1 if len(ranges) <= 1 else self._spark.sparkContext.defaultParallelism
        return Events(self._read_once(tasks), {_RANGES: wanted}, partial(self._read_again, tasks))

    def close(self) -> None:
        for kept in self._kept.values():
            kept.close()

    def _read_once(self, tasks: int) -> DataFrame:
        if tasks not in self._once:
            self._once[tasks] = self._frame(0, tasks)
        return self._once[tasks]

    def _read_again(self, tasks: int) -> KeptFrame:
        """Its numbers are others, or Spark would take the rows of the one frame for those of the other."""
        if tasks not in self._kept:
            self._kept[tasks] = KeptFrame(self._frame(tasks, tasks))
        return self._kept[tasks]

    def _frame(self, first: int, tasks: int) -> DataFrame:
        numbers = self._spark.range(first, first + tasks, 1, tasks)
        return numbers.mapInArrow(_reader(self._logs, first=first, tasks=tasks), EVENT_DDL)


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
        yield from chains.take()

    return read
