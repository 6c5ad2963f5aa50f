"""DDL reaches every physical table, survives being killed, and says what it could not do (hazards E18, G1)."""

from __future__ import annotations

import random
import re
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.ddl.routing.policy import DdlPolicy
from shardwright.runtime.ddl.routing.router import DdlProgress, DdlResult, route_changes
from shardwright.runtime.ddl.routing.status import ddl_status
from shardwright.runtime.ddl.session import DdlPatience, ddl_session
from shardwright.runtime.ddl.shard_access import ShardAccess
from shardwright.runtime.ddl.tables.create import create_tables
from shardwright.runtime.failures import Refused, StoppedPartWay
from tests.ddl.plans import DATABASES, FOLDER, shop_plan
from tests.ddl.shards import ORDERS, Shards
from tests.support.waiting import wait_until

pytestmark = pytest.mark.server

FILES = {
    "ddl/0001_note.sql": (
        "ALTER TABLE orders ADD COLUMN note varchar(40) AFTER amount, ADD INDEX by_note (note(8));\n"
        "CREATE UNIQUE INDEX once ON orders (number, id);\n"
    ),
    "ddl/0002_region.sql": "ALTER TABLE region ADD COLUMN size int NOT NULL DEFAULT 0;\n",
    "ddl/0003_more.sql": (
        "ALTER TABLE orders ADD CONSTRAINT short CHECK (note <> ''), ALTER COLUMN amount SET DEFAULT 1;\n"
        "ALTER TABLE orders MODIFY COLUMN note varchar(80), DROP INDEX by_note;\n"
    ),
}
ONE = {"ddl/0001_note.sql": "ALTER TABLE orders ADD COLUMN note varchar(40);\n"}
HASTY = DdlPatience(lock_wait_seconds=1, attempts=2, longest_pause_seconds=0.2, turn_seconds=1)


def quiet(progress: DdlProgress) -> None:
    pass


def create(shards: Shards, files: Mapping[str, str] | None = None) -> Plan:
    plan = shop_plan(files or {})
    create_tables(plan, connect=shards.connect, limit=4, on_progress=quiet)
    return plan


def route(shards: Shards, files: Mapping[str, str], **options: Any) -> DdlResult:
    given = {"connect": shards.connect, "limit": 4, "on_progress": quiet, "patience": HASTY, **options}
    access = ShardAccess(
        **{name: given.pop(name) for name in ("connect", "limit", "server_of", "fence") if name in given}
    )
    on_progress = given.pop("on_progress")
    return route_changes(shop_plan(files), access, DdlPolicy(**given), on_progress=on_progress)


@contextmanager
def lock(shards: Shards, database: str, table: str) -> Iterator[Connection[Any]]:
    """Within, an observer reads the table in an open transaction, so that its definition cannot change."""
    observer = shards.connect(database)
    with observer.cursor() as cursor:
        cursor.execute("BEGIN")
        cursor.execute(f"SELECT * FROM {table}")
    try:
        yield observer
    finally:
        observer.close()


def test_e18_every_physical_table_gets_every_change_in_order(shards: Shards) -> None:
    create(shards)
    seen: list[DdlProgress] = []
    assert route(shards, FILES, on_progress=seen.append) == DdlResult(applied=4 * 16 + 4, already=0)
    (shape,) = shards.shapes("orders")
    assert re.search(r"`note` varchar\(80\)( COLLATE utf8mb4_bin)? DEFAULT NULL,\n  `placed_at`", shape)
    assert "UNIQUE KEY `once` (`number`,`id`)" in shape and "by_note" not in shape
    assert re.search(r"CONSTRAINT `short` CHECK \(+`note` <> (_utf8mb4)?''\)", shape)
    assert shards.having_column("size") == {f"{name}.region" for name in DATABASES}
    # The canary is alone in front; a statement begins after the one before it stands everywhere.
    assert (seen[0].database, seen[0].table, seen[0].done, seen[0].total) == ("order_db_0", "orders_0", 1, 16)
    steps = [(progress.file, progress.ordinal) for progress in seen]
    assert steps == sorted(steps)
    assert route(shards, FILES) == DdlResult(applied=0, already=4 * 16 + 4)


def test_statements_as_people_write_them_reach_every_table(shards: Shards) -> None:
    """Columns in brackets, keys without a name, table options; a run that was killed before its last mark repeats."""
    create(shards)
    text = (FOLDER / "routed" / "as_people_write_it" / "0001_x.sql").read_text(encoding="utf-8")
    files = {"ddl/0001_x.sql": text}
    assert route(shards, files) == DdlResult(applied=6 * 16, already=0)
    for database in DATABASES:
        with shards.connect(database) as connection, connection.cursor() as cursor:
            cursor.execute("UPDATE _shardwright_ddl SET state = 'started' WHERE ordinal IN (3, 4, 5)")
            connection.commit()
    assert route(shards, files) == DdlResult(applied=3 * 16, already=3 * 16)
    (shape,) = shards.shapes("orders")
    for part in ("`b` varchar(20)", "KEY `amount` (`amount`,`a`)", "UNIQUE KEY `b` (`b`(8))", "KEY_BLOCK_SIZE=8"):
        assert part in shape, shape
    assert "ROW_FORMAT=COMPRESSED" in shape and "STATS_PERSISTENT=1" in shape


def test_status_names_the_tables_that_lack_a_change(shards: Shards) -> None:
    create(shards)
    plan = shop_plan(ONE)
    (nothing,) = ddl_status(plan, connect=shards.connect)
    assert (nothing.done, nothing.total, nothing.missing) == (0, 16, ORDERS)
    with lock(shards, "order_db_2", "orders_1"), pytest.raises(StoppedPartWay):
        route(shards, ONE)
    (most,) = ddl_status(plan, connect=shards.connect)
    assert (most.file, most.ordinal, most.logical) == ("0001_note.sql", 1, "orders")
    assert (most.done, most.total, most.missing, most.started) == (15, 16, ("order_db_2.orders_1",), ())
    route(shards, ONE)
    (everything,) = ddl_status(plan, connect=shards.connect)
    assert (everything.done, everything.missing) == (16, ())


def test_e18_a_locked_table_does_not_keep_the_others_from_the_change(shards: Shards) -> None:
    create(shards)
    with lock(shards, "order_db_2", "orders_1"), pytest.raises(StoppedPartWay) as stopped:
        route(shards, ONE)
    assert stopped.value.exit_code == 5
    assert re.fullmatch(
        r"statement 1 of 0001_note\.sql is missing on order_db_2\.orders_1; "
        r"SW8407: order_db_2\.orders_1 stays locked by another connection \(Lock wait timeout exceeded; try restarting "
        r"transaction; .*connection \d+ of root@.*\): end its transaction; run again to continue",
        stopped.value.message,
    )
    assert shards.having_column("note") == set(ORDERS) - {"order_db_2.orders_1"}
    assert route(shards, ONE) == DdlResult(applied=1, already=15)


def test_g1_a_lock_released_in_time_is_waited_for(shards: Shards) -> None:
    create(shards)
    with lock(shards, "order_db_3", "orders_3") as observer:
        release = threading.Timer(2.0, observer.rollback)
        release.start()
        patience = DdlPatience(lock_wait_seconds=1, attempts=10, longest_pause_seconds=0.5)
        assert route(shards, ONE, patience=patience) == DdlResult(applied=16, already=0)
        release.join()


def test_e18_the_canary_fails_alone(shards: Shards) -> None:
    create(shards)
    with lock(shards, "order_db_0", "orders_0"), pytest.raises(StoppedPartWay) as stopped:
        route(shards, ONE)
    assert shards.having_column("note") == set()
    assert all(table in stopped.value.message for table in ORDERS)


@pytest.mark.parametrize("pause", [0.0, pytest.param(0.05, marks=pytest.mark.long)])
def test_e18_killed_again_and_again_and_resumed(
    shards: Shards, tmp_path: Path, dice: random.Random, pause: float
) -> None:
    create(shards)
    kills = 0
    while True:
        process = shards.start_process(tmp_path, FILES, pause=pause)
        assert process.stdout is not None
        lines = dice.randint(3, 12)
        said = [line for _, line in zip(range(lines), process.stdout, strict=False)]
        time.sleep(dice.random() * 0.02)
        process.kill()
        process.stdout.close()
        process.wait(timeout=120)
        if said and said[-1].startswith("DdlResult"):
            break
        kills += 1
        assert kills < 60
    assert kills >= 4
    (shape,) = shards.shapes("orders")
    assert shape.count("KEY `once`") == 1 and "`note` varchar(80)" in shape and re.search(r"DEFAULT '?1\.00", shape)
    assert all(row.done == row.total for row in ddl_status(shop_plan(FILES), connect=shards.connect))


def test_e18_a_killed_run_whose_statement_waits_for_a_lock(shards: Shards, tmp_path: Path) -> None:
    create(shards)
    with lock(shards, "order_db_1", "orders_0"):
        process = shards.start_process(tmp_path, ONE)
        _wait_for(shards, "order_db_1", "Waiting for table metadata lock")
        process.kill()
        process.wait(timeout=120)
        assert "order_db_1.orders_0" in shards.read_records()["started"]
    route(shards, ONE, patience=DdlPatience())
    assert shards.having_column("note") == set(ORDERS)
    assert shards.read_records() == {"done": set(ORDERS)}


def test_e18_a_killed_run_whose_statement_continues_working_on_the_server(shards: Shards, tmp_path: Path) -> None:
    """The statement of a dead process may yet succeed: its outcome is awaited, not guessed."""
    create(shards)
    shards.query("order_db_1", "INSERT INTO orders_0 (id, user_id, number) VALUES (1, 1, '1')")
    for power in range(17):
        rows = 2**power
        shards.query(
            "order_db_1",
            f"INSERT INTO orders_0 (id, user_id, number) SELECT id + {rows}, 1, id + {rows} FROM orders_0",
        )
    copying = {"ddl/0001_note.sql": "ALTER TABLE orders ADD COLUMN note varchar(40), ALGORITHM=COPY;\n"}
    process = shards.start_process(tmp_path, copying)
    _wait_for(shards, "order_db_1", "copy to tmp table")
    process.kill()
    process.wait(timeout=120)
    assert "order_db_1.orders_0" in shards.read_records()["started"] - shards.having_column("note")
    route(shards, copying, patience=DdlPatience())
    assert shards.having_column("note") == set(ORDERS)
    assert shards.read_records() == {"done": set(ORDERS)}


def test_two_runs_do_not_route_on_one_shard(shards: Shards) -> None:
    create(shards)
    with (
        ddl_session(shards.connect, "order_db_1", migration="orders-split", patience=HASTY),
        pytest.raises(
            Refused, match=r"shard order_db_1: connection \d+ there runs DDL of migration orders-split"
        ) as refused,
    ):
        route(shards, ONE)
    assert refused.value.code == "SW8405"


def test_e18_a_statement_whose_connection_is_killed_is_decided_by_the_table(shards: Shards) -> None:
    create(shards)

    def kill_when_waiting() -> None:
        connection = _wait_for(shards, "order_db_1", "Waiting for table metadata lock")
        shards.query("order_db_1", f"KILL {connection}")

    with lock(shards, "order_db_1", "orders_2"):
        killer = threading.Thread(target=kill_when_waiting)
        killer.start()
        with pytest.raises(StoppedPartWay) as stopped:
            route(shards, ONE, patience=DdlPatience(lock_wait_seconds=30))
        killer.join()
    assert "SW8408" in stopped.value.message
    # The rest of that shard had no connection any more; the other shards are complete.
    missing = {"order_db_1.orders_2", "order_db_1.orders_3"}
    assert shards.having_column("note") == set(ORDERS) - missing
    assert shards.read_records()["started"] == {"order_db_1.orders_2"}
    assert route(shards, ONE) == DdlResult(applied=2, already=14)
    assert shards.having_column("note") == set(ORDERS)


def test_a_file_that_was_changed_after_it_was_applied_is_refused(shards: Shards) -> None:
    create(shards)
    route(shards, ONE)
    changed = {
        "ddl/0001_note.sql": "ALTER TABLE orders ADD COLUMN note varchar(41);\n",
        "ddl/0002_x.sql": "ALTER TABLE orders ADD COLUMN x int;\n",
    }
    with pytest.raises(Refused) as refused:
        route(shards, changed)
    assert (refused.value.code, refused.value.exit_code) == ("SW8401", 6)
    assert refused.value.message == (
        "0001_note.sql was changed after its statement 1 had reached order_db_0.orders_0: "
        "put the file back as it was and write the change into a new file"
    )
    assert shards.having_column("x") == set()
    with pytest.raises(Refused):
        route(shards, {"ddl/0002_x.sql": changed["ddl/0002_x.sql"]})


def test_e18_a_table_that_somebody_else_changed_is_named(shards: Shards) -> None:
    create(shards)
    shards.query("order_db_3", "ALTER TABLE orders_2 ADD COLUMN note text")
    with pytest.raises(Refused) as refused:
        route(shards, ONE)
    assert refused.value.code == "SW8404"
    assert "order_db_3.orders_2 was changed by someone else" in refused.value.message
    assert shards.having_column("note") == set(ORDERS)
    assert shards.read_records() == {"done": set(ORDERS) - {"order_db_3.orders_2"}}
    shards.query("order_db_3", "ALTER TABLE orders_2 DROP COLUMN note")
    assert route(shards, ONE) == DdlResult(applied=1, already=15)


def test_a_statement_the_server_refuses_leaves_no_record(shards: Shards) -> None:
    create(shards)
    with pytest.raises(StoppedPartWay, match=r"SW8409: order_db_0\.orders_0: .*nowhere"):
        route(shards, {"ddl/0001_x.sql": "ALTER TABLE orders ADD CONSTRAINT c CHECK (nowhere > 3);\n"})
    assert shards.read_records() == {}


def test_a3_a_fence_stops_the_statement(shards: Shards) -> None:
    create(shards)

    def fence(connection: Connection[Any]) -> None:
        raise Refused("SW8201", "a newer run has taken over")

    with pytest.raises(Refused, match="a newer run has taken over"):
        route(shards, ONE, fence=fence)
    assert shards.having_column("note") == set()


def _wait_for(shards: Shards, database: str, state: str) -> int:
    """The connection that is in this state, once there is one."""
    sql = f"SELECT id FROM information_schema.processlist WHERE state = '{state}' AND db = '{database}'"
    return int(wait_until(f"somebody is in the state {state}", lambda: shards.query(database, sql))[0][0])
