"""What is on the shards after the stories of spec tests? The plan's own Spark SQL decides it.

Runs in the driver, with Spark; touches no server. What batches and given rows say by themselves is computed for all
stories at once. Then one job for each round decides each story's next batch against its shards, after two jobs that
route families.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from shardwright.compiler.plan.plan import EVERY_TABLE, Plan, StepName
from shardwright.runtime.rehearsal.dry_run.batch import Event
from shardwright.runtime.rehearsal.dry_run.layout import Row
from shardwright.runtime.rehearsal.dry_run.model import row_identity
from shardwright.runtime.rehearsal.spec_tests.collect import Answer, Label, gather
from shardwright.runtime.rehearsal.spec_tests.resolved_case import PhysicalTable
from shardwright.runtime.rehearsal.spec_tests.rounds import merge_turns, round_of, without_round
from shardwright.runtime.rehearsal.spec_tests.schedule import Schedule
from shardwright.runtime.rehearsal.spec_tests.shards import Shards
from shardwright.specs.spec_tests.spec_tests import Moment

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from shardwright.runtime.rehearsal.spec_tests.families import FamilyRows

_READ: Final = -1
"""The batch before all others, of what is read where the stream begins."""


def execute(spark: SparkSession, plan: Plan, shows: Sequence[Schedule]) -> tuple[Shards, ...]:
    """The shards at the end of each performance, in order. Raises Spark's errors."""
    from shardwright.runtime.rehearsal.spec_tests.families import route_through_parents
    from shardwright.runtime.rehearsal.spec_tests.lookup_tables import begin_lookup_tables

    prepared = prepare(spark, plan, shows)
    shards = tuple(Shards(plan, holding=_rows_at_end(plan, show)) for show in shows)
    for number in range(len(shows)):
        begin_lookup_tables(plan, shards[number], prepared.placed[number], prepared.keyed[number])
    _copy(spark, plan, shows, shards=shards, prepared=prepared, moment="first")
    for round_number in range(_READ, max((len(show.cut) for show in shows), default=0)):
        now = {turn: number for turn, (number, index) in enumerate(prepared.turns) if index == round_number}
        changes = {number: [*prepared.routed[turn]] for turn, number in now.items()}
        if prepared.family is not None:
            due = {turn: shards[number] for turn, number in now.items()}
            for change in route_through_parents(spark, plan, prepared.family, due):
                changes[now[round_of(change)]].append(change)
            for change in prepared.family.excluded:
                turn = round_of(change)
                if turn in now and shows[now[turn]].copied == "last":
                    changes[now[turn]].append(change)
        look_up = partial(_look_up, plan, shows, shards)
        for number, decisions in decide(spark, plan, changes, look_up=look_up).items():
            shards[number].apply(decisions)
    _copy(spark, plan, shows, shards=shards, prepared=prepared, moment="last")
    return shards


def _rows_at_end(plan: Plan, show: Schedule) -> frozenset[tuple[str, str, tuple[str, ...]]]:
    """What the source has when all has happened, of tables whose rows have owners."""
    found: set[tuple[str, str, tuple[str, ...]]] = set()
    images: list[tuple[str, str, Row | None, Row | None]] = [
        (each.logical, each.source, None, each.row) for each in show.resolved_case.given
    ]
    logged = sorted(show.resolved_case.events, key=lambda each: each[1].position)
    images += [(logical, event.source, event.before, event.after) for logical, event in logged]
    for logical, source, before, after in images:
        table = plan.table(logical)
        if table.ours.owner is None:
            continue
        if before is not None:
            found.discard((logical, source, tuple(row_identity(table, before))))
        if after is not None:
            found.add((logical, source, tuple(row_identity(table, after))))
    return frozenset(found)


def _copy(
    spark: SparkSession,
    plan: Plan,
    shows: Sequence[Schedule],
    *,
    shards: Sequence[Shards],
    prepared: PreparedRun,
    moment: Moment,
) -> None:
    from shardwright.runtime.rehearsal.spec_tests.families import locate_children

    now = [number for number, show in enumerate(shows) if show.copied == moment]
    children = locate_children(spark, plan, {number: prepared.keyed[number] for number in now}, shards)
    for row in (*(row for number in now for row in prepared.placed[number]), *children):
        shards[row["chunk"]].copy(
            PhysicalTable(row["table"], row["shard"], row["part"]), row["row"], row["source_table"]
        )


@dataclass(frozen=True, slots=True)
class PreparedRun:
    """What depends on no shard.

    `turns` are the performance and the number of each batch that has events. By performance: `placed` given rows, and
    `keyed` ones of children (with the child's name), which are placed when they are written. By turn: `routed` changes.
    """

    turns: Sequence[tuple[int, int]]
    placed: Mapping[int, list[Answer]]
    keyed: Mapping[int, list[tuple[str, Answer]]]
    routed: Mapping[int, list[Answer]]
    family: FamilyRows | None


def prepare(spark: SparkSession, plan: Plan, shows: Sequence[Schedule]) -> PreparedRun:
    from shardwright.runtime.rehearsal.spec_tests.families import family_rows
    from shardwright.runtime.stream.families.affected_families import find_affected_families

    batches = {
        (number, index): events
        for number, show in enumerate(shows)
        for index, events in enumerate((_read(plan, show), *([event for _, event in it] for it in show.batches)), _READ)
        if events
    }
    which = find_affected_families(plan, {event.source: 1 for batch in batches.values() for event in batch})
    merged = merge_turns(spark, plan, tuple(batches.values()), which=which)
    placed: dict[int, list[Answer]] = defaultdict(list)
    keyed: dict[int, list[tuple[str, Answer]]] = defaultdict(list)
    routed: dict[int, list[Answer]] = defaultdict(list)
    for (kind, index), answers in gather(
        [*_location_frames(spark, plan, shows), *routing(spark, plan, merged)]
    ).items():
        table = plan.tables[index]
        for answer in answers:
            if kind == "routed":
                routed[round_of(answer)].append(without_round(answer, table))
            elif table.placement.parent:
                keyed[answer["chunk"]].append((table.logical, answer))
            else:
                placed[answer["chunk"]].append(answer)
    family = family_rows(spark, plan, which, merged) if which else None
    return PreparedRun(tuple(batches), placed, keyed, routed, family)


def _read(plan: Plan, show: Schedule) -> list[Event]:
    """The given rows of tables without a key, which are read where the stream begins: as INSERTs."""
    return [
        Event(given.source, "I", (0, 0, number, 0), 0, None, given.row)
        for number, given in enumerate(show.resolved_case.given)
        if plan.table(given.logical).identity.counts_rows
    ]


def _location_frames(spark: SparkSession, plan: Plan, shows: Sequence[Schedule]) -> Iterator[tuple[Label, DataFrame]]:
    """One statement for each table. A chunk's number is the performance's number. The way back copies nothing."""
    from shardwright.runtime.snapshot.read import SEEN_ROWS_SCHEMA

    for index, table in enumerate(plan.tables if plan.direction.copies else ()):
        if table.identity.counts_rows:
            continue
        rows = [
            (
                given.source,
                number,
                *(
                    [given.row[column.position] for column in some]
                    for some in (table.spark_columns, table.source.reads)
                ),
            )
            for number, show in enumerate(shows)
            for given in show.resolved_case.given
            if given.logical == table.logical
        ]
        if rows:
            spark.createDataFrame(rows, SEEN_ROWS_SCHEMA).createOrReplaceTempView("chunk_rows")
            step = plan.step(table.logical, StepName.SNAPSHOT_ROUTE)
            yield ("given", index), spark.sql(step.statement("keys" if table.placement.parent else "route"))


def routing(spark: SparkSession, plan: Plan, merged: Mapping[str, DataFrame]) -> Iterator[tuple[Label, DataFrame]]:
    """All tables but children, which need the places of their parents."""
    for index, table in enumerate(plan.tables):
        if table.logical in merged and not table.placement.parent:
            merged[table.logical].createOrReplaceTempView("merged")
            yield ("routed", index), spark.sql(plan.step(table.logical, StepName.ROUTE).statement("route"))


def decide(
    spark: SparkSession,
    plan: Plan,
    batches: Mapping[int, Sequence[Answer]],
    *,
    look_up: Callable[[int, Answer], Mapping[str, object]],
) -> Mapping[int, list[Answer]]:
    """The decisions of one batch of each performance, from one Spark job. `look_up` answers for a routed change of a
    performance.

    A decision reads nothing but its own row, and on the way back other rows of its key. The performance's number is a
    further part of every key, so one statement serves all.
    """
    from shardwright.runtime.rehearsal.dry_run.chain import rows_with_answers

    rows = [
        {**change, **look_up(number, change), "key": [*change["key"], str(number)]}
        for number, changes in batches.items()
        for change in changes
    ]
    if not rows:
        return {}
    rows_with_answers(spark, rows).createOrReplaceTempView("looked_up")
    found: dict[int, list[Answer]] = defaultdict(list)
    decided = spark.sql(plan.step(EVERY_TABLE, StepName.FILTER).statement("filter"))
    for answer in gather([(("decided", 0), decided)])["decided", 0]:
        found[int(answer["key"][-1])].append(without_round(answer))
    return found


def _look_up(
    plan: Plan, shows: Sequence[Schedule], shards: Sequence[Shards], number: int, change: Answer
) -> dict[str, object]:
    place = PhysicalTable(change["table"], change["shard"], change["part"])
    row = shards[number].look_up(place, change["key"])
    version = plan.table(place.logical).writes.version_column
    return {
        "found": row is not None,
        "snapshot_open": shows[number].copied == "last",
        "found_version": row[version] if row is not None and version else None,
    }
