"""Where do rows go that are placed through their parent? The statements of `stream.families.parents`, over shards in
memory.

Runs in the driver, with Spark; touches no server. What a batch says by itself is known before any turn is played. Where
parents are at its turn, and which rows go with them, comes from the shards and their lookup tables.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

from shardwright.compiler.plan.plan import ORPHANS, PART, SHARD, Plan, StepName
from shardwright.runtime.ledger.parent_places import FOUND_ROWS_SCHEMA, MOVED_SCHEMA, RECORDED_SCHEMA
from shardwright.runtime.rehearsal.dry_run.chain import struct
from shardwright.runtime.rehearsal.spec_tests.collect import Answer, Label, gathered, local_rows
from shardwright.runtime.rehearsal.spec_tests.shards import Shards, identity
from shardwright.runtime.rehearsal.spec_tests.story import PhysicalTable
from shardwright.runtime.rehearsal.spec_tests.turns import turn_of, without_turn
from shardwright.runtime.stream.families.parents import (
    AffectedFamilies,
    FamilyChanges,
    excluded_changes,
    moving_parents,
    placed_changes,
    placements_of,
    routed_children,
    wanted_parents,
)


@dataclass(frozen=True, slots=True)
class FamilyRows:
    """What the turns say of families by themselves.

    `lookup_tables` and `children` are the rows of `said`, with their turn in every key. So are `parents`, the (lookup
    table, key) whose places are wanted. `excluded` are routed changes of the lookup tables of that name.
    """

    said: FamilyChanges
    lookup_tables: Sequence[Answer]
    children: Mapping[str, Sequence[Answer]]
    parents: Sequence[Answer]
    excluded: Sequence[Answer]


def family_rows(
    spark: SparkSession, plan: Plan, which: AffectedFamilies, merged: Mapping[str, DataFrame]
) -> FamilyRows:
    """`merged` are the changes of all turns. Two Spark jobs."""
    lookup_tables: list[DataFrame] = []
    for lookup_table, parent in {
        link.places: link.parent for child in which.children if (link := child.parent)
    }.items():
        merged[parent].createOrReplaceTempView("merged")
        lookup_tables.append(spark.sql(plan.step(lookup_table, StepName.ROUTE).statement("route")))
    said = FamilyChanges(
        which,
        reduce(DataFrame.unionAll, lookup_tables),
        {child.logical: merged[child.logical] for child in which.children},
    )
    rows = gathered(
        [(("lookup_tables", 0), said.lookup_tables), *(((name, 1), frame) for name, frame in said.children.items())]
    )
    children = {name: rows[name, 1] for name in said.children}
    said = _local(spark, said, rows["lookup_tables", 0], children)
    excluded = excluded_changes(spark, plan, said).values()
    asked = gathered(
        [(("parents", 0), wanted_parents(spark, plan, said)), *((("excluded", 0), each) for each in excluded)]
    )
    return FamilyRows(
        said,
        rows["lookup_tables", 0],
        children,
        asked["parents", 0],
        [_forgotten(each) for each in asked["excluded", 0]],
    )


def _forgotten(excluded: Answer) -> Answer:
    """The row of such a lookup table is its key, with the turn."""
    return {**without_turn(excluded), "row": excluded["row"][:-1]}


def _local(
    spark: SparkSession, said: FamilyChanges, lookup_tables: Sequence[Answer], children: Mapping[str, Sequence[Answer]]
) -> FamilyChanges:
    """The same changes, with these rows."""
    frames = {name: local_rows(spark, children[name], frame.schema) for name, frame in said.children.items()}
    return replace(said, lookup_tables=local_rows(spark, lookup_tables, said.lookup_tables.schema), children=frames)


def begin_lookup_tables(plan: Plan, shards: Shards, placed: Sequence[Answer]) -> None:
    """Fills the lookup tables with the places of the given parents. `placed` are given rows as their chunk places
    them."""
    lookup_tables = {child.parent.parent: child.parent.places for child in plan.children if child.parent}
    for row in placed:
        if row["table"] in lookup_tables:
            parent = plan.table(row["table"])
            values = dict(zip((column.target for column in parent.columns), row["row"], strict=True))
            key = [values[name] for name in parent.key]
            shards.copy(_lookup_table(lookup_tables[row["table"]]), [*key, str(row["shard"]), str(row["part"])])


def placed_children(
    spark: SparkSession, plan: Plan, chunks: Mapping[int, Sequence[tuple[str, Answer]]], shards: Sequence[Shards]
) -> Sequence[Answer]:
    """The rows of chunks, at the places where they are written. `chunks`: by performance, the child's name and a row
    with `via` and `key`."""
    frames: list[tuple[Label, DataFrame]] = []
    for child in plan.children:
        rows = [
            {**row, **_found(shards[number], child.parent.places, child.parent.excluded, row)}
            for number, keyed in chunks.items()
            for logical, row in keyed
            if logical == child.logical and child.parent
        ]
        if rows:
            local_rows(spark, rows, struct(FOUND_ROWS_SCHEMA)).createOrReplaceTempView("found_rows")
            sql = plan.step(child.logical, StepName.SNAPSHOT_ROUTE).statement("route")
            frames.append((("placed", 0), spark.sql(sql)))
    return gathered(frames)["placed", 0]


def routed_through_parents(
    spark: SparkSession, plan: Plan, family: FamilyRows, shards: Mapping[int, Shards]
) -> Sequence[Answer]:
    """The routed changes of children, and those of the lookup tables of places.

    `shards` are those of the turns that are due, in their present state. One Spark job finds the rows that move, one
    routes.
    """
    lookup_tables = [each for each in family.lookup_tables if turn_of(each) in shards]
    children = {name: [each for each in rows if turn_of(each) in shards] for name, rows in family.children.items()}
    recorded = [
        {**each, **_place(shards[int(each["key"][-1])], each["lookup_table"], each["key"][:-1]), "same": each["key"]}
        for each in family.parents
        if int(each["key"][-1]) in shards
    ]
    if not lookup_tables and not any(children.values()):
        return []
    said = _local(spark, family.said, lookup_tables, children)
    where = placements_of(spark, plan, said, local_rows(spark, recorded, struct(RECORDED_SCHEMA)))
    placed = placed_changes(spark, plan, said, where)
    known = gathered(
        [
            (("moving", 0), moving_parents(spark, plan, said, where)),
            *(((name, 1), each) for name, each in placed.items()),
        ]
    )
    moved: dict[int, list[Answer]] = defaultdict(list)
    for parent in known["moving", 0]:
        moved[turn_of(parent)] += _rows_of(plan, shards[turn_of(parent)], without_turn(parent))
    unrouted = {name: (frame.schema, known[name, 1]) for name, frame in placed.items()}
    return [*map(without_turn, lookup_tables), *_routed(spark, plan, unrouted, moved)]


def _routed(
    spark: SparkSession,
    plan: Plan,
    merged: Mapping[str, tuple[StructType, Sequence[Answer]]],
    moved: Mapping[int, Sequence[Answer]],
) -> list[Answer]:
    """By child its merged changes, and by turn the rows that move.

    A turn with such rows is routed by itself: there, keys are made of rows, which have no turn.
    """

    def route(chosen: Mapping[str, Sequence[Answer]], rows: Sequence[Answer]) -> list[DataFrame]:
        frames = {name: local_rows(spark, chosen[name], schema) for name, (schema, _) in merged.items()}
        return routed_children(spark, plan, frames, local_rows(spark, rows, struct(MOVED_SCHEMA)))

    going = {turn: rows for turn, rows in moved.items() if rows}
    staying = {name: [each for each in rows if turn_of(each) not in going] for name, (_, rows) in merged.items()}
    frames = [(("staying", 0), frame) for frame in route(staying, ())]
    for turn, rows in going.items():
        own = {
            name: [without_turn(each) for each in changes if turn_of(each) == turn]
            for name, (_, changes) in merged.items()
        }
        frames += [(("going", turn), frame) for frame in route(own, rows)]
    routed = gathered(frames)
    return [*map(without_turn, routed["staying", 0]), *(each for turn in going for each in routed["going", turn])]


def _rows_of(plan: Plan, shards: Shards, parent: Answer) -> Iterator[Answer]:
    """The rows of a parent that moves, at the place where it was. MOVED_SCHEMA."""
    child, start = plan.table(parent["table"]), parent["at_start"]
    place = PhysicalTable(child.logical, start["shard"], start["part"])
    of_parent = {name: value for name, value in parent.items() if name != "key"}
    for row in shards.rows.get(place, {}).values():
        if identity(row, child.via_columns) == tuple(parent["key"]):
            yield {**of_parent, "row": list(row.values())}


def _found(shards: Shards, places: str, excluded: str, row: Answer) -> Answer:
    left = shards.found(_lookup_table(excluded), row["key"]) is not None
    return {**_place(shards, places, row["via"]), "excluded": left}


def _place(shards: Shards, places: str, key: Sequence[str]) -> Answer:
    """The place in the lookup table. A key with a NULL in it is shorter, and no parent has it."""
    row = shards.found(_lookup_table(places), key)
    return {
        "shard": None if row is None else int(row[SHARD] or 0),
        "part": None if row is None else int(row[PART] or 0),
    }


def _lookup_table(name: str) -> PhysicalTable:
    return PhysicalTable(name, *ORPHANS)
