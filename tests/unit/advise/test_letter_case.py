"""Tables whose names differ by case only are two to a server with lower_case_table_names=0, and so they are here."""

from __future__ import annotations

import re

from shardwright.compiler.advise.advice import advise
from shardwright.compiler.advise.spec_text import Target
from shardwright.compiler.advise.statistics import TableStatistics, read_statistics, statistics_text
from shardwright.compiler.build import build_plan
from shardwright.compiler.conform.classify import classify
from shardwright.compiler.conform.layout import Layout, make_layout
from shardwright.compiler.conform.verdict import Verdict
from shardwright.compiler.schema.file import read_schema
from shardwright.compiler.schema.table_names import make_table_names
from shardwright.specs.findings.diagnostics import Findings
from shardwright.specs.spec.read import parse_spec
from tests.unit.advise.conftest import Make

SCHEMA = """
CREATE TABLE `users` (id INT NOT NULL, PRIMARY KEY (id));
CREATE TABLE `Users` (id INT NOT NULL, user_id INT NOT NULL, PRIMARY KEY (id));
CREATE TABLE `Orders` (id INT NOT NULL, user_id INT NOT NULL, PRIMARY KEY (id),
  CONSTRAINT u FOREIGN KEY (user_id) REFERENCES `users` (id));
"""
STATEMENTS = """
-- calls: 70
SELECT id FROM users WHERE id = 1;
-- calls: 20
UPDATE Users SET user_id = 3 WHERE id = 2;
-- calls: 9
SELECT o.id FROM orders o JOIN users u ON u.id = o.user_id WHERE u.id = 1;
-- calls: 3
SELECT Users.user_id FROM Users JOIN users ON users.id = Users.user_id;
"""
SPEC = """version: 1
migration: shop
source: {dialect: mariadb, databases: [shop], schema: schema/shop.sql}
target: {databases: "shop_{0..1}"}
sharding:
  by_user: {shard_key: [id], database: crc32(id) % 2}
tables:
  - {table: users, sharding: by_user}
  - {table: Orders, sharding: {rule: by_user, shard_key: [user_id]}}
ignore_tables: [Users]
"""


def _layout() -> Layout:
    compiled = build_plan(parse_spec(SPEC, "specs/shop.yaml"), schema=SCHEMA, ddl={})
    return make_layout(compiled, read_schema(SCHEMA, file="schema/shop.sql", findings=Findings()))


def test_a_name_is_exact_where_tables_differ_by_case_and_free_elsewhere() -> None:
    names = make_table_names(["users", "Users", "Orders", "Orders"])
    assert [names.key_of(name) for name in ("users", "Users", "USERS")] == ["users", "Users", "USERS"]
    assert {names.key_of(name) for name in ("Orders", "orders", "ORDERS")} == {"orders"}


def test_each_table_has_its_own_rows_and_statements(make: Make) -> None:
    sizes = {"users": TableStatistics(7), "Users": TableStatistics(9), "Orders": TableStatistics(3)}
    source = make(SCHEMA, STATEMENTS, read_statistics(statistics_text(sizes)))
    assert set(source.tables) == {"users", "Users", "orders"}
    assert (source.rows("users"), source.rows("Users"), source.rows("orders")) == (7, 9, 3)
    assert source.usage.calls_of("users") == 82 and source.usage.writes_of("users") == 0
    assert source.usage.calls_of("Users") == 23 and source.usage.writes_of("Users") == 20
    assert source.usage.joins[("Users", "user_id"), ("users", "id")] == 3


def test_the_proposed_spec_leaves_the_second_where_it_is_and_compiles(make: Make) -> None:
    advice = advise(make(SCHEMA, STATEMENTS), Target.with_numbers("shop", 2))
    best = advice.designs[0]
    text = best.spec_text(advice.source)
    compiled = build_plan(parse_spec(text, "specs/shop.yaml"), schema=SCHEMA, ddl={})
    assert best.key.name == "users.id"
    assert {table.logical for table in compiled.plan.tables} == {"users", "Orders"}
    assert re.search(r"ignore_tables:\s*(\[Users\]|\n\s*- Users)", text), text


def test_conform_gives_each_its_own_verdict() -> None:
    layout = _layout()

    def verdict(sql: str) -> Verdict:
        return classify(sql, layout).verdict

    assert verdict("SELECT * FROM users WHERE id = 1") is Verdict.ONE_SHARD
    assert verdict("SELECT * FROM Users WHERE id = 1") is Verdict.OTHER_TABLE
    assert verdict("SELECT * FROM USERS WHERE id = 1") is Verdict.OTHER_TABLE
    assert verdict("SELECT * FROM ORDERS WHERE user_id = 1") is Verdict.ONE_SHARD
    assert verdict("SELECT users.id FROM users JOIN Users ON Users.id = users.id") is Verdict.CROSS_SHARD_JOIN


def test_aliases_are_exact_first() -> None:
    layout = _layout()
    joined = "SELECT U.id FROM users U JOIN Orders u ON u.user_id = U.id WHERE U.id = 5"
    assert classify(joined, layout).verdict is Verdict.ONE_SHARD
    assert classify("DELETE O FROM Orders o WHERE o.user_id = 5", layout).verdict is Verdict.ONE_SHARD
    assert classify("SELECT X.id FROM users x WHERE X.id = 5", layout).verdict is Verdict.ONE_SHARD
