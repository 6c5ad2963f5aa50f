"""A connection that breaks is made again and goes on behind the last event; one that falls silent ends the read with
a failure. Never are there fewer rows, or more (hazards A8, A16, B9).
"""

from __future__ import annotations

import itertools
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from shardwright.runtime.failures import Unreachable
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.tls import Tls
from shardwright.runtime.sources.binlog import dump
from shardwright.runtime.sources.binlog.log import Log
from shardwright.runtime.sources.binlog.read import read_changes
from tests.binlog.log_source import Source

pytestmark = pytest.mark.server


@contextmanager
def forwarder(target: Endpoint, *, after: int, close: bool, times: int = 1 << 30) -> Iterator[Endpoint]:
    """A TCP forwarder that closes, or falls silent, once the server has sent that many bytes on a connection.
    Connections after the first `times` are left alone."""
    listener = socket.create_server(("127.0.0.1", 0))
    opened = [listener]

    def forward(origin: socket.socket, to: socket.socket, limit: int) -> None:
        try:
            while limit > 0 and (data := origin.recv(min(65536, limit))):
                to.sendall(data)
                limit -= len(data)
            if close:
                to.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # the other side went first

    def serve() -> None:
        for number in itertools.count():
            try:
                client, _ = listener.accept()
            except OSError:
                return
            server = socket.create_connection((target.host, target.port))
            opened.extend((client, server))
            limit = after if number < times else 1 << 40
            threading.Thread(target=forward, args=(client, server, 1 << 40), daemon=True).start()
            threading.Thread(target=forward, args=(server, client, limit), daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield Endpoint("127.0.0.1", listener.getsockname()[1], target.account, target.password, Tls("off"))
    finally:
        for one in opened:
            one.close()


@pytest.mark.parametrize("after", [10, 500])
def test_a16_connection_cut_before_the_first_event(source: Source, after: int) -> None:
    tables, start, end = _some_rows(source)
    with forwarder(source.settings, after=after, close=True) as broken, pytest.raises(Unreachable, match="SW8117"):
        list(read_changes(Log(broken, tables), start, end))


@pytest.mark.parametrize(("after", "times"), [(20_000, 1), (60_000, 3), (200_000, 1 << 30), (250_000, 1)])
def test_a8_a16_connection_cut_at_any_place_continues_behind_the_last_event(
    source: Source, after: int, times: int
) -> None:
    tables, start, end = _some_rows(source)
    with forwarder(source.settings, after=after, close=True, times=times) as broken:
        read = [change for batch in read_changes(Log(broken, tables), start, end) for change in batch.to_pylist()]
    assert [int(change["after"][0]) for change in read] == list(range(3000))
    assert read == [
        change for batch in read_changes(Log(source.settings, tables), start, end) for change in batch.to_pylist()
    ]


def test_a16_connection_that_stays_cut_ends_the_read(source: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dump, "RECONNECT_SECONDS", 1)
    tables, start, end = _some_rows(source)
    reader = read_changes(Log(Endpoint("127.0.0.1", 1, "root", ""), tables), start, end)
    with pytest.raises(Unreachable, match="SW8117"):
        list(reader)
    with forwarder(source.settings, after=3_000, close=True) as broken, pytest.raises(Unreachable, match="SW8117"):
        list(read_changes(Log(broken, tables), start, end))


def test_b9_reader_kept_busy_for_longer_than_the_server_waits(source: Source) -> None:
    tables, start, end = _some_rows(source, transactions=60)
    source.run("SET GLOBAL net_write_timeout = 1")
    try:
        batches = read_changes(Log(source.settings, tables), start, end)
        rows = next(batches).num_rows
        time.sleep(3)  # the server has sent all that the network takes, and waits
        assert rows + sum(batch.num_rows for batch in batches) == 60_000
    finally:
        source.run("SET GLOBAL net_write_timeout = 60")


def test_a16_silent_connection_ends_at_the_timeout(source: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dump, "RECONNECT_SECONDS", 0)
    tables, start, end = _some_rows(source)
    with forwarder(source.settings, after=100_000, close=False) as silent, pytest.raises(Unreachable, match="SW8117"):
        list(read_changes(Log(silent.wait_for(1), tables), start, end))


def _some_rows(source: Source, *, transactions: int = 3):  # type: ignore[no-untyped-def]
    source.run("CREATE OR REPLACE TABLE lost (id INT PRIMARY KEY, v VARCHAR(200))")
    start = source.head()
    for n in range(transactions):
        rows = ", ".join(f"({n * 1000 + k}, '{'x' * 150}')" for k in range(1000))
        source.run(f"INSERT INTO lost VALUES {rows}")
    return source.columns_of("lost"), start, source.head()
