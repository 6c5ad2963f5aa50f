"""Statement files as people have them in their migration folders: each is planned, and then a server takes what is
planned; or it is refused by name (hazard E19).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from shardwright.compiler.ddl.routing.catching_up import creates_of
from shardwright.compiler.ddl.routing.changes import read_changes
from shardwright.compiler.plan.plan import DdlChange, StepName, with_suffix
from shardwright.runtime.mysql.servers import is_mariadb
from shardwright.specs.findings.diagnostics import Findings
from tests.ddl.plans import FOLDER, shop_plan
from tests.servers.testbed import Arena

FILES = sorted((FOLDER / "field").glob("*.sql"))
GOLDEN = FOLDER / "field" / "outcomes.txt"
PLAN = shop_plan({})


def read(file: Path) -> tuple[tuple[DdlChange, ...], Findings]:
    findings = Findings()
    text = file.read_bytes().decode()
    tables = {table.logical: table for table in PLAN.tables}
    changes = read_changes({file.name: text}, tables=tables, findings=findings, creates=creates_of(PLAN.steps))
    return changes, findings


def outcomes() -> Iterator[str]:
    for file in FILES:
        changes, findings = read(file)
        yield file.name
        for change in changes:
            assert change.mysql is not None and change.mariadb is not None
            classes = dict.fromkeys((change.mysql.ddl_class, change.mariadb.ddl_class))
            yield f"  {change.logical}: {' / '.join(classes)}"
        for item in findings.items:
            yield f"  {item.code} {item.message}"


def test_e19_each_is_planned_or_refused_by_name() -> None:
    """SHARDWRIGHT_REWRITE=1 writes the outcomes anew."""
    assert len(FILES) == 38
    text = "".join(f"{line}\n" for line in outcomes())
    if os.environ.get("SHARDWRIGHT_REWRITE") and not os.environ.get("CI"):
        GOLDEN.write_text(text, encoding="utf-8")
    assert GOLDEN.read_text(encoding="utf-8") == text


@pytest.mark.server
def test_e19_a_server_takes_what_is_planned(arena: Arena) -> None:
    server, refused = arena.targets[0], {}
    for number, file in enumerate(FILES):
        changes, _ = read(file)
        database = f"field_{number}"
        server.query(f"CREATE DATABASE {database}")
        with server.connect(database) as connection, connection.cursor() as cursor:
            for table in PLAN.tables:
                create = PLAN.step(table.logical, StepName.CREATE_TABLE).statement("create")
                cursor.execute(with_suffix(create, "_0"))
            for change in changes:
                form = change.form(mariadb=is_mariadb(connection))
                assert form is not None
                try:
                    cursor.execute(with_suffix(form.statement, "_0"))
                except connection.Error as error:
                    refused[file.name, change.ordinal] = error.args
        server.query(f"DROP DATABASE {database}")
    assert refused == {}
