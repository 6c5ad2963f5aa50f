"""Rows of families that are read again, to the fourth level, by real Spark over shards in memory: whatever was wrong,
and whatever happens before and after the rows are read, the targets end where the source ends.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from shardwright.compiler.plan.plan import ORPHANS, Plan
from shardwright.runtime.ledger.parent_places import FOLLOWERS_SCHEMA, MOVED_SCHEMA, RECORDED_SCHEMA
from shardwright.runtime.rehearsal.dry_run.batch import Event
from shardwright.runtime.rehearsal.dry_run.chain import change_rows, struct
from shardwright.runtime.rehearsal.spec_tests.collect import Answer, local_rows
from shardwright.runtime.rehearsal.spec_tests.execute import decide
from shardwright.runtime.rehearsal.spec_tests.lookup_tables import place_of, rows_of
from shardwright.runtime.rehearsal.spec_tests.resolved_case import PhysicalTable, TargetRow
from shardwright.runtime.rehearsal.spec_tests.shards import Key, Shards
from shardwright.runtime.sources.event import EVENT_DDL
from shardwright.runtime.stream.batch.changed_rows import PlaceLeft, and_leave
from shardwright.runtime.stream.batch.query import routing_sql
from shardwright.runtime.stream.families.affected_families import find_affected_families
from shardwright.runtime.stream.families.parents import (
    FamilyEvents,
    family_changes,
    generations,
    locate_changes,
    parents_that_move,
    route_children,
)
from shardwright.runtime.stream.families.placements import (
    AskShards,
    followers_among,
    parents_to_look_up,
    placements_of,
    union,
)
from tests.spec_tests.judging import plans_and_cases
from tests.spec_tests.test_chains import ABOVE, FOLDER, KEYS, Chain
from tests.spec_tests.test_family_histories import Row, rows_on_shards

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.long]
PLACES = tuple(product(range(2), range(2)))
_DEAD_KEYS = "logical string, source_table string, key array<string>, last struct<epoch: bigint, file: bigint, "
_DEAD_KEYS += "offset: bigint, row: int>, until struct<epoch: bigint, file: bigint, offset: bigint, row: int>"
Named = tuple[str, Row]
"""Table and key of a row."""


class Read(Chain):
    def place_of(self, logical: str, row: Row) -> tuple[int, int]:
        place = self.place(logical, row)
        return place % 2, place // 2


@dataclass
class Targets:
    """Shards in memory, and the batches that change them."""

    spark: SparkSession
    plan: Plan
    shards: Shards
    answered: dict[Named, int] = field(default_factory=dict)
    """Rows that were read again, and where in the log: older events say nothing more of them."""
    waiting: set[Named] = field(default_factory=set)
    """Rows that are to be read again: nothing of them takes effect meanwhile."""

    def apply(self, events: Sequence[Event], *, read: Sequence[Named] = (), left: Sequence[PlaceLeft] = ()) -> None:
        """One batch of events; or of the rows `read`, which leave `left`."""
        spark, plan = self.spark, self.plan
        changes = change_rows(spark, events) if events else spark.createDataFrame([], EVENT_DDL)
        holding = {name for name, _ in (*self.answered, *self.waiting)}
        dead = [(name, None, list(key), None, (1, 1, at, -1)) for (name, key), at in self.answered.items()]
        dead += [(name, None, list(key), None, None) for name, key in self.waiting]
        spark.createDataFrame(dead, _DEAD_KEYS).createOrReplaceTempView("dead_keys")
        touched = [f"lab.{name}" for name, _ in read] + [event.source for event in events]
        which = find_affected_families(plan, dict.fromkeys(touched, 1))
        said = family_changes(spark, plan, FamilyEvents(which, changes, changes, holding=holding))
        said = replace(
            said, lookup_tables=_keep(said.lookup_tables), children={n: _keep(f) for n, f in said.children.items()}
        )
        if read:
            entries = [place for place in left if place.logical in which.lookup_names]
            said = replace(said, lookup_tables=and_leave(said.lookup_tables, left=entries, plan=plan), read_again=True)
        where = placements_of(
            spark,
            plan,
            said,
            parents_to_look_up(spark, plan, said),
            AskShards(self._record_places, self._followers, _keep),
        )
        moved = self._below(parents_that_move(spark, plan, said, where))
        merged = {name: _keep(frame) for name, frame in locate_changes(spark, plan, said, where).items()}
        routed = [said.lookup_tables, *route_children(spark, plan, merged, moved, holding=holding)]
        changes.createOrReplaceTempView("changes")
        routed.append(spark.sql(routing_sql(plan, ["customer"], holding)))
        rows = and_leave(_keep(union(routed)), left=left, plan=plan).collect()
        found = decide(spark, plan, {0: [row.asDict(recursive=True) for row in rows]}, look_up=self._look_up)
        self.shards.apply(found.get(0, []))

    def read_again(self, source: Read, wanted: Collection[Named], *, at: int) -> None:
        """Level by level, as `stream.follow.retry_quarantined` does."""
        self.waiting = {*wanted}
        for logicals in generations(self.plan):
            read = sorted((item for item in wanted if item[0] in logicals), key=repr)
            rows = [(name, source.rows[name, key]) for name, key in read if (name, key) in source.rows]
            events = [Event(f"lab.{name}", "I", (1, 1, at, -1), at, None, row) for name, row in rows]
            self.waiting -= {*read}
            if read:
                self.apply(events, read=read, left=[*self._places_left(read, at)])
                self.answered |= dict.fromkeys(read, at)

    def _places_left(self, read: Sequence[Named], at: int) -> Iterator[PlaceLeft]:
        for name, key in read:
            places = [place for place in PLACES if self.shards.look_up(PhysicalTable(name, *place), _texts(key))]
            for place in places:
                yield PlaceLeft(name, f"lab.{name}", _texts(key), *place, (1, 1, at, -1), False)
            if (entries := self.plan.parents.get(name)) is not None:
                yield PlaceLeft(entries, f"lab.{name}", _texts(key), *ORPHANS, (1, 1, at, -1), False)

    def _record_places(self, wanted: DataFrame) -> DataFrame:
        asked = [(row["lookup_table"], row["key"]) for row in wanted.collect()]
        rows = [
            {"lookup_table": name, "key": key, **place_of(self.plan, self.shards, name, key), "same": key}
            for name, key in asked
        ]
        return local_rows(self.spark, rows, struct(RECORDED_SCHEMA))

    def _followers(self, moving: DataFrame) -> DataFrame:
        rows = [row.asDict(recursive=True) for row in followers_among(self.plan, self._below(moving)).collect()]
        return local_rows(self.spark, rows, struct(FOLLOWERS_SCHEMA))

    def _below(self, moving: DataFrame) -> DataFrame:
        parents = [row.asDict(recursive=True) for row in moving.collect()]
        rows = [row for parent in parents for row in rows_of(self.plan, self.shards, parent)]
        return local_rows(self.spark, rows, struct(MOVED_SCHEMA))

    def _look_up(self, _number: int, change: Answer) -> dict[str, object]:
        row = self.shards.look_up(PhysicalTable(change["table"], change["shard"], change["part"]), change["key"])
        return {"found": row is not None, "snapshot_open": False, "found_version": None}

    # -- what `verify` says -------------------------------------------------------------------------------------

    def wrong(self, source: Read) -> set[Named]:
        """The rows that a repair reads again: those that are wrong, and those whose entry in a lookup table is."""
        there = rows_on_shards(self.shards, list(KEYS))
        keys = {(table.logical, source.key(table.logical, row)) for table, row in there} | {*source.rows}
        return {item for item in keys if not self._is_right(item, source, there)} | {*self._wrong_entries(source)}

    def _is_right(self, item: Named, source: Read, there: set[tuple[PhysicalTable, Row]]) -> bool:
        name, row = item[0], source.rows.get(item)
        copies = [(table, found) for table, found in there if (table.logical, source.key(name, found)) == item]
        if row is None or [found for _, found in copies] != [row]:
            return False
        place = (copies[0][0].shard, copies[0][0].part)
        if name not in ABOVE:
            return place == source.place_of(name, row)
        parent, via = ABOVE[name]
        key = [row[at] for at in via]
        if None not in key and self.shards.look_up(PhysicalTable(parent, *place), _texts(key)):
            return True
        entries = PhysicalTable(self.plan.parents[parent], *ORPHANS)
        return place == ORPHANS and (None in key or self.shards.look_up(entries, _texts(key)) is None)

    def _wrong_entries(self, source: Read) -> Iterator[Named]:
        wanted = entries_of(self.plan, source)
        for name in ("customer", "orders", "line"):
            table = PhysicalTable(self.plan.parents[name], *ORPHANS)
            found = {key: tuple(row.values()) for key, row in self.shards.rows.get(table, {}).items()}
            for key in {*found, *wanted[table]}:
                if found.get(key) != wanted[table].get(key):
                    yield name, key


def entries_of(plan: Plan, source: Read) -> dict[PhysicalTable, dict[Row, Row]]:
    found: dict[PhysicalTable, dict[Row, Row]] = {}
    for name in ("customer", "orders", "line"):
        entries = found.setdefault(PhysicalTable(plan.parents[name], *ORPHANS), {})
        for row in source.of(name):
            key, above = source.key(name, row), ABOVE.get(name)
            says = tuple(row[at] for at in above[1]) if above else tuple(map(str, source.place_of(name, row)))
            if None not in says:
                entries[key] = (*key, *says)
    return found


def _texts(key: Sequence[str | None]) -> list[str]:
    return [str(part) for part in key]


def _keep(frame: DataFrame) -> DataFrame:
    return local_rows(frame.sparkSession, [row.asDict(recursive=True) for row in frame.collect()], frame.schema)


def _begin(plan: Plan, source: Read) -> Shards:
    shards = Shards(plan)
    for table, row in source.present():
        shards.copy(table, row, str(plan.table(table.logical).sources[0]))
    for table, entries in entries_of(plan, source).items():
        for row in entries.values():
            shards.copy(table, row, str(plan.table(table.logical).sources[0]))
    return shards


def _plant(shards: Shards, dice: random.Random) -> None:
    """A row or an entry of a lookup table goes, comes, changes, or is in two places; or a row is elsewhere, now and then
    with all that is below it."""
    tables = sorted((table for table, rows in shards.rows.items() if rows), key=repr)
    table = dice.choice(tables)
    key = dice.choice(sorted(shards.rows[table]))
    row, is_entry = shards.rows[table][key], table.logical.startswith("_sw")
    other = table if is_entry else PhysicalTable(table.logical, *dice.choice(PLACES))
    match dice.randrange(4 if is_entry else 6):
        case 0:
            del shards.rows[table][key]
        case 1:
            _carry(shards, table, key, to=(other.shard, other.part), deep=False)
        case 2:
            shards.rows.setdefault(other, {})[key] = row
        case 3:
            last = [*row][-1]
            shards.rows[table][key] = {**row, last: dice.choice("01") if is_entry else "planted"}
        case _:
            _carry(shards, table, key, to=(other.shard, other.part), deep=True)


def _carry(shards: Shards, table: PhysicalTable, key: Key, *, to: tuple[int, int], deep: bool) -> None:
    shards.rows.setdefault(PhysicalTable(table.logical, *to), {})[key] = shards.rows[table].pop(key)
    for child, (parent, via) in ABOVE.items() if deep else ():
        beside = PhysicalTable(child, table.shard, table.part)
        if parent == table.logical:
            below = [k for k, row in shards.rows.get(beside, {}).items() if _at(row, via) == key]
            for one in below:
                _carry(shards, beside, one, to=to, deep=True)


def _at(row: TargetRow, positions: Sequence[int]) -> Row:
    values = [*row.values()]
    return tuple(values[at] for at in positions)


def test_h6_d13_any_faults_are_repaired_ahead_of_the_stream(
    spark: SparkSession, dice: random.Random, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(FOLDER)
    plan = plans_and_cases(Path(), spec="spec.yaml", schema="schema.sql", tests="any.yaml")[0].forward
    for _ in range(3):
        source = Read(dice)
        for _ in range(30):
            source.put(*source.some_row())
        begun = {**source.rows}
        targets = Targets(spark, plan, _begin(plan, source))
        for _ in range(dice.randrange(1, 12)):
            _plant(targets.shards, dice)
        planted = {table: {**rows} for table, rows in targets.shards.rows.items()}
        before = [_next_event(source) for _ in range(dice.choice((0, 0, 4)))]
        if before:
            targets.apply(before)
        wanted = targets.wrong(source)
        ahead = [_next_event(source) for _ in range(dice.choice((0, 6)))]
        targets.read_again(source, wanted, at=100 * (len(source.events) + 1))
        if ahead:
            targets.apply(ahead)
        reported = {"begun": begun, "planted": planted, "before": before, "wrong": wanted, "ahead": ahead}
        assert rows_on_shards(targets.shards, list(KEYS)) == source.present(), reported
        assert not [*targets._wrong_entries(source)], reported


def _next_event(source: Read) -> Event:
    count = len(source.events)
    while len(source.events) == count:
        source.happen()
    return source.events[-1][1]
