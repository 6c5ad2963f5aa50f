"""What a column type can hold: numbers, characters, bytes, characters of other character sets."""

from __future__ import annotations

from shardwright.compiler.expressions.addresses import LONGEST
from shardwright.compiler.expressions.interval import integer_interval
from shardwright.compiler.plan.catalogue import ColumnType

_TEXT_BYTES = {
    "tinytext": 2**8 - 1,
    "text": 2**16 - 1,
    "mediumtext": 2**24 - 1,
    "longtext": 2**32 - 1,
    "json": 2**32 - 1,
}
_BLOB_BYTES = {"tinyblob": 2**8 - 1, "blob": 2**16 - 1, "mediumblob": 2**24 - 1, "longblob": 2**32 - 1}
_WIDTHS = {"ascii": 1, "latin1": 1, "utf8": 3, "utf8mb3": 3, "utf8mb4": 4}
_UNICODE = frozenset({"utf8mb4", "utf16", "utf32"})
_BASIC_PLANE = frozenset({"utf8", "utf8mb3", "ucs2"})


def character_width(charset: str | None) -> int:
    """The most bytes of a character; four where nothing better is known."""
    return _WIDTHS.get(charset or "", 4)


def charset_holds(source: str | None, target: str | None) -> bool:
    """Whether every character of `source` is one of `target`."""
    if source == target or (source in ("utf8", "utf8mb3") and target in ("utf8", "utf8mb3")):
        return True
    if source in (None, "binary") or target in (None, "binary"):
        return False
    if target in _UNICODE or source == "ascii":
        return True
    return target in _BASIC_PLANE and source in (_BASIC_PLANE | {"latin1"})


def text_limit(kind: ColumnType) -> int | None:
    """Bytes of a TEXT type; None for CHAR and VARCHAR, which count characters."""
    return _TEXT_BYTES.get(kind.name)


def most_characters(kind: ColumnType) -> int:
    """Of a value of this type as canonical text."""
    match kind.name:
        case "char" | "varchar":
            return kind.length or 0
        case "decimal":
            precision, scale = kind.precision or 10, kind.scale or 0
            return precision + 1 + (1 if scale else 0) + (1 if scale == precision else 0)
        case "date":
            return 10
        case "year":
            return 4
        case "datetime" | "timestamp":
            return 19 + _fraction(kind)
        case "time":
            return 10 + _fraction(kind)
        case "enum":
            return max(map(len, kind.labels))
        case "set":
            return sum(map(len, kind.labels)) + len(kind.labels) - 1
    if kind.is_integer:
        interval = integer_interval(kind)
        return max(len(str(interval.low)), len(str(interval.high)))
    return LONGEST.get(kind.name) or _TEXT_BYTES.get(kind.name, 2**32)


def holds_text(kind: ColumnType, characters: int, size: int) -> bool:
    """Whether a text type takes every text of so many characters and, in its own character set, bytes."""
    limit = text_limit(kind)
    return size <= limit if limit is not None else characters <= (kind.length or 0)


def most_bytes(kind: ColumnType) -> int:
    """Of a byte type."""
    if kind.name in ("binary", "varbinary"):
        return kind.length or 0
    if kind.name == "vector":
        return 4 * (kind.length or 1)
    return _BLOB_BYTES.get(kind.name, 2**32)


def _fraction(kind: ColumnType) -> int:
    return kind.precision + 1 if kind.precision else 0
