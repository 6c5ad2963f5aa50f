"""Hazard I1: whatever tables and columns are called, compiled SQL speaks of just them, or the spec is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shardwright.compiler.plan.files import read_plan, write_plan
from shardwright.compiler.plan.plan import Plan, StepName, with_suffix
from shardwright.runtime.mysql.keys import source_sql
from shardwright.runtime.mysql.transactions import decode_text
from shardwright.runtime.rehearsal.dry_run.dry_run import dry_run
from shardwright.runtime.stream.apply.statements import with_columns
from shardwright.specs.findings.diagnostics import SpecError
from shardwright.specs.spec.read import read_spec
from tests.compiler.hostile_names import COLUMNS, REFUSED, TABLES, schema, spec
from tests.compiler.projects import compile_folder, write_texts
from tests.servers.testbed import Arena, Server

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

KEY = "i`d\"'; --"
_ON_SOURCE = {StepName.CHUNK_BOUND, StepName.CHUNK_READ, StepName.VERIFY_SOURCE}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """One table with every hostile column, and tables with hostile names of their own."""
    others = "".join(schema(name, KEY, ("name", "value")) for name in TABLES)
    return write_texts(tmp_path, spec(("all", *TABLES), KEY), schema("all", KEY, COLUMNS) + others)


def test_i1_plan_survives_the_disk(project: Path) -> None:
    plan = compile_folder(project).plan
    assert {column.source for column in plan.table("all").columns} == {KEY, *COLUMNS}
    write_plan(plan, project / "plan")
    assert read_plan(project / "plan") == plan
    assert plan.backward is not None
    assert read_plan(project / "plan" / "backward") == plan.backward
    both = {project / "plan", project / "plan" / "backward"}
    tables = {path.parent for path in (project / "plan").glob("**/*/*.sql")} - both
    assert {folder.parent for folder in tables} == both
    common = {"21-merge.spark.sql", "24-filter.spark.sql", "29-batch.spark.sql"}
    assert {path.name for path in (project / "plan").glob("*.sql")} == common


def test_i1_renamed_to_hostile_names(tmp_path: Path) -> None:
    plain = [f"column_{number}" for number in range(len(COLUMNS))]
    text = spec(["orders"], "id", rename=dict(zip(plain, COLUMNS, strict=True)))
    plan = compile_folder(write_texts(tmp_path, text, schema("orders", "id", plain))).plan
    assert [column.target for column in plan.table("orders").columns] == ["id", *COLUMNS]


@pytest.mark.parametrize("name", REFUSED, ids=ascii)
def test_i1_refused_in_the_schema(tmp_path: Path, name: str) -> None:
    with pytest.raises(SpecError):
        compile_folder(write_texts(tmp_path, spec(["orders"], "id"), schema("orders", "id", (name, "other"))))


@pytest.mark.parametrize("name", REFUSED, ids=ascii)
def test_i1_refused_in_the_spec(tmp_path: Path, name: str) -> None:
    text = spec(["orders"], "id", rename={"value": name})
    with pytest.raises(SpecError):
        compile_folder(write_texts(tmp_path, text, schema("orders", "id", ("value",))))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(st.sampled_from("`'\"; -/*#.${}\\\n%@名aZ0"), min_size=1, max_size=8), min_size=1, max_size=4,
                unique_by=str.casefold))  # fmt: skip
def test_i1_any_name_is_quoted_or_refused(tmp_path: Path, names: list[str]) -> None:
    try:
        plan = compile_folder(write_texts(tmp_path, spec(["orders"], "id"), schema("orders", "id", names))).plan
    except SpecError:
        assert any("${" in name or "\n" in name for name in names)
        return
    assert [column.source for column in plan.table("orders").columns] == ["id", *names]
    write_plan(plan, tmp_path / "plan")
    assert read_plan(tmp_path / "plan") == plan


@pytest.mark.in_turn
@pytest.mark.spark
def test_i1_spark_accepts_them(spark: SparkSession, project: Path) -> None:
    made = compile_folder(project)
    plan = made.plan
    some = replace(plan, tables=(plan.table("all"), plan.table(TABLES[0])))
    assert dry_run(spark, read_spec(str(project / "spec.yaml")), some, functions=made.functions).findings == ()


@pytest.mark.server
def test_i1_servers_accept_them(arena: Arena, project: Path) -> None:
    """Every MySQL statement of the plan, on real servers, in the order of the steps."""
    plan = compile_folder(project).plan
    target = arena.targets[0]
    for server, database in ((arena.source, "shop"), (target, "part_0")):
        server.query(f"CREATE DATABASE {database}")
    arena.source.run_script((project / "schema.sql").read_text("utf-8"), database="shop")
    for table in plan.tables:
        _run_everything(plan, table.logical, source=arena.source, target=target)
        physical = {row[0] for row in target.query("SHOW TABLES", database="part_0")}
        assert f"{table.logical}_1" in physical
    columns = target.query(
        "SELECT column_name FROM information_schema.columns WHERE table_schema = 'part_0' AND table_name = 'all_1' "
        "ORDER BY ordinal_position"
    )
    assert [row[0] for row in columns] == [KEY, *COLUMNS]


def _run_everything(plan: Plan, logical: str, *, source: Server, target: Server) -> None:
    source_name = plan.table(logical).sources[0]
    written: tuple[str, ...] = ()
    with source.connect("shop") as reader, target.connect("part_0") as writer:
        for step in (step for step in plan.steps if step.table == logical and step.name.dialect == "mysql"):
            connection = reader if step.name in _ON_SOURCE else writer
            names = [statement.name for statement in step.statements]
            for name in [
                *(n for n in names if n != "drop_stash_table"),
                *(n for n in names if n == "drop_stash_table"),
            ]:
                sql = source_sql(with_suffix(step.statement(name), "_1"), source_name)
                sql = with_columns(sql.replace("`${chunk_rows}`", "10").replace("`${keys}`", "(1)"), written)
                with connection.cursor() as cursor:
                    cursor.execute(sql)
                    rows = cursor.fetchall()
                if name == "written_columns":
                    written = tuple(str(decode_text(column)) for (column,) in rows)
