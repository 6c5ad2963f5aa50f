"""Where is each parent of a batch's families when the batch begins, and where when it ends?

Composed in the driver, by the plan's SQL over views. The caller says how the shards are asked.

Where a parent has a parent itself, the levels are worked through from the top: each needs what is known of the one
above.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from shardwright.compiler.plan.plan import Plan, StepName
from shardwright.runtime.ledger.parent_places import FOLLOWERS_SCHEMA, PLACEMENTS_SCHEMA
from shardwright.runtime.stream.families.affected_families import FamilyChanges


@dataclass(frozen=True, slots=True)
class AskShards:
    """How it is found what the shards have."""

    recorded: Callable[[DataFrame], DataFrame]
    """(lookup table, key) of parents -> RECORDED_SCHEMA."""
    followers: Callable[[DataFrame], DataFrame]
    """Rows of statements `moving` or `gathering` of lookup tables -> FOLLOWERS_SCHEMA."""
    keep: Callable[[DataFrame], DataFrame]
    """Computes a frame that is read several times."""


def parents_to_look_up(spark: SparkSession, plan: Plan, said: FamilyChanges) -> DataFrame:
    """(lookup table, key) of every parent whose places matter by what the batch says, once."""
    wanted = [lookup_keys(plan, said.lookup_tables.withColumnRenamed("table", "lookup_table"))]
    said.lookup_tables.createOrReplaceTempView("lookup_changes")
    for table in (plan.table(name) for name in said.which.lookup_names):
        if table.placement.parent is not None:
            wanted.append(spark.sql(plan.step(table.logical, StepName.ROUTE).statement("parents")))
    for name, unplaced in said.children.items():
        unplaced.createOrReplaceTempView("unplaced")
        wanted.append(spark.sql(plan.step(name, StepName.ROUTE).statement("parents")))
    return union(wanted).distinct()


def lookup_keys(plan: Plan, rows: DataFrame) -> DataFrame:
    """(lookup table, key) of rows of lookup tables: by what these are asked. The key of a row may say besides which of
    several source tables it is from."""
    several = [table.logical for table in plan.lookup_tables if table.source_record is not None]
    if not several:
        return rows.select("lookup_table", "key")
    without = F.when(F.col("lookup_table").isin(several), F.expr("SLICE(key, 1, SIZE(key) - 1)"))
    return rows.select("lookup_table", without.otherwise(F.col("key")).alias("key"))


def placements_of(
    spark: SparkSession, plan: Plan, said: FamilyChanges, wanted: DataFrame, asking: AskShards
) -> DataFrame:
    """Where each parent is when the batch begins and ends: the `wanted` ones, and those whose own parents move."""
    placements: list[DataFrame] = []
    for level in said.levels(plan):
        names = [table.logical for table in level]
        changes = said.lookup_tables.where(F.col("table").isin(names))  # others' rows say no places
        changes.createOrReplaceTempView("lookup_changes")
        below = [table.logical for table in level if table.placement.parent is not None]
        asked = wanted.where(F.col("lookup_table").isin(names))
        if below and placements:
            union(placements).createOrReplaceTempView("placements")
            followers = asking.followers(statements(spark, plan, below, said.moves_statement))
            followers.createOrReplaceTempView("followers")
            asked = asked.unionAll(lookup_keys(plan, followers)).distinct()
        elif below:  # the batch changes nothing above
            spark.createDataFrame([], PLACEMENTS_SCHEMA).createOrReplaceTempView("placements")
            spark.createDataFrame([], FOLLOWERS_SCHEMA).createOrReplaceTempView("followers")
        recorded = asking.recorded(asked)
        recorded = asking.keep(recorded) if below else recorded
        recorded.createOrReplaceTempView("recorded_places")
        placements.append(asking.keep(statements(spark, plan, names, "placements")))
    return union(placements)


def followers_among(plan: Plan, moved: DataFrame) -> DataFrame:
    """Of `moved` (MOVED_SCHEMA), rows of lookup tables: FOLLOWERS_SCHEMA."""
    moved.createOrReplaceTempView("moved")
    names = [table.logical for table in plan.lookup_tables if table.placement.parent is not None]
    return statements(moved.sparkSession, plan, names, "followers")


def statements(spark: SparkSession, plan: Plan, logicals: Sequence[str], statement: str) -> DataFrame:
    """That statement of step 22 of these tables."""
    return union([spark.sql(plan.step(name, StepName.ROUTE).statement(statement)) for name in logicals])


def union(frames: Sequence[DataFrame]) -> DataFrame:
    return reduce(DataFrame.unionAll, frames)
