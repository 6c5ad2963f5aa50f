"""How a query runs up to its last exchange before its result is asked for. Spark keeps what an exchange has written, so
a later collect of the same frame has only the rest to do.

Runs in the driver; starts a Spark job.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def run_up_to_last_exchange(frame: DataFrame) -> bool:
    """Start the job and return at once; planning is over by then. False where the plan has no exchange that can run
    alone, as when Spark replans while it runs (adaptive execution). A failure comes again when the result is asked for,
    since Spark repeats what an exchange lacks.

    Adaptive execution starts its stages by the same call (ShuffleExchangeLike.submitShuffleJob)."""
    internals: Any = frame
    for node in _downwards(internals._jdf.queryExecution().executedPlan()):
        if node.getClass().getSimpleName() == "ShuffleExchangeExec":
            node.submitShuffleJob()
            return True
    return False


def _downwards(node: Any) -> Iterator[Any]:
    """The nodes of a plan from its root, as far as each has one input."""
    yield node
    while node.children().size() == 1:
        node = node.children().head()
        yield node
