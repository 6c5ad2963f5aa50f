"""A transaction of the stream meets a table that DDL has changed since it began: it begins anew (hazards B5, G1)."""

from __future__ import annotations

from typing import Any

import pytest
from pymysql.connections import Connection

from shardwright.runtime.ledger.fencing import Writer
from shardwright.runtime.mysql.transactions import execute, query
from tests.ddl.shards import Shards

pytestmark = pytest.mark.server


INDEX = "ADD INDEX by_amount (amount)"
UPDATE = "UPDATE orders FORCE INDEX (by_amount) SET amount = 11 WHERE amount = 10"
UPSERT = "INSERT INTO orders (id, amount) VALUES (1, 11) ON DUPLICATE KEY UPDATE amount = VALUES(amount)"
SELECTED = "INSERT INTO orders SELECT 1, 11 FROM orders o FORCE INDEX (by_amount) WHERE o.amount = 10 ON DUPLICATE KEY UPDATE amount = 11"


@pytest.mark.parametrize("statement", [UPDATE, UPSERT, SELECTED])
@pytest.mark.parametrize(
    "change", [INDEX, f"{INDEX}, ADD COLUMN more INT FIRST, DROP COLUMN more_still, ALGORITHM=COPY"]
)
def test_g1_a_table_that_was_changed_since_the_transaction_began(shards: Shards, change: str, statement: str) -> None:
    place = "order_db_0"
    shards.query(
        place,
        "CREATE TABLE _shardwright_epoch (migration VARCHAR(8), role VARCHAR(8), epoch INT NOT NULL, PRIMARY KEY (migration, role))",
    )
    shards.query(place, "INSERT INTO _shardwright_epoch VALUES ('', 'data', 1)")
    shards.query(place, "CREATE TABLE orders (id INT PRIMARY KEY, amount INT NOT NULL, more_still INT)")
    shards.query(place, "INSERT INTO orders VALUES (1, 10, NULL)")
    tries = []

    def work(connection: Connection[Any]) -> None:
        query(connection, "SELECT COUNT(*) FROM _shardwright_epoch")  # from here on it sees rows as they are now
        if not tries:
            shards.query(place, f"ALTER TABLE orders {change}")
        tries.append(1)
        execute(connection, statement.replace("SELECT 1, 11 FROM", "(id, amount) SELECT 1, 11 FROM"))

    with shards.connect(place) as connection:
        Writer(1).transaction(connection, work)
    assert [tuple(row) for row in shards.query(place, "SELECT amount FROM orders")] == [(11,)]
    assert len(tries) <= 2
