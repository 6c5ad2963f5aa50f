"""A connection that breaks or falls silent ends the read with a failure, never with fewer rows (hazards A8, A16)."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from shardwright.runtime.binlog import connection
from shardwright.runtime.binlog.connection import LogConnection
from shardwright.runtime.binlog.read import read_changes
from shardwright.runtime.failures import Unreachable
from tests.binlog.log_source import Source

pytestmark = pytest.mark.server


@contextmanager
def forwarder(target: LogConnection, *, after: int, close: bool) -> Iterator[LogConnection]:
    """A TCP forwarder that closes, or falls silent, once the server has sent that many bytes."""
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
        client, _ = listener.accept()
        server = socket.create_connection((target.host, target.port))
        opened.extend((client, server))
        threading.Thread(target=forward, args=(client, server, 1 << 40), daemon=True).start()
        forward(server, client, after)

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield LogConnection(
            "127.0.0.1", listener.getsockname()[1], target.user, target.password, {"ssl_disabled": True}
        )
    finally:
        for one in opened:
            one.close()


@pytest.mark.parametrize("after", [10, 500, 1_000, 5_000, 60_000, 250_000])
def test_a8_a16_connection_cut_at_any_place(source: Source, after: int) -> None:
    tables, start, end = _some_rows(source)
    with forwarder(source.settings, after=after, close=True) as broken, pytest.raises(Unreachable, match="SW8117"):
        list(read_changes(broken, tables, start, end))
    assert sum(batch.num_rows for batch in read_changes(source.settings, tables, start, end)) == 3000


def test_a16_silent_connection_ends_at_the_timeout(source: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "READ_TIMEOUT", 1)
    tables, start, end = _some_rows(source)
    with forwarder(source.settings, after=100_000, close=False) as silent, pytest.raises(Unreachable, match="SW8117"):
        list(read_changes(silent, tables, start, end))


def _some_rows(source: Source):  # type: ignore[no-untyped-def]
    source.run("CREATE OR REPLACE TABLE lost (id INT PRIMARY KEY, v VARCHAR(200))")
    start = source.head()
    for n in range(3):
        rows = ", ".join(f"({n * 1000 + k}, '{'x' * 150}')" for k in range(1000))
        source.run(f"INSERT INTO lost VALUES {rows}")
    return source.followed("lost"), start, source.head()
