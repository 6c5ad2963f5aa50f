"""The binary log tells exactly which keys are updated, and which transactions have rows of several of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.servers.testbed import Arena
from tests.support.commands import shardwright

pytestmark = [pytest.mark.server, pytest.mark.mysql]

SCHEMA = (
    "CREATE TABLE users (id INT NOT NULL PRIMARY KEY, name VARCHAR(20)) CHARSET=utf8mb4",
    "CREATE TABLE orders (id INT NOT NULL PRIMARY KEY, user_id INT NOT NULL, note VARCHAR(20), "
    "FOREIGN KEY (user_id) REFERENCES users (id)) CHARSET=utf8mb4",
    "CREATE TABLE old (id INT NOT NULL PRIMARY KEY, user_id INT NOT NULL) CHARSET=utf8mb4",
    "INSERT INTO old VALUES (1, 1)",
    "ALTER TABLE old ADD COLUMN note INT",
)
TRANSACTIONS = (
    ("INSERT INTO users VALUES (1, 'a'), (2, 'b'), (3, 'c')",),
    ("INSERT INTO orders VALUES (1, 1, 'x')", "UPDATE users SET name = 'd' WHERE id = 1"),
    ("INSERT INTO orders VALUES (2, 2, 'x')", "INSERT INTO orders VALUES (3, 2, 'x')"),
    ("UPDATE orders SET note = 'y' WHERE id = 2", "UPDATE users SET name = 'e' WHERE id = 3"),
    ("UPDATE orders SET user_id = 3 WHERE id = 2",),
    ("DELETE FROM orders WHERE id IN (2, 3)",),
    ("DELETE FROM orders WHERE id = 1",),
)
"""Four of them have rows of several users: the first, the fourth, the fifth, and the one that deletes two users' rows."""


def test_d15_keys_that_are_updated_and_transactions_that_cross(arena: Arena, tmp_path: Path) -> None:
    arena.prepare(tmp_path, source_databases=("app",), target_databases=("app_0", "app_1"))
    for statement in SCHEMA:
        arena.source.query(statement, database="app")
    with arena.source.connect("app", autocommit=False) as connection, connection.cursor() as cursor:
        for transaction in TRANSACTIONS:
            for statement in transaction:
                cursor.execute(statement)
            connection.commit()
    words = ("advise", "--env", "test", "--database", "app", "--log", "50")
    answer = shardwright(tmp_path, *words, "--format", "json").require(0)
    assert "has rows of old from before their last change" in answer.err
    advised = json.loads(answer.out)
    log = advised["binary_log"]
    assert log["transactions"] == len(TRANSACTIONS)
    assert log["inserted"] == {"users": 3, "orders": 3}
    assert log["updated"] == {"users": 2, "orders": 2} and log["deleted"] == {"orders": 3}
    [design] = [one for one in advised["designs"] if one["key"] == "users.id"]
    assert design["transactions_in_log"] == {"with_key": 7, "several_values": 4}
    [trap] = [one for one in design["traps"] if one["kind"] == "updated key"]
    assert (trap["table"], trap["column"]) == ("orders", "user_id")
    assert trap["text"].startswith("1 rows of the binary log got another value")
    text = shardwright(tmp_path, *words, "--html", "advice.html").require(0).out
    page = (tmp_path / "advice.html").read_text(encoding="utf-8")
    assert "<dt>Binary log</dt><dd>" in page and "7 transactions, 13 rows" in page
    assert "<p>Binary log: 4 of 7 transactions have several values of the key</p>" in page
    assert (
        '<td>orders</td><td class="n">3</td><td class="n">2</td><td class="n">3</td><td>user_id (1 rows)</td>' in page
    )
    assert '<td>old</td><td class="n">' not in page.partition("<details")[0], "it has no row that could be read"
    assert "binary log: 4 of 7 transactions have several values of the key" in text
