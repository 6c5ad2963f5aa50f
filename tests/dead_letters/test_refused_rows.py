"""Finding the rows that a target refuses, on real servers, without Spark."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pymysql
import pytest

from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.plan.plan import StepName, TablePlan
from shardwright.compiler.steps.bookkeeping import STAGE_COLUMNS
from shardwright.compiler.steps.snapshot import CHUNK
from shardwright.runtime.cli.connecting import Deployment, deployment
from shardwright.runtime.ddl.tables.create import create_tables
from shardwright.runtime.mysql.load_data import connect_for_loading, load_rows
from shardwright.runtime.mysql.load_lines import render_lines
from shardwright.runtime.mysql.rejected_rows import find_refused_rows, find_refused_staged, key_of, read_refused
from shardwright.runtime.run.bookkeeping import create_bookkeeping
from shardwright.runtime.snapshot.guard import find_refused_at_insert, find_refused_at_load, without_quarantined
from tests.servers.testbed import Arena
from tests.support.job import ENVIRONMENT
from tests.support.lab import Lab

pytestmark = [pytest.mark.server]


@pytest.fixture
def deployed(arena: Arena, tmp_path: Path) -> Iterator[Deployment]:
    lab = Lab(arena, tmp_path)
    found = deployment(argparse.Namespace(project=lab.job.project, env=ENVIRONMENT, migration="lab", quiet=True))
    servers = found.servers
    create_tables(
        found.plan,
        connect=lambda name: servers.connect_shard(servers.databases.index(name)),
        limit=2,
        on_progress=lambda _progress: None,
    )
    create_bookkeeping(found.plan, servers)
    yield found


def line(id_: str, *, place: str = "0", note: str = "") -> list[str | None]:
    return ["7", "0", "upsert", id_, "1", "4", "0", "0", None, id_, place, f"n{id_}", note]


def names(table: TablePlan) -> list[str]:
    return [*STAGE_COLUMNS, *(column.target for column in table.columns)]


def render_rows(rows: Sequence[Sequence[str | None]]) -> bytes:
    return render_lines([], pa.array(rows, pa.list_(pa.string())))


def test_g3_rows_that_do_not_go_into_the_stage_are_named_each_with_its_reason(deployed: Deployment) -> None:
    table = deployed.plan.table("parent")
    rows = [line(str(id_)) for id_ in range(40)]
    rows += [line("41", place="-1"), line("99999999999"), line("42", note="x\ty\\z\n")]
    payload = render_rows(rows)
    connection = connect_for_loading(deployed.servers.shards[0], deployed.servers.databases[0])
    error = pymysql.err.DataError(1265, "loading")
    try:
        tables = {"parent": table}
        answer = find_refused_rows(connection, error, tables, {"parent": payload}, held=frozenset({"parent"}))
        found = read_refused(answer)
        assert [(one.logical, one.key) for one in found] == [("parent", ("41",)), ("parent", ("99999999999",))]
        assert "place" in found[0].why and "id" in found[1].why
        assert find_refused_rows(connection, error, tables, {"parent": payload}, held=frozenset()) == []
        lost = pymysql.err.OperationalError(2013, "lost")
        assert find_refused_rows(connection, lost, tables, {"parent": payload}, held=frozenset({"parent"})) == []
    finally:
        connection.close()


def test_g3_staged_rows_that_a_physical_table_refuses_are_named(deployed: Deployment) -> None:
    table = deployed.plan.table("parent")
    connection = connect_for_loading(deployed.servers.shards[0], deployed.servers.databases[0])
    try:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE parent_0 ADD CONSTRAINT no_bad CHECK (note <> 'bad')")
        payload = render_rows([line(str(id_), note="bad" if id_ in (3, 17) else "") for id_ in range(20)])
        load_rows(connection, table.ours.stage, names(table), hexadecimal=frozenset(), payload=payload)
        found = dict(find_refused_staged(connection, table, 7, part=0, physical="`lab_0`.`parent_0`"))
        assert sorted(found) == [("17",), ("3",)]
        assert all("no_bad" in why for why in found.values())
        assert dict(find_refused_staged(connection, table, 8, part=0, physical="`lab_0`.`parent_0`")) == {}
    finally:
        connection.close()


def test_d7_keys_that_the_driver_makes_values_of_are_spelt_as_the_server_prints_them(arena: Arena) -> None:
    kinds = [*(ColumnType("datetime", precision=digits) for digits in (0, 3, 6))] * 2
    kinds += [ColumnType("time"), ColumnType("time", precision=2), ColumnType("time", precision=6)]
    kinds += [ColumnType("decimal", precision=12, scale=9), ColumnType("date"), ColumnType("date")]
    texts = ["2026-01-02 03:04:05", "2026-01-02 03:04:05.000", "2026-01-02 03:04:05.000000"]
    texts += ["0999-12-31 23:59:59", "2026-01-02 03:04:05.120", "2026-01-02 03:04:05.000001"]
    texts += ["-00:00:01", "838:59:58.50", "-30:01:02.000003", "0.000000001", "2026-01-02", "2026-00-00"]
    columns = [f"CAST('{text}' AS {_declare(kind)})" for text, kind in zip(texts, kinds, strict=True)]
    # In its own mode MySQL has no month 0.
    with arena.source.connect(sql_mode="") as connection, connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(columns)}")
        ((*values,),) = cursor.fetchall()
        cursor.execute(f"SELECT {', '.join(f'CONVERT({column} USING utf8mb4)' for column in columns)}")
        ((*printed,),) = cursor.fetchall()
    assert printed == texts
    assert key_of(values, kinds) == tuple(texts)


def _declare(kind: ColumnType) -> str:
    if kind.name == "decimal":
        return f"DECIMAL({kind.precision}, {kind.scale})"
    return f"{kind.name}({kind.precision})" if kind.precision else kind.name


def test_b3_g3_rows_of_a_chunk_that_are_refused_are_named_and_once_held_left_out(deployed: Deployment) -> None:
    table = deployed.plan.table("parent")
    statement = deployed.plan.step("parent", StepName.SNAPSHOT_INSERT).statement("chunk_table")
    connection = connect_for_loading(deployed.servers.shards[0], deployed.servers.databases[0])
    try:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE parent_0 ADD CONSTRAINT no_bad CHECK (note <> 'bad')")
            cursor.execute(statement)
        payload = render_rows([line(str(id_), note="bad" if id_ in (3, 17) else "a\tb\n") for id_ in range(20)])
        too_large = payload + render_rows([line("99999999999")])
        error = pymysql.err.DataError(1265, "loading")
        assert [one.key for one in read_refused(find_refused_at_load(connection, error, table, too_large))] == [
            ("99999999999",)
        ]
        assert without_quarantined(table, too_large, {("99999999999",)}) == payload
        load_rows(connection, CHUNK, names(table), hexadecimal=frozenset(), payload=payload)
        refused = read_refused(find_refused_at_insert(connection, pymysql.err.OperationalError(4025, ""), table, [0]))
        assert sorted(one.key for one in refused) == [("17",), ("3",)]
        assert find_refused_at_insert(connection, pymysql.err.OperationalError(2013, "lost"), table, [0]) == []
    finally:
        connection.close()
