"""Tables that were converted to another character set, or got another default, are what the plan reckons them to be."""

from __future__ import annotations

import pytest

from shardwright.runtime.ddl.routing.policy import DdlPolicy
from shardwright.runtime.ddl.routing.router import route_changes
from shardwright.runtime.ddl.shard_access import ShardAccess
from shardwright.runtime.ddl.tables.create import create_tables
from shardwright.runtime.ddl.tables.drift import Drift, find_drift
from tests.ddl.plans import shop_plan
from tests.ddl.shards import Shards

pytestmark = pytest.mark.server

COLUMNS = (
    "`id` bigint NOT NULL, `a` varchar(20) DEFAULT 'x', `b` tinytext, `c` text, `d` mediumtext, `e` longtext,"
    " `f` enum('x','y') NOT NULL, `g` set('x','y') DEFAULT NULL, `h` char(9) CHARACTER SET ascii COLLATE ascii_bin,"
    " `i` varchar(9) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci, `j` json, `m` binary(3), `n` blob,"
    " PRIMARY KEY (`id`), KEY `by_a` (`a`)"
)
SCHEMA = (
    f"CREATE TABLE `orders` ({COLUMNS}) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_bin;\n"
    f"CREATE TABLE `region` ({COLUMNS}) ENGINE=InnoDB DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_bin;\n"
)
FILES = {
    "0001_default.sql": "ALTER TABLE region DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;\n"
    "ALTER TABLE region ADD COLUMN p varchar(3);\n"
    "ALTER TABLE orders COLLATE utf8mb4_bin, COMMENT 'c';\n",
    "0002_convert.sql": "ALTER TABLE orders CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;\n"
    "ALTER TABLE orders ADD COLUMN p text;\n",
    "0003_convert.sql": "ALTER TABLE region CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;\n",
}


@pytest.mark.parametrize("last", [1, 3])
def test_e18_e19_what_becomes_of_a_table_is_calculated_as_servers_do_it(shards: Shards, last: int) -> None:
    plan = shop_plan(dict(list(FILES.items())[:last]), schema=SCHEMA)
    create_tables(plan, connect=shards.connect, limit=2, on_progress=lambda _progress: None)
    access = ShardAccess(shards.connect, 2, shards.server_of)
    for _ in range(2):  # a second time there is nothing to do
        route_changes(plan, access, DdlPolicy(frozenset({"SW8421"})), on_progress=lambda _progress: None)
    assert find_drift(plan, connect=shards.connect) == (Drift("orders", 16, ()), Drift("region", 4, ()))
    shards.query("order_db_1", "ALTER TABLE orders_2 MODIFY c text CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci")
    assert [drift.identical for drift in find_drift(plan, connect=shards.connect)] == [15, 4]
