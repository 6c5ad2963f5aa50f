"""Spec tests that play changes of the shards back to the source, on real Spark."""

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
FOLDER = Path(__file__).parent / "way_back"


@pytest.fixture(autouse=True)
def _in_the_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)


@pytest.mark.in_turn
def test_the_source_follows_the_shards(spark: SparkSession) -> None:
    """However the events are cut, and whichever log is read first."""
    verdicts = judge_folder(spark, Path(), spec="spec.yaml", schema="schema.sql", tests="tests.yaml")
    assert render([found for each in verdicts for found in each.findings], read_line=read_line_from_disk) == ""


def test_a_wrong_expectation_is_reported(spark: SparkSession) -> None:
    verdicts = judge_folder(spark, Path(), spec="spec.yaml", schema="schema.sql", tests="wrong.yaml")
    text = render([found for each in verdicts for found in each.findings], read_line=read_line_from_disk)
    if os.environ.get("SHARDWRIGHT_REWRITE") and not os.environ.get("CI"):
        Path("expected.txt").write_text(text, "utf-8")
    assert text == Path("expected.txt").read_text("utf-8")


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("logical", "planted", "case"),
    [
        ("line", ("NOT `found_home` IS NOT DISTINCT FROM `source_table`", "FALSE"), "a row of a table without columns"),
        ("parent", ("`op` = 'D' AND `found`", "FALSE"), "a row goes round three shards"),
        ("line", ("`found`\n    THEN 'update'", "`found`\n    THEN 'skip'"), "a row of a table without columns"),
    ],
)
def test_a_planted_fault_is_seen(spark: SparkSession, logical: str, planted: tuple[str, str], case: str) -> None:
    plans, cases = plans_and_cases(Path(), spec="spec.yaml", schema="schema.sql", tests="tests.yaml")
    assert plans.back is not None
    plan = spoil(plans.back.plan, logical, StepName.FILTER, statement="filter", planted=planted)
    faulty = replace(plans, back=replace(plans.back, plan=plan))
    verdicts = judge(
        spark, faulty, [resolved_case for resolved_case in cases if resolved_case.case.name.startswith(case)]
    )
    assert [found.code for each in verdicts for found in each.findings][:1] == ["SW8851"]
