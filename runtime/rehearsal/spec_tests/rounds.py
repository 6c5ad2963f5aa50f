"""How do many batches pass through the same statements at once? Spark's time depends on the number of statements, not
on that of rows.

Runs in the driver, with Spark; touches no server. A turn is one batch of one performance. Its number travels as the
epoch of its positions, and as a further part of every key. Statements compare keys and pass them on, but do not read
their parts: rows of different turns never meet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from shardwright.compiler.plan.plan import Plan, StepName, TablePlan
from shardwright.runtime.rehearsal.dry_run.batch import Event
from shardwright.runtime.rehearsal.spec_tests.collect import Answer

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from shardwright.runtime.stream.families.affected_families import AffectedFamilies


def merge_turns(
    spark: SparkSession, plan: Plan, turns: Sequence[Sequence[Event]], *, which: AffectedFamilies
) -> dict[str, DataFrame]:
    """By logical table, what the plan's decode and merge make of the events of all turns.

    Keys (also those of parents, where they are used as places) have the turn at their end. Tables without an event are
    left out, unless they are among `which`, the families that an event touches.
    """
    from shardwright.runtime.rehearsal.dry_run.chain import change_rows

    events = [
        replace(event, position=(number, *event.position[1:])) for number, turn in enumerate(turns) for event in turn
    ]
    if not events:
        return {}
    sources = {event.source for event in events}
    change_rows(spark, events).createOrReplaceTempView("changes")
    return {
        table.logical: _merge(spark, plan, table.logical)
        for table in plan.tables
        if table in (*which.parents, *which.children) or any(str(name) in sources for name in table.sources)
    }


def _merge(spark: SparkSession, plan: Plan, logical: str) -> DataFrame:
    from pyspark.sql import functions as F

    turn = F.array(F.col("position.epoch").cast("string"))
    keys = ("key", "before_place", "after_place") if plan.table(logical).placement.parent else ("key",)
    decoded = spark.sql(plan.step(logical, StepName.DECODE).statement("decode"))
    decoded.withColumns({name: F.concat(name, turn) for name in keys}).createOrReplaceTempView("decoded")
    return spark.sql(plan.step(logical, StepName.MERGE).statement("merge"))


def round_of(answer: Answer) -> int:
    """The turn of an answer that has a position."""
    return int(answer["position"]["epoch"])


def without_round(answer: Answer, table: TablePlan | None = None) -> Answer:
    """`table`: the one that the answer is about, where it may be one without a key. There the row is the key."""
    shorter = {"key": answer["key"][:-1]}
    if table is not None and table.identity.counts_rows and answer["row"] is not None:
        shorter["row"] = answer["row"][:-1]
    return {**answer, **shorter}
