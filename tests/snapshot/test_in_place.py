"""Rows that LOAD DATA puts straight into a table: what stands stays, and whatever else the server does is noticed
(hazards G3, G10).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pymysql.connections import Connection

from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.load_data import NotAllTaken, connect_for_loading, load_new_rows
from shardwright.runtime.mysql.servers import is_mariadb
from shardwright.runtime.rehearsal.sandbox.accounts import (
    RUNTIME_USER,
    create_databases,
    create_target_accounts,
    password_file,
)
from tests.servers.testbed import Arena

pytestmark = pytest.mark.server

COLUMNS = ("id", "code", "name")


@pytest.fixture
def target(arena: Arena) -> Iterator[Connection[Any]]:
    server = arena.targets[0]
    server.query("CREATE DATABASE placed")
    server.query(
        "CREATE TABLE placed.people (id INT PRIMARY KEY, code INT UNIQUE, name VARCHAR(5), CHECK (code < 1000000))"
    )
    server.query("INSERT INTO placed.people VALUES (1, 1, 'old'), (2, 2, 'old')")
    connection = connect_for_loading(server.endpoint, "placed")
    yield connection
    connection.close()


def load(connection: Connection[Any], *rows: str) -> int:
    payload = "".join(f"{row}\n" for row in rows).encode()
    return load_new_rows(connection, "people", COLUMNS, hexadecimal=frozenset(), payload=payload)


def names(connection: Connection[Any]) -> dict[int, str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT id, name FROM people")
        return dict(cursor.fetchall())  # type: ignore[arg-type]


def test_what_is_there_stays_by_key_and_by_unique_value(target: Connection[Any]) -> None:
    assert load(target, "1\t10\tnew", "3\t3\tnew", "4\t2\tnew", "5\t\\N\tnew") == 2
    assert names(target) == {1: "old", 2: "old", 3: "new", 5: "new"}


@pytest.mark.parametrize(
    "row",
    [
        pytest.param("3\t3\ttoo long", id="a text that is cut"),
        pytest.param("3\tmany\tx", id="no number"),
        pytest.param("3\t3", id="a value too few"),
        pytest.param("3\t3\tx\ty", id="a value too many"),
        pytest.param("\\N\t3\tx", id="no key"),
        pytest.param("3\t2000000\tx", id="against a CHECK"),
    ],
)
def test_g3_g10_a_row_that_is_changed_or_left_out_for_another_reason_is_noticed(
    target: Connection[Any], row: str
) -> None:
    with pytest.raises(NotAllTaken):
        load(target, "1\t10\tnew", row, "4\t4\tnew")


def test_g10_more_warnings_than_the_server_keeps_are_no_proof(target: Connection[Any]) -> None:
    rows = [f"{number}\t{number}\tx" for number in range(1, 70_001)]
    assert load(target, *rows) == 69_998
    with pytest.raises(NotAllTaken):
        load(target, *rows, "70001\t70001\tmuch too long")
    with pytest.raises(NotAllTaken):
        load(target, *rows)


def test_g10_i7_an_account_that_may_not_ask_for_more_warnings(arena: Arena, tmp_path: Path) -> None:
    """MySQL keeps 1024 of them then: more rows that stand there go the guarded way."""
    server = arena.targets[0]
    create_databases(server.sandbox, ("placed",))
    create_target_accounts(server.sandbox, ("placed",), secrets=tmp_path)
    server.query("CREATE TABLE placed.people (id INT PRIMARY KEY, code INT UNIQUE, name VARCHAR(5))")
    password = password_file(RUNTIME_USER, secrets=tmp_path).read_text(encoding="utf-8").strip()
    with connect_for_loading(Endpoint(server.host, server.port, RUNTIME_USER, password), "placed") as connection:
        kept = 65535 if is_mariadb(connection) else 1024
        rows = [f"{number}\t{number}\tx" for number in range(kept)]
        assert [load(connection, *rows), load(connection, *rows)] == [kept, 0]
        assert load(connection, "-1\t-1\tx") == 1
        with pytest.raises(NotAllTaken):
            load(connection, *rows, "-1\t-1\tx")


def test_few_that_are_there_among_many(target: Connection[Any]) -> None:
    rows = [f"{number}\t{number}\tx" for number in range(1, 30_001)]
    assert load(target, *rows[:20_000]) == 19_998
    assert load(target, *rows) == 10_000
