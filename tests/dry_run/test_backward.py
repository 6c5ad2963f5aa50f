"""The dry run of a backward plan: fine as it is compiled, and each fault that is planted in it is found."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from shardwright.compiler.backward.build import Backward
from shardwright.compiler.plan.plan import Plan, StepName
from shardwright.runtime.rehearsal.dry_run.dry_run import DryRunResult, dry_run
from shardwright.runtime.rehearsal.dry_run.rehearse import RehearsalOptions
from shardwright.specs.spec.model import Spec
from shardwright.specs.spec.read import read_spec
from tests.compiler.projects import GOLDEN, compile_folder
from tests.support.variants import usual

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark]

FEW = RehearsalOptions(count=5, rounds=0)


@pytest.fixture(scope="module")
def backward() -> Backward:
    made = compile_folder(GOLDEN / "backward").backward
    assert made is not None
    return made


@pytest.fixture(scope="module")
def backward_spec() -> Spec:
    return read_spec(str(GOLDEN / "backward" / "spec.yaml"))


def _dry_run(spark: SparkSession, spec: Spec, backward: Backward, plan: Plan) -> DryRunResult:
    return dry_run(spark, spec, plan, backward.mappings, functions=backward.functions, rehearsing=FEW)


@pytest.mark.in_turn
def test_fine_as_it_is_compiled(spark: SparkSession, backward_spec: Spec, backward: Backward) -> None:
    result = _dry_run(spark, backward_spec, backward, backward.plan)
    assert result.findings == ()
    assert (result.tables, result.statements, result.direction) == (4, 19, "backward")


FAULTS = [
    (StepName.FILTER, "entry", "NOT `found_home` IS NOT DISTINCT FROM `source_table`", "FALSE"),
    (StepName.FILTER, "entry", "MIN(`source_table`) OVER (PARTITION BY `table`, `key`) <>", "source_table <>"),
    (StepName.FILTER, "account", "`op` = 'D' AND `found`", "FALSE"),
    (StepName.FILTER, "country", "`action` <> 'upsert' AND `found`\n    THEN 'delete'", "FALSE\n    THEN 'delete'"),
    (StepName.ROUTE, "account", "= '00'", "<> 'no'"),
    (StepName.ROUTE, "account", "' is no enum'", "''"),
    (StepName.ROUTE, "entry", "(_0|_1)$", "(_1)$"),
    (StepName.DECODE, "entry", "`after`.`no` AS BIGINT) % 2", "`after`.`no` AS BIGINT) % 1"),
    (StepName.DECODE, "account", "'app_0', 'app_1'", "'app_0'"),
]


@pytest.mark.in_turn
@pytest.mark.parametrize(("step", "table", "old", "new"), usual(FAULTS, only=FAULTS[::3]))
def test_a_planted_fault_is_found(
    spark: SparkSession, backward_spec: Spec, backward: Backward, step: StepName, table: str, old: str, new: str
) -> None:
    findings = _dry_run(spark, backward_spec, backward, _spoil(backward.plan, step, table, old, new)).findings
    named = f" backward/{table}/", f" backward/{step.file_name}, table {table}:"
    assert [finding.message for finding in findings if any(name in finding.message for name in named)], findings


def test_a_route_that_spark_cannot_read_is_the_only_finding(
    spark: SparkSession, backward_spec: Spec, backward: Backward
) -> None:
    plan = _spoil(backward.plan, StepName.ROUTE, "entry", "FROM `merged`", "FROM `nothing_there`")
    findings = _dry_run(spark, backward_spec, backward, plan).findings
    assert ["22-route" in finding.message for finding in findings] == [True], findings


def _spoil(plan: Plan, step: StepName, table: str, old: str, new: str) -> Plan:
    """This table alone, with a fault in one statement."""
    faulty = plan.step(table, step)
    assert any(old in statement.sql for statement in faulty.statements), faulty
    statements = tuple(replace(one, sql=one.sql.replace(old, new)) for one in faulty.statements)
    planted = replace(faulty, statements=statements)
    return replace(
        plan, tables=(plan.table(table),), steps=tuple(planted if one == faulty else one for one in plan.steps)
    )
