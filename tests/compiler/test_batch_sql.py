"""The statements of step 29-batch: in the form of all others, whole for every table, filled once and not twice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from shardwright.compiler.plan.plan import EVERY_TABLE, Plan, StepName
from shardwright.compiler.sql.batch_sql import (
    batch_sql,
    merge_packed_sql,
    merges_packed,
    new_rows_sql,
    union_all,
)
from shardwright.compiler.sql.sql_text import check_sql
from shardwright.compiler.steps.batch import batch
from tests.compiler.projects import PROJECTS, compile_folder

STATEMENTS = {statement.name: statement.sql for statement in batch().statements}
WITHOUT_TABLE = ("own_versions", "leave")


@pytest.fixture(scope="module")
def plans() -> list[Plan]:
    return [compile_folder(project).plan for project in PROJECTS]


@pytest.mark.parametrize("name", STATEMENTS)
def test_fixed_text_has_the_form_of_printed_sql(name: str) -> None:
    check_sql(STATEMENTS[name], "spark")


def test_every_placeholder_is_filled(plans: list[Plan]) -> None:
    for plan in plans:
        for table in plan.tables:
            for name in STATEMENTS.keys() - {*WITHOUT_TABLE, "together", "new_rows"}:
                text = batch_sql(plan, name, table.logical, held=True, snapshot_open=True)
                assert "${" not in text
                assert ("dead_keys" in text) == ("${decode}" in STATEMENTS[name])
        alike = [table.logical for table in plan.tables if merges_packed(plan, table.logical)]
        assert "${" not in merge_packed_sql(plan, alike, snapshot_open=True)
        assert "${" not in new_rows_sql(plan, alike)
        for name in WITHOUT_TABLE:
            assert batch_sql(plan, name) == STATEMENTS[name]


def test_the_query_holds_the_tables_own_statements(plans: list[Plan]) -> None:
    plan = plans[0]
    table = next(table for table in plan.tables if not table.placement.parent)
    text = batch_sql(plan, "decided_without_lookup", table.logical)
    for step in (StepName.DECODE, StepName.MERGE, StepName.ROUTE):
        assert f"({plan.step(table.logical, step).statements[0].sql})" in text
    assert f"({plan.step(EVERY_TABLE, StepName.FILTER).statement('filter')})" in text
    assert "FALSE AS `snapshot_open`" in text
    assert union_all([text, "SELECT 1"]) == f"({text})\nUNION ALL\n(SELECT 1)"


def test_a_placeholder_within_a_tables_own_statement_is_left(plans: list[Plan]) -> None:
    """Names and texts of a spec are no placeholders, whatever they hold."""
    plan = plans[0]
    logical = plan.tables[0].logical
    decode = plan.step(logical, StepName.DECODE)
    hostile = replace(decode.statements[0], sql="SELECT '`${merge}`' AS `${filter}`")
    steps = tuple(replace(step, statements=(hostile,)) if step is decode else step for step in plan.steps)
    assert "SELECT '`${merge}`' AS `${filter}`" in batch_sql(replace(plan, steps=steps), "merged", logical)
