"""The target's tables are created once; whatever else stands in their place is refused, never touched."""

from __future__ import annotations

import pytest

from shardwright.compiler.plan.plan import INDEXES, Plan, StepName, with_suffix
from shardwright.runtime.ddl.routing.router import DdlProgress, route_changes
from shardwright.runtime.ddl.session import DdlPatience, ddl_session
from shardwright.runtime.ddl.shard_access import ShardAccess
from shardwright.runtime.ddl.tables.create import create_tables
from shardwright.runtime.ddl.tables.deferred_indexes import find_lacking_on
from shardwright.runtime.failures import Refused, StoppedPartWay, Unreachable
from shardwright.runtime.ledger.ddl_record import read_record
from shardwright.specs.findings.remedies import START_OVER
from tests.ddl.plans import DATABASES, FOLDER, shop_plan
from tests.ddl.shards import ORDERS, Shards

pytestmark = pytest.mark.server

NOTE = {
    "ddl/0001_note.sql": "ALTER TABLE orders ADD COLUMN note varchar(40), ADD CONSTRAINT short CHECK (note <> 'x');\n"
}
FORGET = "DELETE FROM _shardwright_ddl WHERE file = 'CREATE TABLE'"


def quiet(progress: DdlProgress) -> None:
    pass


def create(shards: Shards, plan: Plan) -> int:
    return create_tables(plan, connect=shards.connect, limit=3, on_progress=quiet)


def test_tables_are_created_once(shards: Shards) -> None:
    seen: list[DdlProgress] = []
    plan = shop_plan({})
    assert create_tables(plan, connect=shards.connect, limit=3, on_progress=seen.append) == 20
    assert {f"{p.database}.{p.table}" for p in seen} == {*ORDERS, *(f"{name}.region" for name in DATABASES)}
    assert sorted(p.done for p in seen) == list(range(1, 21)) and {p.total for p in seen} == {20}
    assert len(shards.shapes("orders")) == 1
    for database in DATABASES:
        assert shards.query(database, "SHOW TABLES LIKE '_sw_stage_%'") != []
    assert create(shards, plan) == 0


def test_a_run_that_begins_again_does_not_wait_for_ddl_that_is_under_way(shards: Shards) -> None:
    """`ddl apply` may hold a shard's turn for hours; a run that was cut off meanwhile has nothing to make."""
    plan, hasty = shop_plan({}), DdlPatience(turn_seconds=1)
    create(shards, plan)
    with ddl_session(shards.connect, "order_db_1", migration=plan.migration, patience=hasty):
        assert create_tables(plan, connect=shards.connect, limit=3, on_progress=quiet, patience=hasty) == 0
        shards.query("order_db_1", "DELETE FROM _shardwright_ddl WHERE physical_table = 'region'")
        with pytest.raises(Refused, match="SW8405"):
            create_tables(plan, connect=shards.connect, limit=3, on_progress=quiet, patience=hasty)
    assert create_tables(plan, connect=shards.connect, limit=3, on_progress=quiet, patience=hasty) == 0


def test_what_is_missing_is_created(shards: Shards) -> None:
    """A run that was stopped has recorded some tables, and perhaps begun another."""
    create(shards, shop_plan({}))
    shards.query("order_db_2", "DROP TABLE orders_3, region")
    shards.query("order_db_2", "DELETE FROM _shardwright_ddl WHERE physical_table = 'region'")
    shards.query(
        "order_db_2", "UPDATE _shardwright_ddl SET state = 'started' WHERE physical_table IN ('orders_3', 'orders_2')"
    )
    assert create(shards, shop_plan({})) == 2
    assert len(shards.shapes("orders")) == 1
    assert shards.query("order_db_2", "SELECT COUNT(*) FROM _shardwright_ddl WHERE state = 'done'") == [(5,)]


def test_a_table_in_the_way_is_refused_with_what_differs(shards: Shards) -> None:
    shards.query(
        "order_db_2",
        "CREATE TABLE orders_1 (id bigint(20) unsigned NOT NULL, user_id bigint(20) unsigned NOT NULL,"
        " number varchar(30) NOT NULL, amount decimal(12,2) NOT NULL DEFAULT 0.00, extra int,"
        " placed_at datetime(6) NOT NULL DEFAULT current_timestamp(6), PRIMARY KEY (id), KEY placed (user_id, placed_at DESC),"
        " UNIQUE KEY number (number)) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin",
    )
    with pytest.raises(Refused) as refused:
        create(shards, shop_plan({}))
    assert (refused.value.code, refused.value.exit_code) == ("SW8402", 6)
    assert refused.value.message == (
        "target table in the way: order_db_2.orders_1 exists and differs from the plan: "
        "column 'extra' is too much; "
        "column 'number' is varchar(30) NOT NULL CHARACTER SET utf8mb4 COLLATE utf8mb4_bin, "
        "should be varchar(32) NOT NULL CHARACTER SET utf8mb4 COLLATE utf8mb4_bin; "
        "index 'placed' is BTREE (user_id, placed_at DESC), should be BTREE (user_id, placed_at); "
        "check 'amount_positive' is missing; rename or drop it, or generate a DDL file that changes it "
        "(`shardwright ddl new`), then run again"
    )
    assert shards.query("order_db_2", "SHOW TABLES LIKE '_sw_probe%'") == []


def test_an_equal_table_made_by_somebody_else_is_taken(shards: Shards) -> None:
    """The order of columns and of keys says nothing."""
    shards.query(
        "order_db_2",
        "CREATE TABLE region (name varchar(60) NOT NULL, code char(2) NOT NULL, PRIMARY KEY (code))"
        " ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin",
    )
    assert create(shards, shop_plan({})) == 19
    assert create(shards, shop_plan({})) == 0


def test_changes_that_were_routed_belong_to_the_table(shards: Shards) -> None:
    plan = shop_plan(NOTE)
    create(shards, plan)
    route_changes(plan, ShardAccess(shards.connect, 2), on_progress=quiet)
    for database in DATABASES:
        shards.query(database, FORGET)  # as if another tool had made them: now they are compared
    assert create(shards, plan) == 0
    shards.query("order_db_1", FORGET)
    shards.query("order_db_1", "ALTER TABLE orders_2 DROP INDEX placed")
    with pytest.raises(Refused, match=r"order_db_1.orders_2 .* index 'placed' is missing; rename"):
        create(shards, plan)


def test_a_view_in_the_way_is_refused(shards: Shards) -> None:
    shards.query("order_db_1", "CREATE VIEW orders_0 AS SELECT 1 AS id")
    with pytest.raises(Refused, match=r"target table in the way: order_db_1\.orders_0 is no table but a view"):
        create(shards, shop_plan({}))


def test_a_table_that_is_gone_is_not_made_again(shards: Shards) -> None:
    """Its rows are gone too, and the ledger says they were copied."""
    create(shards, shop_plan({}))
    shards.query("order_db_1", "DROP TABLE orders_0")
    with pytest.raises(Refused) as refused:
        create(shards, shop_plan({}))
    assert refused.value.code == "SW8412"
    assert refused.value.message == (
        f"order_db_1.orders_0 was created by this migration and is gone: restore it, or {START_OVER}"
    )


def test_another_plan_of_the_same_migration_is_compared(shards: Shards) -> None:
    create(shards, shop_plan({}))
    schema = (FOLDER / "shop.sql").read_text(encoding="utf-8").replace("decimal(12,2)", "decimal(14,2)")
    with pytest.raises(
        Refused, match=r"column 'amount' is decimal\(12,2\) NOT NULL DEFAULT 0.00, should be decimal\(14,2\)"
    ):
        create(shards, shop_plan({}, schema=schema))


def test_e18_one_shard_fails_and_the_others_are_finished(shards: Shards) -> None:
    password = "not a secret"
    server = shards.placement["order_db_3"]
    host = server.sandbox.account_host
    server.query("CREATE USER IF NOT EXISTS app@%s IDENTIFIED BY %s", (host, password))
    server.query("GRANT SELECT, INSERT, UPDATE ON order_db_3.* TO app@%s", (host,))
    create(shards, shop_plan({}))
    for database, table in (("order_db_3", "orders_0"), ("order_db_3", "orders_1"), ("order_db_0", "orders_0")):
        shards.query(database, f"DROP TABLE {table}")
        shards.query(database, f"DELETE FROM _shardwright_ddl WHERE physical_table = '{table}'")

    def connect(database: str) -> object:
        if database == "order_db_3":
            return server.connect(database, user="app", password=password)
        return shards.connect(database)

    with pytest.raises(StoppedPartWay) as stopped:
        create_tables(shop_plan({}), connect=connect, limit=3, on_progress=quiet, patience=DdlPatience())  # type: ignore[arg-type]
    assert stopped.value.message.startswith("tables are missing on order_db_3; SW8406: order_db_3")
    assert r"LOCK TABLES ON `order\_db\_3`.* TO the migration's user" in stopped.value.message
    assert shards.query("order_db_0", "SHOW TABLES LIKE 'orders_0'") != []
    assert create(shards, shop_plan({})) == 2


def test_tables_are_made_without_the_indexes_that_come_later(shards: Shards) -> None:
    """Both forms are ours; one that is neither is in the way."""
    whole, deferring = shop_plan({}), shop_plan({}, defer=True)
    assert deferring.deferred_indexes == {"orders": ("placed",)}
    assert create(shards, deferring) == 20
    assert create(shards, deferring) == 0
    assert _find_lacking(shards, deferring) == set(ORDERS)
    with pytest.raises(Refused, match=r"order_db_0.orders_0 .* index 'placed' is missing; rename"):
        create(shards, whole)  # the option is taken back too early
    add = deferring.step("orders", StepName.CREATE_TABLE).statement(INDEXES)
    shards.query("order_db_1", with_suffix(add, "_2"))
    for database in DATABASES:
        shards.query(database, FORGET)  # as if somebody else had made them: they are compared
    assert create(shards, deferring) == 0
    assert _find_lacking(shards, deferring) == {*ORDERS} - {"order_db_1.orders_2"}
    shards.query("order_db_1", FORGET)
    shards.query("order_db_1", "ALTER TABLE orders_3 DROP INDEX number")
    with pytest.raises(
        Refused, match=r"order_db_1.orders_3 .* index 'number' is missing; index 'placed' is missing; rename"
    ):
        create(shards, deferring)


def test_changes_wait_for_indexes_that_they_may_meet(shards: Shards) -> None:
    create(shards, shop_plan({}, defer=True))
    plan = shop_plan({**NOTE, "ddl/0002_drop.sql": "ALTER TABLE orders DROP INDEX placed;\n"}, defer=True)
    with pytest.raises(
        Refused, match=r"SW8413: order_db_0.orders_0 still lacks placed, .* statement 1 of 0002_drop.sql"
    ):
        route_changes(plan, ShardAccess(shards.connect, 2), on_progress=quiet)
    assert shards.having_column("note") == set(), "refused before anything was done"
    plan = shop_plan(NOTE, defer=True)
    route_changes(plan, ShardAccess(shards.connect, 2), on_progress=quiet)
    for database in DATABASES:
        shards.query(database, FORGET)
    assert create(shards, plan) == 0, "bare, with the column"
    assert _find_lacking(shards, plan) == set(ORDERS)


def _find_lacking(shards: Shards, plan: Plan) -> set[str]:
    found = set()
    for shard, database in enumerate(DATABASES):
        with shards.connect(database) as connection:
            record = read_record(connection, plan.migration)
        found |= {f"{database}.{item.name}" for item in find_lacking_on(plan, shard, record)}
    return found


def test_a_shard_that_cannot_be_reached_stops_at_once_when_it_is_the_only_one(shards: Shards) -> None:
    def connect(database: str) -> object:
        raise Unreachable("SW8101", "cannot reach it")

    with pytest.raises(Unreachable):
        create_tables(shop_plan({}), connect=connect, limit=3, on_progress=quiet)  # type: ignore[arg-type]
