"""A server that lets nobody in: it greets, and asks whoever comes for the password in the way it likes best (I7)."""

from __future__ import annotations

import socket
import ssl
import threading
from contextlib import suppress
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.servers.listening import accept, next_packet

_SALT = b"01234567890123456789"
_TLS = 0x800
_CAPABILITIES = 0x000FA20F  # protocol 4.1, secure connection, plugin auth and its length, connect with a database


class RogueLogin:
    """`plugin`: how the password is asked for; `certificate` (a chain and a key in one file): the server speaks TLS.
    `received` is all that came after the question."""

    def __init__(self, plugin: bytes, *, certificate: Path | None = None, greeting: bytes | None = None) -> None:
        self._plugin = plugin
        self._certificate = certificate
        self._error = greeting
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.received = b""
        self.ended = threading.Event()
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def _serve(self) -> None:
        for client in accept(self._listener):
            with client, suppress(OSError):
                self._one(client)
            self.ended.set()

    def _one(self, client: socket.socket) -> None:
        if self._error is not None:
            _send(client, 0, b"\xff\x15\x04#28000" + self._error)
            return
        _send(client, 0, self._greeting())
        number = _number(client)
        if self._certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(self._certificate)
            client = context.wrap_socket(client, server_side=True)
            number = _number(client)
        self._ask(client, number)
        while more := client.recv(4096):
            self.received += more

    def _greeting(self) -> bytes:
        able = _CAPABILITIES | (_TLS if self._certificate is not None else 0)
        low, high = (able & 0xFFFF).to_bytes(2, "little"), (able >> 16).to_bytes(2, "little")
        ends = bytes([len(_SALT) + 1]) + b"\x00" * 10 + _SALT[8:] + b"\x00" + b"mysql_native_password\x00"
        return b"\x0a8.4.0\x00\x01\x00\x00\x00" + _SALT[:8] + b"\x00" + low + b"\x2d\x02\x00" + high + ends

    def _ask(self, client: socket.socket, number: int) -> None:
        _send(client, number + 1, b"\xfe" + self._plugin + b"\x00" + self._first_words())
        if self._plugin not in (b"caching_sha2_password", b"sha256_password"):
            return
        number = _number(client)  # the scramble, or that the key is wanted
        if self._plugin == b"caching_sha2_password":
            _send(client, number + 1, b"\x01\x04")  # all of the login, please
            number = _number(client)
        _send(client, number + 1, b"\x01" + _public_key())

    def _first_words(self) -> bytes:
        if self._plugin == b"dialog":
            return b"\x04Password: "
        return b"" if self._plugin == b"mysql_clear_password" else _SALT + b"\x00"


def _public_key() -> bytes:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048).public_key()
    return key.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)


def _send(client: socket.socket, number: int, payload: bytes) -> None:
    client.sendall(len(payload).to_bytes(3, "little") + bytes([number]) + payload)


def _number(client: socket.socket) -> int:
    """Of the next packet, which is read. Raises OSError at the end."""
    packet = next_packet(client)
    if not packet:
        raise OSError("the client has gone")
    return packet[3]
