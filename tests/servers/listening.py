"""What servers of the tests have in common: connections as they come, and packets of MySQL's protocol."""

from __future__ import annotations

import socket
from collections.abc import Iterator

_HEADER = 4


def accept(listener: socket.socket) -> Iterator[socket.socket]:
    """Every client, until the listener is closed."""
    while True:
        try:
            client, _ = listener.accept()
        except OSError:
            return
        yield client


def next_packet(connection: socket.socket) -> bytes:
    """With its header; empty at the end."""
    head = _exactly(connection, _HEADER)
    return head + _exactly(connection, int.from_bytes(head[:3], "little")) if head else b""


def _exactly(connection: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        more = connection.recv(size - len(data))
        if not more:
            return b""
        data += more
    return data
