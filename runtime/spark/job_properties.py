"""How the driver gives parameters to the tasks of its next Spark jobs: as job properties, which travel beside the plan,
so that the plan can stay the same.

`set_task_parameters` runs in the driver, `task_parameters` in a Spark task. Touches no server.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark import SparkContext


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
