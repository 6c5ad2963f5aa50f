"""Spec tests from their files to verdicts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from shardwright.compiler.build import build_plan
from shardwright.compiler.plan.plan import Plan
from shardwright.compiler.schema.file import read_schema
from shardwright.runtime.rehearsal.spec_tests.story import Story
from shardwright.runtime.rehearsal.spec_tests.suite import resolve
from shardwright.runtime.rehearsal.spec_tests.verdict import Verdict, judge
from shardwright.specs.findings.diagnostics import Findings
from shardwright.specs.spec.read import read_spec
from shardwright.specs.spec_tests.read import read_spec_tests

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def judged(spark: SparkSession, folder: Path, *, spec: str, schema: str, tests: str) -> tuple[Verdict, ...]:
    return judge(spark, *plan_and_stories(folder, spec=spec, schema=schema, tests=tests))


def plan_and_stories(folder: Path, *, spec: str, schema: str, tests: str) -> tuple[Plan, tuple[Story, ...]]:
    read = read_spec(str(folder / spec))
    text = (folder / schema).read_text("utf-8")
    plan = build_plan(read, schema=text, ddl={}).plan
    findings = Findings()
    catalogue = read_schema(text, file=schema, findings=findings)
    stories = resolve(read_spec_tests(tests), plan, catalogue, findings=findings)
    assert findings.items == []
    return plan, stories
