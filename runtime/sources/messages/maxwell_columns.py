"""How Maxwell writes the value of each type (its `columndef` classes).

Pure. Used in Spark tasks, and in the driver for single messages.

Types that it changes beyond recovery are refused by name: TIME (taken modulo a day), BIT of 32 and more (summed in 32
bits), geometry (as WKT, without its SRID). Zero and incomplete dates, and those before the year 1000, become 0000-00-00
or NULL. The ten days of 1582 that Java's calendar leaves out become the ten days after them. An ENUM whose label holds
a quote comes doubled, and on MariaDB fractions of seconds are cut off: both are noticed. Older versions read latin1 as
ISO-8859-1 and newer ones as Windows-1252: only characters that both read as MySQL does are accepted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shardwright.compiler.plan.catalogue import SPATIALS, ColumnType
from shardwright.runtime.sources.messages import column_texts as texts
from shardwright.runtime.sources.messages.column_texts import CannotCarry, Read, Unreadable, number, plain
from shardwright.runtime.sources.messages.images import ReaderOf
from shardwright.runtime.sources.messages.json_text import Number, quote
from shardwright.specs.spec.stream_format import StreamFormat

_CHARSETS = frozenset({"ascii", "latin1"})
_WIDEST_BIT = 31
_BEHIND_THE_GAP = ("1582-10-15", "1582-10-24")


def maxwell_reader(stream_format: StreamFormat) -> ReaderOf:
    return lambda column: _reader(column.type, stream_format)


def _reader(kind: ColumnType, stream: StreamFormat) -> Read:
    if kind.is_integer:
        return _number(texts.whole(kind))
    if kind.is_text or kind.name == "json":
        return texts.character_text(kind, charsets=_CHARSETS)
    if kind.name in SPATIALS:
        raise CannotCarry("Maxwell writes geometry without its SRID; read the source's binary log")
    if kind.name == "time":
        raise CannotCarry("Maxwell takes TIME modulo a day and without its sign; read the source's binary log")
    if kind.name in ("date", "datetime", "timestamp"):
        return _temporal(kind, stream)
    if kind.name == "bit":
        return _bit(kind)
    if kind.is_bytes:
        read = texts.bytes_text(kind)
        return lambda value: read(texts.from_base64(value))
    maker = _MAKERS.get(kind.name)
    if maker is None:
        raise CannotCarry(f"type {kind.name} is not known; read the source's binary log")
    return maker(kind)


def _number(read: Callable[[str], str]) -> Read:
    return lambda value: read(value) if value.__class__ is Number else read(number(value))


def _temporal(kind: ColumnType, stream: StreamFormat) -> Read:
    """Reads dates and times. TIMESTAMP comes in UTC."""
    if stream.zero_dates != "absent":
        raise CannotCarry(
            "Maxwell writes zero and incomplete dates, and those before the year 1000, as 0000-00-00 or NULL. When the "
            "source has none (look with SELECT; sql_mode NO_ZERO_DATE,NO_ZERO_IN_DATE keeps it so), state zero_dates: "
            "absent under source.stream"
        )
    read = texts.date_text() if kind.name == "date" else texts.datetime_text(kind)

    def of_text(value: Any) -> str:
        text = read(plain(value))
        if text.startswith("0000-00-00"):
            raise Unreadable(
                f"{quote(value)} means a zero or incomplete date, which the spec says the source does not have"
            )
        if _BEHIND_THE_GAP[0] <= text[:10] <= _BEHIND_THE_GAP[1]:
            raise Unreadable(f"{quote(value)} may mean a day ten days earlier, which Java's calendar does not have")
        return text

    return of_text


def _bit(kind: ColumnType) -> Read:
    if (kind.length or 1) > _WIDEST_BIT:
        raise CannotCarry("Maxwell sums the bits of BIT columns in 32 bits; read the source's binary log")
    show = texts.bit_number(kind)
    check = texts.whole(ColumnType("bigint", unsigned=True))
    return _number(lambda text: show(int(check(text))))


def _enum(kind: ColumnType) -> Read:
    read = texts.enum_by_label(kind)
    return lambda value: read(plain(value))


def _set(kind: ColumnType) -> Read:
    places = {label: place for place, label in enumerate(kind.labels)}

    def read(value: Any) -> str:
        if not isinstance(value, list) or any(label.__class__ is not str for label in value):
            raise Unreadable(f"{quote(value)} is no list of members")
        found = [places.get(label, -1) for label in value]
        if -1 in found or found != sorted(set(found)):
            raise Unreadable(f"{quote(value)} is no value of the set")
        return ",".join(value)

    return read


def _year(kind: ColumnType) -> Read:
    read = texts.year_text()
    return lambda value: "0000" if number(value) in ("1900", "0") else read(value)


_MAKERS: dict[str, Callable[[ColumnType], Read]] = {
    "decimal": lambda kind: _number(texts.decimal(kind)),
    "float": lambda kind: _number(texts.single),
    "double": lambda kind: _number(texts.double),
    "enum": _enum,
    "set": _set,
    "year": _year,
}
