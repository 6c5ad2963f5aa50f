"""Running a query up to its last exchange before its result is asked for. Spark keeps what an exchange has written, so whoever collects
the same frame later has only the rest to do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def run_up_to_last_exchange(frame: DataFrame) -> bool:
    """Returns at once, while Spark plans nothing any more and works. False where the plan has no exchange that can be run alone, as
    when Spark replans while it runs (adaptive execution). What fails fails again when the result is asked for: Spark repeats what an
    exchange lacks.

    Adaptive execution starts its stages by the same call (ShuffleExchangeLike.submitShuffleJob)."""
    internals: Any = frame
    for node in _downwards(internals._jdf.queryExecution().executedPlan()):
        if node.getClass().getSimpleName() == "ShuffleExchangeExec":
            node.submitShuffleJob()
            return True
    return False


def _downwards(node: Any) -> Iterator[Any]:
    """As far as nodes have one input."""
    yield node
    while node.children().size() == 1:
        node = node.children().head()
        yield node
