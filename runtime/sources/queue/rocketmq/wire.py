"""Many messages in one array of bytes, as RocketMQ's own MessageDecoder.encodeMessages writes them. Crossing from Java message by
message would cost several round trips each."""

from __future__ import annotations

import struct
from collections.abc import Iterator

_HEAD = struct.Struct(">iiiii")  # size, magic, checksum, flag, length of the body
_NAME_ENDS, _VALUE_ENDS = "\x01", "\x02"
KEYS = "KEYS"


def unpacked(data: bytes) -> Iterator[tuple[bytes | None, bytes]]:
    """Key and body of each message. Raises ValueError when the bytes do not end where a message does."""
    at = 0
    while at < len(data):
        try:
            size, _, _, _, length = _HEAD.unpack_from(data, at)
            start = at + _HEAD.size
            (count,) = struct.unpack_from(">h", data, start + length)
        except struct.error:
            raise ValueError("a message is cut off") from None
        properties = data[start + length + 2 : start + length + 2 + count].decode()
        if size != _HEAD.size + length + 2 + count or at + size > len(data):
            raise ValueError("a message does not end where it says")
        yield _key(properties), data[start : start + length]
        at += size


def _key(properties: str) -> bytes | None:
    for pair in properties.split(_VALUE_ENDS):
        name, _, value = pair.partition(_NAME_ENDS)
        if name == KEYS:
            return value.encode()
    return None
