"""How Spark reads the events of one batch: as a frame, with the job properties by which its tasks know what to read.

Used in the driver. Touches no server.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from shardwright.runtime.spark.job_properties import set_task_parameters

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True, slots=True)
class Events:
    frame: DataFrame
    """In the shape of `event`. Frames of logs stay the same from batch to batch, so that what is built on them is
    analysed once."""
    properties: Mapping[str, Any] = field(default_factory=dict)
    """What differs in every batch, such as its ranges: it travels beside the plan."""

    def begin(self) -> DataFrame:
        """The frame, for the jobs that this thread starts from now on, until it begins other events."""
        for name, value in self.properties.items():
            set_task_parameters(self.frame.sparkSession.sparkContext, name, value)
        return self.frame
