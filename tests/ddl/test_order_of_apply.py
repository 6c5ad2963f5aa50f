"""The order in which a change reaches tables, and what stops it: canary table, canary shard, all (hazards E18, G1)."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from pymysql.connections import Connection

from shardwright.runtime.ddl.routing.router import DdlProgress, DdlResult
from shardwright.runtime.ddl.routing.status import ddl_status
from shardwright.runtime.ddl.session import DdlPatience
from shardwright.runtime.failures import Refused, StoppedPartWay
from tests.ddl.plans import shop_plan
from tests.ddl.shards import ORDERS, Shards
from tests.ddl.test_router import ONE, create, lock, route

pytestmark = pytest.mark.server

CANARY_SHARD = {table for table in ORDERS if table.startswith("order_db_0.")}


def test_e18_the_canary_shard_is_finished_before_another_is_touched(shards: Shards) -> None:
    create(shards)
    seen: list[str] = []

    def note(progress: DdlProgress) -> None:
        seen.append(f"{progress.database}.{progress.table}")

    route(shards, ONE, on_progress=note, server_of=shards.server_of, limit=1)
    assert seen[:4] == [f"order_db_0.orders_{number}" for number in range(4)]
    assert set(seen) == set(ORDERS)


def test_e18_a_failure_in_the_canary_shard_leaves_the_other_shards_untouched(shards: Shards) -> None:
    create(shards)
    with lock(shards, "order_db_0", "orders_2"), pytest.raises(StoppedPartWay) as stopped:
        route(shards, ONE)
    assert shards.having_column("note") == CANARY_SHARD - {"order_db_0.orders_2"}
    assert all(table in stopped.value.message for table in set(ORDERS) - CANARY_SHARD)
    assert shards.read_records() == {"done": CANARY_SHARD - {"order_db_0.orders_2"}}
    assert route(shards, ONE) == DdlResult(applied=13, already=3)
    assert shards.having_column("note") == set(ORDERS)


def test_so_many_shards_of_each_server_at_once(shards: Shards) -> None:
    create(shards)
    route(shards, {"ddl/0001_a.sql": "ALTER TABLE orders ADD COLUMN a int;\n"})
    now: dict[str, int] = {}
    most: dict[str, int] = {}
    guard = threading.Lock()
    both = threading.Event()

    def fence(connection: Connection[Any]) -> None:
        driver: Any = connection
        server = str(driver.port)
        with guard:
            now[server] = now.get(server, 0) + 1
            most[server] = max(most.get(server, 0), now[server])
            if len([count for count in now.values() if count]) == 2:
                both.set()
        both.wait(0.2)
        with guard:
            now[server] -= 1

    files = {
        "ddl/0001_a.sql": "ALTER TABLE orders ADD COLUMN a int;\n",
        "ddl/0002_b.sql": "ALTER TABLE orders ADD COLUMN b int;\n",
    }
    route(shards, files, limit=1, server_of=shards.server_of, fence=fence)
    assert set(most.values()) == {1} and both.is_set()


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("ALTER TABLE orders ADD COLUMN b int, ADD CONSTRAINT c CHECK (b > 0)", "SW8421"),
        ("ALTER TABLE orders ADD FULLTEXT INDEX words (number)", "SW8422"),
        ("DROP INDEX placed ON orders", "SW8420"),
    ],
)
def test_heavy_changes_refuse_before_anything_is_done(shards: Shards, statement: str, code: str) -> None:
    create(shards)
    files = {**ONE, "ddl/0002_heavy.sql": f"{statement};\n"}
    with pytest.raises(Refused) as refused:
        route(shards, files, allowed=frozenset())
    assert (refused.value.code, refused.value.exit_code) == (code, 6)
    assert refused.value.message.endswith(f"run again with --allow {code}")
    assert shards.having_column("note") == set()
    assert route(shards, files, allowed=frozenset({code})) == DdlResult(applied=32, already=0)
    # What stands everywhere needs no leave any more.
    assert route(shards, files, allowed=frozenset()) == DdlResult(applied=0, already=32)


def test_e18_what_a_server_does_not_do_as_lightly_as_planned_stops_and_is_reported(shards: Shards) -> None:
    """Here the file promises too much; a table may also have something of which the rules do not know."""
    create(shards)
    files = {"ddl/0001_x.sql": "ALTER TABLE orders ADD COLUMN s bigint AS (user_id + 1) STORED, ALGORITHM=INSTANT;\n"}
    with pytest.raises(Refused) as refused:
        route(shards, files, allowed=frozenset())
    assert refused.value.code == "SW8415"
    assert (
        "order_db_0.orders_0: the server refuses to do statement 1 of 0001_x.sql with ALGORITHM=INSTANT: "
        "ALGORITHM=INSTANT is" in (refused.value.message)
    )
    assert "run again with --allow SW8415" in refused.value.message
    assert (shards.having_column("s"), shards.read_records()) == (set(), {})
    with pytest.raises(Refused) as refused:
        route(shards, files, allowed=frozenset({"SW8415"}))
    assert "with ALGORITHM=INPLACE, LOCK=NONE" in refused.value.message
    assert route(shards, files, allowed=frozenset({"SW8415", "SW8421"})) == DdlResult(applied=16, already=0)
    assert shards.having_column("s") == set(ORDERS)


def test_g1_the_holder_of_the_table_is_named(shards: Shards) -> None:
    create(shards)
    with lock(shards, "order_db_1", "orders_1") as observer, pytest.raises(StoppedPartWay) as stopped:
        number = observer.thread_id()
        route(shards, ONE)
    assert "SW8407: order_db_1.orders_1 stays locked by another connection" in stopped.value.message
    assert f"connection {number} of root@" in stopped.value.message


def test_e18_a_held_lock_on_one_shard_keeps_later_changes_from_all(shards: Shards) -> None:
    create(shards)
    files = {**ONE, "ddl/0002_more.sql": "ALTER TABLE orders ADD COLUMN more int;\n"}
    stuck = "order_db_2.orders_3"
    with lock(shards, "order_db_2", "orders_3"), pytest.raises(StoppedPartWay):
        route(shards, files)
    assert shards.having_column("note") == set(ORDERS) - {stuck}
    assert shards.having_column("more") == set()
    first, second = ddl_status(shop_plan(files), connect=shards.connect)
    assert (first.done, first.missing, first.started) == (15, (stuck,), ())
    assert (second.done, set(second.missing)) == (0, set(ORDERS))
    assert route(shards, files) == DdlResult(applied=17, already=15)
    assert shards.having_column("more") == shards.having_column("note") == set(ORDERS)


def test_g1_a_waiting_change_does_not_pile_up_readers(shards: Shards) -> None:
    """A statement that waits for the table's lock stops all later readers: so it waits one second here, not for
    ever."""
    create(shards)
    patience = DdlPatience(lock_wait_seconds=1, attempts=3, longest_pause_seconds=1.0)
    outcome: list[str] = []

    def apply() -> None:
        try:
            route(shards, ONE, patience=patience)
        except StoppedPartWay as stopped:
            outcome.append(stopped.code)

    with lock(shards, "order_db_0", "orders_0"):
        run = threading.Thread(target=apply)
        run.start()
        reads = 0
        while run.is_alive():
            reader = shards.connect("order_db_0")
            with reader.cursor() as cursor:
                cursor.execute("SET SESSION lock_wait_timeout = 3")
                cursor.execute("SELECT COUNT(*) FROM orders_0")
            reader.close()
            reads += 1
        run.join()
    assert outcome == ["SW8403"] and reads > 3


def test_g7_a_pause_holds_between_tables_and_ends_with_the_run(shards: Shards) -> None:
    create(shards)
    asked, held, proceed = [0], threading.Event(), threading.Event()

    def before_table() -> None:
        asked[0] += 1
        if asked[0] == 3:
            held.set()
            proceed.wait(60)

    run = threading.Thread(target=lambda: route(shards, ONE, pause=before_table))
    run.start()
    assert held.wait(60)
    assert shards.having_column("note") == {"order_db_0.orders_0", "order_db_0.orders_1"}
    proceed.set()
    run.join()
    assert shards.having_column("note") == set(ORDERS)
