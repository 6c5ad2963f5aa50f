"""Where are the parents of a batch's families when the batch begins and ends, and which rows follow them?

Composed in the driver, computed in Spark tasks; reads the lookup tables on the first shard, and child rows on all
shards.

All of it is the plan's SQL over views. What the shards are asked in between is asked before anything is staged.
Meanwhile the caller holds the stream's families alone, so that no chunk is placed by what is about to change.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from pyspark.sql import DataFrame, SparkSession

from shardwright.compiler.plan.plan import Plan, StepName, TablePlan
from shardwright.compiler.sql.batch_sql import batch_sql
from shardwright.runtime.ledger.parent_places import (
    MOVED_SCHEMA,
    RECORDED_SCHEMA,
    Family,
    children_reader,
    places_looker,
)
from shardwright.runtime.stream.families.affected_families import AffectedFamilies, FamilyChanges
from shardwright.runtime.stream.families.placements import (
    AskShards,
    followers_among,
    parents_to_look_up,
    placements_of,
    statements,
    union,
)


@dataclass(frozen=True, slots=True)
class FamilyEvents:
    """The events of a batch that may move parents or children."""

    which: AffectedFamilies
    """The families that they are about."""
    all: DataFrame
    """All of the batch's: parents count from the beginning."""
    counting: DataFrame
    """Those that count for their table."""
    reread: Callable[[DataFrame], DataFrame] | None = None
    """Set where the events are rows that were read again: adds to what is routed to lookup tables the entries of
    parents that are gone. The rows of all these parents come from wherever they are."""
    holding: Collection[str] = frozenset()
    """Tables whose events may belong to quarantined rows: view `dead_keys` has them."""


@dataclass(frozen=True, slots=True)
class RoutedFamilies:
    """The routed changes of a batch's families."""

    changes: DataFrame
    """Has the shape of any routed change."""
    logicals: tuple[str, ...]
    """The tables and lookup tables that `changes` may hold."""


def route_families(plan: Plan, events: FamilyEvents, *, family: Family, snapshot_open: bool) -> RoutedFamilies:
    """`family` is what tasks need to ask the shards. `snapshot_open`: rows are copied meanwhile."""
    spark = events.all.sparkSession
    said = family_changes(spark, plan, events)
    if events.reread is not None:
        said = replace(said, lookup_tables=events.reread(said.lookup_tables), read_again=True)
    said = replace(said, lookup_tables=_compute(said.lookup_tables), children=_all_computed(said.children))
    excluded = changes_of_excluded(spark, plan, said) if snapshot_open else {}
    placements = placements_of(spark, plan, said, parents_to_look_up(spark, plan, said), _make_asker(plan, family))
    moving = parents_that_move(spark, plan, said, placements)
    moved = _compute(moving.mapInArrow(children_reader(family), MOVED_SCHEMA))
    merged = _all_computed(locate_changes(spark, plan, said, placements))
    routed = route_children(spark, plan, merged, moved, holding=events.holding)
    names = (*said.which.lookup_names, *said.children, *excluded)
    return RoutedFamilies(union([said.lookup_tables, *excluded.values(), *routed]), names)


def _make_asker(plan: Plan, family: Family) -> AskShards:
    def look_up_places(wanted: DataFrame) -> DataFrame:
        asked = wanted.coalesce(1) if family.asking else wanted
        return asked.mapInArrow(places_looker(family), RECORDED_SCHEMA)

    def followers(moving: DataFrame) -> DataFrame:
        moved = moving.mapInArrow(children_reader(family), MOVED_SCHEMA)
        return _compute(followers_among(plan, moved))

    return AskShards(look_up_places, followers, _compute)


def family_changes(spark: SparkSession, plan: Plan, events: FamilyEvents) -> FamilyChanges:
    which = events.which
    events.all.createOrReplaceTempView("changes")
    lookup_tables = union([spark.sql(_lookup_sql(plan, parent, events.holding)) for parent in which.parents])
    events.counting.createOrReplaceTempView("changes")
    children = {
        name: spark.sql(batch_sql(plan, "merged", name, held=name in events.holding))
        for name in (child.logical for child in which.children)
    }
    return FamilyChanges(which, lookup_tables, children)


def changes_of_excluded(spark: SparkSession, plan: Plan, said: FamilyChanges) -> dict[str, DataFrame]:
    """While rows are copied: lookup table -> routed changes of it, of rows that no chunk may bring back."""
    excluded: dict[str, DataFrame] = {}
    for child in said.which.children:
        if child.placement.parent and child.deletes.policy == "until_snapshot":
            said.children[child.logical].createOrReplaceTempView("unplaced")
            lookup_table = child.placement.parent.excluded
            excluded[lookup_table] = spark.sql(plan.step(lookup_table, StepName.ROUTE).statement("route"))
    return excluded


def parents_that_move(spark: SparkSession, plan: Plan, said: FamilyChanges, placements: DataFrame) -> DataFrame:
    """Parents that change their place, once for each of their child tables. Of rows that were read again: all parents
    that have something to do with them, once for each place where a row of theirs may be."""
    placements.createOrReplaceTempView("placements")
    return statements(spark, plan, [*said.children], said.moves_statement)


def locate_changes(spark: SparkSession, plan: Plan, said: FamilyChanges, placements: DataFrame) -> dict[str, DataFrame]:
    """The children's changes with their own places: what merge yields for any other table."""
    placements.createOrReplaceTempView("placements")
    merged: dict[str, DataFrame] = {}
    for name, unplaced in said.children.items():
        unplaced.createOrReplaceTempView("unplaced")
        merged[name] = spark.sql(plan.step(name, StepName.ROUTE).statement("place"))
    return merged


def route_children(
    spark: SparkSession,
    plan: Plan,
    merged: Mapping[str, DataFrame],
    moved: DataFrame,
    *,
    holding: Collection[str] = frozenset(),
) -> list[DataFrame]:
    """`moved` (MOVED_SCHEMA) are the rows of `parents_that_move` as they are on the shards."""
    moved.createOrReplaceTempView("moved_rows")
    routed: list[DataFrame] = []
    for name, frame in merged.items():
        frame.createOrReplaceTempView("merged")
        step = plan.step(name, StepName.ROUTE)
        followers = spark.sql(step.statement("followers")) if name in holding else moved
        followers.createOrReplaceTempView("moved")
        routed += [spark.sql(step.statement("route")), spark.sql(step.statement("follow"))]
    return routed


def generations(plan: Plan) -> Sequence[frozenset[str]]:
    """The logical tables, parents before their children."""
    by_depth: dict[int, set[str]] = {}
    for table in plan.tables:
        depth, link = 0, table.placement.parent
        while link is not None:
            depth, link = depth + 1, plan.table(link.parent).placement.parent
        by_depth.setdefault(depth, set()).add(table.logical)
    return [frozenset(by_depth[depth]) for depth in sorted(by_depth)]


def _lookup_sql(plan: Plan, parent: TablePlan, holding: Collection[str]) -> str:
    return batch_sql(plan, "routed", parent.logical, route=plan.parents[parent.logical], held=parent.logical in holding)


def _all_computed(frames: Mapping[str, DataFrame]) -> dict[str, DataFrame]:
    return {name: _compute(frame) for name, frame in frames.items()}


def _compute(frame: DataFrame) -> DataFrame:
    """Computed now, once. Several statements read each of these: as one query, Spark would plan all of them again and
    again, which takes longer than a small batch itself. Spark forgets the rows when nothing refers to them."""
    return frame.localCheckpoint(eager=True)
