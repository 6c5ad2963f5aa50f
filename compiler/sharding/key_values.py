"""Key values written as text, as the schema's type has them: numbers, texts, bytes as hexadecimal digits, dates."""

from __future__ import annotations

import re

from shardwright.compiler.expressions import capacity
from shardwright.compiler.expressions.canonical import NotAValue, canonical
from shardwright.compiler.expressions.interval import integer_interval
from shardwright.compiler.expressions.leaves import DATES
from shardwright.compiler.plan.catalogue import Column, ColumnType

KeyValue = int | str | bytes

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,19})")
_OCTETS = re.compile(r"(?:0[xX])?((?:[0-9A-Fa-f]{2})*)")


class NotOfType(ValueError):
    """The text is no value of the column; the message says what is."""


def key_value(text: str, column: Column) -> KeyValue:
    """The value as `ShardFunction` takes it: as the server would give it back. Raises NotOfType.

    Listed keys are compared as texts by people and other tools, so a number has one spelling: 07 is none. A key may be
    that of a row at the source, so a day need not be one of the calendar.
    """
    kind = column.type
    octets = _OCTETS.fullmatch(text) if kind.is_bytes else None
    if (kind.is_integer and not _INTEGER.fullmatch(text)) or (kind.is_bytes and octets is None):
        raise NotOfType(_expectation(kind))
    try:
        made = canonical(f"0x{octets[1]}" if octets else text, kind, calendar=False)
    except NotAValue:
        limit = f"at most {capacity.most_bytes(kind)} " if kind.is_bytes else ""
        raise NotOfType(limit + _expectation(kind)) from None
    return int(made) if kind.is_integer else bytes.fromhex(made) if kind.is_bytes else made


def _expectation(kind: ColumnType) -> str:
    if kind.is_integer:
        held = integer_interval(kind)
        return f"a whole number from {held.low} to {held.high}"
    if kind.name in DATES:
        return "a date such as 2024-01-31" if kind.name == "date" else "a date and time such as 2024-01-31 12:00:00"
    if kind.is_bytes:
        return "bytes as hexadecimal digits"
    limit = capacity.text_limit(kind)
    return f"a text of at most {kind.length} characters" if limit is None else f"a text of at most {limit} bytes"
