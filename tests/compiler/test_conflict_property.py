"""Rounds of both directions against a plain model: hundreds of random histories, each with a row of its own, decided by
the plan's SQL. Applications write at any moment: between a read and a write of ours, too. The model shares nothing with
the SQL: it compares every pair of changes by what each side had when it was made.

Mutants of the SQL and of the rounds have to be found.
"""

from __future__ import annotations

import os
import random
import secrets
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from shardwright.compiler.plan.plan import Plan, StepName
from shardwright.compiler.steps.conflict import CHANGED, RESOLVE
from shardwright.runtime.ledger.conflicts import Conflict
from shardwright.runtime.sources.event import EVENT_DDL
from shardwright.runtime.stream.rounds import resolve as resolving
from shardwright.runtime.stream.rounds.resolve import resolve
from tests.compiler.projects import compile_folder, write_texts
from tests.support.variants import usual

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

SEED = int(os.environ.get("SHARDWRIGHT_SEED") or secrets.randbits(32))
HISTORIES = 150
ROUNDS = 3
POLICIES = {
    "source": "source",
    "shards": "{policy: shards, deletes: delete}",
    "hold": "{policy: hold, deletes: hold}",
}
_SPEC = """
version: 1
migration: property
source: {dialect: mariadb, databases: [shop], schema: schema.sql}
target: {databases: "part_{0..1}"}
two_way: {writers: both, conflicts: source}
sharding:
  by_id: {shard_key: [id], database: id % 2}
tables:
  - {table: row_of_both, sharding: by_id, conflicts: POLICY}
"""
_MOVABLE = 'by_id: {shard_key: [value], database: "((coalesce(value, 0) % 2) + 2) % 2"}'
"""A row goes to the other shard with each second change, and the logs of the shards have no order."""
_TABLE = "CREATE TABLE row_of_both (id INT UNSIGNED NOT NULL PRIMARY KEY, value INT NULL) DEFAULT CHARSET=utf8mb4;"
_SIDES = ("source", "shards")
Value = int | None
"""What a row has; None: there is no row. Few values, so that they come back."""


@dataclass
class Logged:
    """One row of a log. `knows`: the changes of the other side that this side had then."""

    value: Value
    before: Value
    is_own: bool
    knows: frozenset[int] = frozenset()
    number: int = -1
    """Of a change of an application, over both sides."""


@dataclass
class History:
    """One row on both sides, with their logs."""

    id: int
    rows: dict[str, Value]
    logs: dict[str, list[Logged]] = field(default_factory=lambda: {side: [] for side in _SIDES})
    read: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_SIDES, 0))
    knows: dict[str, set[int]] = field(default_factory=lambda: {side: set() for side in _SIDES})
    listed: list[Conflict] = field(default_factory=list)
    held: Conflict | None = None
    changes: int = 0

    def write(self, side: str, value: Value) -> None:
        """As an application."""
        if value == self.rows[side]:
            return
        logged = Logged(value, self.rows[side], False, frozenset(self.knows[side]), self.changes)
        self.logs[side].append(logged)
        self.knows[side].add(self.changes)
        self.changes += 1
        self.rows[side] = value

    def apply(self, side: str, value: Value, knows: set[int]) -> None:
        """As the run. A write that changes nothing is in no log."""
        if value != self.rows[side]:
            self.logs[side].append(Logged(value, self.rows[side], True))
            self.rows[side] = value
        self.knows[side] |= knows

    def has_concurrent(self) -> bool:
        """Whether two changes did not know of each other."""
        one, other = ([item for item in self.logs[side] if not item.is_own] for side in _SIDES)
        return any(a.number not in b.knows and b.number not in a.knows for a in one for b in other)


class _World:
    """All histories, round after round."""

    def __init__(self, spark: SparkSession, plan: Plan, chosen: random.Random) -> None:
        self.spark, self.plan, self.chosen, self.is_quiet = spark, plan, chosen, False
        self.is_movable = plan.table("row_of_both").rows_may_move
        self.histories = [
            History(number, dict.fromkeys(_SIDES, chosen.choice([None, 0]))) for number in range(HISTORIES)
        ]

    def write_some(self, chance: float) -> None:
        for one in () if self.is_quiet else self.histories:
            for side in self.chosen.sample(_SIDES, 2):
                while self.chosen.random() < chance:
                    one.write(side, self.chosen.choice([None, 0, 1, 2, 3]))

    def round(self, *, reads_own: bool = True) -> None:
        ranges = {one.id: {side: one.logs[side][one.read[side] :] for side in _SIDES} for one in self.histories}
        for one in self.histories:
            one.read = {side: len(one.logs[side]) for side in _SIDES}
        self.write_some(0.35)
        rows = {side: self._rows(side, ranges, reads_own) for side in _SIDES}
        touched = {row[1][0] for side in _SIDES for row in rows[side] if row[2]}
        held = [one.held for one in self.histories if one.held and str(one.id) in touched]
        wanted = [(side, row) for side in _SIDES for row in rows[side]]
        decided = resolve(
            self.spark,
            self.plan,
            [row for side, row in wanted if side == "source"],
            [row for side, row in wanted if side == "shards"],
            held,
        )
        by_row = {int(one.key[0]): one for one in decided}
        for one in self.histories:
            self._take(one, ranges[one.id], by_row.get(one.id))

    def _take(self, one: History, found: Mapping[str, list[Logged]], conflict: Conflict | None) -> None:
        """Both directions' batches, in any order, while applications write between them."""
        changes = {side: [item for item in found[side] if not item.is_own] for side in _SIDES}
        for side, other in self.chosen.sample([("source", "shards"), ("shards", "source")], 2):
            # `side` is written, with what the other one has.
            numbers = {item.number for item in changes[other]}
            if conflict is None or conflict.decision == "application":
                if changes[other]:
                    one.apply(side, changes[other][-1].value, numbers | _number_set(changes[other]))
            elif side in conflict.writes:
                image = conflict.writes[side]
                one.apply(side, None if image is None else int(image[1] or 0), set(range(one.changes)))
            if not self.is_quiet and self.chosen.random() < 0.3:
                one.write(self.chosen.choice(_SIDES), self.chosen.choice([None, 0, 1, 2]))
        if conflict is not None:
            one.listed.append(conflict)
            one.held = conflict if conflict.decision == "hold" else None
            if one.held is not None:
                object.__setattr__(one.held, "id", one.id + 1)

    def _rows(
        self, side: str, ranges: Mapping[int, Mapping[str, list[Logged]]], reads_own: bool
    ) -> list[tuple[Any, ...]]:
        """What `changed` of the side's plan says of its ranges."""
        plan = self.plan if side == "source" else self.plan.backward
        assert plan is not None
        events: dict[bool, list[tuple[Any, ...]]] = defaultdict(list)
        for one in self.histories:
            begin = one.read[side] - len(ranges[one.id][side])
            for at, item in enumerate(ranges[one.id][side]):
                if item.is_own and not reads_own:
                    continue
                events[item.is_own] += self._events(one, side, item, begin + at)
        for is_own, view in ((False, "decoded"), (True, "decoded_own")):
            self.spark.createDataFrame(events[is_own], EVENT_DDL).createOrReplaceTempView("changes")
            decode = plan.step("row_of_both", StepName.DECODE).statement("decode")
            self.spark.sql(decode).createOrReplaceTempView(view)
        text = plan.step("row_of_both", StepName.CONFLICT).statement(CHANGED)
        return [self._clear(row.asDict()) for row in self.spark.sql(text).collect()]

    def _clear(self, row: dict[str, Any]) -> tuple[Any, ...]:
        """Where the logs do not say where a row is, the shards are asked, somewhat later."""
        if row["is_unclear"]:
            value = self.histories[int(row["key"][0])].rows["shards"]
            row["after"] = row["now"] = None if value is None else [row["key"][0], str(value)]
            row["deletes"] = max(0, row["deletes"] - (value is not None))
        return tuple(row.values())

    def _events(self, one: History, side: str, item: Logged, at: int) -> Iterator[tuple[Any, ...]]:
        """A row that changes its shard has an event in two logs. `at`: the place in the side's history."""
        images = [None if value is None else [str(one.id), str(value)] for value in (item.before, item.value)]
        if side == "source":
            yield ("shop.row_of_both", _op(images), 0, 1, at, 0, 1, *images)
            return
        numbers = [value if self.is_movable else one.id for value in (item.before, item.value)]
        for part in (0, 1):
            here = [
                image if number is not None and number % 2 == part else None
                for image, number in zip(images, numbers, strict=True)
            ]
            if any(here):
                yield (f"part_{part}.row_of_both", _op(here), 0, 1, at + 1_000_000 * (1 - part), 0, 1, *here)


def _op(images: list[list[str] | None]) -> str:
    return "I" if images[0] is None else "D" if images[1] is None else "U"


def _number_set(changes: list[Logged]) -> set[int]:
    return {number for item in changes for number in item.knows}


def _compile(folder: Path, policy: str, *, movable: bool = False) -> Plan:
    spec = _SPEC.replace("POLICY", POLICIES[policy])
    if movable:
        spec = spec.replace("by_id: {shard_key: [id], database: id % 2}", _MOVABLE)
    write_texts(folder, spec, _TABLE)
    return compile_folder(folder).plan


def _faults(world: _World) -> Iterator[str]:
    for one in world.histories:
        place = f"{one.id}: {one.logs}"
        if one.held is None and one.rows["source"] != one.rows["shards"]:
            yield f"sides differ: {place}"
        # Of a row that moves after our own write, the logs do not say whether its application knew that.
        listed = [item for item in one.listed if not (world.is_movable and item.decision == "application")]
        if listed and not one.has_concurrent():  # rows that became alike are not listed
            yield f"listed {len(one.listed)} times: {place}"


def _run(spark: SparkSession, plan: Plan, *, reads_own: bool = True) -> list[str]:
    world = _World(spark, plan, random.Random(SEED))
    for _ in range(ROUNDS):
        world.write_some(0.35)
        world.round(reads_own=reads_own)
    world.is_quiet = True
    for _ in range(2):
        world.round(reads_own=reads_own)
    return list(_faults(world))


@pytest.mark.parametrize(
    ("policy", "movable"),
    usual(product(POLICIES, (False, True)), only=[("source", False), ("source", True), ("hold", False)]),
)
def test_both_sides_become_equal_and_all_is_listed(
    spark: SparkSession, tmp_path: Path, policy: str, movable: bool
) -> None:
    print("seed", SEED)
    faults = _run(spark, _compile(tmp_path, policy, movable=movable))
    assert not faults, "\n".join(faults[:5])


@pytest.mark.long
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("OR `source_late` OR `shards_late`", ""),
        ("`source_changes` > 0 AND `shards_changes` > 0", "FALSE"),
        ("COALESCE(`t`.`late`, FALSE)", "FALSE"),
        ("NOT `t`.`key` IS NULL THEN `t`.`now`", "NOT `t`.`key` IS NULL THEN `t`.`after`"),
    ],
    ids=["no change is late", "only late ones", "none is late on the shards", "what we wrote is forgotten"],
)
def test_a_mutant_of_the_sql_is_found(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: str, after: str
) -> None:
    plan = _compile(tmp_path, "source")
    step: Callable[..., Any] = Plan.step

    class Mutant:
        def __init__(self, found: Any) -> None:
            self.found = found

        def statement(self, name: str) -> str:
            text: str = self.found.statement(name)
            if name == RESOLVE:
                assert before in text
                return text.replace(before, after)
            return text

    class Plans:
        def step(self, logical: str, name: StepName) -> Mutant:
            return Mutant(step(plan, logical, name))

        def __getattr__(self, name: str) -> Any:
            return getattr(plan, name)

    original = resolve
    monkeypatch.setattr(
        __import__(__name__, fromlist=["resolve"]),
        "resolve",
        lambda spark, _plan, one, other, held: original(spark, Plans(), one, other, held),
    )
    assert resolving.resolve is original
    assert _run(spark, plan)


@pytest.mark.long
def test_a_reader_that_leaves_our_own_writes_out_is_found(spark: SparkSession, tmp_path: Path) -> None:
    assert _run(spark, _compile(tmp_path, "source"), reads_own=False)
