"""A source whose applications' commits are slow holds up the copy, as it says itself (G7)."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from shardwright.runtime.events.event import emit_lines
from shardwright.runtime.mysql.check import Fault
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.monitor import Probe
from shardwright.runtime.mysql.servers import connect
from shardwright.runtime.rehearsal.sandbox.lifecycle import remove_server, start_server
from shardwright.runtime.run.preflight.log_settings import commit_latency_known
from shardwright.runtime.run.throttle.source_commits import source_commit_latency
from shardwright.runtime.run.throttle.throttle import source_gauges
from shardwright.runtime.run.throttle.throttler import Throttler
from shardwright.specs.environment.environment import ThrottleSettings
from tests.servers.testbed import Arena, Server

pytestmark = pytest.mark.server
_SLOW = {
    "mariadb": ("SET GLOBAL binlog_commit_wait_usec = 400000", "SET GLOBAL binlog_commit_wait_count = 100"),
    "mysql": ("SET GLOBAL binlog_group_commit_sync_delay = 400000",),
}
"""Each commit waits for others to share its sync."""
_FAST = {
    "mariadb": ("SET GLOBAL binlog_commit_wait_count = 0",),
    "mysql": ("SET GLOBAL binlog_group_commit_sync_delay = 0",),
}


@pytest.fixture(scope="module")
def counting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A source of its own: performance_schema can only be switched on when a server starts."""
    extra = {"performance-schema": "ON", "sync-binlog": "1", "innodb-flush-log-at-trx-commit": "1"}
    folder: Path = tmp_path_factory.mktemp("counting") / "server"
    server = Server("counting", start_server(folder, server_id=9, extra=extra), extra=extra)
    try:
        server.query("CREATE DATABASE shop")
        server.query("CREATE TABLE shop.orders (id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY, a INT)")
        server.query("CREATE USER reader@'%' IDENTIFIED BY 'r'")
        server.query("GRANT SELECT ON shop.* TO reader@'%'")
        yield server
    finally:
        remove_server(server.sandbox)


def _address(server: Server) -> Endpoint:
    return Endpoint(server.host, server.port, "reader", "r")


def _check_latency(server: Server) -> list[Fault]:
    with connect(_address(server)) as connection:
        return list(commit_latency_known(connection, "here"))


def test_g7_a_source_that_commits_slowly_holds_up_the_copy_until_it_is_fast_again(counting: Server) -> None:
    silent = Probe(_address(counting))
    counting.query("REVOKE ALL PRIVILEGES, GRANT OPTION FROM reader@'%'")
    assert (
        source_commit_latency(silent, 0.2, name="source s").why_pause().startswith("source s gives no reading (1142 ")
    )
    (fault,) = _check_latency(counting)
    assert (fault.code, fault.way_out) == ("SW8125", "GRANT SELECT ON performance_schema.* TO 'reader'@'%'")
    counting.query(fault.way_out)
    assert _check_latency(counting) == []
    silent.close()

    kind = counting.sandbox.kind
    said: list[str] = []
    ended = threading.Event()
    probe = Probe(_address(counting))
    gauges = source_gauges(ThrottleSettings(source_commit_latency_seconds=0.2), {"source s": probe})
    throttler = Throttler("copying", gauges, emit_lines(said.append), ended.is_set)
    writing = threading.Thread(target=_commit, args=(counting, ended))
    writing.start()
    try:
        for _ in range(3):  # ordinary commits
            throttler.wait()
            throttler._clear_until = 0.0
        assert said == []
        for statement in _SLOW[kind]:
            counting.query(statement)
        said_enough = threading.Timer(4.0, lambda: [counting.query(statement) for statement in _FAST[kind]])
        said_enough.start()
        while not throttler.wait():
            throttler._clear_until = 0.0
        said_enough.join()
    finally:
        ended.set()
        for statement in _FAST[kind]:
            counting.query(statement)
        writing.join()
        probe.close()
    assert said[0] == "copying pauses: source s takes more than 200 ms for a commit"
    assert said[1].startswith("copying resumes after ") and said[1].endswith(": source s commits faster")


def _commit(server: Server, ended: threading.Event) -> None:
    with server.connect("shop", autocommit=False) as connection, connection.cursor() as cursor:
        while not ended.wait(0.01):
            cursor.execute("INSERT INTO orders (a) VALUES (1)")
            connection.commit()


def test_g7_a_source_that_does_not_count_is_refused_and_pauses(arena: Arena, counting: Server) -> None:
    if arena.source.sandbox.kind == "mariadb":  # starts without, as its default is
        with arena.source.connect() as connection:
            (fault,) = commit_latency_known(connection, "here")
        assert (fault.code, fault.way_out) == ("SW8149", "start it with performance_schema = ON")
    counting.query("GRANT SELECT ON performance_schema.* TO reader@'%'")
    change = "UPDATE performance_schema.setup_instruments SET enabled = '{}' WHERE name = 'wait/io/file/sql/binlog'"
    counting.query(change.format("NO"))
    try:
        (fault,) = _check_latency(counting)
        assert (fault.code, "wait/io/file/sql/binlog" in fault.found) == ("SW8149", True)
        probe = Probe(_address(counting))
        gauge = source_commit_latency(probe, 100.0, name="source s")
        reported = "its performance_schema does not count and time wait/io/file/sql/binlog"
        assert gauge.why_pause() == f"source s gives no reading ({reported})"
        counting.query(change.format("YES"))
        assert gauge.why_pause() == ""
        probe.close()
    finally:
        counting.query(change.format("YES"))
