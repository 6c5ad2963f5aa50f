"""Routing a batch's families: where parents stand when the batch begins and ends, which rows follow them.

All of it is the plan's SQL over views; what is asked of the shards in between is asked before anything is staged. The caller
holds the stream's families alone meanwhile, so that no chunk is placed by what is about to change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from pyspark.sql import DataFrame, SparkSession

from shardwright.compiler.plan import Plan, StepName, TablePlan
from shardwright.runtime.stream.whereabouts import (
    MOVED_SCHEMA,
    STOOD_SCHEMA,
    Family,
    children_reader,
    places_looker,
)


@dataclass(frozen=True, slots=True)
class Involved:
    """The parents and children that a batch may move, and whether it needs their books at all."""

    parents: tuple[TablePlan, ...]
    children: tuple[TablePlan, ...]

    def __bool__(self) -> bool:
        return bool(self.parents)


@dataclass(frozen=True, slots=True)
class RoutedFamilies:
    """`changes` has the shape of any routed change. `logicals` are the tables and books it may hold."""

    changes: DataFrame
    logicals: tuple[str, ...]


def involved(plan: Plan, source_tables: Mapping[str, int]) -> Involved:
    """`source_tables`: where all events of the range come from, also those that do not count for their table yet."""

    def touched(table: TablePlan) -> bool:
        return any(str(name) in source_tables for name in table.sources)

    moved = {
        child.parent.parent for child in plan.children if child.parent and touched(plan.table(child.parent.parent))
    }
    children = [child for child in plan.children if child.parent and (touched(child) or child.parent.parent in moved)]
    names = {child.parent.parent for child in children if child.parent}
    return Involved(tuple(plan.table(name) for name in sorted(names)), tuple(children))


def route_families(
    spark: SparkSession,
    plan: Plan,
    which: Involved,
    *,
    events: DataFrame,
    changes: DataFrame,
    family: Family,
    snapshot_open: bool,
) -> RoutedFamilies:
    """`events` are all of the batch's: parents count from the beginning. `changes` are those that count for their table."""
    books = sorted({child.parent.places for child in which.children if child.parent})
    events.createOrReplaceTempView("changes")
    book_changes = _kept(_union([spark.sql(_book_sql(plan, parent)) for parent in which.parents]))
    book_changes.createOrReplaceTempView("book_changes")
    changes.createOrReplaceTempView("changes")
    unplaced = {child.logical: _kept(spark.sql(_unplaced_sql(plan, child.logical))) for child in which.children}
    wanted = [spark.sql("SELECT `table` AS book, key FROM book_changes")]
    departed: list[DataFrame] = []
    for child in which.children:
        unplaced[child.logical].createOrReplaceTempView("unplaced")
        wanted.append(spark.sql(plan.step(child.logical, StepName.ROUTE).statement("parents")))
        if snapshot_open and child.parent and child.delete_policy == "until_snapshot":
            departed.append(spark.sql(plan.step(child.parent.departed, StepName.ROUTE).statement("route")))
    stood = _union(wanted).distinct().mapInArrow(places_looker(family), STOOD_SCHEMA)
    stood.createOrReplaceTempView("stood")
    asked = [spark.sql(plan.step(book, StepName.ROUTE).statement("whereabouts")) for book in books]
    whereabouts = _kept(_union(asked))
    whereabouts.createOrReplaceTempView("whereabouts")
    moved = _moved(spark, plan, which.children, family)
    moved.createOrReplaceTempView("moved")
    routed: list[DataFrame] = []
    for child in which.children:
        step = plan.step(child.logical, StepName.ROUTE)
        unplaced[child.logical].createOrReplaceTempView("unplaced")
        _kept(spark.sql(step.statement("place"))).createOrReplaceTempView("merged")
        routed += [spark.sql(step.statement("route")), spark.sql(step.statement("follow"))]
    names = [*books, *(child.logical for child in which.children)]
    names += [child.parent.departed for child in which.children if child.parent] if departed else []
    frames = _union([book_changes, *departed, *routed])
    return RoutedFamilies(frames, tuple(names))


def _moved(spark: SparkSession, plan: Plan, children: Sequence[TablePlan], family: Family) -> DataFrame:
    """The rows of parents that change their place, as they stand on the shards."""
    moving = [spark.sql(plan.step(child.logical, StepName.ROUTE).statement("moving")) for child in children]
    return _kept(_union(moving).mapInArrow(children_reader(family), MOVED_SCHEMA))


def _book_sql(plan: Plan, parent: TablePlan) -> str:
    book = next(
        child.parent.places for child in plan.children if child.parent and child.parent.parent == parent.logical
    )
    route = plan.step(book, StepName.ROUTE).statement("route")
    return f"WITH {_decoded(plan, parent.logical)}, merged AS ({_merge(plan, parent.logical)}) {route}"


def _unplaced_sql(plan: Plan, logical: str) -> str:
    return f"WITH {_decoded(plan, logical)} {_merge(plan, logical)}"


def _decoded(plan: Plan, logical: str) -> str:
    return f"decoded AS ({plan.step(logical, StepName.DECODE).statement('decode')})"


def _merge(plan: Plan, logical: str) -> str:
    return plan.step(logical, StepName.MERGE).statement("merge")


def _union(frames: Sequence[DataFrame]) -> DataFrame:
    return reduce(DataFrame.unionAll, frames)


def _kept(frame: DataFrame) -> DataFrame:
    """Computed now, once. Several statements read each of these: as one query, Spark would plan all of them again and again,
    which takes longer than a small batch itself. Spark forgets the rows when nothing refers to them."""
    return frame.localCheckpoint(eager=True)
