"""Words from the driver to the tasks of its next Spark jobs: they travel beside the plan, so the plan can stay the same."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark import SparkContext


def tell_tasks(context: SparkContext, name: str, value: Any) -> None:
    """For all jobs that this thread starts from now on. `value` is what JSON can hold, and no secret: Spark's pages show it."""
    context.setLocalProperty(f"shardwright.{name}", json.dumps(value))


def told(name: str) -> Any:
    """In a task: what its job was told."""
    from pyspark import TaskContext

    context = TaskContext.get()
    text = None if context is None else context.getLocalProperty(f"shardwright.{name}")
    if text is None:
        raise RuntimeError(f"this job was not told its {name}")
    return json.loads(text)
