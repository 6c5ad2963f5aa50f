"""A proxy before one server that refuses some statements, as providers of managed servers do: the privilege is there,
and the statement is not."""

from __future__ import annotations

import re
import socket
import struct
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from tests.servers.listening import accept

_QUERY = 0x03
_CLIENT_SSL = 0x0800
ACCESS_DENIED = 1045


class DenyingProxy:
    """Listens on `port`. `denied`: what it has refused."""

    def __init__(self, host: str, port: int, patterns: Sequence[str], *, error: int = ACCESS_DENIED) -> None:
        self._target = (host, port)
        self._patterns = [re.compile(pattern.encode(), re.IGNORECASE) for pattern in patterns]
        self._error = error
        self.denied: list[str] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._open: set[socket.socket] = set()
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._listener.close()
        for one in list(self._open):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def _serve(self) -> None:
        for client in accept(self._listener):
            server = socket.create_connection(self._target)
            self._open |= {client, server}
            for one in (client, server):
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self._answers, args=(server, client), daemon=True).start()
            threading.Thread(target=self._statements, args=(client, server), daemon=True).start()

    def _answers(self, server: socket.socket, client: socket.socket) -> None:
        with _end_both(client, server):
            sequence, greeting = _packet(server)
            client.sendall(_frame(sequence, _without_tls(greeting)))
            while data := server.recv(65536):
                client.sendall(data)

    def _statements(self, client: socket.socket, server: socket.socket) -> None:
        with _end_both(client, server):
            while True:
                sequence, payload = _packet(client)
                text = payload[1:]
                if payload[:1] == bytes([_QUERY]) and any(pattern.match(text) for pattern in self._patterns):
                    self.denied.append(text.decode("utf-8", "replace"))
                    said = b"#28000Access denied for user 'ours'@'%' (using password: YES)"
                    client.sendall(_frame(sequence + 1, b"\xff" + struct.pack("<H", self._error) + said))
                else:
                    server.sendall(_frame(sequence, payload))


@contextmanager
def deny(host: str, port: int, *patterns: str) -> Iterator[DenyingProxy]:
    proxy = DenyingProxy(host, port, patterns)
    try:
        yield proxy
    finally:
        proxy.close()


def _without_tls(greeting: bytes) -> bytes:
    """The server's first packet, which says among others whether it speaks TLS: we could not read that."""
    at = greeting.index(b"\0", 1) + 1 + 4 + 8 + 1
    (abilities,) = struct.unpack_from("<H", greeting, at)
    return greeting[:at] + struct.pack("<H", abilities & ~_CLIENT_SSL) + greeting[at + 2 :]


def _packet(origin: socket.socket) -> tuple[int, bytes]:
    header = _exactly(origin, 4)
    return header[3], _exactly(origin, int.from_bytes(header[:3], "little"))


def _frame(sequence: int, payload: bytes) -> bytes:
    return len(payload).to_bytes(3, "little") + bytes([sequence & 0xFF]) + payload


def _exactly(origin: socket.socket, size: int) -> bytes:
    found = b""
    while len(found) < size:
        part = origin.recv(size - len(found))
        if not part:
            raise EOFError
        found += part
    return found


@contextmanager
def _end_both(*both: socket.socket) -> Iterator[None]:
    """At the end of one direction both connections end."""
    try:
        with suppress(OSError, EOFError):
            yield
    finally:
        for one in both:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
