"""Which statements of the log make a table that a pattern of the spec means (hazard E17)."""

from __future__ import annotations

from pathlib import Path

import pytest

from shardwright.compiler.ddl.logged.new_tables import new_table_patterns
from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.sources.binlog.statements import Effect, Statements
from tests.unit.ddl.test_read_logged import SCHEMA, SPEC, compile_spec

PARTS = "".join(SCHEMA.replace("`orders`", f"`orders_{number}`") for number in (1, 2))
PATTERN = SPEC.replace("  - table: orders\n", '  - table: "orders_*"\n    to: orders\n    expect: 2\n').replace(
    "migration: orders", 'migration: orders\nignore_tables: ["orders_old*", "orders_lo[g]"]'
)


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    folder: Path = tmp_path_factory.mktemp("pattern")
    return compile_spec(folder, schema=PARTS, spec=PATTERN)


def effect(plan: Plan, statement: str, database: str = "shop") -> Effect:
    names = [str(source) for table in plan.tables for source in table.sources]
    return Statements(names, new_table_patterns(plan)).effect(database, statement.encode())


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE orders_3 (id int)",
        "create table if not exists `shop`.`orders_3` LIKE orders_1",
        "CREATE /* c */ OR REPLACE TABLE orders_3 AS SELECT * FROM other",
        "CREATE TABLE /*!50000 IF NOT EXISTS */ orders_3 (id int)",
        "RENAME TABLE other TO orders_3",
        "RENAME TABLE a TO b, other TO shop.ORDERS_3",
        "ALTER TABLE other RENAME TO orders_3",
        "ALTER TABLE other ADD x int, RENAME orders_3",
        "ALTER TABLE elsewhere.other RENAME = shop.orders_3",
        "ALTER TABLE shop.other RENAME AS `orders_3`",
        "ALTER TABLE other CONVERT PARTITION p TO TABLE orders_3",
    ],
)
def test_e17_a_table_that_the_pattern_means_is_not_made_unseen(plan: Plan, statement: str) -> None:
    assert effect(plan, statement) is Effect.MAKES_TABLE


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TEMPORARY TABLE orders_3 (id int)",
        "CREATE TABLE other (orders_3 int)",
        "CREATE TABLE elsewhere.orders_3 (id int)",
        "CREATE TABLE orders_old_7 (id int)",
        "CREATE TABLE orders_log (id int)",
        "CREATE TABLE orders (id int)",
        "CREATE TABLE _orders_1_gho LIKE other",
        "ALTER TABLE orders_3 ADD x int",
        "ALTER TABLE other RENAME COLUMN a TO orders_3",
        "DROP TABLE orders_3",
        "CREATE INDEX orders_3 ON other (a)",
    ],
)
def test_e17_other_statements_pass(plan: Plan, statement: str) -> None:
    assert effect(plan, statement) is Effect.NONE


def test_e17_a_statement_about_a_followed_table_is_judged_by_that(plan: Plan) -> None:
    assert effect(plan, "RENAME TABLE orders_1 TO orders_3") is Effect.CHANGES_TABLE
    assert effect(plan, "CREATE TABLE orders_1 (id int)") is Effect.CHANGES_TABLE


def test_the_patterns_come_back_from_the_plans_files(plan: Plan) -> None:
    assert plan.stream_ddl.meant == (("orders_*", "orders"),)
