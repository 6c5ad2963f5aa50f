"""Spec tests of a family whose keys may be spelt in several ways, on real Spark. They compare texts as they are
written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from shardwright.specs.findings.render import read_line_from_disk, render
from tests.compiler.projects import GOLDEN
from tests.spec_tests.judging import judge_folder

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark
TESTS = str(Path(__file__).with_name("spelt.yaml"))


def test_rows_follow_their_parent(spark: SparkSession) -> None:
    verdicts = judge_folder(spark, GOLDEN / "spelt", spec="spec.yaml", schema="schema.sql", tests=TESTS)
    assert render([found for each in verdicts for found in each.findings], read_line=read_line_from_disk) == ""
    assert len(verdicts) == 1
