"""JSON documents packed by hand, as MySQL packs them: what the decoder of the log has to read back."""

from __future__ import annotations

import struct
from typing import NamedTuple


class Opaque(NamedTuple):
    """A value of another type of the server's, by its type code."""

    code: int
    raw: bytes


Json = None | bool | int | float | str | Opaque | list["Json"] | dict[str, "Json"]
_LITERALS = {None: 0, True: 1, False: 2}


def pack_document(value: Json, *, large: bool = False) -> bytes:
    """`large`: containers have offsets of four bytes."""
    kind, raw = _pack(value, large)
    return bytes([kind]) + raw


def _pack(value: Json, large: bool) -> tuple[int, bytes]:
    match value:
        case None | bool():
            return 4, bytes([_LITERALS[value]])
        case int():
            kind, layout = _whole(value)
            return kind, struct.pack("<" + layout, value)
        case float():
            return 11, struct.pack("<d", value)
        case str():
            return 12, _count_bytes(value.encode())
        case Opaque():
            return 15, bytes([value.code]) + _count_bytes(value.raw)
        case list():
            return 2 + large, _container([], value, large)
        case dict():
            names = sorted((name.encode() for name in value), key=lambda name: (len(name), name))
            return int(large), _container(names, [value[name.decode()] for name in names], large)


def _whole(value: int) -> tuple[int, str]:
    for kind, bits, layout in ((5, 15, "h"), (7, 31, "i"), (9, 63, "q")):
        if -(1 << bits) <= value < 1 << bits:
            return kind, layout
    return 10, "Q"


def _count_bytes(raw: bytes) -> bytes:
    size, head = len(raw), b""
    while size > 127:
        head, size = head + bytes([size & 127 | 128]), size >> 7
    return head + bytes([size]) + raw


def _container(names: list[bytes], items: list[Json], large: bool) -> bytes:
    number, width = ("I", 4) if large else ("H", 2)
    offset = 2 * width + len(names) * (width + 2) + len(items) * (width + 1)
    table, behind = b"", b"".join(names)
    for name in names:
        table += struct.pack(f"<{number}H", offset, len(name))
        offset += len(name)
    for item in items:
        kind, raw = _pack(item, large)
        if kind in (4, 5) or (large and kind == 7):
            held = int.from_bytes(raw, "little", signed=kind != 4) & (1 << 8 * width) - 1
        else:
            held, offset, behind = offset, offset + len(raw), behind + raw
        table += struct.pack(f"<B{number}", kind, held)
    return struct.pack("<" + 2 * number, len(items), offset) + table + behind
