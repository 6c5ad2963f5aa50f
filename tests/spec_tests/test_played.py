"""Spec tests on real Spark: the shop's own pass, and those that fail say exactly what is wrong."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from shardwright.runtime.rehearsal.spec_tests.junit import junit_xml
from shardwright.specs.findings.render import read_line_from_disk, render
from tests.spec_tests.judging import judge_folder

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark
HERE = Path(__file__).parent
SHOP = HERE.parents[1] / "examples" / "shop"


@pytest.mark.parametrize("file", sorted(path.name for path in (SHOP / "tests").glob("*.yaml")))
def test_the_shops_own(spark: SparkSession, file: str) -> None:
    tests = str(SHOP / "tests" / file)
    verdicts = judge_folder(spark, SHOP, spec="specs/shop.yaml", schema="schema/shop.sql", tests=tests)
    assert [finding for verdict in verdicts for finding in verdict.findings] == []


def test_c27_a_row_filter_over_a_generated_column(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HERE / "generated")
    verdicts = judge_folder(spark, Path(), spec="spec.yaml", schema="schema.sql", tests="tests.yaml")
    assert [finding for verdict in verdicts for finding in verdict.findings] == [] and len(verdicts) > 1


def test_failures_are_reported(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = HERE / "failing"
    monkeypatch.chdir(folder)
    verdicts = judge_folder(spark, Path(), spec="spec.yaml", schema="schema.sql", tests="tests.yaml")
    found = [finding for verdict in verdicts for finding in verdict.findings]
    reported = {
        "expected.txt": render(found, read_line=read_line_from_disk),
        "expected.xml": junit_xml(verdicts),
    }
    for name, text in reported.items():
        if os.environ.get("SHARDWRIGHT_REWRITE") and not os.environ.get("CI"):
            (folder / name).write_text(text, "utf-8")
        assert text == (folder / name).read_text("utf-8")
