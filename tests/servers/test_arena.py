"""The arena the other tests work in is empty, placed as the environment file says, and survives rough treatment."""

from __future__ import annotations

from pathlib import Path

import pymysql
import pytest
import yaml

from tests.servers.testbed import Arena

pytestmark = pytest.mark.server
SHARDS = ("order_db_0", "order_db_1", "order_db_2", "order_db_3")


def test_environment_and_grants(arena: Arena, tmp_path: Path) -> None:
    file = arena.prepare(tmp_path, source_databases=("shop",), target_databases=SHARDS)
    environment = yaml.safe_load(file.read_text(encoding="utf-8"))
    assert set(environment["shards"]) == set(SHARDS)
    source = environment["source"]
    password = Path(source["password"]["file"]).read_text(encoding="utf-8")
    account = {"user": source["user"], "password": password}
    with arena.source.connect("shop", **account) as connection, connection.cursor() as cursor:
        cursor.execute("SHOW BINARY LOGS")
        with pytest.raises(pymysql.err.OperationalError, match="CREATE command denied"):
            cursor.execute("CREATE TABLE t (a INT)")
    with arena.placement["order_db_3"].connect("order_db_3", **account) as connection, connection.cursor() as cursor:
        cursor.execute("CREATE TABLE t (a INT)")
        cursor.execute("INSERT INTO t VALUES (1)")
        # The underscore in a granted name is no wildcard.
        with pytest.raises(pymysql.err.OperationalError, match="denied"):
            cursor.execute("CREATE DATABASE orderXdb_3")
    assert arena.shard("order_db_3").query("SELECT a FROM t") == 1


def test_databases_and_open_transactions_of_an_earlier_test_are_gone(arena: Arena) -> None:
    assert arena.source.query("SHOW DATABASES LIKE 'shop'") == []
    left_behind = arena.targets[0].connect(autocommit=False)
    cursor = left_behind.cursor()
    cursor.execute("CREATE DATABASE order_db_0")
    cursor.execute("CREATE TABLE order_db_0.t (a INT PRIMARY KEY)")
    cursor.execute("INSERT INTO order_db_0.t VALUES (1)")
    arena.targets[0].make_empty()
    assert arena.targets[0].query("SHOW DATABASES LIKE 'order%%'") == []


def test_a_target_is_stopped_and_started_again(arena: Arena) -> None:
    target = arena.targets[1]
    target.query("CREATE DATABASE kept")
    target.stop()
    with pytest.raises(pymysql.err.OperationalError):
        target.connect()
    target.start()
    assert target.query("SHOW DATABASES LIKE 'kept'") == [("kept",)]
