"""Spec tests of tables that are placed through their parent, on real Spark."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from shardwright.compiler.plan.plan import StepName
from shardwright.runtime.rehearsal.spec_tests.verdict import judge
from shardwright.specs.findings.render import read_line_from_disk, render
from tests.spec_tests.judging import judge_folder, plans_and_cases, spoil

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark
FOLDER = Path(__file__).parent / "families"


@pytest.fixture(autouse=True)
def _in_the_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)


@pytest.mark.in_turn
def test_d13_rows_are_where_their_parent_is(spark: SparkSession) -> None:
    """However the events are cut, and whenever the given rows are written."""
    verdicts = judge_folder(spark, Path(), spec="spec.yaml", schema="schema.sql", tests="tests.yaml")
    assert render([found for each in verdicts for found in each.findings], read_line=read_line_from_disk) == ""


def test_a_wrong_expectation_is_reported(spark: SparkSession) -> None:
    verdicts = judge_folder(spark, Path(), spec="spec.yaml", schema="schema.sql", tests="wrong.yaml")
    reported = render([found for each in verdicts for found in each.findings], read_line=read_line_from_disk)
    if os.environ.get("SHARDWRIGHT_REWRITE") and not os.environ.get("CI"):
        Path("expected.txt").write_text(reported, "utf-8")
    assert reported == Path("expected.txt").read_text("utf-8")


@pytest.mark.long
@pytest.mark.parametrize(
    ("logical", "step", "statement", "planted"),
    [
        ("child", StepName.ROUTE, "moving", ("`at_start` <> `at_end`", "FALSE")),
        ("_sw_left_child", StepName.ROUTE, "route", ("FROM `unplaced`", "FROM (SELECT * FROM `unplaced` LIMIT 0)")),
    ],
    ids=["rows stay behind", "chunks bring rows back"],
)  # fmt: skip
def test_a_planted_fault_is_seen(
    spark: SparkSession, logical: str, step: StepName, statement: str, planted: tuple[str, str]
) -> None:
    plans, cases = plans_and_cases(Path(), spec="spec.yaml", schema="schema.sql", tests="tests.yaml")
    planted_in = spoil(plans.forward, logical, step, statement=statement, planted=planted)
    verdicts = judge(
        spark,
        replace(plans, forward=planted_in),
        [resolved_case for resolved_case in cases if resolved_case.case.name.startswith("a parent moves")],
    )
    assert [found.code for each in verdicts for found in each.findings][:1] == ["SW8851"]
