"""A TCP proxy that fails as networks do: it cuts, delays, falls silent, crawls, breaks off within a packet, loses an
answer.

One proxy stands before one server. A fault counts for the connections that stand and for new ones, until it is
mended.
"""

from __future__ import annotations

import socket
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import Enum

from tests.servers.listening import accept

_CHUNK = 65536
_COMMIT = b"COMMIT"
"""How a packet ends that says it, alone or behind other statements."""


class Fault(Enum):
    NONE = "none"
    REFUSE = "connections are ended as soon as they are made"
    SILENT = "connections are accepted, and nothing is forwarded"
    DELAY = "everything arrives 0.2 s later"
    CRAWL = "a byte a second"
    RESET = "the next answer breaks off in its middle, with a reset"
    LOSE_COMMIT_REPLY = "the next COMMIT arrives; then its connection breaks instead of answering"


class Proxy:
    """Listens on `port`. `fault` may be changed at any time; `happened` counts faults that hit somebody."""

    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.fault = Fault.NONE
        self.happened = 0
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        threading.Thread(target=self._serve, daemon=True).start()

    def cut(self) -> int:
        """Break every connection that stands. Returns how many there were."""
        with self._lock:
            broken = list(self._open)
        for one in broken:
            _reset(one)
        return len(broken) // 2

    @contextmanager
    def fail(self, fault: Fault) -> Iterator[None]:
        """Within, everything that passes meets `fault`."""
        self.fault = fault
        try:
            yield
        finally:
            self.fault = Fault.NONE

    def once(self, fault: Fault) -> None:
        """The next one that can meet `fault` does, and nobody after it."""
        assert fault in (Fault.RESET, Fault.LOSE_COMMIT_REPLY)
        self.happened, self.fault = 0, fault

    def close(self) -> None:
        self._listener.close()
        self.cut()

    def _serve(self) -> None:
        for client in accept(self._listener):
            threading.Thread(target=self._connect, args=(client,), daemon=True).start()

    def _connect(self, client: socket.socket) -> None:
        if self.fault is Fault.REFUSE:
            _reset(client)
            return
        try:
            server = socket.create_connection(self._target, timeout=10)
        except OSError:
            _reset(client)
            return
        server.settimeout(None)
        for one in (client, server):
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with self._lock:
            self._open |= {client, server}
        pair = _Pair(self, client, server)
        other = threading.Thread(target=pair.forward, args=(client, server), daemon=True)
        other.start()
        pair.forward(server, client)
        other.join()
        client.close()
        server.close()
        with self._lock:
            self._open -= {client, server}

    def _take(self, fault: Fault) -> bool:
        """Whether the caller is the one that a single fault is for."""
        with self._lock:
            if self.fault is not fault:
                return False
            self.fault = Fault.NONE
            self.happened += 1
            return True


class _Pair:
    """One connection through the proxy."""

    def __init__(self, proxy: Proxy, client: socket.socket, server: socket.socket) -> None:
        self._proxy = proxy
        self._client = client
        self._server = server
        self._losing = False

    def forward(self, origin: socket.socket, to: socket.socket) -> None:
        try:
            while data := origin.recv(_CHUNK):
                self._pass_on(data, origin, to)
            to.shutdown(socket.SHUT_WR)  # an orderly end is passed on as one
        except OSError:
            _reset(self._client)
            _reset(self._server)

    def _pass_on(self, data: bytes, origin: socket.socket, to: socket.socket) -> None:
        proxy = self._proxy
        while proxy.fault is Fault.SILENT:
            time.sleep(0.05)
        if origin is self._client and data.endswith(_COMMIT) and proxy._take(Fault.LOSE_COMMIT_REPLY):
            self._losing = True
        elif origin is self._server and self._losing:
            raise OSError("the answer to COMMIT is lost")
        elif origin is self._server and len(data) > 1 and proxy._take(Fault.RESET):
            to.sendall(data[: len(data) // 2])
            raise OSError("broken off")
        if proxy.fault is Fault.DELAY:
            time.sleep(0.2)
        if proxy.fault is not Fault.CRAWL:
            to.sendall(data)
            return
        for at in range(len(data)):
            to.sendall(data[at : at + 1])
            for _ in range(20):
                if proxy.fault is Fault.CRAWL:
                    time.sleep(0.05)


def _reset(one: socket.socket) -> None:
    """Close without a word of farewell: the other side reads an error, not an end."""
    with suppress(OSError):
        one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        one.shutdown(socket.SHUT_RDWR)
    with suppress(OSError):
        one.close()
