"""The proxy delays and does not serialise, and counts what passes."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress

import pytest

from tests.servers.distance import Distance, Traffic
from tests.servers.listening import accept

DELAY = 0.1
SOON = 0.09
"""Beside a delay, on a machine that does much else."""


def _echo(client: socket.socket) -> None:
    client.sendall(b"hello")
    while data := client.recv(65536):
        client.sendall(data)
    client.close()


@pytest.fixture
def server() -> Iterator[int]:
    """Greets, then sends everything back."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        for client in accept(listener):
            threading.Thread(target=_echo, args=(client,), daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    yield listener.getsockname()[1]
    listener.close()


def _read(connection: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        more = connection.recv(size - len(data))
        assert more
        data += more
    return data


def test_handshake_and_answers_are_late(server: int) -> None:
    with closing(Distance("127.0.0.1", server, DELAY)) as far:
        began = time.monotonic()
        with socket.create_connection(("127.0.0.1", far.port)) as client:
            assert _read(client, 5) == b"hello"
            assert 4 * DELAY <= time.monotonic() - began < 4 * DELAY + SOON
            began = time.monotonic()
            client.sendall(b"x")
            _read(client, 1)
            assert 2 * DELAY <= time.monotonic() - began < 2 * DELAY + SOON


def test_what_is_sent_without_waiting_is_late_once(server: int) -> None:
    with (
        closing(Distance("127.0.0.1", server, DELAY)) as far,
        socket.create_connection(("127.0.0.1", far.port)) as client,
    ):
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        _read(client, 5)
        began, before = time.monotonic(), far.read()
        for _ in range(10):
            client.sendall(b"x")
            time.sleep(0.001)
        _read(client, 10)
        assert time.monotonic() - began < 2 * DELAY + SOON
        assert far.read() - before == Traffic(round_trips=1, connections=0, sent=10, received=10)


def test_round_trips_are_counted(server: int) -> None:
    with closing(Distance("127.0.0.1", server)) as far:
        for _ in range(2):
            with socket.create_connection(("127.0.0.1", far.port)) as client:
                _read(client, 5)
                for _ in range(3):
                    client.sendall(b"abc")
                    _read(client, 3)
        assert far.read() == Traffic(round_trips=6, connections=2, sent=18, received=28)


def test_the_line_is_narrow(server: int) -> None:
    with (
        closing(Distance("127.0.0.1", server, bytes_a_second=1e6)) as far,
        socket.create_connection(("127.0.0.1", far.port)) as client,
    ):
        _read(client, 5)
        began = time.monotonic()
        client.sendall(bytes(300_000))
        _read(client, 300_000)
        assert 0.3 <= time.monotonic() - began < 0.9


def test_statements_are_listed(server: int) -> None:
    def packet(text: bytes) -> bytes:
        return len(text).to_bytes(3, "little") + b"\0" + text

    with (
        closing(Distance("127.0.0.1", server, listing=True)) as far,
        socket.create_connection(("127.0.0.1", far.port)) as client,
    ):
        _read(client, 5)
        sent = packet(b"\3SELECT  1") + packet(b"\1") + packet(b"\3" + b"DO 0")
        client.sendall(sent[:3])
        time.sleep(0.02)
        client.sendall(sent[3:])
        _read(client, len(sent))
        assert [request.text for request in far.requests] == ["SELECT 1", "DO 0"]


def test_an_end_is_passed_on_and_a_server_that_is_away_is_noticed(server: int) -> None:
    with closing(Distance("127.0.0.1", server)) as far, socket.create_connection(("127.0.0.1", far.port)) as client:
        _read(client, 5)
        client.shutdown(socket.SHUT_WR)
        assert client.recv(1) == b""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        unused_port = unused.getsockname()[1]
        with (
            suppress(ConnectionError),
            closing(Distance("127.0.0.1", unused_port)) as far,
            socket.create_connection(("127.0.0.1", far.port)) as client,
        ):
            assert client.recv(1) == b""
