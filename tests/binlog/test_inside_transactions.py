"""One transaction of many events, over several tables: no place between two of its events is ever given out, taken,
or read up to, and a reader that is cut off behind any of them has read nothing of it (contract C3, hazard A5).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import pytest

from shardwright.runtime.failures import Refused, Unreachable
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.tls import Tls
from shardwright.runtime.sources.binlog import dump
from shardwright.runtime.sources.binlog.log import Log, Tables
from shardwright.runtime.sources.binlog.read import read_changes
from shardwright.runtime.sources.binlog.scan import Boundary, RangeStart, next_boundary
from shardwright.runtime.sources.positions.log_position import LogPosition
from shardwright.specs.environment.environment import BatchLimits
from tests.binlog.log_source import Source
from tests.servers.log_wire import LogWire

pytestmark = pytest.mark.server
PLENTY = 1 << 40
TABLES = ("inside_a", "inside_b")
"""Followed; the transaction changes a third one, too."""


@dataclass(frozen=True)
class Logged:
    """`before` and `end` are the ends of two transactions, `inside` all ends of the events between them that the
    server sends."""

    source: Source
    tables: Tables
    start: LogPosition
    before: LogPosition
    inside: tuple[LogPosition, ...]
    end: LogPosition
    after: LogPosition
    changes: tuple[dict[str, Any], ...]

    def boundary(self, start: LogPosition, *, over: Endpoint | None = None, **given: Any) -> Boundary:
        limits = BatchLimits(max_rows=given.pop("max_rows", PLENTY), max_bytes=given.pop("max_bytes", PLENTY))
        settings = over or self.source.settings
        return next_boundary(
            Log(settings, self.tables), start, **{"limits": limits, "known": RangeStart(self.after), **given}
        )

    def read(self, start: LogPosition, end: LogPosition, *, over: Endpoint | None = None) -> tuple[dict[str, Any], ...]:
        batches = read_changes(Log(over or self.source.settings, self.tables), start, end)
        return tuple(change for batch in batches for change in batch.to_pylist())


@pytest.fixture(scope="module")
def logged(source: Source) -> Logged:
    for table in (*TABLES, "inside_other"):
        source.run(f"CREATE OR REPLACE TABLE {table} (id INT PRIMARY KEY, v VARCHAR(900))")
    start = source.head()
    source.run("INSERT INTO inside_a VALUES (0, 'before')")
    before = source.head()
    rows = ", ".join(f"({number}, '{'x' * 800}')" for number in range(1, 13))
    source.run(
        "BEGIN",
        f"INSERT INTO inside_a VALUES {rows}",
        f"INSERT INTO inside_other VALUES {rows}",
        f"INSERT INTO inside_b VALUES {rows}",
        "SAVEPOINT half",
        "UPDATE inside_a JOIN inside_b USING (id) SET inside_a.v = CONCAT('a', id), inside_b.v = CONCAT('b', id)",
        "DELETE FROM inside_b WHERE id % 2 = 0",
        "INSERT INTO inside_a VALUES (41, 'last')",
        "COMMIT",
    )
    end = source.head()
    source.run("INSERT INTO inside_a VALUES (42, 'after')")
    inside = tuple(place for place, _ in source.list_sent_events(before, end) if place < end)
    assert len(inside) >= 20, "a transaction of many events"
    made = Logged(source, source.columns_of(*TABLES), start, before, inside, end, source.head(), ())
    changes = made.read(start, made.after)
    assert len(changes) == 1 + 12 + 12 + 24 + 6 + 1 + 1
    return replace(made, changes=changes)


def test_a5_no_limit_and_no_end_cuts_it(logged: Logged) -> None:
    """Whatever a batch may hold, it ends in front of the transaction or behind it."""
    for place in logged.inside:
        size = sum(size for _, size in logged.source.list_sent_events(logged.start, place))
        assert bare(logged.boundary(logged.start, max_bytes=size).end) == logged.before, place
        assert bare(logged.boundary(logged.before, max_bytes=size).end) == logged.end, "alone it is taken whole"
        assert bare(logged.boundary(logged.start, until=place).end) == logged.before, place
    ends = {  # rows are reckoned by the size of events
        bare(logged.boundary(logged.start, max_rows=rows).end) for rows in range(1, 400, 10)
    }
    assert {logged.before, logged.after} <= ends <= {logged.before, logged.end, logged.after}


def test_a5_no_place_inside_is_begun_at_or_ended_at(logged: Logged) -> None:
    for place in logged.inside:
        with pytest.raises(Refused, match=r"SW8110.*not the end of a transaction"):
            logged.read(logged.start, place)
        if place == logged.inside[0] and logged.source.is_mysql:
            continue  # behind the GTID and in front of BEGIN: nothing of the transaction has gone by yet
        with pytest.raises(Refused, match=r"SW8110.*inside a transaction"):
            logged.read(place, logged.after)
        with pytest.raises(Refused, match=r"SW8110.*inside a transaction"):
            at = place
            while at < logged.end:
                at = logged.boundary(at).end


def test_a5_a_reader_cut_off_behind_any_event_has_read_nothing_of_it(
    logged: Logged, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who looks for the end of a batch finds none; who reads one does not come to its end."""
    monkeypatch.setattr(dump, "RECONNECT_SECONDS", -1)
    with open_wire(logged.source) as (wire, over):
        for place in (*logged.inside, logged.end):
            for reading in (logged.boundary, lambda start, over: logged.read(start, logged.after, over=over)):
                wire.stop_behind(place.offset)
                with pytest.raises(Unreachable, match="SW8117"):
                    reading(logged.start, over=over)
                assert wire.stopped.is_set(), place


def test_a5_a_reader_cut_off_behind_any_event_continues_there(logged: Logged, monkeypatch: pytest.MonkeyPatch) -> None:
    """Within one read, a place inside is where the new connection begins: nothing is left out, nothing comes twice."""
    monkeypatch.setattr(dump, "_FIRST_PAUSE", 0.0)
    with open_wire(logged.source) as (wire, over):
        for place in (*logged.inside, logged.end):
            wire.stop_behind(place.offset)
            assert logged.read(logged.start, logged.after, over=over) == logged.changes
            assert wire.stopped.is_set(), place


@contextmanager
def open_wire(source: Source) -> Iterator[tuple[LogWire, Endpoint]]:
    wire = LogWire(source.settings.host, source.settings.port)
    try:
        yield wire, replace(source.settings, host="127.0.0.1", port=wire.port, tls=Tls("off"))
    finally:
        wire.close()


def bare(position: LogPosition) -> LogPosition:
    """File and offset: what else it knows of the log does not matter here."""
    return LogPosition(position.file, position.offset)
