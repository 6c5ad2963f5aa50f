"""Which DDL keeps writers out of a table now?"""

from __future__ import annotations

import threading
import time
from contextlib import closing

import pytest

from shardwright.runtime.ddl.session import DdlPatience, ddl_session
from shardwright.runtime.ledger.ddl_lock import BlockingDdl, find_blocking_ddl, table_without_writers
from shardwright.runtime.mysql.servers import Servers
from tests.ddl.shards import Shards

ALTER = "ALTER TABLE `a``b_1` ADD FULLTEXT KEY `by_words` (`words`), ALGORITHM=INPLACE, LOCK=SHARED"


@pytest.mark.server
def test_e18_a_statement_that_waits_for_its_table_is_found_by_its_migrations_lock(shards: Shards) -> None:
    servers = _servers(shards)
    shards.query("order_db_1", "CREATE TABLE `a``b_1` (id INT PRIMARY KEY, words VARCHAR(40))")
    patience = DdlPatience(lock_wait_seconds=100)
    with ddl_session(shards.connect, "order_db_1", migration="shop", patience=patience) as session:
        assert list(find_blocking_ddl(servers, "shop")) == [], "its session rests"
        with closing(shards.connect("order_db_1")) as reader, reader.cursor() as cursor:
            cursor.execute("BEGIN")
            cursor.execute("SELECT COUNT(*) FROM `a``b_1`")
            altering = threading.Thread(target=lambda: session.cursor().execute(ALTER))
            altering.start()
            (found,) = _wait_for_blocking(servers)
            assert found.table == "order_db_1.a`b_1" and found.by.startswith("root@"), found
            assert list(find_blocking_ddl(servers, "another")) == []
            reader.rollback()
        altering.join()
        assert list(find_blocking_ddl(servers, "shop")) == []


def _servers(shards: Shards) -> Servers:
    places = [shards.placement[name] for name in shards.databases]
    endpoints = tuple(place.endpoint for place in places)
    return Servers({}, {}, endpoints, tuple(shards.databases))


def _wait_for_blocking(servers: Servers) -> list[BlockingDdl]:
    end = time.monotonic() + 30
    while not (found := list(find_blocking_ddl(servers, "shop"))) and time.monotonic() < end:
        time.sleep(0.1)
    return found


@pytest.mark.parametrize(
    ("statement", "table"),
    [
        ("ALTER TABLE `orders_3` MODIFY COLUMN `note` TEXT, ALGORITHM=COPY, LOCK=SHARED", "orders_3"),
        ("ALTER TABLE `orders_3` MODIFY COLUMN `note` TEXT, ALGORITHM=COPY", "orders_3"),
        ("\nALTER TABLE `orders_3`\n  ADD FULLTEXT KEY `by` (`note`), ALGORITHM=INPLACE, LOCK=SHARED", "orders_3"),
        ("TRUNCATE TABLE `audit`", "audit"),
        ("ALTER TABLE `orders_3` ADD INDEX `by` (`note`), ALGORITHM=INPLACE, LOCK=NONE", ""),
        ("ALTER TABLE `orders_3` ADD COLUMN `n` INT, ALGORITHM=INSTANT", ""),
        ("INSERT INTO _shardwright_ddl VALUES (1)", ""),
        ("SELECT `x` FROM `orders_3`", ""),
    ],
)
def test_e18_which_statements_keep_writers_out(statement: str, table: str) -> None:
    assert table_without_writers(statement) == table
