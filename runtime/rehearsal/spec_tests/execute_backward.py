"""What does the source hold after the backward cases of spec tests? The backward plan's own Spark SQL decides it.

Runs in the driver, with Spark; touches no server. As in `play`, all performances go from round to round together. Where
a decision is to read a row again, the rows that the shards have take the place of its events, as in
`stream.batch.rows_again`, and the round is decided once more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

from shardwright.compiler.plan.plan import Plan
from shardwright.compiler.sql.batch_sql import batch_sql
from shardwright.runtime.rehearsal.dry_run.batch import Event
from shardwright.runtime.rehearsal.spec_tests.collect import Answer, gather, local_rows
from shardwright.runtime.rehearsal.spec_tests.execute import decide, prepare, routing
from shardwright.runtime.rehearsal.spec_tests.resolved_case import PhysicalTable
from shardwright.runtime.rehearsal.spec_tests.rounds import merge_turns
from shardwright.runtime.rehearsal.spec_tests.schedule import Schedule
from shardwright.runtime.rehearsal.spec_tests.shard_history import RowKey, ShardHistory, ShardRow
from shardwright.runtime.rehearsal.spec_tests.shards import Shards
from shardwright.runtime.rehearsal.spec_tests.way_back import WayBackPlans

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from shardwright.runtime.stream.batch.changed_rows import PlaceLeft

_FROM_SHARDS = ("reread", "delete_if_gone")
"""Decisions for which the shards are asked."""
_LAST = (0, 1 << 62, 0, -1)
"""A position behind those of all events."""

RowsRead = Mapping[RowKey, ShardRow | None]
"""None: the shards have no such row."""


def execute_backward(spark: SparkSession, plans: WayBackPlans, shows: Sequence[Schedule]) -> tuple[Shards, ...]:
    """The source at the end of each performance, in order. Raises Spark's errors."""
    plan = plans.plan
    source = tuple(_at_start(plans, show) for show in shows)
    history = [ShardHistory(plan, show.resolved_case) for show in shows]
    prepared = prepare(spark, plan, shows)

    def look_up(number: int, change: Answer) -> Mapping[str, object]:
        row = source[number].look_up(_place(change), change["key"])
        home = None if row is None else plans.home(change["table"], row, source[number])
        return {"found": row is not None, "found_home": home, "snapshot_open": False, "found_version": None}

    for round_number in range(max((len(show.cut) for show in shows), default=0)):
        changes = {
            number: prepared.routed[turn]
            for turn, (number, index) in enumerate(prepared.turns)
            if index == round_number
        }
        decisions = dict(decide(spark, plan, changes, look_up=look_up))
        again: dict[int, RowsRead] = {}
        for number, made in decisions.items():
            happened = shows[number].event_count(round_number)
            keys = {(each["table"], tuple(each["key"])) for each in made if each["decision"] in _FROM_SHARDS}
            if keys:
                again[number] = {key: history[number].read(key, happened) for key in sorted(keys)}
        if again:
            instead = _SecondRead(spark, plan, again).instead_of(changes, source)
            decisions |= decide(spark, plan, instead, look_up=look_up)
        for number, made in decisions.items():
            source[number].apply(made)
    return source


def _at_start(plans: WayBackPlans, show: Schedule) -> Shards:
    source = Shards(plans.plan, plans.fresh)
    for place, row in show.resolved_case.begins_with:
        source.begin_with(place, row)
    return source


def _place(change: Answer) -> PhysicalTable:
    return PhysicalTable(change["table"], change["shard"], change["part"])


@dataclass(frozen=True, slots=True)
class _SecondRead:
    """`rows`: by performance, the keys that were read again. The performance's number is a further part of every key in
    all views."""

    spark: SparkSession
    plan: Plan
    rows: Mapping[int, RowsRead]

    def instead_of(
        self, changes: Mapping[int, Sequence[Answer]], source: Sequence[Shards]
    ) -> Mapping[int, Sequence[Answer]]:
        """The routed changes of these performances, with the rows in place of all events of their keys. Two Spark
        jobs at most."""
        from shardwright.runtime.rehearsal.dry_run.chain import ROUTED_SCHEMA, struct
        from shardwright.runtime.stream.batch.changed_rows import leave_places

        routed = [
            {**change, "key": [*change["key"], str(number)]} for number in self.rows for change in changes[number]
        ]
        read = self._route()
        leaving = leave_places(read, self._places_left(source), plan=self.plan)
        read.unionByName(leaving).createOrReplaceTempView("rows_read")
        keys = [
            {"logical": logical, "key": [*key, str(number)]}
            for number, rows in self.rows.items()
            for logical, key in rows
        ]
        local_rows(self.spark, keys, struct("logical string, key array<string>")).createOrReplaceTempView("reread_keys")
        local_rows(self.spark, routed, struct(ROUTED_SCHEMA)).createOrReplaceTempView("routed")
        again: dict[int, list[Answer]] = defaultdict(list)
        for answer in gather([(("again", 0), self.spark.sql(batch_sql(self.plan, "reread")))])["again", 0]:
            *key, number = answer["key"]
            again[int(number)].append({**answer, "key": key})
        return again

    def _route(self) -> DataFrame:
        """The rows, as the plan routes them."""
        from pyspark.sql import DataFrame

        from shardwright.runtime.rehearsal.dry_run.chain import ROUTED_SCHEMA, struct
        from shardwright.runtime.stream.families.affected_families import find_affected_families

        turns: list[list[Event]] = [[] for _ in range(max(self.rows) + 1)]
        for number, rows in self.rows.items():
            turns[number] = [Event(row.table, "I", _LAST, 0, None, row.row) for row in rows.values() if row is not None]
        merged = merge_turns(self.spark, self.plan, turns, which=find_affected_families(self.plan, {}))
        frames = [frame for _, frame in routing(self.spark, self.plan, merged)]
        return reduce(DataFrame.unionAll, frames) if frames else local_rows(self.spark, [], struct(ROUTED_SCHEMA))

    def _places_left(self, source: Sequence[Shards]) -> list[PlaceLeft]:
        """Everywhere that the source has one of the rows now."""
        from shardwright.runtime.stream.batch.changed_rows import PlaceLeft

        left = []
        for number, rows in self.rows.items():
            for (logical, key), row in rows.items():
                first = str(self.plan.table(logical).sources[0])
                for place, there in source[number].rows.items():
                    if place.logical == logical and key in there:
                        table, full_key = row.table if row else first, [*key, str(number)]
                        left.append(PlaceLeft(logical, table, full_key, place.shard, place.part, _LAST, False))
        return left
