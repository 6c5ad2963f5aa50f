"""`ddl new`: a spec that changed, tables that stand already, and the file that leads them there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from shardwright.compiler.plan.files import read_plan
from shardwright.runtime.ddl.tables.create import create_tables
from shardwright.runtime.mysql.servers import servers_of
from shardwright.specs.environment.read import read_environment
from tests.ddl.test_ddl_command import SCHEMA, Operator
from tests.servers.testbed import Arena

pytestmark = pytest.mark.server

DATABASES = ["order_db_0", "order_db_1"]
NEW_SCHEMA = """
CREATE TABLE orders (
  order_id BIGINT NOT NULL, user_id BIGINT NOT NULL, amount DECIMAL(12,2) NOT NULL DEFAULT 0.00, paid_at DATETIME(6) DEFAULT NULL,
  PRIMARY KEY (order_id), KEY by_user (user_id, paid_at), CONSTRAINT amount_positive CHECK (amount >= 0)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
"""
ALLOW = ("--allow", "SW8420,SW8421,SW8422")


class _Team(Operator):
    def __init__(self, folder: Path, arena: Arena) -> None:
        super().__init__(folder)
        self.arena = arena
        self.environment = arena.prepare(folder, source_databases=["shop"], target_databases=DATABASES)

    def creates(self) -> int:
        """What `run` does first."""
        plan = read_plan(self.folder / "build" / "orders")
        servers = servers_of(read_environment(str(self.environment), databases=plan.databases), plan, os.environ)
        return create_tables(
            plan,
            connect=lambda name: servers.connect_shard(plan.databases.index(name)),
            limit=2,
            on_progress=lambda _progress: None,
        )

    def query(self, database: str, sql: str) -> list[tuple[object, ...]]:
        return self.arena.placement[database].query(sql, database=database)

    def compiles(self, schema: str, **files: str) -> None:
        (self.folder / "schema" / "shop.sql").write_text(schema, "utf-8")
        for name, text in files.items():
            (self.folder / "ddl" / f"{name}.sql").write_text(text, "utf-8")
        self.calls("compile").require(0)

    def new(self) -> str:
        return self.calls("ddl", "new", "--env", "test").require(3).out


def test_e18_tables_of_an_earlier_spec_are_led_to_the_new_one(tmp_path: Path, arena: Arena) -> None:
    team = _Team(tmp_path, arena)
    assert team.creates() == 4
    new = ("ddl", "new", "--env", "test")
    assert "SW8447: statement 1 of 0001_note.sql is missing on order_db_0.orders_0" in team.calls(*new).require(6).err
    team.calls("ddl", "apply", "--env", "test", *ALLOW).require(0)
    assert "nothing to write" in team.calls(*new).require(0).err
    refused = team.calls(*new, "Two words").require(1).err
    assert "SW8449" in refused and "'Two words'" in refused
    assert "0003_later.sql: every existing table is as the spec says" in team.calls(*new, "later").require(3).err
    later = tmp_path / "ddl" / "0003_later.sql"
    assert "ALTER TABLE `orders` ADD INDEX" in later.read_text("utf-8")
    assert "SW4202" in team.calls("compile").require(1).err  # its statements are to be written first
    later.unlink()

    team.compiles(NEW_SCHEMA)
    text = team.new()
    assert (tmp_path / "ddl" / "0003_match_spec.sql").read_text("utf-8") == text
    assert "-- orders: 4 of 4 tables differ:\n" in text and "MODIFY COLUMN `user_id` BIGINT" in text
    assert "SW8447: 0003_match_spec.sql is in" in team.calls(*new).require(6).err
    team.calls("compile").require(0)
    shown = team.calls("ddl", "plan").require(0).out
    assert (
        "-- 0003_match_spec.sql 1: 4 physical tables of orders, destructive, only for tables that existed before\n"
        in shown
    )
    # Somebody has done it by hand on one table; it is as the spec says, so there it counts as done.
    by_hand = text[text.index("ALTER TABLE") :].split(";")[0]
    team.query(
        "order_db_1", by_hand.replace("`orders`", "`orders_0`").replace("`amount_positive`", "`amount_positive_0`")
    )
    team.calls("ddl", "apply", "--env", "test", *ALLOW).require(0)
    assert (
        team.calls("ddl", "status", "--env", "test").require(0).out.endswith("definitions of orders: identical on 4\n")
    )
    assert team.creates() == 0
    shape = "SELECT data_type FROM information_schema.columns WHERE table_name = 'orders_1' AND column_name = 'user_id'"
    assert team.query("order_db_1", f"{shape} AND table_schema = 'order_db_1'")[0][0] == "bigint"

    # An environment that is made by the new spec has nothing to catch up with.
    for database in DATABASES:
        team.query(database, f"DROP DATABASE {database}")
        arena.placement[database].query(f"CREATE DATABASE {database}")
    assert team.creates() == 4
    team.calls("ddl", "apply", "--env", "test", "--allow", "SW8420,SW8421").require(0)
    assert (
        team.calls("ddl", "status", "--env", "test").require(0).out.endswith("definitions of orders: identical on 4\n")
    )


def test_what_the_spec_left_out_is_proposed_and_not_done(tmp_path: Path, arena: Arena) -> None:
    team = _Team(tmp_path, arena)
    team.compiles(NEW_SCHEMA)
    team.creates()
    team.calls("ddl", "apply", "--env", "test", *ALLOW).require(0)
    team.compiles(SCHEMA)
    text = team.new()
    assert "-- ALTER TABLE `orders`\n-- DROP COLUMN `paid_at`;\n" in text
    file = tmp_path / "ddl" / "0003_match_spec.sql"
    decided = [
        line.removeprefix("-- ") if "ALTER TABLE" in line or "DROP " in line else line for line in text.splitlines()
    ]
    file.write_text("\n".join(decided) + "\n", "utf-8")
    team.calls("compile").require(0)
    team.calls("ddl", "apply", "--env", "test", *ALLOW).require(0)
    assert (
        team.calls("ddl", "status", "--env", "test").require(0).out.endswith("definitions of orders: identical on 4\n")
    )


def test_tables_that_differ_among_themselves_have_drifted(tmp_path: Path, arena: Arena) -> None:
    team = _Team(tmp_path, arena)
    team.creates()
    team.calls("ddl", "apply", "--env", "test", *ALLOW).require(0)
    team.query("order_db_0", "ALTER TABLE orders_0 ADD COLUMN extra INT")
    team.query("order_db_1", "ALTER TABLE orders_0 DROP INDEX by_note")
    refused = team.calls("ddl", "new", "--env", "test").require(6)
    assert (
        "SW8446: tables of orders differ among themselves (order_db_0.orders_0: column 'extra' is too much;"
        in refused.err
    )
    assert sorted(path.name for path in (tmp_path / "ddl").iterdir()) == ["0001_note.sql", "0002_heavy.sql"]
