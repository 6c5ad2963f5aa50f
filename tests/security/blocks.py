"""Asks Spark's block manager for broadcast blocks, as any process of this machine may: `python blocks.py PORT FIRST
LAST`. Prints how many came.

Speaks Spark's network protocol (OpenBlocks, then ChunkFetchRequest) without a secret."""

from __future__ import annotations

import contextlib
import socket
import struct
import sys

_OPEN_BLOCKS, _CHUNK_FETCH, _RPC_REQUEST, _RPC_RESPONSE, _CHUNK = 0, 0, 3, 4, 1


def _text(word: str) -> bytes:
    return struct.pack(">i", len(word)) + word.encode()


def _frame(kind: int, body: bytes) -> bytes:
    return struct.pack(">qb", 9 + len(body), kind) + body


def _exactly(stream: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        more = stream.recv(size - len(data))
        if not more:
            raise EOFError
        data += more
    return data


def _answer(stream: socket.socket) -> tuple[int, bytes]:
    (length,) = struct.unpack(">q", _exactly(stream, 8))
    return _exactly(stream, 1)[0], _exactly(stream, length - 9)


def fetch_block(port: int, block: str) -> bytes | None:
    with socket.create_connection(("127.0.0.1", port), 1) as stream:
        stream.settimeout(1)
        wanted = bytes([_OPEN_BLOCKS]) + _text("any") + _text("body") + struct.pack(">i", 1) + _text(block)
        stream.sendall(_frame(_RPC_REQUEST, struct.pack(">qi", 1, len(wanted)) + wanted))
        kind, answer = _answer(stream)
        if kind != _RPC_RESPONSE:
            return None
        number, _ = struct.unpack(">qi", answer[13:25])
        stream.sendall(_frame(_CHUNK_FETCH, struct.pack(">qi", number, 0)))
        kind, answer = _answer(stream)
        return answer[12:] if kind == _CHUNK else None


if __name__ == "__main__":
    port, first, last = map(int, sys.argv[1:4])
    count = 0
    for number in range(first, last):
        with contextlib.suppress(OSError, EOFError, struct.error):
            count += fetch_block(port, f"broadcast_{number}_piece0") is not None
    print(count)
