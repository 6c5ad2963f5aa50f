"""Spec tests of tables without a key, on real Spark."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from shardwright.compiler.plan.plan import StepName
from shardwright.runtime.rehearsal.spec_tests.verdict import judge
from shardwright.specs.findings.render import read_line_from_disk, render
from tests.compiler.projects import GOLDEN
from tests.spec_tests.judging import judge_folder, plans_and_cases, spoil

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark
TESTS = str(Path(__file__).with_name("counted.yaml"))
FOLDER = {"spec": "spec.yaml", "schema": "schema.sql", "tests": TESTS}


@pytest.mark.in_turn
def test_equal_rows_without_a_key_are_counted(spark: SparkSession) -> None:
    verdicts = judge_folder(spark, GOLDEN / "counted", **FOLDER)
    assert render([found for each in verdicts for found in each.findings], read_line=read_line_from_disk) == ""
    assert len(verdicts) == 3


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("step", "right", "wrong"),
    [
        (StepName.MERGE, "SUM(`copies`) <> 0", "SUM(`copies`) > 0"),
        (StepName.ROUTE, "CAST(`copies` AS INT)", "1"),
        (StepName.DECODE, "`before_key` <> `after_key`", "FALSE"),
    ],
)
def test_j5_a_plan_that_counts_wrongly_fails(spark: SparkSession, step: StepName, right: str, wrong: str) -> None:
    plans, cases = plans_and_cases(GOLDEN / "counted", **FOLDER)
    planted = spoil(plans.forward, "visit", step, statement=step.value.partition("-")[2], planted=(right, wrong))
    verdicts = judge(spark, replace(plans, forward=planted), cases)
    assert [found.code for each in verdicts for found in each.findings]
