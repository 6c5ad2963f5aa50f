"""Key values written as text, as the schema's type has them: numbers, texts, bytes as hexadecimal digits, dates."""

from __future__ import annotations

import re

from shardwright.compiler.expressions.leaves import DATES, IntegerColumn
from shardwright.compiler.plan.catalogue import Column

KeyValue = int | str | bytes

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,19})")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6})?")


class NotOfType(ValueError):
    """The text is no value of the column; the message says what is."""


def key_value(text: str, column: Column) -> KeyValue:
    """The value as `ShardFunction` takes it: as the server would give it back. Raises NotOfType."""
    kind = column.type
    if kind.is_integer:
        return _integer(text, column)
    if kind.name in DATES:
        return _date(text, kind.name, kind.precision or 0)
    if kind.is_bytes:
        return _octets(text, column)
    stored = text.rstrip(" ") if kind.name == "char" else text
    if kind.length is not None and len(stored) > kind.length:
        raise NotOfType(f"a text of at most {kind.length} characters")
    return stored


def _integer(text: str, column: Column) -> int:
    interval = IntegerColumn(column.name, column.type, column.nullable).interval
    if not _INTEGER.fullmatch(text) or not interval.low <= int(text) <= interval.high:
        raise NotOfType(f"a whole number from {interval.low} to {interval.high}")
    return int(text)


def _date(text: str, name: str, digits: int) -> str:
    if name == "date":
        if not _DATE.fullmatch(text):
            raise NotOfType("a date such as 2024-01-31")
        return text
    if _DATE.fullmatch(text):
        text += " 00:00:00"
    if not _TIME.fullmatch(text):
        raise NotOfType("a date and time such as 2024-01-31 12:00:00")
    return text if "." in text or not digits else f"{text}.{'0' * digits}"


def _octets(text: str, column: Column) -> bytes:
    digits = text[2:] if text[:2] in ("0x", "0X") else text
    try:
        octets = bytes.fromhex(digits)
    except ValueError:
        raise NotOfType("bytes as hexadecimal digits") from None
    length = column.type.length
    if " " in digits or (length is not None and len(octets) > length):
        raise NotOfType(f"at most {length} bytes as hexadecimal digits")
    return octets.ljust(length or 0, b"\x00") if column.type.name == "binary" else octets
