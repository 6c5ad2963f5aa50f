"""Spec tests of families whose tables come from several source tables, on real Spark; and histories from dice, in which
rows go from one source to another and nothing orders the sources' logs.
"""

from __future__ import annotations

import os
import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from shardwright.compiler.plan.plan import StepName
from shardwright.runtime.rehearsal.dry_run.batch import Event
from shardwright.runtime.rehearsal.spec_tests.execute import execute
from shardwright.runtime.rehearsal.spec_tests.resolved_case import GivenRow, PhysicalTable, ResolvedCase
from shardwright.runtime.rehearsal.spec_tests.schedule import Schedule
from shardwright.runtime.rehearsal.spec_tests.verdict import judge
from shardwright.specs.findings.render import read_line_from_disk, render
from tests.spec_tests.judging import judge_folder, plans_and_cases, spoil
from tests.spec_tests.test_family_histories import Row, describe_show, rows_on_shards

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark
FOLDER = Path(__file__).parent / "merged"
SOURCES: Mapping[str, tuple[str, ...]] = {
    "customer": ("old_0.customer", "old_1.customer"),
    "orders": ("old_0.orders", "old_1.orders"),
    "line": ("old_0.line_a", "old_0.line_b", "old_1.line_a", "old_1.line_b"),
    "remark": ("old_0.remark", "old_1.remark"),
    "account": ("old_0.account", "old_1.account"),
    "entry": ("old_0.entry", "old_1.entry"),
}
KEYS = {"customer": (0,), "orders": (0,), "line": (0, 1), "remark": (0,), "account": (0,), "entry": (0,)}
ABOVE: Mapping[str, tuple[str, tuple[int, ...]]] = {
    "orders": ("customer", (1,)),
    "line": ("orders", (0,)),
    "remark": ("line", (1, 2)),
    "entry": ("account", (1,)),
}
"""Each child's parent, and where its rows have the parent's key."""
BOTH = {"account", "entry"}
"""Tables of which two sources may have equal keys, as different rows."""
HISTORIES = int(os.environ.get("SHARDWRIGHT_TEST_HISTORIES", "3"))


@pytest.fixture(autouse=True)
def _in_the_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)


@pytest.mark.long
def test_b11_d13_rows_of_any_source_are_where_the_topmost_row_is(spark: SparkSession) -> None:
    """However the events are cut, and whenever the given rows are written."""
    verdicts = judge_folder(spark, Path(), spec="spec.yaml", schema="schema.sql", tests="tests.yaml")
    assert render([found for each in verdicts for found in each.findings], read_line=read_line_from_disk) == ""


@pytest.mark.long
@pytest.mark.parametrize(
    ("logical", "statement", "planted"),
    [
        ("orders", "follow", ("`own`.`source_table` = `f`.`source_table`", "TRUE")),
        ("_sw_place_customer", "placements", ("NOT `origin` IS NULL", "FALSE")),
    ],
    ids=["an order stays behind, as its key comes in another source", "a customer's place is forgotten"],
)
def test_a_planted_fault_is_seen(spark: SparkSession, logical: str, statement: str, planted: tuple[str, str]) -> None:
    plans, cases = plans_and_cases(Path(), spec="spec.yaml", schema="schema.sql", tests="tests.yaml")
    fault = spoil(plans.forward, logical, StepName.ROUTE, statement=statement, planted=planted)
    verdicts = judge(spark, replace(plans, forward=fault), cases)
    assert [found.code for each in verdicts for found in each.findings][:1] == ["SW8851"]


def test_entries_with_equal_keys_return_to_their_own_source(spark: SparkSession) -> None:
    verdicts = judge_folder(spark, Path(), spec="accounts.yaml", schema="schema.sql", tests="back.yaml")
    assert render([found for each in verdicts for found in each.findings], read_line=read_line_from_disk) == ""


@dataclass
class Sources:
    """Rows by logical table, what tells them apart, and the source table that has them; and what the logs say."""

    dice: random.Random
    rows: dict[tuple[str, str, Row], tuple[str, Row]] = field(default_factory=dict)
    events: list[tuple[str, Event]] = field(default_factory=list)

    def identity(self, logical: str, source: str, row: Row) -> tuple[str, str, Row]:
        return logical, source if logical in BOTH else "", tuple(row[at] for at in KEYS[logical])

    def some_row(self) -> tuple[str, str, Row]:
        dice = self.dice
        note, order, number = str(dice.randrange(9)), str(dice.randrange(3)), str(dice.randrange(2))
        logical = dice.choice(("customer", "customer", "orders", "orders", "line", "remark", "account", "entry"))
        rows: Mapping[str, Row] = {
            "customer": (dice.choice("abc"), str(dice.randrange(4)), note),
            "orders": (order, dice.choice(("a", "b", "c", None)), note),
            "line": (order, number, note),
            "remark": (str(dice.randrange(4)), dice.choice((order, None)), number, note),
            "account": (order, str(dice.randrange(4))),
            "entry": (str(dice.randrange(4)), dice.choice((order, None)), note),
        }
        return logical, dice.choice(SOURCES[logical]), rows[logical]

    def put(self, logical: str, source: str, row: Row) -> None:
        self.rows[self.identity(logical, source, row)] = source, row

    def happen(self) -> None:
        """A row comes, changes (now and then its key), goes, or goes to another source with other values."""
        logical, source, row = self.some_row()
        found = self.rows.get(self.identity(logical, source, row))
        if found is None:
            others = [(at, old) for (name, _, _), (at, old) in self.rows.items() if (name, at) == (logical, source)]
            if others and self.dice.random() < 0.3:
                self.log(logical, source, self.dice.choice(others)[1], row)
            else:
                self.log(logical, source, None, row)
            return
        at, before = found
        if self.dice.random() < 0.2:
            self.log(logical, at, before, None)
        elif at == source:
            self.log(logical, at, before, row)
        else:
            self.log(logical, at, before, None)
            self.log(logical, source, None, row)

    def log(self, logical: str, source: str, before: Row | None, after: Row | None) -> None:
        op = "I" if before is None else "D" if after is None else "U"
        if before is not None:
            del self.rows[self.identity(logical, source, before)]
        if after is not None:
            self.put(logical, source, after)
        at = 100 * (len(self.events) + 1)
        self.events.append((logical, Event(source, op, (1, 1, at, 0), at, before, after)))

    def copies_on_their_way(self) -> list[GivenRow]:
        """Of rows that another source has got before the start: there they are gone a moment after it."""
        copies = []
        for (logical, _, _), (source, row) in self.rows.items():
            if logical not in BOTH and self.dice.random() < 0.2:
                other = self.dice.choice([name for name in SOURCES[logical] if name != source])
                copies.append(GivenRow(logical, other, row))
                at = 100 * (len(self.events) + 1)
                self.events.append((logical, Event(other, "D", (1, 1, at, 0), at, row, None)))
        return copies

    def place(self, logical: str, source: str, row: Row) -> int:
        if logical not in ABOVE:
            return int(row[1] or 0)
        parent, via = ABOVE[logical]
        shop = source.split(".")[0] + ".account" if parent in BOTH else ""
        found = self.rows.get((parent, shop, tuple(row[at] for at in via)))
        return 0 if found is None else self.place(parent, *found)

    def present(self) -> set[tuple[PhysicalTable, Row]]:
        """C7, D13: each row once, where the topmost row above it is; in the first table of the first database where one
        is missing on the way. Rows of tables with equal keys end with their source."""
        present = set()
        for (logical, _, _), (source, row) in self.rows.items():
            place = self.place(logical, source, row)
            shop = (source.split(".")[0],) if logical in BOTH else ()
            present.add((PhysicalTable(logical, place % 2, place // 2), (*row, *shop)))
        return present

    def read_in_any_order(self) -> tuple[tuple[str, Event], ...]:
        """The events of each database in order; how far each log is read before the other one, dice say."""
        logs = {name: [each for each in self.events if each[1].source.startswith(name)] for name in ("old_0", "old_1")}
        turns = [name for name, log in logs.items() for _ in log]
        if self.dice.random() < 0.7:
            self.dice.shuffle(turns)
        else:
            turns.sort(reverse=self.dice.random() < 0.5)
        return tuple(logs[name].pop(0) for name in turns)


def history(dice: random.Random, example: ResolvedCase) -> tuple[Schedule, Sources]:
    sources = Sources(dice)
    for _ in range(16):
        logical, source, row = sources.some_row()
        if sources.identity(logical, source, row) not in sources.rows:
            sources.put(logical, source, row)
    given = [GivenRow(logical, source, row) for (logical, _, _), (source, row) in sources.rows.items()]
    given += sources.copies_on_their_way()
    while len(sources.events) < 9:
        sources.happen()
    events = sources.events if dice.random() < 0.3 else sources.read_in_any_order()
    cut = dice.choice(((len(events),), (4, len(events) - 4), (1, 4, len(events) - 5), (2, 3, 2, len(events) - 7)))
    resolved_case = replace(example, given=tuple(given), events=tuple(events), cuts=(cut,))
    return Schedule(resolved_case, cut, dice.choice(("first", "last"))), sources


@pytest.mark.long
def test_b11_d13_j1_any_history_ends_where_the_sources_end(spark: SparkSession, dice: random.Random) -> None:
    plans, cases = plans_and_cases(Path(), spec="spec.yaml", schema="schema.sql", tests="tests.yaml")
    made = [history(dice, cases[0]) for _ in range(HISTORIES)]
    ends = execute(spark, plans.forward, [show for show, _ in made])
    for (show, sources), shards in zip(made, ends, strict=True):
        assert rows_on_shards(shards, list(KEYS)) == sources.present(), describe_show(show)
