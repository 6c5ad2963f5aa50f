"""The start position is proved, by each proof in turn, and no lock of ours makes others wait for long (N37)."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from itertools import count

import pytest

from shardwright.runtime.failures import Refused, StoppedPartWay
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.raw_connection import raw_connection
from shardwright.runtime.sources.binlog import read_locks, snapshot_position
from shardwright.runtime.sources.binlog.dump import dump
from shardwright.runtime.sources.binlog.gtid import Collector, MysqlGtids, parse_gtids
from shardwright.runtime.sources.binlog.gtid_event import MYSQL_GTIDS, parse_gtid
from shardwright.runtime.sources.binlog.read_locks import ReadLocks
from shardwright.runtime.sources.binlog.snapshot_position import prove_position, prove_snapshot
from shardwright.runtime.sources.positions.log_position import LogPosition
from tests.binlog.log_source import Source

pytestmark = pytest.mark.server

ENOUGH = 3
MOST_WAIT = 10.0
"""Writers of the field case waited 60 s; two are promised, the rest is for a busy machine."""


def begin(source: Source) -> LogPosition:
    source.run("CREATE OR REPLACE TABLE t (id INT PRIMARY KEY, v VARCHAR(200))")
    source.run("CREATE OR REPLACE TABLE other (id INT PRIMARY KEY, v VARCHAR(200))")
    return source.head()


@contextmanager
def writers(source: Source, number: int, *, tables: tuple[str, ...] = ("t", "other")) -> Iterator[None]:
    """Each transaction inserts one row; the log is durable, so that commits take their time."""
    stop, numbers = threading.Event(), count(1)
    source.run("SET GLOBAL innodb_flush_log_at_trx_commit = 1", "SET GLOBAL sync_binlog = 1")

    def write(table: str) -> None:
        with source.session() as connection, connection.cursor() as cursor:
            while not stop.is_set():
                cursor.execute(f"INSERT INTO {table} VALUES ({next(numbers)}, '')")
                time.sleep(0.002)

    threads = [threading.Thread(target=write, args=(tables[n % len(tables)],)) for n in range(number)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()
        source.run("SET GLOBAL innodb_flush_log_at_trx_commit = 0", "SET GLOBAL sync_binlog = 0")


def commits(source: Source, start: LogPosition) -> list[tuple[LogPosition, int]]:
    """Where each row of `t` was logged."""
    return [
        (LogPosition(f"{start.log_name}.{change['file']:06d}", change["offset"]), int(change["after"][0]))
        for change in source.changes(start, "t")
    ]


PROOFS: dict[str, tuple[bool, tuple[str, ...]]] = {
    "gtids": (True, ()),
    "tables": (False, ("shop.t",)),
    "server": (False, ()),
}
"""Whether the server counts transactions, and the tables that may be locked."""


@pytest.mark.mysql
@pytest.mark.parametrize("ordered", [pytest.param("ON", marks=pytest.mark.long), "OFF"])
@pytest.mark.parametrize("proof", PROOFS)
def test_n37_a_snapshot_is_what_the_log_has_before_its_position(
    source: Source, monkeypatch: pytest.MonkeyPatch, proof: str, ordered: str
) -> None:
    if not source.is_mysql and (proof, ordered) != ("gtids", "OFF"):
        pytest.skip("MySQL only: MariaDB says itself which position belongs to a snapshot")
    counted, tables = PROOFS[proof]
    if source.is_mysql:
        monkeypatch.setattr(snapshot_position, "counts_transactions", lambda _: counted)
        source.run(f"SET GLOBAL binlog_order_commits = {ordered}")
    start = begin(source)
    locks = ReadLocks(source.settings, tables)
    snapshots: list[tuple[LogPosition, set[int]]] = []
    try:
        with writers(source, 3), raw_connection(source.settings, "shop") as connection, connection.cursor() as cursor:
            time.sleep(0.2)
            until = time.monotonic() + 4
            while time.monotonic() < until or len(snapshots) < ENOUGH:
                with prove_snapshot(connection, locks) as position:
                    cursor.execute("SELECT id FROM t")
                    snapshots.append((position, {int(row[0]) for row in cursor.fetchall()}))
    finally:
        if source.is_mysql:
            source.run("SET GLOBAL binlog_order_commits = ON")
    logged = commits(source, start)
    assert len(logged) > ENOUGH
    for position, visible in snapshots:
        assert visible == {number for place, number in logged if place < position}
    for position, _ in snapshots[:: len(snapshots) // ENOUGH]:
        require_gtids(source, start, position)


@pytest.mark.mysql
@pytest.mark.parametrize("proof", ["gtids", "tables", pytest.param("server", marks=pytest.mark.long)])
def test_n37_everything_before_a_proved_position_is_visible_to_later_snapshots(
    source: Source, monkeypatch: pytest.MonkeyPatch, proof: str
) -> None:
    source.needs_mysql("MariaDB says itself which position belongs to a snapshot")
    counted, tables = PROOFS[proof]
    monkeypatch.setattr(snapshot_position, "counts_transactions", lambda _: counted)
    start = begin(source)
    locks = ReadLocks(source.settings, tables)
    looks: list[tuple[LogPosition, set[int]]] = []
    with writers(source, 4, tables=("t", "t", "other")), raw_connection(source.settings, "shop") as connection:
        until = time.monotonic() + 4
        while time.monotonic() < until or len(looks) < ENOUGH:
            position = prove_position(connection, locks)
            with source.session() as later, later.cursor() as cursor:
                cursor.execute("SELECT id FROM t")
                looks.append((position, {int(row[0]) for row in cursor.fetchall()}))
    logged = commits(source, start)
    assert len(logged) > ENOUGH
    for position, visible in looks:
        assert {number for place, number in logged if place < position} <= visible
    for position, _ in looks[:: len(looks) // ENOUGH]:
        require_gtids(source, start, position)


def require_gtids(source: Source, start: LogPosition, position: LogPosition) -> None:
    """The position names exactly the transactions that are in the log before it."""
    if position.gtids is None or not source.is_mysql:
        return
    met = Collector(MysqlGtids())
    for event in dump(source.settings, start, position):
        if event.kind in MYSQL_GTIDS and (gtid := parse_gtid(event).gtid) is not None:
            met.add(gtid)
    named, there = parse_gtids(position.gtids), met.gtids()
    assert not there.minus(named), "some of the log are missing"
    later = Collector(MysqlGtids())
    for event in dump(source.settings, position, source.head()):
        if event.kind in MYSQL_GTIDS and (gtid := parse_gtid(event).gtid) is not None:
            later.add(gtid)
    assert str(named.minus(later.gtids())) == str(named), "some of the log behind it are there"


@contextmanager
def measure_writer(source: Source) -> Iterator[Callable[[], float]]:
    """Another application's writer. What is yielded returns the longest time that one of its writes has taken."""
    stop, longest = threading.Event(), [0.0]

    def write() -> None:
        with source.session() as connection, connection.cursor() as cursor:
            while not stop.is_set():
                began = time.monotonic()
                cursor.execute("INSERT INTO t (id, v) SELECT COALESCE(MAX(id), 0) + 1, '' FROM t")
                longest[0] = max(longest[0], time.monotonic() - began)
                time.sleep(0.02)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        yield lambda: longest[0]
    finally:
        stop.set()
        thread.join()


@contextmanager
def long_select(source: Source, seconds: int) -> Iterator[None]:
    """A statement of another application, which holds table `t` until it ends. It is ended at the end."""
    connection = source.session()
    number = connection.thread_id()  # type: ignore[no-untyped-call]

    def read() -> None:
        with connection.cursor() as cursor:
            try:
                cursor.execute(f"SELECT SLEEP({seconds}) FROM t LIMIT 1")
            except Exception as error:  # noqa: BLE001 - it is killed
                print(f"the reader: {error}")

    thread = threading.Thread(target=read)
    thread.start()
    time.sleep(0.5)
    try:
        yield
    finally:
        source.run(f"KILL {number}")
        thread.join()


def test_n37_a_long_select_stops_no_writer_for_long_and_is_named(
    source: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under FLUSH TABLES WITH READ LOCK, the one lock that waits for readers."""
    monkeypatch.setattr(read_locks, "TRIES", 3)
    begin(source)
    source.run("INSERT INTO t VALUES (1, '')")
    locks = ReadLocks(source.settings)
    with long_select(source, 75), measure_writer(source) as longest, raw_connection(source.settings, "shop") as asking:
        expected = pytest.raises(StoppedPartWay) if source.is_mysql else nullcontext()  # MariaDB's waits for no reader
        with expected as busy:
            snapshot_position._under_locks(asking, locks, (locks.of_server,), lambda *_: source.head())
        if busy is not None:
            assert busy.value.code == "SW8170"
            assert re.search(r"connection \d+ of root@.*\(SELECT SLEEP\(75\) FROM t", busy.value.message), busy.value
        time.sleep(0.1)
        assert 0 < longest() < MOST_WAIT


def test_n37_readers_do_not_stop_the_lock_of_followed_tables_and_open_writers_are_named(
    source: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    source.needs_mysql("MariaDB does not need it")
    monkeypatch.setattr(read_locks, "TRIES", 2)
    begin(source)
    source.run("INSERT INTO t VALUES (1, '')")
    locks = ReadLocks(source.settings, ["shop.t"])
    with raw_connection(source.settings, "shop") as asking:

        def lock() -> LogPosition:
            return snapshot_position._under_locks(asking, locks, (locks.of_tables,), lambda *_: source.head())

        with long_select(source, 75), measure_writer(source) as longest:
            lock()
            assert longest() < MOST_WAIT
        with source.session() as open_one, open_one.cursor() as cursor, measure_writer(source) as longest:
            cursor.execute("START TRANSACTION")
            cursor.execute("INSERT INTO t VALUES (-1, '')")
            number = open_one.thread_id()  # type: ignore[no-untyped-call]
            with pytest.raises(StoppedPartWay, match=rf"SW8170: .*waits for others .*held by connection {number} of "):
                lock()
            cursor.execute("ROLLBACK")
            assert 0 < longest() < MOST_WAIT


@pytest.mark.in_turn
def test_n37_a_lock_ends_when_its_process_stops(source: Source) -> None:
    """Else it would stop writers for as long as that."""
    begin(source)
    locks = ReadLocks(source.settings)
    with measure_writer(source) as longest, raw_connection(source.settings, "shop") as asking:
        with pytest.raises(read_locks.LockLost), read_locks.hold(locks, locks.of_server, asking):
            time.sleep(MOST_WAIT)
        assert 0 < longest() < MOST_WAIT


def test_n37_without_a_proof_the_account_learns_what_gives_one(source: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    source.needs_mysql("MariaDB needs none")
    monkeypatch.setattr(snapshot_position, "counts_transactions", lambda _: False)
    begin(source)
    source.run("DROP USER IF EXISTS no_lock", "CREATE USER no_lock",
               "GRANT SELECT, REPLICATION SLAVE, REPLICATION CLIENT ON *.* TO no_lock")  # fmt: skip
    account = Endpoint(source.settings.host, source.settings.port, "no_lock", "")
    with raw_connection(account, "shop") as connection:
        with pytest.raises(Refused) as refused:
            prove_position(connection, ReadLocks(account, ["shop.t"]))
        assert refused.value.code == "SW8125"
        said = r"LOCK TABLES: .*; FLUSH TABLES WITH READ LOCK: .*GRANT SELECT, LOCK TABLES ON `shop`.* TO .*GRANT RELOAD ON \*\.\* TO"
        assert re.search(said, refused.value.message), refused.value
        monkeypatch.undo()
        assert prove_position(connection, ReadLocks(account, ["shop.t"])).gtids, "GTIDs prove it without a lock"
