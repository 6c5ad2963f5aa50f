"""What writing waits for, asked of real servers (G7)."""

from __future__ import annotations

import itertools
import os
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from shardwright.runtime.events.event import emit_lines
from shardwright.runtime.mysql.monitor import Probe
from shardwright.runtime.mysql.servers import connect
from shardwright.runtime.rehearsal.dry_run.batch import Event
from shardwright.runtime.rehearsal.dry_run.layout import Row
from shardwright.runtime.rehearsal.sandbox.local import free_port
from shardwright.runtime.run.throttle.busy_servers import commit_latency, threads_running
from shardwright.runtime.run.throttle.throttle import (
    shard_gauges,
    shard_probes,
    source_gauges,
    source_probes,
    throttle_comparison,
)
from shardwright.runtime.stream.apply.apply import Applier
from shardwright.specs.environment.environment import ThrottleSettings
from tests.faults.conftest import GUARDED, GUARDED_SCHEMA
from tests.keys.bench import Bench
from tests.servers.testbed import Arena
from tests.support.waiting import wait_until

pytestmark = pytest.mark.server
_PATIENCE = 200.0


def _until(holds: Callable[[], bool]) -> None:
    wait_until("it is so", holds, seconds=_PATIENCE)


@pytest.fixture
def probe(bench: Bench) -> Probe:
    """Of the first shard's server."""
    return Probe(bench.servers.shards[0], bench.servers.databases[0])


def test_g7_a_server_with_many_statements_under_way_pauses_and_a_calm_one_does_not(bench: Bench, probe: Probe) -> None:
    limit = int(threads_running(probe, 1, name="it").read()) + 6
    gauge = threads_running(probe, limit, name="server a")
    assert gauge.why_pause() == ""
    with ExitStack() as stack:
        sessions = [stack.enter_context(bench.servers.connect_shard(0)) for _ in range(limit + 2)]
        threads = [threading.Thread(target=_sleep, args=(session,)) for session in sessions]
        for thread in threads:
            thread.start()
        _until(lambda: gauge.why_pause() != "")
        assert gauge.why_pause() == f"server a has more than {limit} running statements"
        for session in sessions:
            probe.ask(f"KILL QUERY {session.thread_id()}")
        _until(lambda: gauge.why_pause() == "")
        for thread in threads:
            thread.join(timeout=_PATIENCE)
    probe.close()


def test_g8_the_stream_stays_within_its_connections_to_a_server_and_leaves_no_record_of_them(
    arena: Arena, tmp_path: Path
) -> None:
    """Four shards a server, staged and applied by one connection after the other."""
    spec = GUARDED.replace('"guarded_{0..1}"', '"guarded_{0..7}"').replace("place % 2", "place % 8")
    bench = Bench(arena, tmp_path, spec, GUARDED_SCHEMA)
    bench.servers = replace(bench.servers, stream_connections=1)
    bench.applier = Applier(bench.plan, bench.servers, bench.writer)
    recorded = "SELECT COUNT(*) FROM _shardwright_connection"
    before = {name: arena.placement[name].query(recorded, database=name) for name in bench.plan.databases}
    for server in arena.targets:
        server.query("FLUSH STATUS")
    used = "SHOW GLOBAL STATUS LIKE 'Max_used_connections'"
    at_first = [int(server.query(used)[0][1]) for server in arena.targets]
    new: list[Row] = [[str(at), str(at % 8), None] for at in range(64)]
    place = ((1, 1, at, 0) for at in itertools.count(100))
    bench.deliver({"person": [Event("shop.person", "I", next(place), 0, None, row) for row in new]})
    moved: list[Row] = [[id_, str((int(str(at)) + 1) % 8), None] for id_, at, _ in new]
    events = [Event("shop.person", "U", next(place), 0, old, row) for old, row in zip(new, moved, strict=True)]
    bench.deliver({"person": events})
    for server, count in zip(arena.targets, at_first, strict=True):
        assert int(server.query(used)[0][1]) <= count + 1
    assert {name: arena.placement[name].query(recorded, database=name) for name in bench.plan.databases} == before
    (table,) = bench.plan.tables
    assert sorted(present.shard for present in bench.read_rows(table)) == sorted([*range(8)] * 8)


def test_g7_a_comparison_waits_for_a_busy_source_and_writes_nothing(arena: Arena, bench: Bench) -> None:
    database = bench.plan.tables[0].source.databases[0]
    usual = int(threads_running(Probe(next(iter(bench.servers.sources.values()))), 1, name="it").read())
    limits = ThrottleSettings(source_threads_running=usual + 6, commit_latency_seconds=0.000_001)
    environment = replace(bench.environment, throttle=limits)
    lines: list[str] = []
    with (
        ExitStack() as stack,
        throttle_comparison(
            bench.plan, bench.servers, environment, environ=os.environ, emit=emit_lines(lines.append)
        ) as wait,
    ):
        wait()
        assert lines == []
        sessions = [stack.enter_context(bench.servers.connect_source(database)) for _ in range(usual + 8)]
        threads = [threading.Thread(target=_sleep, args=(session,)) for session in sessions]
        for thread in threads:
            thread.start()
        _until(lambda: len(_find_sleeping(arena)) == len(sessions))
        time.sleep(1.1)  # what was asked counts for a second
        comparing = threading.Thread(target=wait)
        comparing.start()
        _until(lambda: bool(lines))
        assert "comparing pauses: source source" in lines[0], lines
        assert lines[0].endswith(f"has more than {usual + 6} running statements"), lines
        for number in _find_sleeping(arena):
            arena.source.query(f"KILL QUERY {number}")
        comparing.join(timeout=_PATIENCE)
        assert lines[-1].startswith("comparing resumes after "), lines
        for thread in threads:
            thread.join(timeout=_PATIENCE)


def _find_sleeping(arena: Arena) -> list[int]:
    rows = arena.source.query("SELECT id FROM information_schema.processlist WHERE info LIKE 'SELECT SLEEP%'")
    return [int(number) for (number,) in rows]


def _sleep(session: object) -> None:
    with session.cursor() as cursor:  # type: ignore[attr-defined]
        try:
            cursor.execute("SELECT SLEEP(600)")
        except Exception as error:  # noqa: BLE001 - MariaDB's answer to KILL QUERY
            assert "interrupted" in str(error)


def test_g7_a_server_that_commits_slowly_pauses(arena: Arena, bench: Bench, probe: Probe) -> None:
    gauge = commit_latency(probe, 2.0, name="server a")
    assert gauge.why_pause() == ""
    with bench.servers.connect_shard(0) as other:
        other.begin()
        with other.cursor() as cursor:
            cursor.execute("UPDATE `_shardwright_probe` SET beats = 0")
        found: list[str] = []
        asking = threading.Thread(target=lambda: found.append(gauge.why_pause()))
        asking.start()
        _until(lambda: bool(arena.targets[0].waiting_transactions()))
        time.sleep(2.1)  # the limit itself, not a hope
        other.rollback()
        asking.join(timeout=_PATIENCE)
    assert found == ["server a takes more than 2000 ms for a transaction of one row"]
    _until(lambda: gauge.why_pause() == "")
    probe.close()


def test_g7_each_server_is_asked_and_one_that_is_gone_pauses(bench: Bench) -> None:
    settings = ThrottleSettings(threads_running=100_000, commit_latency_seconds=100.0, source_threads_running=100_000)
    shards, sources = shard_probes(bench.servers), source_probes(bench.servers)
    gauges = shard_gauges(settings, shards), source_gauges(settings, sources)
    assert (len(gauges[0]), len(gauges[1])) == (2 * len(set(bench.servers.shards)), len(bench.servers.sources))
    assert [gauge.why_pause() for gauge in (*gauges[0], *gauges[1])] == [""] * (len(gauges[0]) + len(gauges[1]))
    gone = Probe(replace(bench.servers.shards[0], port=free_port()))
    (silent,) = shard_gauges(ThrottleSettings(threads_running=100_000), {"server a": gone})
    assert silent.why_pause().startswith("server a gives no reading (cannot reach ")
    # A connection that broke says nothing of the server.
    (probe, *_) = shards.values()
    with connect(probe.endpoint) as other, other.cursor() as cursor:
        cursor.execute(f"KILL {probe.ask('SELECT CONNECTION_ID()')[0][0]}")
    assert gauges[0][0].why_pause() == ""
    for open_probe in (*shards.values(), *sources.values()):
        open_probe.close()
