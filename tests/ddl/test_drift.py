"""Physical tables that somebody changed by hand are found, grouped by what is wrong with them, and led back."""

from __future__ import annotations

import pytest

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.ddl.routing.policy import DdlPolicy
from shardwright.runtime.ddl.routing.router import route_changes
from shardwright.runtime.ddl.shard_access import ShardAccess
from shardwright.runtime.ddl.tables.create import create_tables
from shardwright.runtime.ddl.tables.drift import Drift, find_drift
from tests.ddl.plans import shop_plan
from tests.ddl.shards import Shards

pytestmark = pytest.mark.server

FILES = {
    "0001_note.sql": "ALTER TABLE orders ADD COLUMN note VARCHAR(40) DEFAULT '';\nCREATE INDEX by_note ON orders (note(8));\n",
    "0002_more.sql": "ALTER TABLE orders ADD COLUMN kind TINYINT NOT NULL DEFAULT 0, ADD CONSTRAINT small CHECK (kind < 9);\n"
    "ALTER TABLE orders RENAME COLUMN note TO remark;\nALTER TABLE orders MODIFY COLUMN kind INT NOT NULL DEFAULT 1;\n",
}


def _prepare(shards: Shards, *, defer: bool = False) -> Plan:
    plan = shop_plan({} if defer else FILES, defer=defer)
    create_tables(plan, connect=shards.connect, limit=2, on_progress=lambda _progress: None)
    if not defer:
        allowed = frozenset({"SW8420", "SW8421", "SW8422"})
        route_changes(
            plan,
            ShardAccess(shards.connect, 2, shards.server_of),
            DdlPolicy(allowed),
            on_progress=lambda _progress: None,
        )
    return plan


def _drift(shards: Shards, plan: Plan) -> dict[str, Drift]:
    return {drift.logical: drift for drift in find_drift(plan, connect=shards.connect)}


def test_drifted_tables_are_grouped_and_their_statements_bring_them_back(shards: Shards) -> None:
    plan = _prepare(shards)
    clean = _drift(shards, plan)
    assert clean["orders"] == Drift("orders", 16, ()) and clean["region"] == Drift("region", 4, ())
    for place in ("order_db_0", "order_db_2"):
        shards.query(place, "ALTER TABLE orders_1 DROP INDEX placed")
    shards.query("order_db_1", "ALTER TABLE orders_2 MODIFY COLUMN number VARCHAR(40) NOT NULL")
    shards.query("order_db_1", "ALTER TABLE orders_3 DROP COLUMN kind, DROP CONSTRAINT small_3")
    shards.query("order_db_3", "ALTER TABLE region CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci")
    shards.query("order_db_3", "ALTER TABLE orders_0 ADD COLUMN extra INT, ADD UNIQUE KEY twice (user_id, id)")
    shards.query("order_db_3", "DROP TABLE orders_3")
    found = _drift(shards, plan)
    orders = {
        tuple(f"{drifted.database}.{drifted.table}" for drifted in group.tables): group.differences
        for group in found["orders"].groups
    }
    assert found["orders"].identical == 10 and not found["orders"].by_majority
    assert orders[("order_db_0.orders_1", "order_db_2.orders_1")] == ("index 'placed' is missing",)
    (said,) = orders[("order_db_1.orders_2",)]
    assert said.startswith("column 'number' is VARCHAR(40) ") and "should be VARCHAR(32)" in said
    assert orders[("order_db_1.orders_3",)] == ("column 'kind' is missing", "check 'small' is missing")
    assert set(orders[("order_db_3.orders_0",)]) == {"column 'extra' is too much", "index 'twice' is too much"}
    assert orders[("order_db_3.orders_3",)] == ("the table is missing",)
    assert len(orders) == 5
    (region,) = found["region"].groups
    assert found["region"].identical == 3
    assert "the collation is utf8mb4_general_ci, should be utf8mb4_bin" in region.differences
    for drift in found.values():
        for group in drift.groups:
            for drifted in group.tables:
                if drifted.statement:
                    shards.query(drifted.database, drifted.statement)
    again = _drift(shards, plan)
    assert again["region"] == Drift("region", 4, ())
    assert again["orders"].identical == 15
    assert [group.differences for group in again["orders"].groups] == [("the table is missing",)]


def test_a_table_whose_indexes_are_built_later_is_no_drift(shards: Shards) -> None:
    plan = _prepare(shards, defer=True)
    assert _drift(shards, plan)["orders"] == Drift("orders", 16, ())
