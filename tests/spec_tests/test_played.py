"""Spec tests on real Spark: the shop's own pass, and those that fail say exactly what is wrong."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from shardwright.compiler.build import build_plan
from shardwright.compiler.schema_file import read_schema
from shardwright.runtime.spec_tests.junit import junit_xml
from shardwright.runtime.spec_tests.resolve import resolve
from shardwright.runtime.spec_tests.verdict import Verdict, judge
from shardwright.specs.diagnostics import Findings
from shardwright.specs.read_spec import read_spec
from shardwright.specs.read_spec_tests import read_spec_tests
from shardwright.specs.render import read_line_from_disk, render

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark
HERE = Path(__file__).parent
SHOP = HERE.parents[1] / "examples" / "shop"


def judged(spark: SparkSession, folder: Path, *, spec: str, schema: str, tests: str) -> tuple[Verdict, ...]:
    read = read_spec(str(folder / spec))
    text = (folder / schema).read_text("utf-8")
    plan = build_plan(read, schema=text, ddl={}).plan
    findings = Findings()
    catalogue = read_schema(text, file=schema, findings=findings)
    stories = resolve(read_spec_tests(tests), plan, catalogue, findings=findings)
    assert findings.items == []
    return judge(spark, plan, stories)


@pytest.mark.parametrize("file", sorted(path.name for path in (SHOP / "tests").glob("*.yaml")))
def test_the_shops_own(spark: SparkSession, file: str) -> None:
    tests = str(SHOP / "tests" / file)
    verdicts = judged(spark, SHOP, spec="specs/shop.yaml", schema="schema/shop.sql", tests=tests)
    assert [finding for verdict in verdicts for finding in verdict.findings] == []


def test_failures_are_told(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = HERE / "failing"
    monkeypatch.chdir(folder)
    verdicts = judged(spark, Path(), spec="spec.yaml", schema="schema.sql", tests="tests.yaml")
    found = [finding for verdict in verdicts for finding in verdict.findings]
    told = {
        "expected.txt": render(found, read_line=read_line_from_disk),
        "expected.xml": junit_xml(verdicts),
    }
    for name, text in told.items():
        if os.environ.get("SHARDWRIGHT_REWRITE") and not os.environ.get("CI"):
            (folder / name).write_text(text, "utf-8")
        assert text == (folder / name).read_text("utf-8")
