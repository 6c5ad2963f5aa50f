"""Spec tests from their files to verdicts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from shardwright.compiler.build import build_plan
from shardwright.compiler.plan.plan import Plan, StepName
from shardwright.runtime.rehearsal.spec_tests.resolve import BothWays, resolve
from shardwright.runtime.rehearsal.spec_tests.resolved_case import ResolvedCase
from shardwright.runtime.rehearsal.spec_tests.suite import Migration
from shardwright.runtime.rehearsal.spec_tests.verdict import Verdict, judge
from shardwright.specs.findings.diagnostics import Findings
from shardwright.specs.spec.read import read_spec
from shardwright.specs.spec_tests.read import read_spec_tests

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def judge_folder(spark: SparkSession, folder: Path, *, spec: str, schema: str, tests: str) -> tuple[Verdict, ...]:
    return judge(spark, *plans_and_cases(folder, spec=spec, schema=schema, tests=tests))


def plans_and_cases(folder: Path, *, spec: str, schema: str, tests: str) -> tuple[BothWays, tuple[ResolvedCase, ...]]:
    read = read_spec(str(folder / spec))
    text = (folder / schema).read_text("utf-8")
    ddl = {str(file): file.read_text("utf-8") for file in sorted((folder / "ddl").glob("*.sql"))}
    plans = Migration(read, build_plan(read, schema=text, ddl=ddl if read.ddl else {}), text).ways(both=True)
    findings = Findings()
    cases = resolve(read_spec_tests(tests), plans, findings=findings)
    assert [item.message for item in findings.items] == []
    return plans, cases


def spoil(plan: Plan, logical: str, step: StepName, *, statement: str, planted: tuple[str, str]) -> Plan:
    """The plan with a fault in one statement."""
    old = plan.step(logical, step)
    assert planted[0] in old.statement(statement)
    statements = tuple(
        replace(each, sql=each.sql.replace(*planted)) if each.name == statement else each for each in old.statements
    )
    new = replace(old, statements=statements)
    return replace(plan, steps=tuple(new if each is old else each for each in plan.steps))
