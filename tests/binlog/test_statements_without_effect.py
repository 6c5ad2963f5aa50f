"""Statements that the log has although they did nothing, or not yet: MariaDB's ALTER in two phases, statements that
failed, a table that was to be made and filled (hazard E17).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pymysql
import pytest

from shardwright.compiler.ddl.logged.new_tables import NOTHING_MEANT
from shardwright.runtime.failures import Refused
from shardwright.runtime.sources.binlog.ddl_statements import is_changed_again, is_touched, statement_at
from shardwright.runtime.sources.binlog.dump import dump
from shardwright.runtime.sources.binlog.events import HEADER_SIZE, Kind, LogEvent, error_of, statement_of
from shardwright.runtime.sources.binlog.log import Log
from shardwright.runtime.sources.binlog.read import read_changes
from shardwright.runtime.sources.binlog.scan import next_boundary
from shardwright.runtime.sources.binlog.table_changed import TableChanged
from shardwright.runtime.sources.binlog.transactions import Transactions
from shardwright.runtime.sources.positions.log_position import LogPosition
from shardwright.specs.environment.environment import BatchLimits
from tests.binlog.log_source import Source

pytestmark = pytest.mark.server
ONE = BatchLimits(max_bytes=1 << 40, max_rows=1)


@contextmanager
def in_two_phases(source: Source) -> Iterator[pymysql.cursors.Cursor]:
    source.needs_mariadb("ALTER in two phases")
    with source.session() as connection, connection.cursor() as cursor:
        cursor.execute("SHOW VARIABLES LIKE 'binlog_alter_two_phase'")
        if not cursor.fetchall():
            pytest.skip("MariaDB only: from 10.8 on")
        cursor.execute("SET SESSION binlog_alter_two_phase = ON")
        yield cursor


def texts(source: Source, start: LogPosition) -> list[tuple[str, int]]:
    events = [event for event in dump(source.settings, start, source.head()) if event.kind == Kind.QUERY]
    return [(statement_of(event).text.decode(), error_of(event)) for event in events]


def test_n18_an_alter_that_is_rolled_back_is_no_change(source: Source) -> None:
    source.run("CREATE OR REPLACE TABLE n18 (id INT PRIMARY KEY, v INT)", "INSERT INTO n18 VALUES (1, 1), (2, 1)")
    start = source.head()
    with in_two_phases(source) as cursor, pytest.raises(pymysql.err.IntegrityError):
        cursor.execute("ALTER TABLE n18 ADD UNIQUE KEY (v)")
    behind = source.head()
    assert texts(source, start) == [("ALTER TABLE n18 ADD UNIQUE KEY (v)", error) for error in (0, 1062)]
    source.run("INSERT INTO n18 VALUES (3, 1)")
    log = Log(source.settings, source.columns_of("n18"))
    assert [change["after"] for change in source.changes(start, "n18")] == [("3", "1")]
    assert not is_changed_again(source.settings, "shop.n18", start=start, end=source.head())
    assert not is_touched(source.settings, ["shop.n18"], start=start, end=behind)
    assert statement_at(log, start) is None


@pytest.mark.parametrize("commits", [True, False])
def test_n18_rows_are_read_from_every_place_between_the_two_phases(source: Source, commits: bool) -> None:
    """While an ALTER is at work, an application writes to this table and to another one. Where it writes a value a
    second time, the ALTER fails at its end."""
    source.run("CREATE OR REPLACE TABLE n18w (id INT PRIMARY KEY, v INT)")
    source.run("CREATE OR REPLACE TABLE n18o (id INT PRIMARY KEY, v INT)")
    with in_two_phases(source) as cursor:
        source.run("INSERT INTO n18w SELECT seq, seq FROM seq_1_to_400000")
        tables, start = source.columns_of("n18w", "n18o"), source.head()
        log, failed = Log(source.settings, tables), []

        def alter() -> None:
            try:
                cursor.execute("ALTER TABLE n18w ADD COLUMN w INT, ADD UNIQUE KEY (v), FORCE, LOCK=NONE")
            except pymysql.err.MySQLError as error:
                failed.append(error.args[0])

        thread = threading.Thread(target=alter)
        thread.start()
        end = time.monotonic() + 30
        while source.head() == start and time.monotonic() < end:
            time.sleep(0.01)
        started = source.head()
        assert started != start
        second = 0 if commits else 7
        source.run("INSERT INTO n18o VALUES (1, 1)", f"INSERT INTO n18w VALUES (0, {second})")
        between = source.head()
        assert thread.is_alive()
        assert not is_changed_again(source.settings, "shop.n18w", start=start, end=between)
        thread.join(60)
    assert failed == ([] if commits else [1062])
    place, places = start, [start]
    while place != between:  # every boundary is one to resume at
        place = next_boundary(log, place, limits=ONE, until=between).end
        places.append(place)
    assert len(places) == 3
    for at in [*places, started]:
        changes = [change for batch in read_changes(log, at, between) for change in batch.to_pylist()]
        seen = [tuple(change["after"]) for change in changes]
        assert seen == ([("1", "1"), ("0", str(second))][-len(seen) :] if at != between else [])
    if not commits:
        assert source.changes(between, "n18w", "n18o") == []
        return
    assert is_changed_again(source.settings, "shop.n18w", start=start, end=source.head())
    source.run("INSERT INTO n18w VALUES (-1, -1, -1)")
    found = statement_at(log, between)
    assert found is not None and found.error == 0
    assert isinstance(found.after, LogPosition)
    assert [change["after"] for change in source.changes(found.after, "n18w")] == [("-1", "-1", "-1")]


def _set_error(events: list[LogEvent], error: int) -> list[LogEvent]:
    """The events, their statements with an error's number."""
    at = HEADER_SIZE + 9
    number = error.to_bytes(2, "little")
    return [
        event._replace(data=event.data[:at] + number + event.data[at + 2 :]) if event.kind == Kind.QUERY else event
        for event in events
    ]


def test_n18_a_statement_with_an_error_is_known_as_such_and_an_xa_commit_with_one_is_refused(source: Source) -> None:
    source.run("CREATE OR REPLACE TABLE n18e (id INT PRIMARY KEY, v INT)")
    start = source.head()
    source.run("ALTER TABLE n18e ADD COLUMN w INT")
    altered = source.head()
    source.run("XA START 'n18'", "INSERT INTO n18e VALUES (1, 1, 1)", "XA END 'n18'", "XA PREPARE 'n18'")
    prepared = source.head()
    source.run("XA COMMIT 'n18'")
    with pytest.raises(TableChanged) as stopped:
        _feed(_set_error(list(dump(source.settings, start, altered)), 1317))
    assert error_of(stopped.value.event) == 1317
    ends = list(dump(source.settings, prepared, source.head()))
    _feed(ends)
    with pytest.raises(Refused, match=r"SW8118.*ends with error 1614"):
        _feed(_set_error(ends, 1614))


def _feed(events: list[LogEvent]) -> None:
    transactions = Transactions(["shop.n18e"], NOTHING_MEANT)
    for event in events:
        transactions.feed(event)


@pytest.mark.parametrize("kind", ["failed", "filled"])
def test_n18_create_or_replace_with_select_can_be_skipped_also_where_it_failed(source: Source, kind: str) -> None:
    source.needs_mariadb("CREATE OR REPLACE TABLE")
    source.run("CREATE OR REPLACE TABLE n18c (id INT PRIMARY KEY)", "CREATE OR REPLACE TABLE n18d (id INT PRIMARY KEY)")
    log, start = Log(source.settings, source.columns_of("n18c", "n18d")), source.head()
    rows = "SELECT 1 AS id UNION ALL SELECT 1" if kind == "failed" else "SELECT 1 AS id"
    statement = f"CREATE OR REPLACE TABLE n18c (id INT PRIMARY KEY) {rows}"
    if kind == "failed":
        with pytest.raises(pymysql.err.IntegrityError):
            source.run(statement)
    else:
        source.run(statement)
    behind = source.head()
    source.run("INSERT INTO n18d VALUES (1)")
    found = statement_at(log, start)
    assert found is not None and found.after == behind
    assert found.text.startswith("DROP TABLE" if kind == "failed" else "CREATE OR REPLACE")


def test_n18_a_drop_of_several_tables_that_fails_still_drops_ours(source: Source) -> None:
    """MariaDB drops those that are there and logs the whole list, without an error's number; MySQL drops none."""
    source.run("CREATE OR REPLACE TABLE n18x (id INT PRIMARY KEY)")
    columns, start = source.columns_of("n18x"), source.head()
    with pytest.raises(pymysql.err.OperationalError, match="1051"):
        source.run("DROP TABLE n18x, n18_nowhere")
    log = Log(source.settings, columns)
    found = statement_at(log, start)
    if source.is_mysql:
        assert found is None and source.head() == start
    else:
        assert found is not None and "n18x" in found.text


@pytest.mark.parametrize(
    ("mode", "strict"),
    [("''", False), ("'STRICT_TRANS_TABLES'", True), ("'STRICT_ALL_TABLES'", True), ("'ANSI'", False)],
)
def test_n20_a_statement_says_whether_its_session_was_strict(source: Source, mode: str, strict: bool) -> None:
    source.run("CREATE OR REPLACE TABLE n20 (id INT PRIMARY KEY, v VARCHAR(20))")
    start = source.head()
    source.run(f"SET SESSION sql_mode = {mode}", "ALTER TABLE n20 MODIFY v VARCHAR(10)")
    found = statement_at(Log(source.settings, source.columns_of("n20")), start)
    assert found is not None and found.strict is strict
