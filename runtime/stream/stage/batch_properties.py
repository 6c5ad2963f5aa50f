"""Which batch does a task work for? It gets that as a job property beside the plan, which is the same from batch to
batch.

Set in the driver, read in Spark tasks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

import pyarrow as pa  # at run time too: Spark reads the functions' annotations

from shardwright.runtime.ledger.recent_keys import KeyMemory
from shardwright.runtime.spark.job_properties import set_task_parameters, task_parameters
from shardwright.runtime.spark.worker import task_begins
from shardwright.runtime.stream.stage.stage import BatchContext, stager

if TYPE_CHECKING:
    from pyspark import SparkContext

_BATCH = "batch"


def set_batch_parameters(spark: SparkContext, context: BatchContext) -> None:
    """Sets as job properties what is different in `context` from batch to batch."""
    remembering = None if context.remembering is None else asdict(context.remembering)
    set_task_parameters(
        spark,
        _BATCH,
        {"number": context.batch, "remembering": remembering, "placing": sorted(context.placing)},
    )


def batch_stager(context: BatchContext) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """`stager` for the batch that the job's properties name; the rest of `context` is the same for all."""

    def stage(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        task_begins()
        batch = task_parameters(_BATCH)
        remembering = None if batch["remembering"] is None else KeyMemory(**batch["remembering"])
        placing = frozenset(batch["placing"])
        return stager(replace(context, batch=batch["number"], remembering=remembering, placing=placing))(batches)

    return stage
