"""Which made-up values does a column type get? As canonical text, the form in which values cross. Pure."""

from __future__ import annotations

import datetime
import struct
from collections.abc import Iterator

from shardwright.compiler.expressions.addresses import SIZES, printer_of
from shardwright.compiler.expressions.interval import integer_interval
from shardwright.compiler.plan.catalogue import MARIADB_TYPES, ColumnType

DISTINCT = 120
"""How many different values `distinct_values` gives, where the type has as many."""

_LENGTHS = {"tinytext": 255, "tinyblob": 255}
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_TEXTS = ("", "a'b\"c`d", "\\N", "a\tb\nc\x00d", "NULL", "%s {x} ${y}", "-1", "18446744073709551616")
_WIDE_TEXTS = {"utf8mb4": ("中文 é", "🚚 rows"), "utf8mb3": ("中文 é",), "utf8": ("中文 é",), "latin1": ("é",)}
_ADDRESSES = {
    "uuid": ("", "f" * 32, "123e4567e89b12d3a456426655440000", "018f4567e89b72d3a456426655440000"),
    "inet4": ("", "f" * 8, "0a"),
    "inet6": ("", "f" * 32, f"{1:032x}", f"{0x1020304:032x}", f"{0xFFFF01020304:032x}", "20010db8"),
}
"""The bytes of values that the server prints each in its own way, or keeps in another order than others."""
_FIRST_DAY = datetime.date(2001, 1, 1)


def extreme_values(kind: ColumnType) -> tuple[str, ...]:
    """The values at the type's limits and those that other tools have got wrong; at least one, all different."""
    return tuple(dict.fromkeys(_extremes(kind)))


def distinct_values(kind: ColumnType, count: int = DISTINCT) -> tuple[str, ...]:
    """Ordinary values that the server distinguishes under any collation; fewer than `count` for a narrow type."""
    most = (
        integer_interval(kind).high - 1 if kind.is_integer else 180 if kind.name == "year" or kind.is_bytes else count
    )
    return tuple(dict.fromkeys(_ordinary(kind, number) for number in range(min(count, most))))


def _extremes(kind: ColumnType) -> Iterator[str]:
    name = kind.name
    if kind.is_integer:
        held = integer_interval(kind)
        yield from (str(number) for number in (held.low, held.high, 0, 1, -1) if number >= held.low)
    elif name == "decimal":
        yield from _decimals(kind)
    elif name in ("float", "double"):
        yield from ("0", "-0", "1e-30", "3.4028234663852886e38")
    elif name == "enum":
        yield from (kind.labels[0], kind.labels[-1])
    elif name == "set":
        yield from ("", ",".join(kind.labels))
    elif name == "json":
        yield from ("{}", '{"a": ["\\u0000", 1.5, null]}')
    elif name == "vector":
        yield from ("00000000", "0000803F" + "FFFF7F7F" * ((kind.length or 1) - 1))
    elif name in MARIADB_TYPES:
        yield from (printer_of(kind)(bytes.fromhex(digits)) for digits in _ADDRESSES[name])
    elif kind.is_bytes:
        yield from _bytes(kind)
    elif kind.is_text:
        yield from _texts(kind)
    else:
        yield from _times(kind)


def _decimals(kind: ColumnType) -> Iterator[str]:
    precision, scale = kind.precision or 10, kind.scale or 0
    whole, part = "9" * (precision - scale) or "0", "9" * scale
    top = f"{whole}.{part}" if scale else whole
    zero = f"0.{'0' * scale}" if scale else "0"
    yield from (top, zero) if kind.unsigned else (top, f"-{top}", zero)


def _bytes(kind: ColumnType) -> Iterator[str]:
    length = kind.length or 8
    if kind.name == "bit":
        yield from (_bits(0, kind), _bits(-1, kind))
    elif kind.name == "binary":
        yield from ("00" * (kind.length or 1), "FF" * (kind.length or 1))
    else:
        yield from ("", "00", "FF" * min(length, 64), "C328"[: 2 * length])


def _bits(number: int, kind: ColumnType) -> str:
    bits = kind.length or 1
    return (number % (1 << bits)).to_bytes((bits + 7) // 8, "big").hex().upper()


def _texts(kind: ColumnType) -> Iterator[str]:
    length = kind.length if kind.length is not None else _LENGTHS.get(kind.name, 2_000)
    texts = [*_TEXTS, "x" * min(length, 300), *_WIDE_TEXTS.get(kind.charset or "", ())]
    for text in texts:
        # A read CHAR has no trailing spaces, so none are made up.
        yield text[:length].rstrip(" ")


def _times(kind: ColumnType) -> Iterator[str]:
    nines, zeros = _fraction(kind, "9"), _fraction(kind, "0")
    match kind.name:
        case "date":
            yield from ("1000-01-01", "9999-12-31", "0000-00-00")
        case "datetime":
            yield from (f"1000-01-01 00:00:00{zeros}", f"9999-12-31 23:59:59{nines}", f"0000-00-00 00:00:00{zeros}")
        case "timestamp":
            yield from (f"1970-01-01 00:00:01{zeros}", f"2038-01-19 03:14:07{nines}")
        case "time":
            yield from (f"-838:59:59{zeros}", f"838:59:59{zeros}", f"-00:00:01{zeros}")
        case "year":
            yield from ("1901", "2155", "0000")
        case other:
            raise KeyError(f"no values are known for type {other}")


def _fraction(kind: ColumnType, digit: str) -> str:
    return f".{digit * kind.precision}" if kind.precision else ""


def _ordinary(kind: ColumnType, number: int) -> str:
    name = kind.name
    zeros = _fraction(kind, "0")
    day = (_FIRST_DAY + datetime.timedelta(days=number)).isoformat()
    if kind.is_integer:
        return str(number + 2)
    if name == "decimal":
        return _ordinary_decimal(kind, number)
    if name == "bit":
        return _bits(number, kind)
    if name == "binary":
        return f"{number + 1:02X}".ljust(2 * (kind.length or 1), "0")
    if name == "vector":
        return struct.pack("<f", number + 1).hex().upper()
    if name in MARIADB_TYPES:
        return printer_of(kind)(number.to_bytes(SIZES[name], "big"))
    if kind.is_bytes:
        return f"{number + 1:02X}"
    if kind.is_text:
        tens, ones = divmod(number, len(_LETTERS))
        return _LETTERS[ones] if kind.length == 1 else _LETTERS[tens] + _LETTERS[ones]
    if name in ("float", "double"):
        return f"{number}.5"
    if name == "date":
        return day
    if name in ("datetime", "timestamp"):
        return f"{day} 12:00:00{zeros}"
    if name == "time":
        return f"12:{number // 60:02d}:{number % 60:02d}{zeros}"
    if name == "year":
        return str(1970 + number)
    values = extreme_values(kind)
    return values[number % len(values)]


def _ordinary_decimal(kind: ColumnType, number: int) -> str:
    precision, scale = kind.precision or 10, kind.scale or 0
    digits = str(number % 10**precision).zfill(scale + 1)
    return f"{digits[:-scale]}.{digits[-scale:]}" if scale else digits


def plain_value(kind: ColumnType) -> str:
    """The least remarkable value of a type: empty, zero, the first label, the year 2000."""
    zeros = _fraction(kind, "0")
    match kind.name:
        case "decimal":
            return f"0.{'0' * kind.scale}" if kind.scale else "0"
        case "enum":
            return kind.labels[0]
        case "json":
            return "{}"
        case "date":
            return "2000-01-01"
        case "datetime" | "timestamp":
            return f"2000-01-01 00:00:00{zeros}"
        case "time":
            return f"00:00:00{zeros}"
        case "year":
            return "2000"
        case "uuid" | "inet4" | "inet6":
            return printer_of(kind)(b"")
        case "vector":
            return "00000000"
        case "binary":
            return "00" * (kind.length or 1)
        case "bit":
            return "00" * (((kind.length or 1) + 7) // 8)
        case _:
            return "" if kind.is_text or kind.is_bytes or kind.name == "set" else "0"
