"""`ddl plan` and `ddl apply` as an operator has them: classes, leave, order, locks."""

from __future__ import annotations

import json
import os
from contextlib import closing
from pathlib import Path

import pytest

from shardwright.compiler.plan.files import read_plan
from shardwright.runtime.ddl.tables.create import create_tables
from shardwright.runtime.ledger.tables import create_ledger
from shardwright.runtime.mysql.servers import servers_of
from shardwright.specs.environment.read import read_environment
from tests.servers.testbed import Arena
from tests.support.commands import Outcome, shardwright

SPEC = """
version: 1
migration: orders
source: {dialect: mariadb, databases: [shop], schema: schema/shop.sql, stream: {format: binlog}}
target: {databases: "order_db_{0..1}", tables_suffix: "_{0..1}"}
sharding:
  by_user: {shard_key: [user_id], algorithm: crc32_mod}
tables:
  - {table: orders, sharding: by_user}
ddl: ddl/
"""
SCHEMA = """
CREATE TABLE orders (order_id BIGINT NOT NULL, user_id INT NOT NULL, PRIMARY KEY (order_id))
DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
"""
FILES = {
    "0001_note.sql": "ALTER TABLE orders ADD COLUMN note VARCHAR(40);\nCREATE INDEX by_note ON orders (note(8));\n",
    "0002_heavy.sql": "ALTER TABLE orders MODIFY COLUMN note TEXT;\n",
}


class Operator:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name, text in {"specs/orders.yaml": SPEC, "schema/shop.sql": SCHEMA, "ddl/0001_note.sql": ""}.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(text, "utf-8")
        for name, text in FILES.items():
            (folder / "ddl" / name).write_text(text, "utf-8")
        self.calls("compile").require(0)

    def calls(self, *arguments: str) -> Outcome:
        return shardwright(self.folder, *arguments)


def test_the_plan_names_classes_without_a_server(tmp_path: Path) -> None:
    operator = Operator(tmp_path)
    shown = operator.calls("ddl", "plan").require(0).out
    assert shown.startswith(
        "-- 0001_note.sql 1: 4 physical tables of orders\n"
        "-- MySQL and MariaDB: instant\n"
        "ALTER TABLE `orders${suffix}`\nADD COLUMN `note` VARCHAR(40),   ALGORITHM=INSTANT;\n"
    )
    assert "-- MySQL: copying, needs --allow SW8420,SW8421\n" in shown
    first, second, third = json.loads(operator.calls("ddl", "plan", "--format", "json").require(0).out)["changes"]
    assert (first["file"], first["ordinal"], first["table"], first["physical_tables"]) == (
        "0001_note.sql",
        1,
        "orders",
        4,
    )
    assert [change["mariadb"]["class"] for change in (first, second, third)] == ["instant", "in_place", "copying"]
    assert third["mysql"]["allow"] == ["SW8420", "SW8421"] and third["destructive"]
    assert "ALGORITHM=NOCOPY" in second["mariadb"]["statement"] and "NOCOPY" not in second["mysql"]["statement"]
    operator.calls("ddl", "apply", "--env", "test", "--lock-wait-timeout", "0").require(2)
    unknown = operator.calls("ddl", "apply", "--env", "test", "--allow", "SW8421,SW8241").require(2)
    assert "SW8007: --allow SW8241: SW8415, SW8420, SW8421, SW8422 can be allowed" in unknown.err
    assert "SW8440" in operator.calls("ddl", "plan", "--drift").require(1).err


@pytest.mark.in_turn
@pytest.mark.server
def test_apply_asks_for_leave_and_names_who_holds_a_table(tmp_path: Path, arena: Arena) -> None:
    operator = Operator(tmp_path)
    databases = ["order_db_0", "order_db_1"]
    environment = arena.prepare(tmp_path, source_databases=["shop"], target_databases=databases)
    plan = read_plan(tmp_path / "build" / "orders")
    servers = servers_of(read_environment(str(environment), databases=plan.databases), plan, os.environ)
    create_tables(
        plan,
        connect=lambda name: servers.connect_shard(plan.databases.index(name)),
        limit=2,
        on_progress=lambda _progress: None,
    )

    def columns() -> int:
        sql = (
            "SELECT COUNT(*) FROM information_schema.columns WHERE table_name LIKE 'orders_%' AND column_name = 'note'"
        )
        return sum(int(arena.placement[name].query(f"{sql} AND table_schema = '{name}'")[0][0]) for name in databases)

    refused = operator.calls("ddl", "apply", "--env", "test").require(6)
    assert "SW8420" in refused.err and "--allow SW8420,SW8421" in refused.err and columns() == 0
    apply = (
        "ddl",
        "apply",
        "--env",
        "test",
        "--allow",
        "SW8420, SW8421",
        "--lock-wait-timeout",
        "1",
        "--parallel",
        "1",
    )
    with arena.placement["order_db_1"].connect("order_db_1") as observer, observer.cursor() as cursor:
        cursor.execute("BEGIN")
        cursor.execute("SELECT * FROM orders_1")
        stopped = operator.calls(*apply).require(5)
    assert "SW8407: order_db_1.orders_1 stays locked" in stopped.err, stopped
    assert columns() == 3
    status = operator.calls("ddl", "status", "--env", "test").require(3).out
    assert "0001_note.sql 1   orders  3 of 4           order_db_1.orders_1\n" in status
    reported = json.loads(operator.calls("ddl", "status", "--env", "test", "--format", "json").require(3).out)
    assert reported["changes"][0]["missing"] == ["order_db_1.orders_1"] and len(reported["changes"][1]["missing"]) == 4
    done = operator.calls(*apply).require(0)
    assert done.err.endswith("9 physical tables changed, 3 were done before\n"), done
    # What stands everywhere needs no leave any more.
    assert "0 physical tables changed, 12 were done" in operator.calls("ddl", "apply", "--env", "test").require(0).err
    assert "  orders  4 of 4\n" in operator.calls("ddl", "status", "--env", "test").require(0).out
    drifted_tables = ("ddl", "plan", "--drift", "--env", "test")
    assert operator.calls(*drifted_tables).require(0).out == "-- no drift\n"
    arena.placement["order_db_1"].query("ALTER TABLE orders_0 DROP INDEX by_note", database="order_db_1")
    assert operator.calls(*drifted_tables).require(3).out == (
        "-- order_db_1.orders_0: index 'by_note' is missing\n"
        "ALTER TABLE `order_db_1`.`orders_0`\nADD INDEX `by_note` (`note`(8));\n\n"
    )
    status = operator.calls("ddl", "status", "--env", "test").require(3).out
    assert (
        "definitions of orders: identical on 3; 1 differs:\n  index 'by_note' is missing: order_db_1.orders_0\n"
        in status
    )


def test_s7_an_apply_that_was_refused_and_one_that_was_done_are_in_the_audit(tmp_path: Path, arena: Arena) -> None:
    operator = Operator(tmp_path)
    arena.prepare(tmp_path, source_databases=["shop"], target_databases=["order_db_0", "order_db_1"])
    shards = arena.placement
    plan = read_plan(tmp_path / "build" / "orders")
    environment = read_environment(str(tmp_path / "environments" / "test.yaml"), databases=plan.databases)
    servers = servers_of(environment, plan, os.environ)
    create_tables(plan, connect=servers.connect_shard_of, limit=2, on_progress=lambda _progress: None)
    with closing(servers.connect_shard(0)) as connection:
        create_ledger(connection, first=True)
    assert operator.calls("ddl", "apply", "--env", "test").code == 6
    operator.calls("ddl", "apply", "--env", "test", "--allow", "SW8420,SW8421,SW8422").require(0)
    sql = "SELECT what, detail, who, command FROM _shardwright_audit ORDER BY id"
    lines = shards["order_db_0"].query(sql, database="order_db_0")
    assert [what for what, *_ in lines] == [
        "ddl apply: given", "ddl apply: refused", "ddl apply: given", "ddl apply", "ddl apply: done",
    ]  # fmt: skip
    assert str(lines[1][1]).startswith("SW842") and "physical tables changed" in str(lines[3][1])
    assert all("@" in str(who) for _, _, who, _ in lines) and "--allow SW8420,SW8421,SW8422" in str(lines[4][3])
