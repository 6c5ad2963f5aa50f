"""Many stories played on the plan's own Spark SQL: one job places what is given and routes every batch of every story,
then one job a round decides each story's next batch against its shards."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any

from shardwright.compiler.plan import Plan, StepName
from shardwright.runtime.dry_run.batch import Event
from shardwright.runtime.spec_tests.shards import Shards
from shardwright.runtime.spec_tests.story import PhysicalTable, Story
from shardwright.specs.spec_tests import Moment

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Answer = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Performance:
    """One way to play a story: how its events are cut, when its given rows arrive."""

    story: Story
    cut: tuple[int, ...]
    copied: Moment

    @property
    def batches(self) -> tuple[tuple[tuple[str, Event], ...], ...]:
        found, start = [], 0
        for size in self.cut:
            found.append(self.story.events[start : start + size])
            start += size
        return tuple(found)


def performances(story: Story) -> tuple[Performance, ...]:
    return tuple(Performance(story, cut, copied) for cut in story.cuts for copied in story.case.copied)


def play(spark: SparkSession, plan: Plan, shows: Sequence[Performance]) -> tuple[Shards, ...]:
    """The shards at the end of each performance, in order. Raises Spark's errors."""
    placed, routed = _placed_and_routed(spark, plan, shows)
    shards = tuple(Shards(plan) for _ in shows)
    for number, show in enumerate(shows):
        if show.copied == "first":
            _copy(shards[number], placed.get(number, ()))
    for round_number in range(max((len(show.cut) for show in shows), default=0)):
        batches = {
            number: routed[number, round_number] for number in range(len(shows)) if (number, round_number) in routed
        }
        for number, decisions in _decided(spark, plan, shows, shards=shards, batches=batches).items():
            shards[number].apply(decisions)
    for number, show in enumerate(shows):
        if show.copied == "last":
            _copy(shards[number], placed.get(number, ()))
    return shards


def _copy(shards: Shards, rows: Sequence[Answer]) -> None:
    for row in rows:
        shards.copy(PhysicalTable(row["table"], row["shard"], row["part"]), row["row"])


_Placed = Mapping[int, list[Answer]]
_Routed = Mapping[tuple[int, int], list[Answer]]


def _placed_and_routed(spark: SparkSession, plan: Plan, shows: Sequence[Performance]) -> tuple[_Placed, _Routed]:
    """Given rows by performance; routed changes by performance and batch."""
    frames = [*_placing(spark, plan, shows), *_routing(spark, plan, shows)]
    placed: dict[int, list[Answer]] = defaultdict(list)
    routed: dict[tuple[int, int], list[Answer]] = defaultdict(list)
    for (kind, number, batch), answer in _collected(frames):
        if kind == "placed":
            placed[answer["chunk"]].append(answer)
        else:
            routed[number, batch].append(answer)
    return placed, routed


_Label = tuple[str, int, int]


def _placing(spark: SparkSession, plan: Plan, shows: Sequence[Performance]) -> Iterator[tuple[_Label, DataFrame]]:
    """One statement a table: a chunk's number says whose row it is."""
    from shardwright.runtime.snapshot.read import CHUNK_ROWS_SCHEMA

    for table in plan.tables:
        rows = [
            (given.source, number, [given.row[column.position] for column in table.reads])
            for number, show in enumerate(shows)
            for given in show.story.given
            if given.logical == table.logical
        ]
        if rows:
            spark.createDataFrame(rows, CHUNK_ROWS_SCHEMA).createOrReplaceTempView("chunk_rows")
            sql = plan.step(table.logical, StepName.SNAPSHOT_ROUTE).statement("route")
            yield ("placed", 0, 0), spark.sql(sql)


def _routing(spark: SparkSession, plan: Plan, shows: Sequence[Performance]) -> Iterator[tuple[_Label, DataFrame]]:
    """One query a batch, the one that the stream runs: its view holds this batch's events only."""
    from shardwright.runtime.dry_run.chain import change_rows
    from shardwright.runtime.stream.decide import routing_sql

    for number, show in enumerate(shows):
        for index, batch in enumerate(show.batches):
            if batch:
                change_rows(spark, [event for _, event in batch]).createOrReplaceTempView("changes")
                logicals = sorted({logical for logical, _ in batch})
                yield ("routed", number, index), spark.sql(routing_sql(plan, logicals))


def _decided(
    spark: SparkSession,
    plan: Plan,
    shows: Sequence[Performance],
    *,
    shards: Sequence[Shards],
    batches: Mapping[int, Sequence[Answer]],
) -> Mapping[int, list[Answer]]:
    """The decisions of one batch of each performance, from one Spark job. A decision reads nothing but its own row, so one
    statement a table serves all; the performance's number travels as `committed_at`, which no decision reads."""
    from shardwright.runtime.dry_run.chain import looked_up_rows
    from shardwright.runtime.stream.decide import filter_sql

    rows = [
        {**change, **_look_up(plan, shards[number], change, copied=shows[number].copied), "committed_at": number}
        for number, changes in batches.items()
        for change in changes
    ]
    if not rows:
        return {}
    looked_up_rows(spark, rows).createOrReplaceTempView("looked_up")
    logicals = sorted({row["table"] for row in rows})
    decided: dict[int, list[Answer]] = defaultdict(list)
    for _, answer in _collected([(("decided", 0, 0), spark.sql(filter_sql(plan, logicals)))]):
        decided[answer["committed_at"]].append(answer)
    return decided


def _look_up(plan: Plan, shards: Shards, change: Answer, *, copied: Moment) -> dict[str, object]:
    place = PhysicalTable(change["table"], change["shard"], change["part"])
    row = shards.found(place, change["key"])
    version = plan.table(place.logical).version_column
    return {
        "found": row is not None,
        "snapshot_open": copied == "last",
        "found_version": row[version] if row is not None and version else None,
    }


def _collected(frames: Sequence[tuple[_Label, DataFrame]]) -> Iterator[tuple[_Label, Answer]]:
    """Every row of every frame, from one Spark job."""
    from pyspark.sql import DataFrame
    from pyspark.sql import functions as F

    if not frames:
        return
    texts = [
        frame.select(
            *(F.lit(part) for part in label),
            F.to_json(F.struct(*(F.col(f"`{name}`") for name in frame.columns)), {"ignoreNullFields": "false"}),
        )
        for label, frame in frames
    ]
    for kind, number, batch, text in reduce(DataFrame.unionAll, texts).collect():
        yield (kind, number, batch), json.loads(text)
