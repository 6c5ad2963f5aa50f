"""Copies handed over to the real pt-online-schema-change: rows written meanwhile, kills, what it cannot do."""

from __future__ import annotations

import os
import shutil
import signal
import time
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pymysql.connections import Connection

from shardwright.runtime.ddl.online.hand_over import HandOver
from shardwright.runtime.ddl.routing.targets import targets
from shardwright.runtime.ddl.session import DdlPatience
from shardwright.runtime.events.event import ignore
from shardwright.runtime.failures import RuntimeFailure, Unreachable
from shardwright.runtime.ledger.ddl_record import mark_started
from tests.ddl.online_shop import DATABASES, TABLES, OnlineShop, tool_of, wait_for
from tests.servers.testbed import Arena

PROGRAM = "pt-online-schema-change"
pytestmark = [
    pytest.mark.server,
    pytest.mark.skipif(shutil.which(PROGRAM) is None, reason="pt-online-schema-change is not installed"),
]


def test_rows_written_during_the_copy_are_there(tmp_path: Path, arena: Arena) -> None:
    """The oracle is what the application did, and plain SQL."""
    shop = OnlineShop(tmp_path, arena, rows=60_000)
    with shop.change_rows("order_db_1", "orders_1", rows=60_000) as expected:
        done = shop.apply("pt-osc").require(0)
    assert shop.types() == ["text"] * 4
    assert shop.rows("order_db_1", "orders_1") == expected and len(expected) > 48_000
    assert max(expected) > 10_000_000 and shop.foreign_objects() == set()
    assert "4 physical tables changed, 4 were done before" in done.err
    canary = done.err.index("0002_wider.sql 1: order_db_0.orders_0 (1 of 4)")
    assert (
        canary
        < done.err.index("0002_wider.sql 1: order_db_0.orders_1 (2 of 4)")
        < done.err.index("order_db_1.orders_0: Creat")
    )
    password = arena.folder / "secrets"
    secrets = [file.read_text("utf-8") for file in password.glob("*.password")]
    logs = [file.read_text("utf-8") for file in (tmp_path / "build" / "ddl-logs").iterdir()]
    assert len(logs) == 4 and all("Successfully altered" in text for text in logs)
    assert secrets and not any(secret in text for secret in secrets for text in [*logs, done.err])
    again = shop.apply("pt-osc").require(0)
    assert "0 physical tables changed, 8 were done before" in again.err
    assert "identical on 4" in shop.calls("ddl", "status", "--env", "test").require(0).out


def test_a_killed_tool_is_reported_removed_and_resumed(tmp_path: Path, arena: Arena) -> None:
    shop = OnlineShop(tmp_path, arena, rows=200_000)
    with shop.change_rows("order_db_0", "orders_0", rows=200_000) as expected:
        apply = shop.starts("pt-osc")
        wait_for("triggers", lambda: any(name.startswith("pt_osc_") for name in shop.foreign_objects()))
        tool = wait_for("the tool", lambda: tool_of(apply, PROGRAM))
        os.kill(tool, signal.SIGKILL)
        _, said = apply.communicate(timeout=60)
        assert (
            apply.returncode == 5
            and "SW8444: order_db_0.orders_0: pt-online-schema-change ended with killed by signal 9" in said
        )
        left = shop.foreign_objects()
        assert "_orders_0_new" in left and sum(name.startswith("pt_osc_") for name in left) > 0
        refused = shop.apply("pt-osc").require(6)
        assert (
            "SW8443" in refused.err
            and "DROP TABLE `_orders_0_new`" in refused.err
            and "DROP TRIGGER `pt_osc_" in refused.err
        )
        assert (
            shop.foreign_objects() == left and "started" in shop.calls("ddl", "status", "--env", "test").require(3).out
        )
        done = shop.apply("pt-osc", "--remove-leftovers").require(0)
        assert "removing order_db_0.orders_0: trigger pt_osc_" in done.err
    assert shop.types() == ["text"] * 4 and shop.foreign_objects() == set()
    assert shop.rows("order_db_0", "orders_0") == expected


def test_a_tool_killed_between_swap_and_drop_is_resumed(tmp_path: Path, arena: Arena) -> None:
    """As after its RENAME TABLE: the new table stands, the old one is left with its triggers, the record says
    `started`."""
    change = "ALTER TABLE orders MODIFY COLUMN note TEXT, ADD COLUMN extra INT;\n"
    shop = OnlineShop(tmp_path, arena, change=change, rows=100)
    shop.query("order_db_0", "CREATE TRIGGER cut AFTER INSERT ON orders_0 FOR EACH ROW SET @a = 1")
    shop.apply("pt-osc").require(6)
    shop.query("order_db_0", "DROP TRIGGER cut")
    shop.query("order_db_0", "CREATE TABLE _orders_0_new LIKE orders_0")
    shop.query("order_db_0", "ALTER TABLE _orders_0_new MODIFY COLUMN note TEXT, ADD COLUMN extra INT")
    shop.query("order_db_0", "INSERT INTO _orders_0_new SELECT *, NULL FROM orders_0")
    shop.query(
        "order_db_0", "CREATE TRIGGER pt_osc_x_ins AFTER INSERT ON orders_0 FOR EACH ROW DELETE FROM _orders_0_new"
    )
    shop.query("order_db_0", "RENAME TABLE orders_0 TO _orders_0_old, _orders_0_new TO orders_0")
    entry = next(shop.entries("0002_wider.sql", "orders_0"))
    with shop.servers.connect_shard(0) as connection:
        mark_started(connection, entry)
    refused = shop.apply("pt-osc").require(6).err
    assert "SW8443" in refused and "order_db_0.orders_0: table _orders_0_old: DROP TABLE `_orders_0_old`" in refused
    shop.apply("pt-osc", "--remove-leftovers").require(0)
    assert shop.types() == ["text"] * 4 and shop.foreign_objects() == set()
    assert len(shop.rows("order_db_0", "orders_0")) == 100


def test_the_tool_ends_when_apply_is_killed(tmp_path: Path, arena: Arena) -> None:
    shop = OnlineShop(tmp_path, arena, rows=200_000)
    apply = shop.starts("pt-osc")
    wait_for("triggers", lambda: any(name.startswith("pt_osc_") for name in shop.foreign_objects()))
    tool = wait_for("the tool", lambda: tool_of(apply, PROGRAM))
    apply.kill()
    apply.communicate(timeout=60)
    wait_for("the tool's end", lambda: not Path(f"/proc/{tool}/cmdline").exists())
    assert shop.types() == ["varchar"] * 4
    shop.apply("pt-osc", "--remove-leftovers").require(0)
    assert shop.types() == ["text"] * 4 and shop.foreign_objects() == set()


def test_an_interrupt_ends_the_tool(tmp_path: Path, arena: Arena) -> None:
    shop = OnlineShop(tmp_path, arena, rows=200_000)
    apply = shop.starts("pt-osc")
    wait_for("triggers", lambda: any(name.startswith("pt_osc_") for name in shop.foreign_objects()))
    tool = wait_for("the tool", lambda: tool_of(apply, PROGRAM))
    apply.send_signal(signal.SIGINT)
    apply.communicate(timeout=60)
    assert apply.returncode == 130 and not Path(f"/proc/{tool}/cmdline").exists()
    assert shop.types() == ["varchar"] * 4


def test_a_value_that_would_be_cut_ends_the_copy(tmp_path: Path, arena: Arena) -> None:
    shop = OnlineShop(tmp_path, arena, change="ALTER TABLE orders MODIFY COLUMN note VARCHAR(3);\n")
    stopped = shop.apply("pt-osc").require(5)
    assert "SW8444" in stopped.err and "1265" in stopped.err, stopped
    assert shop.foreign_objects() == set()
    assert shop.rows("order_db_0", "orders_0") == {key: f"n{key}" for key in range(1, 2_001)}


def test_a_null_in_a_column_that_takes_none_ends_the_copy(tmp_path: Path, arena: Arena) -> None:
    shop = OnlineShop(tmp_path, arena, change="ALTER TABLE orders MODIFY COLUMN note TEXT NOT NULL;\n")
    shop.query("order_db_0", "UPDATE orders_0 SET note = NULL WHERE order_id = 700")
    stopped = shop.apply("pt-osc").require(5)
    assert "SW8444" in stopped.err and "1048" in stopped.err, stopped
    assert shop.foreign_objects() == set()


def test_tables_that_the_tool_cannot_change_are_refused_before_anything_is_done(tmp_path: Path, arena: Arena) -> None:
    shop = OnlineShop(tmp_path, arena, rows=10)
    shop.query("order_db_1", "CREATE TABLE log_of_orders (a INT PRIMARY KEY) ENGINE=InnoDB")
    shop.query("order_db_1", "CREATE TRIGGER mine AFTER INSERT ON orders_0 FOR EACH ROW DELETE FROM log_of_orders")
    shop.query(
        "order_db_1",
        "CREATE TABLE order_lines (a BIGINT PRIMARY KEY, FOREIGN KEY of_order (a) REFERENCES orders_1 (order_id)) ENGINE=InnoDB",
    )
    refused = shop.apply("pt-osc").require(6).err
    assert "SW8442" in refused and "order_db_1.orders_0: it has the trigger mine" in refused
    assert "order_db_1.orders_1: the foreign key" in refused
    assert shop.types() == ["varchar"] * 4 and not (tmp_path / "build" / "ddl-logs").exists()
    shop.write(
        {"ddl/0002_wider.sql": "ALTER TABLE orders MODIFY COLUMN note TEXT, ADD UNIQUE KEY one (user_id, order_id);\n"}
    )
    shop.calls("compile").require(0)
    assert (
        "SW8442: statement 1 of 0002_wider.sql cannot be handed over: it adds a unique"
        in shop.apply("pt-osc").require(6).err
    )


def test_a_missing_tool_is_refused_before_anything_is_done(tmp_path: Path, arena: Arena) -> None:
    shop = OnlineShop(tmp_path, arena, rows=10)
    (tmp_path / "empty").mkdir()
    for tool, package in (("pt-osc", "percona-toolkit"), ("gh-ost", "github.com/github/gh-ost")):
        missing = shop.apply(tool, environ={"PATH": str(tmp_path / "empty")}).require(4).err
        assert "SW8441" in missing and package in missing
    assert shop.types() == ["varchar"] * 4
    assert "SW8445" in shop.calls("ddl", "apply", "--env", "test", "--remove-leftovers").require(1).err


@pytest.mark.long
def test_the_copy_is_held_back(tmp_path: Path, arena: Arena) -> None:
    """As long as writing has to wait, the tool copies nothing."""
    shop = OnlineShop(tmp_path, arena, rows=20_000)
    database, table = TABLES[0]
    began = time.monotonic()
    copied: list[int] = []

    def holding() -> str:
        if time.monotonic() - began > 5:
            return ""
        if time.monotonic() - began > 4 and not copied and "_orders_0_new" in shop.foreign_objects():
            copied.append(int(shop.query(database, "SELECT COUNT(*) FROM _orders_0_new")[0][0]))
        return "a replica lags"

    ours = frozenset(name for _, name in TABLES)
    hand_over = HandOver("pt-osc", lambda _: shop.servers.shards[0], ours, tmp_path, lambda _: None, holding=holding)
    with shop.servers.connect_shard(0) as connection:
        _carry_out(hand_over, connection, shop)
    assert copied == [0] and shop.types()[0] == "text" and len(shop.rows(database, table)) == 20_000


def test_passwords_reach_the_tool_and_no_one_else(tmp_path: Path, arena: Arena) -> None:
    """One with every letter that a file of options gives a meaning to; and a wrong one, which ours would have refused
    before."""
    shop = OnlineShop(tmp_path, arena, rows=10)
    server = arena.placement[TABLES[0][0]]
    odd = "p\"a\\s'w#o;r d=`%"
    for sql in ("CREATE USER odd@%s IDENTIFIED BY %s", "GRANT ALL ON *.* TO odd@%s"):
        server.query(sql, (server.sandbox.account_host, odd)[: sql.count("%s")])
    try:
        for password in ("secretly wrong", odd):
            address = replace(shop.servers.shards[0], account="odd", password=password)
            ours = frozenset(name for _, name in TABLES)
            hand_over = HandOver("pt-osc", {DATABASES[0]: address}.__getitem__, ours, tmp_path / "logs", ignore)
            with shop.servers.connect_shard(0) as connection:
                wanted = pytest.raises(RuntimeFailure) if password != odd else nullcontext()
                with wanted as raised:
                    _carry_out(hand_over, connection, shop)
            if raised is not None:
                assert raised.value.code == "SW8444" and isinstance(raised.value, Unreachable)
                assert "exit code 18: it could not connect" in raised.value.message
    finally:
        server.query("DROP USER odd@%s", (server.sandbox.account_host,))
    assert shop.types() == ["text", "varchar", "varchar", "varchar"]
    log = next((tmp_path / "logs").iterdir()).read_text("utf-8")
    assert "secretly" not in log and "s'w#o" not in log and "Access denied" in log


def _carry_out(hand_over: HandOver, connection: Connection[Any], shop: OnlineShop) -> None:
    """The last change, on the first table."""
    change = shop.plan.ddl[-1]
    first = next(targets(shop.plan, change, DATABASES))
    hand_over.carry_out(connection, change, first, patience=DdlPatience(), fence=None)
