"""Spec tests of tables whose parent has a parent, to the fourth level, on real Spark; and histories from dice, against
what the source's last state says.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from shardwright.compiler.plan.plan import StepName
from shardwright.runtime.rehearsal.spec_tests.execute import execute
from shardwright.runtime.rehearsal.spec_tests.resolved_case import GivenRow, PhysicalTable, ResolvedCase
from shardwright.runtime.rehearsal.spec_tests.schedule import Schedule
from shardwright.runtime.rehearsal.spec_tests.verdict import judge
from shardwright.specs.findings.render import read_line_from_disk, render
from tests.spec_tests.judging import judge_folder, plans_and_cases, spoil
from tests.spec_tests.test_family_histories import Row, Source, describe_show, rows_on_shards

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark
FOLDER = Path(__file__).parent / "chain"
KEYS = {"customer": (0,), "orders": (0,), "line": (0, 1), "remark": (0,)}
ABOVE: Mapping[str, tuple[str, tuple[int, ...]]] = {
    "orders": ("customer", (1,)),
    "line": ("orders", (0,)),
    "remark": ("line", (1, 2)),
}
"""Each child's parent, and where its rows have the parent's key."""


@pytest.fixture(autouse=True)
def _in_the_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)


@pytest.mark.in_turn
def test_d13_rows_are_where_the_topmost_row_is(spark: SparkSession) -> None:
    """However the events are cut, and whenever the given rows are written."""
    verdicts = judge_folder(spark, Path(), spec="spec.yaml", schema="schema.sql", tests="tests.yaml")
    assert render([found for each in verdicts for found in each.findings], read_line=read_line_from_disk) == ""


@pytest.mark.long
@pytest.mark.parametrize(
    ("statement", "planted"),
    [
        ("moving", ("`at_start` <> `at_end`", "FALSE")),
        ("placements", ("THEN `f`.`at_end`", "THEN STRUCT(0 AS `shard`, 0 AS `part`)")),
        ("placements", ("COALESCE(`p`.`at_end`, ", "COALESCE(NULL, ")),
    ],
    ids=["rows stay behind", "rows become orphans", "parents of a new parent become orphans"],
)
def test_a_planted_fault_is_seen(spark: SparkSession, statement: str, planted: tuple[str, str]) -> None:
    plans, cases = plans_and_cases(Path(), spec="spec.yaml", schema="schema.sql", tests="tests.yaml")
    fault = spoil(plans.forward, "_sw_place_orders", StepName.ROUTE, statement=statement, planted=planted)
    verdicts = judge(spark, replace(plans, forward=fault), cases)
    assert [found.code for each in verdicts for found in each.findings][:1] == ["SW8851"]


class Chain(Source):
    @staticmethod
    def key(logical: str, row: Row) -> Row:
        return tuple(row[at] for at in KEYS[logical])

    def some_row(self) -> tuple[str, Row]:
        dice = self.dice
        note = str(dice.randrange(9))
        order, number = str(dice.randrange(3)), str(dice.randrange(2))
        match dice.choice(("customer", "orders", "orders", "line", "remark")):
            case "customer":
                return "customer", (dice.choice("abc"), str(dice.randrange(4)), note)
            case "orders":
                return "orders", (order, dice.choice(("a", "b", "c", None)), note)
            case "line":
                return "line", (order, number, note)
        return "remark", (str(dice.randrange(4)), dice.choice((order, None)), number, note)

    def place(self, logical: str, row: Row) -> int:
        if logical == "customer":
            return int(row[1] or 0)
        parent, via = ABOVE[logical]
        found = self.rows.get((parent, tuple(row[at] for at in via)))
        return 0 if found is None else self.place(parent, found)

    def present(self) -> set[tuple[PhysicalTable, Row]]:
        """C7, D13: each row where the topmost row above it is; in the first table of the first database where one is
        missing on the way."""
        places = [(logical, row, self.place(logical, row)) for (logical, _), row in self.rows.items()]
        return {(PhysicalTable(logical, place % 2, place // 2), row) for logical, row, place in places}


def history(dice: random.Random, example: ResolvedCase) -> tuple[Schedule, Source]:
    source = Chain(dice)
    for _ in range(16):
        source.put(*source.some_row())
    given = tuple(GivenRow(logical, f"lab.{logical}", row) for (logical, _), row in source.rows.items())
    while len(source.events) < 8:
        source.happen()
    cut = dice.choice(((8,), (4, 4), (1, 6, 1), (2, 2, 2, 2)))
    resolved_case = replace(example, given=given, events=tuple(source.events), cuts=(cut,))
    return Schedule(resolved_case, cut, dice.choice(("first", "last"))), source


@pytest.mark.long
def test_d13_j1_any_history_ends_where_the_source_ends(spark: SparkSession, dice: random.Random) -> None:
    plans, cases = plans_and_cases(Path(), spec="spec.yaml", schema="schema.sql", tests="any.yaml")
    made = [history(dice, cases[0]) for _ in range(20)]
    ends = execute(spark, plans.forward, [show for show, _ in made])
    for (show, source), shards in zip(made, ends, strict=True):
        assert rows_on_shards(shards, list(KEYS)) == source.present(), describe_show(show)
