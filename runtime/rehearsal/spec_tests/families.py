"""Where do rows go that are placed through their parent? The statements of `stream.families.parents`, over shards in
memory.

Runs in the driver, with Spark; touches no server. What a batch says by itself is known before any turn is played. Where
parents are at its turn, and which rows go with them, comes from the shards and their lookup tables.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

from shardwright.compiler.plan.plan import FROM, Plan, StepName
from shardwright.runtime.ledger.parent_places import (
    FOLLOWERS_SCHEMA,
    FOUND_ROWS_SCHEMA,
    MOVED_SCHEMA,
    RECORDED_SCHEMA,
)
from shardwright.runtime.rehearsal.dry_run.chain import struct
from shardwright.runtime.rehearsal.spec_tests.collect import Answer, Label, gather, local_rows
from shardwright.runtime.rehearsal.spec_tests.lookup_tables import look_up, places_of, rows_of
from shardwright.runtime.rehearsal.spec_tests.rounds import round_of, without_round
from shardwright.runtime.rehearsal.spec_tests.shards import Shards
from shardwright.runtime.stream.families.affected_families import AffectedFamilies, FamilyChanges
from shardwright.runtime.stream.families.parents import (
    changes_of_excluded,
    locate_changes,
    parents_that_move,
    route_children,
)
from shardwright.runtime.stream.families.placements import (
    AskShards,
    followers_among,
    parents_to_look_up,
    placements_of,
)

_WANTED_SCHEMA = "lookup_table string, key array<string>"


@dataclass(frozen=True, slots=True)
class FamilyRows:
    """What the turns say of families by themselves.

    `lookup_tables` and `children` are the rows of `said`, with their turn in every key, and at the end of a lookup
    table's row that ends with a key. So are `parents`, the (lookup table, key) whose places are wanted. `excluded` are
    routed changes of the lookup tables of that name.
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
        link.places: link.parent for child in which.children if (link := child.placement.parent)
    }.items():
        merged[parent].createOrReplaceTempView("merged")
        lookup_tables.append(spark.sql(plan.step(lookup_table, StepName.ROUTE).statement("route")))
    said = FamilyChanges(
        which,
        reduce(DataFrame.unionAll, lookup_tables),
        {child.logical: merged[child.logical] for child in which.children},
    )
    rows = gather(
        [(("lookup_tables", 0), said.lookup_tables), *(((name, 1), frame) for name, frame in said.children.items())]
    )
    children = {name: rows[name, 1] for name in said.children}
    changes = [_with_round(plan, each) for each in rows["lookup_tables", 0]]
    said = _local(spark, said, changes, children)
    excluded = changes_of_excluded(spark, plan, said).values()
    asked = gather(
        [(("parents", 0), parents_to_look_up(spark, plan, said)), *((("excluded", 0), each) for each in excluded)]
    )
    return FamilyRows(
        said,
        changes,
        children,
        asked["parents", 0],
        [_drop_round(plan, each) for each in asked["excluded", 0]],
    )


def _drop_round(plan: Plan, excluded: Answer) -> Answer:
    """Without the turn. The row of such a lookup table is its key: the child's, in which the turn is the last part, and
    of several source tables the name of one."""
    named = plan.table(excluded["table"]).key[-1] == FROM
    *key, last = excluded["key"]
    key = [*key[:-1], last] if named else key
    return {**excluded, "key": key, "row": key}


def _key_with_round(plan: Plan, lookup_table: str, key: Sequence[str], turn: str) -> list[str]:
    """The turn is part of the parent's key, which a row's source table may follow."""
    at = len(plan.table(lookup_table).lookup_columns)
    return [*key[:at], turn, *key[at:]]


def _with_round(plan: Plan, change: Answer) -> Answer:
    """A change of a lookup table of parents, whose row may end with the key of a row above."""
    if change["row"] is None or plan.table(change["table"]).placement.parent is None:
        return change
    return {**change, "row": [*change["row"], str(round_of(change))]}


def _route_lookup(plan: Plan, change: Answer) -> Answer:
    """The change without its turn."""
    row, table = change["row"], plan.table(change["table"])
    at = len(table.lookup_columns)
    ends_with_turn = row is not None and table.placement.parent is not None
    key = [*change["key"][:at], *change["key"][at + 1 :]]
    return {**change, "key": key, "row": row[:-1] if ends_with_turn else row}


def _local(
    spark: SparkSession, said: FamilyChanges, lookup_tables: Sequence[Answer], children: Mapping[str, Sequence[Answer]]
) -> FamilyChanges:
    """The same changes, with these rows."""
    frames = {name: local_rows(spark, children[name], frame.schema) for name, frame in said.children.items()}
    return replace(said, lookup_tables=local_rows(spark, lookup_tables, said.lookup_tables.schema), children=frames)


def locate_children(
    spark: SparkSession, plan: Plan, chunks: Mapping[int, Sequence[tuple[str, Answer]]], shards: Sequence[Shards]
) -> Sequence[Answer]:
    """The rows of chunks, at the places where they are written. `chunks`: by performance, the child's name and a row
    with `via` and `key`."""
    frames: list[tuple[Label, DataFrame]] = []
    for child in plan.children:
        rows = [
            {**row, **look_up(plan, shards[number], child.placement.parent, row)}
            for number, keyed in chunks.items()
            for logical, row in keyed
            if logical == child.logical and child.placement.parent
        ]
        if rows:
            local_rows(spark, rows, struct(FOUND_ROWS_SCHEMA)).createOrReplaceTempView("found_rows")
            sql = plan.step(child.logical, StepName.SNAPSHOT_ROUTE).statement("route")
            frames.append((("placed", 0), spark.sql(sql)))
    return gather(frames)["placed", 0]


def route_through_parents(
    spark: SparkSession, plan: Plan, family: FamilyRows, shards: Mapping[int, Shards]
) -> Sequence[Answer]:
    """The routed changes of children, and those of the lookup tables of places.

    `shards` are those of the turns that are due, in their present state. One Spark job finds the rows that move, one
    routes; two more for each level of parents below the first.
    """
    lookup_tables = [each for each in family.lookup_tables if round_of(each) in shards]
    children = {name: [each for each in rows if round_of(each) in shards] for name, rows in family.children.items()}
    wanted = [each for each in family.parents if int(each["key"][-1]) in shards]
    if not lookup_tables and not any(children.values()):
        return []
    said = _local(spark, family.said, lookup_tables, children)
    asking = AskShards(
        partial(_look_up_places, spark, plan, shards), partial(_followers, spark, plan, shards), lambda frame: frame
    )
    where = placements_of(spark, plan, said, local_rows(spark, wanted, struct(_WANTED_SCHEMA)), asking)
    placed = locate_changes(spark, plan, said, where)
    known = gather(
        [
            (("moving", 0), parents_that_move(spark, plan, said, where)),
            *(((name, 1), each) for name, each in placed.items()),
        ]
    )
    moved: dict[int, list[Answer]] = defaultdict(list)
    for parent in known["moving", 0]:
        moved[round_of(parent)] += rows_of(plan, shards[round_of(parent)], without_round(parent))
    unrouted = {name: (frame.schema, known[name, 1]) for name, frame in placed.items()}
    return [*(_route_lookup(plan, each) for each in lookup_tables), *_route(spark, plan, unrouted, moved)]


def _look_up_places(spark: SparkSession, plan: Plan, shards: Mapping[int, Shards], wanted: DataFrame) -> DataFrame:
    """What the lookup tables have. The last part of a key is its turn. RECORDED_SCHEMA."""
    nowhere = {"shard": None, "part": None, "origin": None}
    recorded = [
        {**each, **place, "same": each["key"]}
        for each in gather([(("wanted", 0), wanted)])["wanted", 0]
        for *key, turn in [each["key"]]
        for place in places_of(plan, shards[int(turn)], each["lookup_table"], key) or [nowhere]
    ]
    return local_rows(spark, recorded, struct(RECORDED_SCHEMA))


def _followers(spark: SparkSession, plan: Plan, shards: Mapping[int, Shards], moving: DataFrame) -> DataFrame:
    """The rows of lookup tables below parents that move. Keys are made of rows, without a turn. FOLLOWERS_SCHEMA."""
    moved = [
        row
        for parent in gather([(("moving", 0), moving)])["moving", 0]
        for row in rows_of(plan, shards[round_of(parent)], without_round(parent))
    ]
    followers = followers_among(plan, local_rows(spark, moved, struct(MOVED_SCHEMA)))
    found = [
        {**each, "key": _key_with_round(plan, each["lookup_table"], each["key"], str(round_of(each)))}
        for each in gather([(("followers", 0), followers)])["followers", 0]
    ]
    return local_rows(spark, found, struct(FOLLOWERS_SCHEMA))


def _route(
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
        return route_children(spark, plan, frames, local_rows(spark, rows, struct(MOVED_SCHEMA)))

    going = {turn: rows for turn, rows in moved.items() if rows}
    staying = {name: [each for each in rows if round_of(each) not in going] for name, (_, rows) in merged.items()}
    frames = [(("staying", 0), frame) for frame in route(staying, ())]
    for turn, rows in going.items():
        own = {
            name: [without_round(each) for each in changes if round_of(each) == turn]
            for name, (_, changes) in merged.items()
        }
        frames += [(("going", turn), frame) for frame in route(own, rows)]
    routed = gather(frames)
    return [*map(without_round, routed["staying", 0]), *(each for turn in going for each in routed["going", turn])]
