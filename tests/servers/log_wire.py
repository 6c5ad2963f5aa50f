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

from tests.servers.listening import accept

_HEADER = struct.Struct("<BIBIIIH")
"""The byte that says "an event follows", then the event's own header: time, kind, server, size, end, flags."""
_DUMP = 0x12
"""The command that asks for the log from a place on."""
_MADE_UP = frozenset({4, 15, 27, 163, 164})
"""Kinds of events that the server makes up at the beginning, or sends between two others."""


@dataclass
class _Stop:
    """What is waited for. Connections that carry the event are let by `passes` times; the next one stops behind it."""

    behind: int
    passes: int
    silent: bool


@dataclass
class _Place:
    """Where one connection is in the log's file. MariaDB since 11.4 says no place within a transaction."""

    at: int = 0

    def ask(self, data: bytes) -> None:
        """Takes in what the client sends."""
        if len(data) >= 9 and data[4] == _DUMP:
            self.at = int.from_bytes(data[5:9], "little")

    def pass_event(self, packet: bytes) -> bool:
        """Whether the packet is an event of the log."""
        payload = packet[4:]
        if len(payload) < _HEADER.size:
            return False
        what, _time, kind, _server, size, end, _flags = _HEADER.unpack_from(payload)
        if what != 0 or size != len(payload) - 1 or (not end and kind in _MADE_UP):
            return False
        self.at = end or self.at + size
        return True


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
        for client in accept(self._listener):
            server = socket.create_connection(self._target)
            self._open += [client, server]
            place = _Place()
            threading.Thread(target=self._ask, args=(client, server, place), daemon=True).start()
            threading.Thread(target=self._answer, args=(server, client, place), daemon=True).start()

    def _ask(self, client: socket.socket, server: socket.socket, place: _Place) -> None:
        with suppress(OSError):
            while data := client.recv(65536):
                place.ask(data)
                server.sendall(data)
        _end(server)

    def _answer(self, server: socket.socket, client: socket.socket, place: _Place) -> None:
        with suppress(OSError):
            for packet in _packets(server):
                client.sendall(packet)
                if place.pass_event(packet) and self._stops_behind(place.at):
                    self.stopped.set()
                    break
        _end(client)
        _end(server)

    def _stops_behind(self, end: int) -> bool:
        with self._lock:
            stop = self._stop
            if stop is None or end != stop.behind:
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


def _end(one: socket.socket) -> None:
    with suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
