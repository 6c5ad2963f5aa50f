"""Properties of the Spark jobs that a thread starts: their name and pool, and parameters of their tasks. These travel
beside the plan, so that the plan can stay the same.

`task_parameters` runs in a Spark task, everything else in the driver. Touches no server.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from pyspark import SparkContext


STREAM_POOL: Final = "stream"
SNAPSHOT_POOL: Final = "snapshot"
_CALL_SITES: Final = ("callSite.short", "callSite.long")


def assign_pool(context: SparkContext, pool: str) -> None:
    """Of the jobs that this thread starts from now on. Spark's pages show the pool as the place that they are called
    from: otherwise Spark looks for that place in Java's stack whenever it makes an RDD, which took a sixth of the
    driver's time for small batches."""
    for name in ("spark.scheduler.pool", *_CALL_SITES):
        context.setLocalProperty(name, pool)


def keep_call_sites(context: SparkContext) -> None:
    """PySpark gives each job of its own the place in Python's stack, and forgets what `assign_pool` has set. From now
    on it leaves that alone: it does so within its own calls of each other."""
    from pyspark.traceback_utils import SCCallSiteSync

    calls: Any = SCCallSiteSync
    if calls._spark_stack_depth == 0:
        calls(context).__enter__()


def set_task_parameters(context: SparkContext, name: str, value: Any) -> None:
    """Set a property for all jobs that this thread starts from now on. `value` is what JSON can hold, and no secret:
    Spark's pages show it."""
    context.setLocalProperty(f"shardwright.{name}", json.dumps(value))


def task_parameters(name: str) -> Any:
    """In a task: the value of its job's property."""
    from pyspark import TaskContext

    context = TaskContext.get()
    text = None if context is None else context.getLocalProperty(f"shardwright.{name}")
    if text is None:
        raise RuntimeError(f"this job lacks its property {name}")
    return json.loads(text)
