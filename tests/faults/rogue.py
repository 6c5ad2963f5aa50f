"""A server that asks for a file: a proxy before a real one, which answers a chosen statement with that request (I4)."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

from tests.servers.listening import accept, next_packet

_HEADER = 4
_QUERY = 0x03
_LOCAL_INFILE = b"\xfb"


class RogueServer:
    """Listens on `port`. The first statement that holds `trap` is answered by asking for `file`; `received` is all that
    the client says from then on."""

    def __init__(self, host: str, port: int, *, trap: bytes, file: str) -> None:
        self._target = (host, port)
        self._trap = trap
        self._file = file
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.received = b""
        self.asked = threading.Event()
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def _serve(self) -> None:
        for client in accept(self._listener):
            threading.Thread(target=self._between, args=(client,), daemon=True).start()

    def _between(self, client: socket.socket) -> None:
        with client, socket.create_connection(self._target) as server, suppress(OSError):
            threading.Thread(target=_pump, args=(server, client), daemon=True).start()
            while packet := next_packet(client):
                if len(packet) > _HEADER and packet[_HEADER] == _QUERY and self._trap in packet:
                    self._ask(client)
                    return
                server.sendall(packet)

    def _ask(self, client: socket.socket) -> None:
        asking = _LOCAL_INFILE + self._file.encode()
        client.sendall(len(asking).to_bytes(3, "little") + b"\x01" + asking)
        self.asked.set()
        client.settimeout(2.0)
        with suppress(OSError):
            while packet := next_packet(client):
                self.received += packet
                if len(packet) == _HEADER:  # an empty one ends a file: thank you
                    client.sendall(b"\x07\x00\x00" + bytes([packet[3] + 1]) + b"\x00\x00\x00\x02\x00\x00\x00")


def _pump(origin: socket.socket, to: socket.socket) -> None:
    with suppress(OSError):
        while data := origin.recv(65536):
            to.sendall(data)
