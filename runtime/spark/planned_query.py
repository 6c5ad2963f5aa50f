"""A query that Spark plans once and executes many times, over frames whose rows differ from job to job: job properties
say what their tasks read. To plan a query again takes longer than to execute it over a small batch.

Runs in the driver; starts Spark jobs. Works on Spark's physical plans, as adaptive execution does: a plan that has run
gives what it gave before, so each execution has a copy.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row


class KeptFrame:
    """A frame whose rows Spark keeps while a query reads them several times: until `forget`."""

    def __init__(self, frame: DataFrame) -> None:
        self.frame = frame.persist()
        internals: Any = frame
        self.rows: Any = internals._jdf.queryExecution().withCachedData().cacheBuilder()
        """What builds and holds the rows."""

    def forget(self) -> None:
        """The next job that reads the frame computes its rows anew."""
        self.rows.clearCache(False)

    def close(self) -> None:
        """Spark keeps nothing of it any more."""
        self.frame.unpersist()


@dataclass(frozen=True, slots=True)
class PlannedQuery:
    """What Spark's planner has made of a frame."""

    frame: DataFrame
    _plan: Any
    """Before exchanges and generated code are added."""
    _set_session: Any
    """Spark's function: which session do nodes of a plan belong to that this thread makes? Kept, as to find a function
    by its name takes Java longer than to call it."""
    _prepare: Any
    """Spark's function: adds exchanges and generated code."""

    @classmethod
    def of(cls, frame: DataFrame, kept: KeptFrame | None = None) -> Self | None:
        """None where the plan reads rows that Spark keeps for somebody else than `kept`: these would be those of now,
        whatever happens to them later."""
        internals: Any = frame
        plan = internals._jdf.queryExecution().sparkPlan()
        leaves = plan.collectLeaves()
        for leaf in (leaves.apply(index) for index in range(leaves.size())):
            if _is(leaf, "InMemoryTableScanExec") and (
                kept is None or not leaf.relation().cacheBuilder().equals(kept.rows)
            ):
                return None
        spark = internals.sparkSession._jvm.org.apache.spark.sql
        prepare = spark.execution.QueryExecution.prepareExecutedPlan
        return cls(frame, plan, spark.classic.SparkSession.setActiveSession, prepare)

    def execution(self) -> Execution:
        internals: Any = self.frame.sparkSession
        session = internals._jsparkSession
        self._set_session(session)
        return Execution(self.frame, self._prepare(session, self._plan.clone()))


@dataclass(frozen=True, slots=True)
class Execution:
    """One execution of a planned query, by the job properties of the thread that uses it."""

    frame: DataFrame
    _plan: Any

    def run_up_to_last_exchange(self) -> bool:
        """Start the job and return at once. False where the plan has no exchange that can run alone. A failure comes
        again when the rows are collected, since Spark repeats what an exchange lacks.

        Adaptive execution starts its stages by the same call (ShuffleExchangeLike.submitShuffleJob)."""
        for node in _downwards(self._plan):
            if _is(node, "ShuffleExchangeExec"):
                node.submitShuffleJob()
                return True
        return False

    def collect(self) -> list[Row]:
        """The query's rows. What an exchange has written already is not computed again."""
        from pyspark.sql import DataFrame

        internals: Any = self.frame
        session = self.frame.sparkSession
        executed = internals.sparkSession._jsparkSession.internalCreateDataFrame(
            self._plan.execute(), internals._jdf.schema(), False
        )
        made: Any = DataFrame
        rows: list[Row] = made(executed, session).collect()
        return rows


def _is(node: Any, name: str) -> bool:
    return bool(node.getClass().getSimpleName() == name)


def _downwards(node: Any) -> Iterator[Any]:
    """The nodes of a plan from its root, as far as each has one input."""
    yield node
    while node.children().size() == 1:
        node = node.children().head()
        yield node
