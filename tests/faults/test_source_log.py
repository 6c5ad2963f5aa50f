"""What the source keeps out of its log, and for how long it keeps the rest (B4, E23)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from shardwright.runtime.events.event import emit_lines
from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.check import Verdict
from shardwright.runtime.rehearsal.sandbox.lifecycle import remove_server, start_server
from shardwright.runtime.run.log_retention import LogRetention, Retention, near_purge, read_retention
from shardwright.runtime.run.preflight.context import Context, Demands, Size
from shardwright.runtime.run.preflight.copy_forecast import CopyForecast, forecast_copy
from shardwright.runtime.run.preflight.log_settings import check_log_filters
from shardwright.runtime.run.preflight.preflight import preflight
from shardwright.runtime.run.preflight.retention import judge_retention, log_turnover
from shardwright.runtime.run.preflight.tolerance import Tolerance
from shardwright.runtime.sources.positions.log_position import LogPosition
from shardwright.runtime.sources.positions.stream_position import StreamPosition
from tests.faults.conftest import GUARDED, GUARDED_SCHEMA
from tests.keys.bench import Bench
from tests.servers.testbed import Arena, Server

pytestmark = pytest.mark.server


@pytest.fixture
def unlogged(servers_folder: Path) -> Iterator[Server]:
    """A server that, as a replica, would not log what it applies: MariaDB's default, MySQL's by choice."""
    extra = {"log-slave-updates": "OFF"}
    started = start_server(servers_folder / "unlogged", server_id=79, extra=extra)
    yield Server("unlogged", started, extra=extra)
    remove_server(started)


def test_e23_a_replica_that_does_not_log_what_it_applies_is_refused(
    unlogged: Server, arena: Arena, tmp_path: Path
) -> None:
    bench = Bench(Arena(unlogged, arena.targets, tmp_path), tmp_path, GUARDED, GUARDED_SCHEMA)
    is_mysql = unlogged.sandbox.kind == "mysql"
    source, replica = ("REPLICATION SOURCE TO SOURCE", "REPLICA") if is_mysql else ("MASTER TO MASTER", "SLAVE")
    unlogged.query(f"CHANGE {source}_HOST = '127.0.0.1', {source.split()[-1]}_PORT = 1")
    preflight(bench.plan, bench.servers)  # one that applies nothing keeps nothing back
    unlogged.query(f"START {replica} SQL_THREAD")
    with pytest.raises(Refused, match=r"SW8144.*the source is a replica that does not log what it applies"):
        preflight(bench.plan, bench.servers)


@pytest.mark.parametrize(
    ("option", "left_out"),
    [("binlog-ignore-db", "shop"), ("binlog-do-db", "mart")],
)
def test_e23_a_filter_of_the_sources_log_is_named(servers_folder: Path, option: str, left_out: str) -> None:
    started = start_server(servers_folder / option, server_id=78, extra={option: "shop"})
    server = Server(option, started, extra={})
    try:
        with server.connect() as connection:
            (fault,) = check_log_filters(connection, {"shop", "mart"})
        assert f"leaves database {left_out} out of its log ({option.replace('-', '_')})" in fault.message
    finally:
        remove_server(started)


def test_b4_how_long_the_source_keeps_its_log(bench: Bench, arena: Arena) -> None:
    source = arena.source
    name = "binlog_expire_logs_seconds"
    ((kept,),) = source.query(f"SELECT @@GLOBAL.{name}")
    said: list[str] = []
    now = 2_000_000_000.0
    try:
        source.query(f"SET GLOBAL {name} = 7200")
        source.query("INSERT INTO shop.person VALUES (1, 0, NULL)")
        place = LogPosition(*source.log_end(), commit_us=int((now - 5400) * 1e6))
        retention = LogRetention(bench.servers, emit_lines(said.append), now=lambda: now)
        retention.begin(StreamPosition({"source": place}), 10)
        assert said == [
            "warning: source keeps its log for 2 h: a run that is stopped or paused for longer cannot resume; "
            "raise binlog_expire_logs_seconds"
        ]
        source.query("FLUSH BINARY LOGS")
        retention.begin(StreamPosition({"source": place}), None)
        assert said[1].startswith(f"warning: source: the stream is at {place}, 1.5 h behind")
        assert "may be gone in 30 min" in said[1] and len(said) == 2
        retention.look(StreamPosition({"source": place}))
        assert len(said) == 2, "not after every batch"
        source.query(f"SET GLOBAL {name} = 0")
        with bench.servers.connect_source("shop") as connection:
            assert read_retention(connection) == Retention(None, None)
    finally:
        source.query(f"SET GLOBAL {name} = %s", (kept,))


READ_BEFORE = """
version: 1
migration: guarded
source: {dialect: mariadb, databases: [shop], schema: schema.sql}
target: {databases: "guarded_{0..1}"}
sharding:
  by_place: {shard_key: [place], database: place % 2}
tables:
  - {table: person, sharding: by_place}
  - {table: visit, sharding: by_place, key: all_columns}
  - {table: letter, sharding: {rule: by_place, shard_key: {parent: person, via: [person_id]}}}
"""
READ_BEFORE_SCHEMA = (
    GUARDED_SCHEMA
    + """
CREATE TABLE visit (place int unsigned NOT NULL, page varchar(40)) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE letter (id int NOT NULL PRIMARY KEY, person_id int NOT NULL);
"""
)


def test_b4_a_start_that_is_gone_before_the_stream_begins_is_refused_by_what_the_source_can_give(
    arena: Arena, tmp_path: Path
) -> None:
    """Read in half a second each; assumed to be of a billion rows."""
    bench = Bench(arena, tmp_path, READ_BEFORE, READ_BEFORE_SCHEMA)
    source = arena.source
    rows = ", ".join(f"({at}, {at % 4})" for at in range(12_000))
    source.query(f"INSERT INTO shop.person (id, place) VALUES {rows}")
    source.query("INSERT INTO shop.visit SELECT place, CONCAT('page ', id) FROM shop.person")
    source.query("ANALYZE TABLE shop.person, shop.visit, shop.letter")
    held = [name for table in bench.plan.tables for name in table.sources]
    context = Context(bench.plan, bench.servers, Tolerance.NONE, Demands(parallel=2))
    billion, none = Size(10**9, 10**9), Size()
    with bench.servers.connect_source("shop") as connection:

        def forecast(**sizes: Size) -> CopyForecast:
            known = {"person": none, "visit": none, "letter": none} | sizes
            return forecast_copy(context, connection, held, known)

        whole, parents, both = (
            forecast(visit=billion),
            forecast(person=billion),
            forecast(visit=billion, person=billion),
        )
        assert whole.at_rest > 60 and parents.at_rest > 60 and forecast(letter=billion).at_rest == 0
        assert both.at_rest > max(whole.at_rest, parents.at_rest)
        assert re.fullmatch(r"[\d,]+ rows/s are read, measured on person", both.how) and both.at_least > 60
        for _ in range(3):
            source.query("FLUSH BINARY LOGS")
        turnover = log_turnover(connection, bench.servers.sources["source"])
        assert turnover is not None and turnover.seconds < 60
        check = judge_retention(Retention(1.0, None), both, rows=2 * 10**9, turnover=turnover, where="source")
        assert (check.verdict, check.code) == (Verdict.REFUSED, "SW8497"), (check, turnover)
        capped = replace(context, demands=replace(context.demands, rows_per_second=10))
        assert forecast_copy(capped, connection, held, {"person": Size(1000, 1000)}).at_least == 100
    (said,) = [check for check in preflight(bench.plan, bench.servers) if check.name == "log retention"]
    assert "rows/s are read, measured on " in said.found and said.verdict is not Verdict.REFUSED


@pytest.mark.parametrize(
    ("place", "kept", "says"),
    [
        (LogPosition("log.000001", 4, commit_us=0), Retention(100.0, None), "may be gone in 40 s"),
        (LogPosition("log.000001", 4, created=0), Retention(100.0, None), "1 min behind"),
        (LogPosition("log.000001", 4, commit_us=0), Retention(50.0, None), "may be gone in 0 s"),
        (LogPosition("log.000001", 4, commit_us=0), Retention(200.0, None), None),
        (LogPosition("log.000003", 4, commit_us=0), Retention(100.0, None), None),
        (LogPosition("log.000001", 4), Retention(100.0, None), None),
        (LogPosition("log.000001", 4, commit_us=0), Retention(None, None), None),
        (LogPosition("log.000002", 4), Retention(None, 50), "30 bytes of log behind, and the server keeps 50"),
        (LogPosition("log.000002", 4), Retention(None, 80), None),
    ],
)
def test_b4_when_it_is_reported(place: LogPosition, kept: Retention, says: str | None) -> None:
    """The file that is written to stays; of the others the oldest go first."""
    files = {"log.000001": 10, "log.000002": 10, "log.000003": 20}
    reported = near_purge(place, kept, files=files, now=60.0)
    assert reported is None if says is None else reported and says in reported.message
