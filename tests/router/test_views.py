"""A server takes the views, and old statements read the rows of its physical tables by the old names."""

from __future__ import annotations

import pytest

from shardwright.compiler.plan.plan import StepName, with_suffix
from shardwright.compiler.router.views import views
from tests.compiler.projects import compile_shop
from tests.servers.testbed import Arena

pytestmark = pytest.mark.server

DATABASE = "order_db_1"


def test_old_statements_read_all_tables_of_the_database(arena: Arena) -> None:
    plan, server = compile_shop().plan, arena.source
    server.query(f"CREATE DATABASE {DATABASE}")
    for table in plan.tables:
        for suffix in plan.parts(table):
            server.query(with_suffix(plan.step(table.logical, StepName.CREATE_TABLE).statement("create"), suffix),
                         database=DATABASE)  # fmt: skip
    for statement in views(plan, DATABASE):
        server.query(statement)
    for number in (0, 3):
        values = f"{number}, 'e{number}', 'name {number}', '2024-01-31'"
        insert = f"INSERT INTO users_{number} (id, email, display_name, created_at) VALUES ({values})"
        server.query(insert, database=DATABASE)
    rows = server.query("SELECT id, name FROM users ORDER BY id", database=DATABASE)
    assert [tuple(row) for row in rows] == [(0, "name 0"), (3, "name 3")]
    assert server.query("SELECT COUNT(*) FROM order_item", database=DATABASE)[0][0] == 0
