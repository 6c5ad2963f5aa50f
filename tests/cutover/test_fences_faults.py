"""What keeps a fence from being set, what it does not stop, and what it must not harm."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import pymysql
import pytest

from shardwright.runtime.cli.source_schema import source_triggers
from shardwright.runtime.cutover.fences import drain
from shardwright.runtime.cutover.fences.fence import FenceContext, FencedServer
from shardwright.runtime.cutover.fences.open import open_fence
from shardwright.runtime.cutover.fences.outside_writers import outside_writers, replication_sources
from shardwright.runtime.cutover.fences.trigger_checks import replica_checks
from shardwright.runtime.ddl.guards import triggers
from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.check import Check, Verdict, has_refusal
from shardwright.runtime.mysql.servers import connect
from shardwright.runtime.rehearsal.sandbox.accounts import APPLICATION_USER, RUNTIME_USER
from shardwright.specs.environment.cutover import FenceSetting
from tests.cutover.fence_lab import DATABASE, TABLES, FenceLab, store
from tests.servers.testbed import Arena, Server
from tests.support.waiting import wait_until

pytestmark = pytest.mark.server

TRIGGERS, READ_ONLY = FenceSetting("triggers"), FenceSetting("read_only")


@pytest.fixture
def lab(arena: Arena) -> FenceLab:
    made = FenceLab(arena, servers=1)
    for kind in ("triggers", "read_only", "lock_accounts"):
        made.allow(kind)
    return made


@pytest.fixture
def server(lab: FenceLab) -> Server:
    return lab.servers[0]


def faults(checks: list[Check]) -> list[tuple[str, str]]:
    return [(check.code, check.message) for check in checks if check.verdict is Verdict.REFUSED]


# -- what holds it up ------------------------------------------------------------------------------------------------


def test_a_reader_holds_a_table_and_is_killed(lab: FenceLab, server: Server) -> None:
    fence = lab.fence(TRIGGERS)
    undo = fence.before()
    reader = lab.connect(server, autocommit=False)
    with reader.cursor() as cursor:
        cursor.execute("SELECT * FROM items")
    began = time.monotonic()
    fence.set(undo, drain_timeout=1.5)
    assert 1.5 <= time.monotonic() - began < 5.0
    with pytest.raises(pymysql.err.MySQLError), reader.cursor() as cursor:
        cursor.execute("SELECT 1")
    fence.lift(undo)


def test_locked_tables_are_freed_where_the_server_shows_them_and_named_elsewhere(
    lab: FenceLab, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drain, "GRACE", 1.0)
    fence = lab.fence(TRIGGERS)
    undo = fence.before()
    with lab.connect(server) as holder, holder.cursor() as cursor:
        cursor.execute("LOCK TABLES orders READ")
        if server.sandbox.kind == "mysql":
            fence.set(undo, drain_timeout=0.5)
            fence.lift(undo)
            return
        with pytest.raises(Refused, match="metadata_lock_info") as caught:
            fence.set(undo, drain_timeout=0.5)
        assert caught.value.code == "SW8903"
        cursor.execute("UNLOCK TABLES")
    fence.set(undo, drain_timeout=0.5)
    fence.lift(undo)


def test_our_own_connections_are_not_killed(lab: FenceLab, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drain, "GRACE", 1.0)
    fence = lab.fence(TRIGGERS)
    undo = fence.before()
    with lab.connect(server, RUNTIME_USER, autocommit=False) as ours, ours.cursor() as cursor:
        cursor.execute("SELECT * FROM orders")
        with pytest.raises(Refused, match="one of our own account") as caught:
            fence.set(undo, drain_timeout=0.5)
        assert caught.value.code == "SW8903"
        cursor.execute("SELECT * FROM orders")
        ours.commit()
        fence.set(undo, drain_timeout=0.5)
    fence.lift(undo)


def test_short_transactions_on_other_tables_live_on(lab: FenceLab, server: Server) -> None:
    fence = lab.fence(TRIGGERS)
    undo = fence.before()
    end, lost = threading.Event(), list[str]()

    def elsewhere() -> None:
        with lab.connect(server, autocommit=False) as connection, connection.cursor() as cursor:
            while not end.is_set():
                try:
                    cursor.execute("INSERT INTO other (writer) VALUES (1)")
                    time.sleep(0.02)
                    connection.commit()
                except pymysql.err.MySQLError as error:
                    lost.append(str(error))
                    return

    thread = threading.Thread(target=elsewhere)
    thread.start()
    holder = lab.connect(server, autocommit=False)
    with holder.cursor() as cursor:
        cursor.execute("INSERT INTO orders (writer) VALUES (1)")
    fence.set(undo, drain_timeout=1.5)
    end.set()
    thread.join()
    assert lost == []
    fence.lift(undo)


def test_users_who_wait_for_each_other_behind_us_continue(lab: FenceLab, server: Server) -> None:
    """A holds a row of orders, C waits for it with a lock on items, we wait for C, and A waits for items behind us. No
    server finds that circle; it would last until everything is killed."""
    server.query("INSERT INTO orders (id, writer) VALUES (1, 0)", database=DATABASE)
    setting = FenceSetting("triggers")
    fenced = [FencedServer(lab.endpoint(server), {DATABASE: ("items",)})]
    fence = open_fence(setting, fenced, context=FenceContext("orders-split", 1, "source"))
    undo = fence.before()
    a, c = (lab.connect(server, autocommit=False) for _ in range(2))
    said: list[pymysql.err.MySQLError] = []

    def caught(work: Callable[[], None]) -> Callable[[], None]:
        def run() -> None:
            try:
                work()
            except pymysql.err.MySQLError as error:
                said.append(error)

        return run

    def as_c() -> None:
        with c.cursor() as cursor:
            cursor.execute("INSERT INTO items (writer, note) VALUES (3, 'c')")
            cursor.execute("UPDATE orders SET note = 'c' WHERE id = 1")
            c.commit()

    def as_a() -> None:
        time.sleep(0.6)
        with a.cursor() as cursor:
            cursor.execute("SELECT COUNT(*) FROM items")
            a.commit()

    with a.cursor() as cursor:
        cursor.execute("UPDATE orders SET note = 'a' WHERE id = 1")
    threads = [threading.Thread(target=caught(work)) for work in (as_c, as_a)]
    for thread in threads:
        thread.start()
    time.sleep(0.3)
    began = time.monotonic()
    fence.set(undo, drain_timeout=30.0)
    assert time.monotonic() - began < 10.0
    for thread in threads:
        thread.join()
    assert said == []
    assert server.query("SELECT note FROM orders WHERE id = 1", database=DATABASE) == [("c",)]
    fence.lift(undo)


def test_a_long_statement_holds_up_read_only_and_is_killed(lab: FenceLab, server: Server) -> None:
    fence = lab.fence(READ_ONLY)
    undo = fence.before()
    said: list[int] = []
    writer = lab.connect(server)

    def write() -> None:
        try:
            with writer.cursor() as cursor:
                cursor.execute("INSERT INTO orders (writer, note) SELECT 1, SLEEP(20)")
        except pymysql.err.MySQLError as error:
            said.append(error.args[0])

    thread = threading.Thread(target=write)
    thread.start()
    time.sleep(0.3)
    began = time.monotonic()
    fence.set(undo, drain_timeout=1.0)
    assert time.monotonic() - began < 6.0
    thread.join()
    assert said and lab.count(server, "0") == 0
    fence.lift(undo)


def test_lifting_waits_for_readers_and_keeps_no_other_reader_waiting(lab: FenceLab, server: Server) -> None:
    before = lab.state()
    fence = lab.fence(TRIGGERS)
    undo = fence.before()
    fence.set(undo, drain_timeout=1.0)
    holder = lab.connect(server, autocommit=False)
    with holder.cursor() as cursor:
        cursor.execute("SELECT * FROM orders")
    thread = threading.Thread(target=fence.lift, args=(undo,))
    began = time.monotonic()
    thread.start()
    time.sleep(0.5)
    with lab.connect(server) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT * FROM orders")
    assert time.monotonic() - began < 5.0 and thread.is_alive()
    holder.close()
    thread.join(20)
    assert lab.state() == before


# -- what it does not stop -------------------------------------------------------------------------------------------


def test_a_routine_or_a_view_of_our_own_account_changes_nothing(lab: FenceLab, server: Server) -> None:
    account = lab.account(server, RUNTIME_USER)
    server.run_script(
        f"""
        DELIMITER ;;
        CREATE DEFINER={account} PROCEDURE put() SQL SECURITY DEFINER
        BEGIN INSERT INTO orders (writer, note) VALUES (1, CURRENT_USER()); END;;
        DELIMITER ;
        CREATE DEFINER={account} SQL SECURITY DEFINER VIEW seen AS SELECT id, writer, note FROM orders;
        """,
        database=DATABASE,
    )
    fence = lab.fence(TRIGGERS)
    undo = fence.before()
    fence.set(undo, drain_timeout=1.0)
    with lab.connect(server) as connection, connection.cursor() as cursor:
        server.query(f"GRANT EXECUTE, EVENT ON {DATABASE}.* TO {account}")
        for statement in ("CALL put()", "INSERT INTO seen (writer, note) VALUES (1, 'view')"):
            with pytest.raises(pymysql.err.MySQLError) as caught:
                cursor.execute(statement)
            assert caught.value.args == (
                1644,
                "stopped by the cutover of orders-split: retry where _shardwright_switch says",
            )
        cursor.execute("INSERT INTO other (writer) VALUES (1)")
        cursor.execute("SELECT * FROM orders")
        _run_as_event(server, f"CREATE DEFINER={account} EVENT now ON SCHEDULE AT CURRENT_TIMESTAMP DO CALL put()")
        assert server.query("SELECT * FROM orders", database=DATABASE) == []
        cursor.execute("TRUNCATE orders")  # DDL fires no trigger: docs/how-to/choose-a-fence.md says so
    fence.lift(undo)


def test_cascades_from_tables_without_a_fence_are_named(lab: FenceLab, server: Server) -> None:
    fence = lab.fence(TRIGGERS)
    assert not has_refusal(fence.checks()), fence.checks()
    server.run_script(
        "ALTER TABLE orders ADD other_id BIGINT; ALTER TABLE orders ADD CONSTRAINT of_other FOREIGN KEY (other_id) "
        "REFERENCES other (id) ON DELETE CASCADE; ALTER TABLE items ADD order_id BIGINT; ALTER TABLE items ADD "
        "CONSTRAINT of_orders FOREIGN KEY (order_id) REFERENCES orders (id) ON DELETE SET NULL;",
        database=DATABASE,
    )
    ((code, message),) = faults(fence.checks())
    assert code == "SW8902" and "of_other" in message and "shop.other" in message


def test_accounts_that_pass_read_only_are_named_while_they_are_connected(lab: FenceLab, server: Server) -> None:
    fence = lab.fence(READ_ONLY)
    assert not has_refusal(fence.checks()), fence.checks()
    with server.connect():
        ((code, message),) = faults(fence.checks())
        assert code == "SW8902" and "root" in message and "REVOKE" in message
    _until_gone(server)
    assert not has_refusal(fence.checks())


def test_n05_a_replica_is_refused_whether_it_applies_or_is_stopped(lab: FenceLab, server: Server) -> None:
    mysql = server.sandbox.kind == "mysql"
    change = "REPLICATION SOURCE TO SOURCE_HOST='p.test', SOURCE_PORT=3307" if mysql else (
        "MASTER 'other' TO MASTER_HOST='p.test', MASTER_PORT=3307"
    )  # fmt: skip
    word = "REPLICA" if mysql else "SLAVE 'other'"
    assert not faults(_outside(lab, "triggers"))
    server.query(f"CHANGE {change}")
    try:
        ((code, message),) = faults(_outside(lab, "hook"))
        assert code == "SW8943" and "may apply again" in message and "p.test:3307" in message, message
        server.query(f"START {word} SQL_THREAD")
        ((_, message),) = faults(_outside(lab, "triggers"))
        assert f"{server.host}:{server.port} applies the rows of p.test:3307" in message
        with lab.connect(server, RUNTIME_USER) as connection:
            assert replication_sources(connection) == ["p.test:3307"]
        (allowed,) = (check for check in _outside(lab, "triggers", "SW8943") if check.name == "replication")
        assert allowed.verdict is Verdict.WARNING
    finally:
        server.query(f"STOP {word}")
        server.query(f"RESET {word} ALL")
    privilege = "REPLICATION CLIENT" if mysql else "SLAVE MONITOR"
    server.query(f"REVOKE {privilege} ON *.* FROM {lab.account(server, RUNTIME_USER)}")
    ((_, message),) = faults(_outside(lab, "triggers"))
    assert f"GRANT {privilege} ON *.*" in message


def test_n05_an_event_that_no_trigger_stops_is_refused(lab: FenceLab, server: Server) -> None:
    server.query(f"GRANT EVENT ON *.* TO {lab.account(server, RUNTIME_USER)}")
    for name, what in (("clean", "DELETE FROM shop.orders WHERE id < 5"), ("looks", "DO SLEEP(0)")):
        server.query(f"CREATE EVENT {name} ON SCHEDULE EVERY 1 YEAR STARTS '2037-01-01' DO {what}", database=DATABASE)
    was = server.query("SELECT @@global.event_scheduler")[0][0]
    try:
        server.query("SET GLOBAL event_scheduler = OFF")
        assert not faults(_outside(lab, "read_only"))
        server.query("SET GLOBAL event_scheduler = ON")
        ((code, message),) = faults(_outside(lab, "read_only"))
        assert code == "SW8944" and "event shop.clean" in message, message
        assert not faults(_outside(lab, "triggers")) and not faults(_outside(lab, "read_only", "SW8944"))
    finally:
        server.query(f"SET GLOBAL event_scheduler = {was}")


def test_s15_an_anonymous_account_passes_triggers_by_the_name_it_gives(lab: FenceLab, server: Server) -> None:
    fence = lab.fence(TRIGGERS)
    assert not has_refusal(fence.checks()), fence.checks()
    anonymous = f"''@'{server.sandbox.account_host}'"
    server.query(f"CREATE USER {anonymous}")
    try:
        ((code, message),) = faults(fence.checks())
        assert code == "SW8902" and "anonymous" in message
    finally:
        server.query(f"DROP USER {anonymous}")


def test_s15_a_replica_that_executes_triggers_is_refused(lab: FenceLab, server: Server) -> None:
    if server.sandbox.kind == "mysql":
        pytest.skip("MariaDB only: no other server executes triggers for rows of the log")
    replicas = {"standby": lab.endpoint(server)}
    assert not faults(list(replica_checks(replicas)))
    server.query("SET GLOBAL slave_run_triggers_for_rbr = YES")
    try:
        ((code, message),) = faults(list(replica_checks(replicas)))
        assert code == "SW8902" and "replica standby" in message and "slave_run_triggers_for_rbr = NO" in message
    finally:
        server.query("SET GLOBAL slave_run_triggers_for_rbr = NO")


def _outside(lab: FenceLab, kind: str, *allowed: str) -> list[Check]:
    server = FencedServer(lab.endpoint(lab.servers[0]), {DATABASE: TABLES})
    with connect(server.endpoint) as connection:
        return list(outside_writers(connection, server, kind=kind, allowed=allowed))


def test_super_read_only_would_stop_us(lab: FenceLab, server: Server) -> None:
    if server.sandbox.kind != "mysql":
        pytest.skip("MySQL only")
    fence = lab.fence(READ_ONLY)
    server.query("SET GLOBAL super_read_only = ON")
    try:
        _until_gone(server)
        ((code, message),) = faults(fence.checks())
        assert code == "SW8901" and "SET GLOBAL super_read_only = OFF" in message
    finally:
        server.query("SET GLOBAL super_read_only = OFF")


def test_a_server_that_takes_no_triggers_from_us_says_so(lab: FenceLab, server: Server) -> None:
    fence = lab.fence(TRIGGERS)
    server.query("SET GLOBAL log_bin_trust_function_creators = OFF")
    try:
        ((code, message),) = faults(fence.checks())
        assert code == "SW8901"
        undo = fence.before()
        with pytest.raises(Refused, match="SW8905"):
            fence.set(undo, drain_timeout=1.0)
    finally:
        server.query(message.rpartition(": ")[2].removesuffix(" until the cutover has ended"))
    assert not has_refusal(fence.checks())
    fence.set(undo, drain_timeout=1.0)
    fence.lift(undo)


# -- accounts --------------------------------------------------------------------------------------------------------


@pytest.fixture
def second(lab: FenceLab, server: Server) -> Iterator[str]:
    """Another account of the application, with another host."""
    name = f"{APPLICATION_USER}@10.0.0.%"
    server.query("CREATE USER %s@%s IDENTIFIED BY 'x'", (APPLICATION_USER, "10.0.0.%"))
    try:
        yield name
    finally:
        server.query("DROP USER IF EXISTS %s@%s", (APPLICATION_USER, "10.0.0.%"))


def test_accounts_that_cannot_be_locked(lab: FenceLab, server: Server, second: str) -> None:
    host = server.sandbox.account_host
    named = (f"{APPLICATION_USER}@{host}", "nobody@%", f"{RUNTIME_USER}@{host}")
    fence = lab.fence(FenceSetting("lock_accounts", named))
    found = faults(fence.checks())
    assert [code for code, _ in found] == ["SW8901", "SW8902", "SW8902"]
    assert "nobody@%" in found[0][1] and RUNTIME_USER in found[1][1] and second in found[2][1]
    before = lab.state()
    with pytest.raises(Refused):
        fence.set(fence.before(), drain_timeout=1.0)
    assert lab.state() == before


def test_what_was_locked_before_stays_locked(lab: FenceLab, server: Server, second: str) -> None:
    server.query("ALTER USER %s@%s ACCOUNT LOCK", (APPLICATION_USER, "10.0.0.%"))
    locked = server.query("SHOW CREATE USER %s@%s", (APPLICATION_USER, "10.0.0.%"))
    before = lab.state()
    setting = FenceSetting("lock_accounts", (f"{APPLICATION_USER}@{server.sandbox.account_host}", second))
    fence = lab.fence(setting)
    assert not has_refusal(fence.checks()), fence.checks()
    undo = store(fence.before())
    fence.set(undo, drain_timeout=1.0)
    assert all(fence.in_force(undo).values())
    # The environment was changed meanwhile: what it does not name stays locked, and is named.
    with pytest.raises(Refused, match=f"SW8904: .*{setting.accounts[0]} stay locked"):
        lab.fence(replace(setting, accounts=setting.accounts[1:])).lift(undo)
    fence.lift(undo)
    assert lab.state() == before
    assert server.query("SHOW CREATE USER %s@%s", (APPLICATION_USER, "10.0.0.%")) == locked


def test_a_server_that_was_read_only_stays_so(lab: FenceLab, server: Server) -> None:
    server.query("SET GLOBAL read_only = ON")
    fence = lab.fence(READ_ONLY)
    undo = store(fence.before())
    fence.set(undo, drain_timeout=1.0)
    fence.lift(undo)
    assert server.query("SELECT @@global.read_only") == [(1,)]


# -- triggers --------------------------------------------------------------------------------------------------------


def test_triggers_of_users_stay_as_they_are(lab: FenceLab, server: Server) -> None:
    server.run_script(
        "CREATE TRIGGER own BEFORE INSERT ON orders FOR EACH ROW SET NEW.note = CONCAT(NEW.note, '!');"
        "CREATE TRIGGER later AFTER INSERT ON orders FOR EACH ROW INSERT INTO other (writer) VALUES (NEW.writer);",
        database=DATABASE,
    )
    before = lab.state()
    fence = lab.fence(TRIGGERS)
    undo = store(fence.before())
    fence.set(undo, drain_timeout=1.0)
    with lab.connect(server) as connection, connection.cursor() as cursor, pytest.raises(pymysql.err.MySQLError):
        cursor.execute("INSERT INTO orders (writer) VALUES (1)")
    assert server.query("SELECT COUNT(*) FROM other", database=DATABASE) == [(0,)]
    with server.connect(DATABASE) as connection:
        assert [fault.found.split()[1] for fault in triggers(connection, DATABASE, {"orders", "items"})] == [
            "own",
            "later",
        ]
        assert {table: len(found) for table, found in source_triggers(connection, DATABASE).items()} == {"orders": 2}
    fence.lift(undo)
    assert lab.state() == before


def test_a_fence_that_was_there_before_stays_and_is_warned_of(lab: FenceLab, server: Server) -> None:
    lab.fence(TRIGGERS).set(lab.fence(TRIGGERS).before(), drain_timeout=1.0)
    before = lab.state()
    fence = lab.fence(TRIGGERS)
    (warning,) = (check for check in fence.checks() if check.verdict is Verdict.WARNING)
    assert "_shardwright_fence_del_orders-split_orders" in warning.found
    undo = store(fence.before())
    fence.set(undo, drain_timeout=1.0)
    fence.lift(undo)
    assert lab.state() == before


def test_a_trigger_with_other_words_is_replaced(lab: FenceLab, server: Server) -> None:
    """As one of an account that the environment had before."""
    fence = lab.fence(TRIGGERS)
    undo = fence.before()
    fence.set(undo, drain_timeout=1.0)
    server.run_script(
        "DROP TRIGGER `_shardwright_fence_ins_orders-split_orders`;"
        "CREATE TRIGGER `_shardwright_fence_ins_orders-split_orders` BEFORE INSERT ON orders FOR EACH ROW SET @a = 1;",
        database=DATABASE,
    )
    assert not any(fence.in_force(undo).values())
    fence.set(undo, drain_timeout=1.0)
    assert all(fence.in_force(undo).values())
    fence.lift(undo)
    assert server.query(f"SHOW TRIGGERS FROM {DATABASE}") == []


def test_tables_with_odd_names(lab: FenceLab, server: Server) -> None:
    names = ("or`der's", "bestellungen für jeden tag des jahres und noch ein paar mehr", "Orders")
    for name in names:
        server.query(f"CREATE TABLE `{name.replace('`', '``')}` (id INT PRIMARY KEY)", database=DATABASE)
    fence = open_fence(
        TRIGGERS, [FencedServer(lab.endpoint(server), {DATABASE: names})], context=FenceContext("m" * 48, 1, "source")
    )
    undo = store(fence.before())
    fence.set(undo, drain_timeout=1.0)
    with lab.connect(server) as connection, connection.cursor() as cursor:
        for name in names:
            with pytest.raises(pymysql.err.MySQLError, match=r"m{48}"):
                cursor.execute(f"INSERT INTO `{name.replace('`', '``')}` VALUES (1)")
    assert lab.rows() is not None and len(server.query(f"SHOW TRIGGERS FROM {DATABASE}")) == 9
    fence.lift(undo)
    assert server.query(f"SHOW TRIGGERS FROM {DATABASE}") == []


def test_one_server_with_several_databases_is_one(lab: FenceLab, server: Server) -> None:
    """Whatever was there in one of them says nothing about the other, although triggers have the same names there."""
    server.query("CREATE DATABASE other_shop")
    server.query(f"GRANT ALL PRIVILEGES ON other_shop.* TO {lab.account(server, RUNTIME_USER)}")
    server.query("CREATE TABLE other_shop.orders (id INT PRIMARY KEY)")
    lab.fence(TRIGGERS).set(lab.fence(TRIGGERS).before(), drain_timeout=1.0)
    before = lab.state()
    parts = [{DATABASE: ("orders",)}, {"other_shop": ("orders",)}, {DATABASE: ("items",)}]
    servers = [FencedServer(lab.endpoint(server), tables) for tables in parts]
    fence = open_fence(TRIGGERS, servers, context=FenceContext("orders-split", 1, "source"))
    undo = store(fence.before())
    assert len(undo) == 1
    fence.set(undo, drain_timeout=1.0)
    assert len(server.query("SHOW TRIGGERS FROM other_shop")) == 3
    fence.lift(undo)
    assert server.query("SHOW TRIGGERS FROM other_shop") == [] and lab.state() == before


# -- records and refusals ----------------------------------------------------------------------------------------------


def test_a_record_of_another_fence_is_refused_until_the_fence_is_named_again(lab: FenceLab, server: Server) -> None:
    before = lab.state()
    undo = store(lab.fence(TRIGGERS).before())
    lab.fence(TRIGGERS).set(undo, drain_timeout=1.0)
    for work in (lambda: lab.fence(READ_ONLY).lift(undo), lambda: lab.fence(READ_ONLY).set(undo, drain_timeout=1.0)):
        with pytest.raises(Refused) as caught:
            work()
        assert caught.value.code == "SW8904"
    moved = replace(lab.endpoint(server), host="localhost")
    fence = open_fence(TRIGGERS, [FencedServer(moved, {})], context=FenceContext("orders-split", 1, "source"))
    with pytest.raises(Refused) as caught:
        fence.lift(undo)
    assert caught.value.code == "SW8904" and f"localhost:{server.port}" in caught.value.message
    lab.fence(TRIGGERS).lift(undo)
    assert lab.state() == before


def test_s1_no_account_is_locked_or_unlocked_that_the_environment_does_not_name(lab: FenceLab, server: Server) -> None:
    """Whatever the record says: who writes to the first shard can change it."""
    named, other = f"{APPLICATION_USER}@{server.sandbox.account_host}", f"other@{server.sandbox.account_host}"
    for each in lab.servers:
        each.query("DROP USER IF EXISTS %s@%s", ("other", server.sandbox.account_host))
        each.query("CREATE USER %s@%s ACCOUNT LOCK", ("other", server.sandbox.account_host))
    fence = lab.fence(FenceSetting("lock_accounts", (named,)))
    undo = store(fence.before())
    forged = [{**item, "accounts": [named, other], "locked": []} for item in undo]
    with pytest.raises(Refused, match=f"SW8904: .*{other} are left alone"):
        fence.set(forged, drain_timeout=1.0)
    before = lab.state()
    fence.set(undo, drain_timeout=1.0)
    with pytest.raises(Refused, match=f"SW8904: .*{other} stay locked"):
        fence.lift(forged)
    assert lab.state() == before, "the application's account is open, the other one is locked as before"


def test_what_a_server_refuses_is_named_and_done_once_that_is_fixed(lab: FenceLab, server: Server) -> None:
    account = lab.account(server, RUNTIME_USER)
    fence = lab.fence(TRIGGERS)
    undo = fence.before()
    server.query(f"REVOKE TRIGGER ON {DATABASE}.* FROM {account}")
    with pytest.raises(Refused) as caught:
        fence.set(undo, drain_timeout=1.0)
    assert caught.value.code == "SW8905" and f"{server.host}:{server.port}" in caught.value.message
    server.query(f"GRANT TRIGGER ON {DATABASE}.* TO {account}")
    fence.set(undo, drain_timeout=1.0)
    fence.lift(undo)


def _run_as_event(server: Server, create: str) -> None:
    """An event that is executed once and is gone then."""
    server.query("SET GLOBAL event_scheduler = ON")
    try:
        server.query(create, database=DATABASE)
        events = "SELECT 1 FROM information_schema.events WHERE event_schema = %s"
        wait_until("the event is executed", lambda: not server.query(events, (DATABASE,)), seconds=20)
        time.sleep(0.3)
    finally:
        server.query("SET GLOBAL event_scheduler = OFF")


def _until_gone(server: Server) -> None:
    """The server has noticed that the administrator's connections are closed."""
    time.sleep(0.3)
