"""XA transactions in two phases: their rows take effect where the log commits them (hazard E21)."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import pytest

from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.raw_connection import raw_connection
from shardwright.runtime.sources.binlog import prepared_transactions, scan
from shardwright.runtime.sources.binlog.ddl_statements import is_touched
from shardwright.runtime.sources.binlog.dump import dump
from shardwright.runtime.sources.binlog.events import Kind, statement_of
from shardwright.runtime.sources.binlog.log import Log
from shardwright.runtime.sources.binlog.look_back import LookBack
from shardwright.runtime.sources.binlog.read import read_changes
from shardwright.runtime.sources.binlog.read_locks import ReadLocks
from shardwright.runtime.sources.binlog.reading import LogReading
from shardwright.runtime.sources.binlog.scan import next_boundary
from shardwright.runtime.sources.binlog.server_log import look_at
from shardwright.runtime.sources.binlog.snapshot_position import prove_snapshot
from shardwright.runtime.sources.binlog.update_chains import UpdateChains
from shardwright.runtime.sources.binlog.xa import read_end
from shardwright.runtime.sources.positions.log_position import LogPosition
from shardwright.specs.environment.environment import BatchLimits
from tests.binlog.log_source import Source
from tests.servers.xa import commit, prepare, roll_back

pytestmark = pytest.mark.server
ALL = BatchLimits(max_rows=1 << 40, max_bytes=1 << 40)


def begin(source: Source, name: str = "t") -> LogPosition:
    source.run(f"CREATE OR REPLACE TABLE {name} (id INT PRIMARY KEY, v VARCHAR(200))")
    return source.head()


def purge(source: Source) -> None:
    """MariaDB keeps a file until all that it holds is safe in the engine, which it finds out by itself."""
    newest = source.head().file
    while len(look_at(source.settings).files) > 1:
        source.run(f"PURGE BINARY LOGS TO '{newest}'")
        time.sleep(0.05)


def images_of(changes: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return [(c["op"], c["before"] and c["before"][1], c["after"] and c["after"][1]) for c in changes]


def read(source: Source, log: LogReading, start: LogPosition) -> Iterator[list[dict[str, Any]]]:
    """What each range has, its parts read with what the driver gives to tasks."""
    while (ahead := log.fetch(start)) is not None:
        assert isinstance(ahead.end, LogPosition)
        start = ahead.end
        yield [
            change
            for part in ahead.ranges
            for batch in read_changes(log.log, part.start, part.end, pending=part.prepared)
            for change in batch.to_pylist()
        ]
    log.close()


@contextmanager
def no_looking_back(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def find(_self: object, xid: object) -> None:
        raise AssertionError(f"{xid} is looked for")

    with monkeypatch.context() as patched:
        patched.setattr(LookBack, "find", find)
        yield


@pytest.mark.parametrize("held", [1 << 20, 0], ids=["kept", "read again"])
def test_e21_rows_come_where_the_transaction_commits(
    source: Source, monkeypatch: pytest.MonkeyPatch, held: int
) -> None:
    monkeypatch.setattr(prepared_transactions, "HELD_BYTES", held)
    start = begin(source)
    begin(source, "other")
    source.run("INSERT INTO t VALUES (1, 'a'), (2, 'b')")
    prepare(source.run, "'x','branch',7", "INSERT INTO t VALUES (3, 'c'), (4, 'd')", "INSERT INTO other VALUES (1, 'no')",
            "UPDATE t SET v = 'A' WHERE id = 1", "DELETE FROM t WHERE id = 2")  # fmt: skip
    source.run("INSERT INTO t VALUES (5, 'between')", "FLUSH BINARY LOGS", "FLUSH BINARY LOGS")
    source.run("INSERT INTO t VALUES (6, 'later')")
    place = source.head()
    commit(source.run, "'x','branch',7")
    source.run("UPDATE t SET v = 'D' WHERE id = 4")
    changes = source.changes(start, "t")
    assert images_of(changes) == [("I", None, "a"), ("I", None, "b"), ("I", None, "between"), ("I", None, "later"),
                             ("I", None, "c"), ("I", None, "d"), ("U", "a", "A"), ("D", "b", None),
                             ("U", "d", "D")]  # fmt: skip
    places = [(c["file"], c["offset"], c["row"]) for c in changes]
    assert places == sorted(set(places))
    assert len({place[:2] for place in places[4:8]}) == 1
    assert places[4][:2] >= (place.file_number, place.offset)
    chains = UpdateChains()
    chained = source.changes(start, "t", chains=chains)
    assert sorted(map(str, images_of(chained))) == sorted(map(str, images_of(changes)))


def test_e21_interleaved_used_again_and_rolled_back(source: Source) -> None:
    start = begin(source)
    prepare(source.run, "'one'", "INSERT INTO t VALUES (1, 'one')")
    prepare(source.run, "'two'", "INSERT INTO t VALUES (2, 'two')")
    prepare(source.run, "'one','b'", "INSERT INTO t VALUES (3, 'other branch')")
    commit(source.run, "'two'")
    commit(source.run, "'one'")
    prepare(source.run, "'two'", "INSERT INTO t VALUES (4, 'gone')")
    roll_back(source.run, "'two'")
    prepare(source.run, "'two'", "INSERT INTO t VALUES (5, 'two again')")
    commit(source.run, "'two'")
    roll_back(source.run, "'one','b'")
    source.run("XA START 'x'", "INSERT INTO t VALUES (6, 'one phase')", "XA END 'x'", "XA COMMIT 'x' ONE PHASE")
    expected = ["two", "one", "two again", "one phase"]
    assert [after for _, _, after in images_of(source.changes(start, "t"))] == expected
    found = next_boundary(Log(source.settings, source.columns_of("t")), start, limits=ALL)
    assert (found.rows, dict(found.pending)) == (4, {})


def test_e21_each_range_and_part_knows_what_was_prepared_before_it(
    source: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = begin(source)
    expected = []
    prepare(source.run, "'long'", "INSERT INTO t VALUES (-1, 'long')")
    for n in range(12):
        prepare(source.run, f"'{n % 3}'", f"INSERT INTO t VALUES ({n}, 'v{n}'), ({n + 100}, 'v{n}')")
        if n >= 2:
            commit(source.run, f"'{(n - 2) % 3}'")
            expected += [f"v{n - 2}"] * 2
        if n % 5 == 3:
            source.run("FLUSH BINARY LOGS")
    commit(source.run, "'long'")
    expected.append("long")
    log = Log(source.settings, source.columns_of("t"))
    monkeypatch.setattr(scan, "ROWS_IN_A_PART", 1)
    for rows, tasks in ((1, 1), (3, 1), (5, 3), (1000, 4)):
        with no_looking_back(monkeypatch):
            reading = LogReading("shop", log, BatchLimits(max_rows=rows), tasks)
            ranges = list(read(source, reading, start))
        assert [after for part in ranges for _, _, after in images_of(part)] == expected, (rows, tasks)
    roll_back(source.run, "'1'")  # the last two
    commit(source.run, "'2'")


def test_e21_what_was_prepared_before_the_start_is_looked_for_once(
    source: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(source)
    prepare(source.run, "'a'", "INSERT INTO t VALUES (0, 'an earlier use')")
    commit(source.run, "'a'")
    prepare(source.run, "'c'", "INSERT INTO t VALUES (3, 'c')")
    source.run("FLUSH BINARY LOGS")
    prepare(source.run, "'b'", "INSERT INTO t VALUES (2, 'b')")
    source.run("FLUSH BINARY LOGS")
    prepare(source.run, "'a'", "INSERT INTO t VALUES (1, 'a')", "UPDATE t SET v = 'aa' WHERE id = 1")
    prepare(source.run, "'r'", "INSERT INTO t VALUES (4, 'gone')")
    start = source.head()
    cuts = [start]
    for end, name in ((commit, "'b'"), (roll_back, "'r'"), (commit, "'a'"), (commit, "'c'")):
        end(source.run, name)
        cuts.append(source.head())
        source.run("FLUSH BINARY LOGS")
    expected = [("I", None, "b"), ("I", None, "a"), ("U", "a", "aa"), ("I", None, "c")]
    assert images_of(source.changes(start, "t")) == expected
    assert images_of([c for one, other in pairwise(cuts) for c in source.changes(one, "t", end=other)]) == expected

    log = Log(source.settings, source.columns_of("t"))
    reading, found, place = LogReading("shop", log, BatchLimits(max_rows=1), 1), [], start
    while (ahead := reading.fetch(place)) is not None:
        (part,) = ahead.ranges
        with no_looking_back(monkeypatch):  # tasks do not search for what the driver has found
            for batch in read_changes(log, part.start, part.end, pending=part.prepared):
                found += images_of(batch.to_pylist())
        place = ahead.end  # type: ignore[assignment]
    reading.close()
    assert found == expected

    restarted = LogReading("shop", log, ALL, 1)
    assert images_of(next(read(source, restarted, cuts[1]))) == expected[1:]


def test_e21_a_large_one_counts_where_it_commits(source: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prepared_transactions, "HELD_BYTES", 10_000)
    start = begin(source)
    values = [", ".join(f"({n * 1000 + k}, '{'x' * 100}')" for k in range(1000)) for n in range(3)]
    prepare(source.run, "'large'", *(f"INSERT INTO t VALUES {rows}" for rows in values))
    source.run("INSERT INTO t VALUES (10000, 'small')")
    log = Log(source.settings, source.columns_of("t"))
    first = next_boundary(log, start, limits=BatchLimits(max_rows=100))
    assert first.rows == 1 and first.end == first.head
    commit(source.run, "'large'")
    for limits in (BatchLimits(max_rows=100), BatchLimits(max_rows=1 << 40, max_bytes=250_000)):
        assert next_boundary(log, first.end, limits=limits).rows == pytest.approx(3000, rel=0.02)
    assert next_boundary(log, first.end, limits=ALL).bytes > 300_000
    ids = [int(c["after"][0]) for c in source.changes(first.end, "t")]
    assert ids == list(range(3000))


def test_e21_other_tables_need_no_second_reading(source: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    start = begin(source)
    begin(source, "other")
    monkeypatch.setattr(prepared_transactions, "HELD_BYTES", 0)
    monkeypatch.setattr(prepared_transactions, "dump", None)
    prepare(source.run, "'o'", "INSERT INTO other VALUES (1, 'x')")
    commit(source.run, "'o'")
    source.run("INSERT INTO t VALUES (1, 'plain')")
    assert images_of(source.changes(start, "t")) == [("I", None, "plain")]


def test_e17_e21_a_swap_of_tables_is_not_proved_over_the_commit_of_what_was_prepared_before(source: Source) -> None:
    begin(source)
    begin(source, "other")
    prepare(source.run, "'before'", "INSERT INTO t VALUES (1, 'x')")
    start = source.head()
    prepare(source.run, "'within'", "INSERT INTO other VALUES (1, 'x')")
    commit(source.run, "'within'")
    middle = source.head()
    commit(source.run, "'before'")
    assert not is_touched(source.settings, ["shop.t"], start=start, end=middle)
    assert is_touched(source.settings, ["shop.t"], start=middle, end=source.head())


def test_e21_compressed(source: Source) -> None:
    start = begin(source)
    switch = "SET SESSION binlog_transaction_compression = 1" if source.is_mysql else "SET GLOBAL log_bin_compress = 1"
    wide = "y" * 190
    source.run(switch, "XA START 'c'", f"INSERT INTO t VALUES (1, '{wide}'), (2, '{wide}')",
               "UPDATE t SET v = 'short' WHERE id = 2", "XA END 'c'", "XA PREPARE 'c'")  # fmt: skip
    middle = source.head()
    source.run(switch, "XA START 'd'", "INSERT INTO t VALUES (3, 'one phase')", "XA END 'd'", "XA COMMIT 'd' ONE PHASE")
    commit(source.run, "'c'")
    if not source.is_mysql:
        source.run("SET GLOBAL log_bin_compress = 0")
    expected = [("I", None, "one phase"), ("I", None, wide), ("I", None, wide), ("U", wide, "short")]
    assert images_of(source.changes(start, "t")) == images_of(source.changes(middle, "t")) == expected


def test_e21_a_transaction_whose_prepare_was_purged_is_refused(source: Source) -> None:
    begin(source)
    early = source.head()
    prepare(source.run, "'lost'", "INSERT INTO t VALUES (1, 'x')")
    source.run("FLUSH BINARY LOGS", "INSERT INTO t VALUES (2, 'y')", "FLUSH BINARY LOGS")
    knows = LogReading("shop", Log(source.settings, source.columns_of("t")), ALL, 1)
    ahead = knows.fetch(early)
    assert ahead is not None
    purge(source)
    start = source.head()
    source.run("INSERT INTO t VALUES (3, 'before it')")
    commit(source.run, "'lost'")
    log = Log(source.settings, source.columns_of("t"))
    before = next_boundary(log, start, limits=ALL).end
    ahead = knows.fetch(ahead.end)
    assert ahead is not None
    assert ahead.end == before
    for fails in (
        lambda: next_boundary(log, before, limits=ALL),
        lambda: source.changes(start, "t"),
        lambda: knows.fetch(before),
    ):
        with pytest.raises(Refused, match=r"X'6c6f7374',X'',1 commits, but no log file .* prepares it") as refused:
            fails()
        assert refused.value.code == "SW8118"


@pytest.mark.in_turn
def test_e21_a_snapshot_holds_every_transaction_that_is_in_the_log_before_it(source: Source) -> None:
    """A server logs XA COMMIT before the rows are visible: without the lock one snapshot of a hundred missed rows."""
    start = begin(source)
    source.run("SET GLOBAL innodb_flush_log_at_trx_commit = 1", "SET GLOBAL sync_binlog = 1")
    stop = threading.Event()

    def write(first: int) -> None:
        connection = source.session()
        with connection, connection.cursor() as cursor:
            n = first
            while not stop.is_set():
                for statement in ("XA START '{n}'", "INSERT INTO t VALUES ({n}, '')", "XA END '{n}'",
                                  "XA PREPARE '{n}'", "XA COMMIT '{n}'"):  # fmt: skip
                    cursor.execute(statement.format(n=n))
                n += 4

    writers = [threading.Thread(target=write, args=(n,)) for n in range(4)]
    for writer in writers:
        writer.start()
    snapshots: list[tuple[LogPosition, set[int]]] = []
    try:
        time.sleep(0.2)
        connection = source.session()
        with connection, connection.cursor() as cursor:
            until = time.monotonic() + 5
            while time.monotonic() < until:
                with prove_snapshot(connection, ReadLocks(source.settings, ["shop.t"])) as position:
                    cursor.execute("SELECT id FROM t ORDER BY id DESC LIMIT 300")
                    snapshots.append((position, {int(row[0]) for row in cursor.fetchall()}))
    finally:
        stop.set()
        for writer in writers:
            writer.join()
        source.run("SET GLOBAL innodb_flush_log_at_trx_commit = 0", "SET GLOBAL sync_binlog = 0")
    commits = [
        (LogPosition(event.file, event.end), int(done.xid.gtrid))
        for event in dump(source.settings, start, source.head())
        if event.kind == Kind.QUERY and (done := read_end(statement_of(event).text)) is not None
    ]
    assert len(snapshots) > 5 and len(commits) > 100
    for position, visible in snapshots:
        before = [n for place, n in commits if place <= position]
        after = {n for place, n in commits if place > position}
        assert set(before[-10:]) <= visible and not after & visible


def test_e21_the_account_of_a_mariadb_server_with_xa_needs_the_lock(source: Source) -> None:
    source.needs_mariadb("MySQL always needs it")
    begin(source)
    source.run("CREATE OR REPLACE USER no_lock", "GRANT SELECT, REPLICATION SLAVE, BINLOG MONITOR ON *.* TO no_lock")
    prepare(source.run, "'any'", "INSERT INTO t VALUES (1, 'x')")
    commit(source.run, "'any'")
    account = Endpoint(source.settings.host, source.settings.port, "no_lock", "")
    with (
        raw_connection(account, "shop") as connection,
        pytest.raises(Refused, match=re.escape("GRANT RELOAD ON *.* TO 'no_lock'@'%'")) as refused,
        prove_snapshot(connection, ReadLocks(account)),
    ):
        pass
    assert refused.value.code == "SW8125"
