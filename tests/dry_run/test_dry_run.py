"""`shardwright dry-run` itself: fine on what the compiler writes, and quick enough for everybody's CI."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from shardwright.compiler.build import build_plan
from shardwright.compiler.plan.plan import Plan, StepName
from shardwright.compiler.sharding.function import ShardFunction
from shardwright.compiler.sql.batch_sql import (
    batch_sql,
    inserts_packed,
    merge_packed_sql,
    merges_packed,
    new_rows_sql,
    union_all,
)
from shardwright.runtime.rehearsal.dry_run.batch import PAIRS, Event, make_batch
from shardwright.runtime.rehearsal.dry_run.chain import change_rows
from shardwright.runtime.rehearsal.dry_run.dry_run import dry_run
from shardwright.runtime.rehearsal.dry_run.layout import Layout, Place, layout
from shardwright.runtime.rehearsal.dry_run.model import Model
from shardwright.runtime.rehearsal.dry_run.rehearse import DEFAULT_REHEARSING
from shardwright.runtime.rehearsal.dry_run.values import extreme_values
from shardwright.runtime.stream.batch.query import routing_sql
from shardwright.specs.spec.model import Spec
from shardwright.specs.spec.read import read_spec
from tests.compiler.projects import GOLDEN, SHOP, compile_folder, compile_shop
from tests.dry_run.faults import Fault

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Functions = Mapping[str, ShardFunction]


@pytest.mark.spark
def test_fine_on_every_kind_of_table_and_type(
    spark: SparkSession, spec: Spec, plan: Plan, functions: Functions
) -> None:
    result = dry_run(spark, spec, plan, functions=functions)
    assert result.findings == ()
    assert (result.tables, result.statements, result.pairs) == (5, 28, 9)
    assert result.histories == 5 * DEFAULT_REHEARSING.count


@pytest.mark.spark
@pytest.mark.parametrize("case", ["write-changed", pytest.param("keys-of-every-type", marks=pytest.mark.long)])
def test_fine_on_cases(spark: SparkSession, case: str) -> None:
    folder = Path(__file__).parents[1] / "cases" / "valid" / case
    found = read_spec(str(folder / "spec.yaml"))
    made = build_plan(found, schema=(folder / "schema.sql").read_text("utf-8"), ddl={})
    result = dry_run(spark, found, made.plan, functions=made.functions, mappings=made.mappings)
    assert result.findings == ()
    assert result.pairs == 9


@pytest.mark.in_turn
@pytest.mark.spark
def test_fine_on_equal_keys_of_several_sources(spark: SparkSession) -> None:
    """Both ways: a column says which source a row is from."""
    found, made = read_spec(str(GOLDEN / "origin" / "spec.yaml")), compile_folder(GOLDEN / "origin")
    assert made.backward is not None
    for way in (made, made.backward):
        result = dry_run(spark, found, way.plan, functions=way.functions, mappings=way.mappings)
        assert result.findings == ()
        assert result.pairs == 9


@pytest.mark.spark
def test_fine_on_tables_without_a_key(spark: SparkSession) -> None:
    found, made = read_spec(str(GOLDEN / "counted" / "spec.yaml")), compile_folder(GOLDEN / "counted")
    result = dry_run(spark, found, made.plan, functions=made.functions, mappings=made.mappings)
    assert (result.findings, result.left_out) == ((), {})
    assert (result.tables, result.statements) == (2, 8)


@pytest.mark.in_turn
@pytest.mark.spark
@pytest.mark.parametrize(
    "fault",
    [
        Fault("visit", StepName.MERGE, "SUM(`copies`) <> 0", "SUM(`copies`) > 0"),
        Fault("visit", StepName.MERGE, "ABS(SUM(`copies`))", "1"),
        Fault("visit", StepName.MERGE, "MAX(`position`)", "MIN(`position`)"),
        Fault("visit", StepName.ROUTE, "CAST(`copies` AS INT)", "1"),
        Fault("visit", StepName.ROUTE, "IF(`op` = 'D', 'delete', 'upsert')", "'upsert'"),
        Fault("visit", StepName.DECODE, "`before_key` <> `after_key`", "FALSE"),
        Fault("visit", StepName.DECODE, "`page` <> 'health'", "`page` = 'health'"),
        Fault("visit", StepName.FILTER, "THEN 'delete'", "THEN 'insert'"),
        Fault("greeting", StepName.ROUTE, "SEQUENCE(0, 1)", "SEQUENCE(1, 1)"),
    ],
    ids=lambda fault: f"{fault.step.value} {fault.right}",
)
def test_j5_a_wrong_count_of_a_table_without_a_key_is_named(spark: SparkSession, fault: Fault) -> None:
    found, made = read_spec(str(GOLDEN / "counted" / "spec.yaml")), compile_folder(GOLDEN / "counted")
    (first,) = dry_run(spark, found, fault.plant(made.plan), functions=made.functions, mappings=made.mappings).findings
    assert first.code == "SW8704" and fault.is_named_in(first.message)
    assert [note.text.split()[0] for note in first.notes] == ["for", "expected", "got"]


@pytest.mark.spark
def test_the_stream_puts_the_same_statements_into_one_query(
    spark: SparkSession, spec: Spec, plan: Plan, functions: Functions
) -> None:
    """What the dry run tries statement by statement is what the runtime runs at once."""
    logicals = [table.logical for table in plan.tables]
    models = [Model(layout(spec, plan, table, functions)) for table in plan.tables]
    batches = [make_batch(model.layout) for model in models]
    events = tuple(event for batch in batches for event in batch.events)
    change_rows(spark, events).createOrReplaceTempView("changes")
    got = [row.asDict(recursive=True) for row in spark.sql(routing_sql(plan, logicals)).collect()]
    expected = [answer for model, batch in zip(models, batches, strict=True) for answer in model.route(batch.events)]
    assert sorted(map(json.dumps, got)) == sorted(map(json.dumps, expected))


@pytest.mark.in_turn
@pytest.mark.spark
@pytest.mark.parametrize("snapshot_open", [False, True])
def test_one_merge_for_several_tables_decides_as_their_own_do(spark: SparkSession, snapshot_open: bool) -> None:
    """Of every kind of table whose rows travel as they are: sharded, broadcast, single, from several sources."""
    spec = read_spec(str(SHOP / "specs" / "shop.yaml"))
    made = compile_shop()
    plan, functions = made.plan, made.functions
    logicals = [table.logical for table in plan.tables if merges_packed(plan, table.logical)]
    assert {"region", "order_item", "payment"} <= set(logicals) and len(logicals) < len(plan.tables) + 1
    events = [
        event for logical in logicals for event in make_batch(layout(spec, plan, plan.table(logical), functions)).events
    ]
    change_rows(spark, tuple(events)).createOrReplaceTempView("changes")
    own = union_all(batch_sql(plan, "decided_without_lookup", name, snapshot_open=snapshot_open) for name in logicals)
    together = merge_packed_sql(plan, logicals, snapshot_open=snapshot_open)
    found, expected = (sorted(map(repr, spark.sql(text).collect())) for text in (together, own))
    assert found == expected and len(found) > 100
    assert {row.decision for row in spark.sql(together).collect()} == {
        "insert", "update", "defer" if snapshot_open else "delete",
    }  # fmt: skip


@pytest.mark.spark
@pytest.mark.parametrize("project", ["shop", "sharded"])
def test_inserts_that_are_not_merged_are_decided_as_if_they_were(spark: SparkSession, project: str) -> None:
    """`sharded` has a table with a version column."""
    shop = project == "shop"
    spec = read_spec(str(SHOP / "specs" / "shop.yaml" if shop else GOLDEN / project / "spec.yaml"))
    made = compile_shop() if shop else compile_folder(GOLDEN / project)
    plan = made.plan
    logicals = [table.logical for table in plan.tables if inserts_packed(plan, table.logical)]
    first: dict[tuple[str | None, ...], Event] = {}
    for table in map(plan.table, logicals):
        at = {column.name: column.position for column in table.source.reads}
        for event in make_batch(layout(spec, plan, table, made.functions)).events:
            if event.op == "I" and event.after is not None:
                key = (event.after[at[column.source]] for column in table.source_key_columns if column.source)
                first.setdefault((event.source, *key), event)
    change_rows(spark, tuple(first.values())).createOrReplaceTempView("changes")
    merged = union_all(batch_sql(plan, "decided_without_lookup", name) for name in logicals)
    taken = new_rows_sql(plan, logicals)
    found, expected = (sorted(map(repr, spark.sql(text).collect())) for text in (taken, merged))
    assert found == expected and len(found) > 20
    (some, *_) = first.values()
    change_rows(spark, (replace(some, op="D", before=some.after, after=None),)).createOrReplaceTempView("changes")
    with pytest.raises(Exception, match="no INSERT: D of"):
        spark.sql(taken).collect()


@pytest.mark.in_turn
@pytest.mark.spark
def test_command_on_the_shop() -> None:
    done = _command("dry-run", "--histories", "10", folder=SHOP)
    assert done.stderr.splitlines()[-1] == (
        "dry-run: 5 tables and 5 back, 55 Spark statements analysed and executed, 9 pairs each, 100 random change histories of "
        "seed 1: passed"
    )
    assert (done.returncode, done.stdout) == (0, "")


def test_a_spec_that_does_not_compile_is_reported_before_spark_starts(tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "s.yaml").write_text("version: 1\n", "utf-8")
    done = _command("dry-run", folder=tmp_path)
    assert done.returncode == 1
    assert "SW1102" in done.stderr


@pytest.mark.parametrize("logical", ["account", "line", "country", "job", "kinds"])
def test_batch_holds_what_it_promises(spec: Spec, plan: Plan, functions: Functions, logical: str) -> None:
    placed = layout(spec, plan, plan.table(logical), functions)
    batch = make_batch(placed)
    assert batch == make_batch(placed), "the same table gives the same batch"
    assert len({event.position for event in batch.events}) == len(batch.events)
    histories = _histories(Model(placed), batch.events)
    assert set(PAIRS) <= {tuple(event.op for event in history) for history in histories}
    assert any(event.op == "U" and Model(placed).identity(event.before, event.source) != Model(placed).identity(event.after, event.source)
               for event in batch.events)  # fmt: skip
    if placed.function is not None:
        assert any(len(_places(placed, history)) >= 3 for history in histories), "some row goes from A to B to C"
        assert any(len(_places(placed, history)) == 1 for history in histories), "some row stays where it is"


@pytest.mark.parametrize("logical", ["account", "line", "country", "job", "kinds"])
def test_batch_holds_every_extreme_value(spec: Spec, plan: Plan, functions: Functions, logical: str) -> None:
    table = plan.table(logical)
    batch = make_batch(layout(spec, plan, table, functions))
    for index, column in enumerate(table.source.columns):
        images = [image for event in batch.events for image in (event.before, event.after) if image is not None]
        found = {image[index] for image in images}
        assert set(extreme_values(column.type)) <= found
        assert not column.nullable or None in found


def _histories(model: Model, events: tuple[Event, ...]) -> list[list[Event]]:
    by_key: dict[tuple[str, ...], list[Event]] = {}
    for event in sorted(events, key=lambda event: event.position):
        key = model.identity(event.after if event.after is not None else event.before, event.source)
        assert key is not None
        by_key.setdefault((event.source, *key), []).append(event)
    return list(by_key.values())


def _places(placed: Layout, history: list[Event]) -> set[Place]:
    images = [image for event in history for image in (event.before, event.after) if image is not None]
    return {placed.place(image) for image in images}


def _command(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "shardwright.runtime.cli.main", "--project", str(folder), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, env=dict(os.environ), check=False)
