"""Made-up histories of a family, played like spec tests, against what the source's last state says."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from shardwright.runtime.rehearsal.dry_run.batch import Event
from shardwright.runtime.rehearsal.spec_tests.execute import execute
from shardwright.runtime.rehearsal.spec_tests.resolved_case import GivenRow, PhysicalTable, ResolvedCase
from shardwright.runtime.rehearsal.spec_tests.schedule import Schedule
from shardwright.runtime.rehearsal.spec_tests.shards import Shards
from tests.spec_tests.judging import plans_and_cases

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark
FOLDER = Path(__file__).parent / "families"
Row = tuple[str | None, ...]
KEYS = {"parent": (0,), "child": (0,), "detail": (0, 1)}
VIA = {"child": 1, "detail": 0}
PARENTS = ("a", "b", "c")


@dataclass
class Source:
    """Tables by name and key, and what their log says."""

    dice: random.Random
    rows: dict[tuple[str, Row], Row] = field(default_factory=dict)
    events: list[tuple[str, Event]] = field(default_factory=list)

    def put(self, logical: str, row: Row) -> None:
        self.rows[logical, self.key(logical, row)] = row

    @staticmethod
    def key(logical: str, row: Row) -> Row:
        return tuple(row[at] for at in KEYS[logical])

    def some_row(self) -> tuple[str, Row]:
        dice = self.dice
        match dice.choice(("parent", "parent", "child", "child", "detail")):
            case "parent":
                return "parent", (dice.choice(PARENTS), str(dice.randrange(4)), str(dice.randrange(9)))
            case "child":
                return "child", (str(dice.randrange(6)), dice.choice((*PARENTS, None)), str(dice.randrange(9)))
        return "detail", (dice.choice(PARENTS), str(dice.randrange(2)), f"{dice.randrange(9)}.00")

    def happen(self) -> None:
        """An insert, an update (now and then of the key) or a delete of some row."""
        logical, row = self.some_row()
        before = self.rows.get((logical, self.key(logical, row)))
        if before is None:
            others = self.of(logical)
            if others and self.dice.random() < 0.3:
                before = self.dice.choice(others)
        elif self.dice.random() < 0.3:
            self.log(logical, "D", before, None)
            return
        self.log(logical, "I" if before is None else "U", before, row)

    def of(self, logical: str) -> list[Row]:
        return [row for (name, _), row in self.rows.items() if name == logical]

    def log(self, logical: str, op: str, before: Row | None, after: Row | None) -> None:
        if before is not None:
            del self.rows[logical, self.key(logical, before)]
        if after is not None:
            self.put(logical, after)
        at = 100 * (len(self.events) + 1)
        self.events.append((logical, Event(f"lab.{logical}", op, (1, 1, at, 0), at, before, after)))

    def present(self) -> set[tuple[PhysicalTable, Row]]:
        """C7, D13: a parent where its place says, its rows beside it, those without one in the first table of the first
        database."""
        at = {row[0]: int(row[1] or 0) for row in self.of("parent")}
        found = set()
        for (logical, _), row in self.rows.items():
            place = at.get(row[VIA.get(logical, 0)], 0)
            found.add((PhysicalTable(logical, place % 2, place // 2), row))
        return found


def history(dice: random.Random, example: ResolvedCase) -> tuple[Schedule, Source]:
    source = Source(dice)
    for _ in range(12):
        source.put(*source.some_row())
    given = tuple(GivenRow(logical, f"lab.{logical}", row) for (logical, _), row in source.rows.items())
    while len(source.events) < 8:
        source.happen()
    cut = dice.choice(((8,), (4, 4), (1, 6, 1), (2, 2, 2, 2)))
    resolved_case = replace(example, given=given, events=tuple(source.events), cuts=(cut,))
    return Schedule(resolved_case, cut, dice.choice(("first", "last"))), source


def rows_on_shards(shards: Shards, names: Sequence[str]) -> set[tuple[PhysicalTable, Row]]:
    return {
        (table, tuple(row.values()))
        for table, rows in shards.rows.items()
        if table.logical in names
        for row in rows.values()
    }


def describe_show(show: Schedule) -> Mapping[str, object]:
    return {
        "given": show.resolved_case.given,
        "events": show.resolved_case.events,
        "cut": show.cut,
        "copied": show.copied,
    }


@pytest.mark.long
def test_d13_j1_any_history_ends_where_the_source_ends(
    spark: SparkSession, dice: random.Random, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(FOLDER)
    plans, cases = plans_and_cases(Path(), spec="spec.yaml", schema="schema.sql", tests="wrong.yaml")
    made = [history(dice, cases[0]) for _ in range(20)]
    ends = execute(spark, plans.forward, [show for show, _ in made])
    for (show, source), shards in zip(made, ends, strict=True):
        assert rows_on_shards(shards, list(KEYS)) == source.present(), describe_show(show)
