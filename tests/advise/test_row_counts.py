"""What MariaDB's user_statistics counts is a fact beside the digests, and stands for the calls where there are none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers.testbed import Arena
from tests.support.commands import shardwright

pytestmark = [pytest.mark.server]

SCHEMA = (
    "CREATE TABLE users (id INT NOT NULL PRIMARY KEY, name VARCHAR(20)) CHARSET=utf8mb4",
    "CREATE TABLE orders (id INT NOT NULL PRIMARY KEY, user_id INT NOT NULL, KEY by_user (user_id), "
    "FOREIGN KEY (user_id) REFERENCES users (id)) CHARSET=utf8mb4",
    "CREATE TABLE rates (id INT NOT NULL PRIMARY KEY, name VARCHAR(20)) CHARSET=utf8mb4",
    "CREATE TABLE counters (id INT NOT NULL PRIMARY KEY, n INT) CHARSET=utf8mb4",
    "INSERT INTO users SELECT seq, 'a' FROM seq_1_to_50",
    "INSERT INTO orders SELECT seq, 1 + seq % 50 FROM seq_1_to_200",
    "INSERT INTO rates VALUES (1, 'a')",
    "INSERT INTO counters VALUES (1, 0)",
    "ANALYZE TABLE users, orders, rates, counters",
    "FLUSH TABLES",  # a table that is open has its counts of before, and adds them when it is used next
)


@pytest.fixture
def shop(arena: Arena, tmp_path: Path) -> Iterator[Arena]:
    """With user_statistics on since the rows are there."""
    if arena.source.sandbox.kind != "mariadb":
        pytest.skip("only MariaDB has user_statistics")
    arena.prepare(tmp_path, source_databases=("counted",), target_databases=("counted_0", "counted_1"))
    for statement in SCHEMA:
        arena.source.query(statement, database="counted")
    arena.source.query("SET GLOBAL userstat = 1")
    for table in ("users", "orders", "rates", "counters"):  # a table that was open all the same adds its counts now
        arena.source.query(f"SELECT COUNT(*) FROM {table}", database="counted")
    _forget_counts(arena)
    yield arena
    arena.source.query("SET GLOBAL userstat = 0")
    _forget_counts(arena)


def _forget_counts(arena: Arena) -> None:
    for table in ("TABLE_STATISTICS", "INDEX_STATISTICS"):
        arena.source.query(f"FLUSH {table}")


def test_d15_a_table_that_is_often_written_is_no_copy_on_every_shard(shop: Arena, tmp_path: Path) -> None:
    with shop.source.connect("counted") as connection, connection.cursor() as cursor:
        for number in range(60):
            cursor.execute("UPDATE counters SET n = n + 1 WHERE id = 1")
            cursor.execute("SELECT name FROM rates WHERE id = 1")
            cursor.execute("SELECT id FROM orders WHERE user_id = %s", (number % 50,))
    words = ("advise", "--env", "test", "--database", "counted")
    answer = shardwright(tmp_path, *words, "--format", "json", "--write-statistics", "known.json").require(0)
    assert "the rows that user_statistics counts are taken instead" in answer.err
    advised = json.loads(answer.out)
    assert advised["workload"]["suggested"] and advised["workload"]["from_row_counts"]
    best = advised["designs"][0]
    assert best["key"] == "users.id"
    placed = {one["table"]: one for one in best["placements"]}
    assert placed["counters"]["rows_changed"] == 60 and placed["rates"]["rows_changed"] == 0
    assert placed["rates"]["rows_read"] == 60 and placed["orders"]["rows_read"] >= 60
    assert placed["counters"]["way"] == "whole in one database"
    assert placed["rates"]["way"] == "a copy on every shard"
    text = shardwright(tmp_path, *words, "--statistics", "known.json").require(0).out
    assert "60 changed; most changed: counters 60" in text and "are taken as calls" in text


def test_beside_statements_it_is_a_fact(shop: Arena, tmp_path: Path) -> None:
    (tmp_path / "app.sql").write_text("SELECT id FROM orders WHERE user_id = 7;\n")
    shop.source.query("UPDATE rates SET name = 'b'", database="counted")
    words = ("advise", "--env", "test", "--database", "counted", "--statements", "app.sql")
    text = shardwright(tmp_path, *words).require(0).out
    assert "1 calls of 1 statements" in text and "most changed: rates 1" in text
    shop.source.query("SET GLOBAL userstat = 0")
    for table in ("TABLE_STATISTICS", "INDEX_STATISTICS"):
        shop.source.query(f"FLUSH {table}")
    assert "user_statistics" not in shardwright(tmp_path, *words).require(0).out
