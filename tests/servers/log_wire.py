"""A wire to a server that stops the server's log behind one of its events: a connection that ends there, or falls
silent there.
"""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from tests.servers.listening import accepted

_HEADER = struct.Struct("<BIBIIIH")
"""The byte that says "an event follows", then the event's own header: time, kind, server, size, end, flags."""


@dataclass
class _Stop:
    """What is waited for. Connections that carry the event are let by `passes` times; the next one stops behind it."""

    behind: int
    passes: int
    silent: bool


class LogWire:
    """Listens on `port` for connections without TLS. `stopped` is set as soon as one has carried the event and no
    more."""

    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.stopped = threading.Event()
        self._stop: _Stop | None = None
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._open: list[socket.socket] = [self._listener]
        threading.Thread(target=self._serve, daemon=True).start()

    def stop_behind(self, offset: int, *, passes: int = 0, silent: bool = False) -> None:
        """One connection ends (or says nothing more) behind the event that ends at `offset` of the log's file."""
        self.stopped.clear()
        self._stop = _Stop(offset, passes, silent)

    def close(self) -> None:
        self._closed.set()
        for one in self._open:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _serve(self) -> None:
        for client in accepted(self._listener):
            server = socket.create_connection(self._target)
            self._open += [client, server]
            threading.Thread(target=self._ask, args=(client, server), daemon=True).start()
            threading.Thread(target=self._answer, args=(server, client), daemon=True).start()

    def _ask(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            while data := client.recv(65536):
                server.sendall(data)
        _end(server)

    def _answer(self, server: socket.socket, client: socket.socket) -> None:
        with suppress(OSError):
            for packet in _packets(server):
                client.sendall(packet)
                if self._stops_behind(packet):
                    self.stopped.set()
                    break
        _end(client)
        _end(server)

    def _stops_behind(self, packet: bytes) -> bool:
        with self._lock:
            stop = self._stop
            if stop is None or _end_of_event(packet) != stop.behind:
                return False
            if stop.passes:
                stop.passes -= 1
                return False
            self._stop = None
        if stop.silent:
            self.stopped.set()
            self._closed.wait()
        return True


def _packets(origin: socket.socket) -> Iterator[bytes]:
    """The protocol's packets, each with its length and number in front, whole."""
    held = b""
    while data := origin.recv(65536):
        held += data
        while len(held) >= 4 and len(held) >= (size := 4 + int.from_bytes(held[:3], "little")):
            yield held[:size]
            held = held[size:]


def _end_of_event(packet: bytes) -> int | None:
    """Where the event in a packet ends in the log's file; None when it holds none."""
    payload = packet[4:]
    if len(payload) < _HEADER.size:
        return None
    what, _time, _kind, _server, size, end, _flags = _HEADER.unpack_from(payload)
    return end if what == 0 and size == len(payload) - 1 else None


def _end(one: socket.socket) -> None:
    with suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
