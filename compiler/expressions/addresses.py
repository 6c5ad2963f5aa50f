"""Which text does MariaDB print for the bytes of a UUID, an INET4 and an INET6, and which bytes does a text mean? Pure.

The log holds the bytes in the order in which they are printed, whatever the order is in which the server keeps them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from ipaddress import AddressValueError, IPv4Address, IPv6Address

from shardwright.compiler.plan.catalogue import MARIADB_TYPES, ColumnType

_UUID = re.compile(r"[0-9a-fA-F](?:-*[0-9a-fA-F]){31}")
"""As the server reads one: hyphens may stand anywhere but at the ends."""
SIZES = {"uuid": 16, "inet4": 4, "inet6": 16}
"""In bytes."""
LONGEST = {"uuid": 36, "inet4": 15, "inet6": 39}
"""In characters."""
assert SIZES.keys() == LONGEST.keys() == MARIADB_TYPES


def printer_of(kind: ColumnType) -> Callable[[bytes], str]:
    """What makes the server's text of the bytes. Zero bytes at the end may be missing, as in the log."""
    return _PRINTERS[kind.name]


def address_bytes(text: str, kind: ColumnType) -> bytes | None:
    """The value that the server reads from the text; None where it reads none."""
    if kind.name == "uuid":
        return _uuid_bytes(text)
    try:
        return IPv4Address(text).packed if kind.name == "inet4" else _inet6_bytes(text)
    except AddressValueError:
        return None


def _uuid_bytes(text: str) -> bytes | None:
    if _UUID.fullmatch(text) is None:
        return None
    octets = bytes.fromhex(text.replace("-", ""))
    # The server keeps these for what it stores in another order: version 8 and above, variant 0.
    return None if octets[6] >= 0x80 and 1 <= octets[8] <= 0x80 else octets


def _inet6_bytes(text: str) -> bytes | None:
    return None if "%" in text else IPv6Address(text).packed


def _uuid(octets: bytes) -> str:
    digits = octets.hex().ljust(32, "0")
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def _inet4(octets: bytes) -> str:
    return ".".join(map(str, octets.ljust(4, b"\0")))


def _inet6(octets: bytes) -> str:
    """The first of the longest runs of zero words is `::`. An address with nothing but an IPv4 address behind it, or
    with that behind ffff, ends like one."""
    octets = octets.ljust(16, b"\0")
    words = [int.from_bytes(octets[at : at + 2]) for at in range(0, 16, 2)]
    start, length = _longest_zeros(words)
    if start == 0 and (length == 6 or (length == 5 and words[5] == 0xFFFF)):
        return ("::" if length == 6 else "::ffff:") + _inet4(octets[12:])
    if length == 0:
        return ":".join(f"{word:x}" for word in words)
    return "::".join(":".join(f"{word:x}" for word in part) for part in (words[:start], words[start + length :]))


def _longest_zeros(words: list[int]) -> tuple[int, int]:
    best, start = (0, 0), 0
    for at, word in enumerate([*words, 1]):
        if word:
            if at - start > best[1]:
                best = (start, at - start)
            start = at + 1
    return best


_PRINTERS: dict[str, Callable[[bytes], str]] = {"uuid": _uuid, "inet4": _inet4, "inet6": _inet6}
