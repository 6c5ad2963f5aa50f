"""How Spark reads the events of one batch: as a frame, with the job properties by which its tasks know what to read.

Used in the driver. Touches no server.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from shardwright.runtime.spark.job_properties import set_task_parameters
from shardwright.runtime.spark.planned_query import KeptFrame

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True, slots=True)
class Events:
    frame: DataFrame
    """In the shape of `event`. Frames of logs stay the same from batch to batch, so that what is built on them is
    analysed once."""
    properties: Mapping[str, Any] = field(default_factory=dict)
    """What differs in every batch, such as its ranges: it travels beside the plan."""
    kept: Callable[[], KeptFrame] | None = None
    """Gives the same events for batches that read them several times, each time in one frame. None where the frame is
    one batch's alone."""

    def begin(self) -> DataFrame:
        """The frame, for the jobs that this thread starts from now on, until it begins other events."""
        for name, value in self.properties.items():
            set_task_parameters(self.frame.sparkSession.sparkContext, name, value)
        return self.frame

    @contextmanager
    def reading(self, *, again: bool) -> Iterator[DataFrame]:
        """The events as a frame, for the jobs that this thread starts within. `again`: they are read several times, and
        Spark keeps them for as long."""
        frame = self.begin()
        if not again:
            yield frame
        elif self.kept is not None:
            kept = self.kept()
            try:
                yield kept.frame
            finally:
                kept.forget()
        else:
            frame.persist()
            try:
                yield frame
            finally:
                frame.unpersist()
