"""How Debezium's MySQL and MariaDB connectors write the value of each type, by the modes they run in.

Pure. Used in Spark tasks, and in the driver for single messages.

These facts are from recorded messages (tests/messages/recorded), where documentation and practice differ:

* YEAR 0000 comes as 1900, which is no year of that type.
* A zero TIMESTAMP comes as 1970-01-01T00:00:00Z, which is no other TIMESTAMP: exact. A zero or incomplete DATE or
  DATETIME comes as NULL, or where the column is NOT NULL as its default: lost.
* isostring and connect write TIME outside of one day as NULL; nanoseconds overflow without an error before 1677 and
  after 2262.
* A comma in an enum's member has a backslash before it.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from shardwright.compiler.plan.catalogue import SPATIALS, Column, ColumnType
from shardwright.runtime.sources.messages import column_texts as texts
from shardwright.runtime.sources.messages.column_texts import CannotCarry, Read, Unreadable, number, plain
from shardwright.runtime.sources.messages.images import ReaderOf
from shardwright.runtime.sources.messages.json_text import Number, quote
from shardwright.specs.spec.stream_format import StreamFormat

_CHARSETS = frozenset({"ascii", "latin1"})
_EPOCH = datetime.date(1970, 1, 1).toordinal()
_WIDEST_TIME = (838 * 3600 + 59 * 60 + 59) * 1_000_000 + 999_999


def debezium_reader(stream_format: StreamFormat) -> ReaderOf:
    return lambda column: _reader(column, stream_format)


def _reader(column: Column, modes: StreamFormat) -> Read:
    kind = column.type
    if kind.name == "bigint" and kind.unsigned:
        return _read_unsigned(kind)
    if kind.is_integer:
        return _number(texts.whole(kind))
    if kind.is_text or kind.name == "json":
        return texts.character_text(kind, charsets=_CHARSETS)
    if kind.name in SPATIALS:
        return _geometry
    if kind.name in ("date", "datetime") and modes.zero_dates != "absent":
        raise CannotCarry(
            "Debezium writes zero and incomplete dates as NULL or as the column's default. When the source has none "
            "(look with SELECT; sql_mode NO_ZERO_DATE,NO_ZERO_IN_DATE keeps it so), state zero_dates: absent under "
            "source.stream"
        )
    maker = _MAKERS.get("binary" if kind.is_bytes and kind.name != "bit" else kind.name)
    if maker is None:
        raise CannotCarry(f"type {kind.name} is not known; read the source's binary log")
    return maker(kind, modes)


def _number(read: Callable[[str], str]) -> Read:
    return lambda value: read(value) if value.__class__ is Number else read(number(value))


def _plain(read: Callable[[str], str]) -> Read:
    return lambda value: read(plain(value))


def _read_unsigned(kind: ColumnType) -> Read:
    """Reads both forms of bigint.unsigned.handling.mode: `long` is the number modulo 2^64, `precise` a decimal's bytes
    or a number."""
    check = texts.whole(kind)

    def read(value: Any) -> str:
        if value.__class__ is str:
            return check(str(texts.number_of_bytes(value, "big", signed=True)))
        text = number(value)
        if not text.startswith("-"):
            return check(text)
        if not text[1:].isdecimal() or not 0 < int(text[1:20]) <= 1 << 63 or len(text) > 20:
            raise Unreadable(f"{quote(value)} is no bigint unsigned")
        return str(int(text) + (1 << 64))

    return read


def _decimal(kind: ColumnType, modes: StreamFormat) -> Read:
    read = texts.decimal(kind)
    match modes.decimal:
        case "precise":
            return lambda value: texts.decimal_text(texts.number_of_bytes(value, "big", signed=True), kind)
        case "numeric":
            return _number(read)
        case "string":
            return _plain(read)
    raise CannotCarry("decimal.handling.mode=double rounds it; set precise or string")


def _binary(kind: ColumnType, modes: StreamFormat) -> Read:
    read = texts.bytes_text(kind)
    match modes.binary:
        case "hex":
            return lambda value: read(_from_hex(value))
        case "base64-url-safe":
            return lambda value: read(texts.from_base64(plain(value).translate(_URL_SAFE)))
    return lambda value: read(texts.from_base64(value))


_URL_SAFE = str.maketrans("-_+/", "+/!!")  # characters of the other alphabet are no base64 here


def _from_hex(value: Any) -> bytes:
    text = plain(value)
    try:
        if not text.isalnum():
            raise ValueError
        return bytes.fromhex(text)
    except ValueError:
        if not text:
            return b""
        raise Unreadable(f"{quote(value)} is not hexadecimal") from None


def _bits(kind: ColumnType, modes: StreamFormat) -> Read:
    show = texts.bit_number(kind)
    if (kind.length or 1) == 1:
        return _one_bit
    return lambda value: show(texts.number_of_bytes(value, "little"))


def _one_bit(value: Any) -> str:
    if not isinstance(value, bool):
        raise Unreadable(f"{quote(value)} is neither true nor false")
    return "1" if value else "0"


def _enum(kind: ColumnType, modes: StreamFormat) -> Read:
    labels = {label.replace(",", "\\,"): label for label in kind.labels}
    labels.setdefault("", "")
    if len(labels) < len({"", *kind.labels}):
        raise CannotCarry("two of its members are written alike, because Debezium puts a backslash before commas")

    def read(value: Any) -> str:
        try:
            return labels[plain(value)]
        except KeyError:
            raise Unreadable(f"{quote(value)} is no member of the enum") from None

    return read


def _set(kind: ColumnType, modes: StreamFormat) -> Read:
    places = {label: place for place, label in enumerate(kind.labels)}

    def read(value: Any) -> str:
        text = plain(value)
        found = [places.get(label, -1) for label in text.split(",")] if text else []
        if found != sorted(set(found)) or -1 in found:
            raise Unreadable(f"{quote(value)} is no value of the set")
        return text

    return read


def _geometry(value: Any) -> str:
    """Four bytes of SRID, then the WKB: as the server stores it."""
    if not isinstance(value, dict) or "wkb" not in value:
        raise Unreadable(f"{quote(value)} is no geometry")
    srid = value.get("srid")
    reference = 0 if srid is None else int(texts.whole(ColumnType("int", unsigned=True))(number(srid)))
    return (reference.to_bytes(4, "little") + texts.from_base64(value["wkb"])).hex().upper()


def _year(kind: ColumnType, modes: StreamFormat) -> Read:
    read = texts.year_text()
    return lambda value: "0000" if number(value) in ("1900", "0") else read(value)


def _date(kind: ColumnType, modes: StreamFormat) -> Read:
    if modes.time_precision == "isostring":
        read = texts.date_text()
        return lambda value: read(_without_zone(value))
    return lambda value: _day(_integer(value))


def _datetime(kind: ColumnType, modes: StreamFormat) -> Read:
    digits = kind.precision or 0
    match modes.time_precision:
        case "isostring":
            read = texts.datetime_text(kind)
            return lambda value: read(_with_digits(_without_zone(value).replace("T", " "), digits))
        case "connect":
            if digits > 3:
                raise CannotCarry(
                    "time.precision.mode=connect keeps three of its digits after the point; set "
                    "adaptive_time_microseconds"
                )
            return lambda value: _moment(_integer(value) * 1000, digits)
        case "microseconds":
            return lambda value: _moment(_integer(value), digits)
        case "nanoseconds":
            raise CannotCarry("time.precision.mode=nanoseconds holds only 1677 to 2262; set adaptive_time_microseconds")
    unit = 1000 if digits <= 3 else 1
    return lambda value: _moment(_integer(value) * unit, digits)


def _time(kind: ColumnType, modes: StreamFormat) -> Read:
    digits = kind.precision or 0
    if modes.time_precision in ("connect", "isostring"):
        raise CannotCarry(
            f"time.precision.mode={modes.time_precision} writes what is not a time of day as NULL; set "
            "adaptive_time_microseconds"
        )
    unit = 1000 if modes.time_precision == "nanoseconds" else 1
    return lambda value: _clock(_integer(value), unit, digits)


def _timestamp(kind: ColumnType, modes: StreamFormat) -> Read:
    read = texts.datetime_text(kind)
    digits = kind.precision or 0
    zero = "0000-00-00 00:00:00" + ("." + "0" * digits if digits else "")
    epoch = zero.replace("0000-00-00", "1970-01-01")

    def of_instant(value: Any) -> str:
        text = read(_with_digits(_without_zone(value).replace("T", " "), digits))
        return zero if text == epoch else text

    return of_instant


def _without_zone(value: Any) -> str:
    text = plain(value)
    if not text.endswith("Z"):
        raise Unreadable(f"{quote(value)} is not of time zone UTC")
    return text[:-1]


def _with_digits(text: str, digits: int) -> str:
    """The text with at least `digits` digits after the point: zeros are added, no digit is removed."""
    whole, point, fraction = text.partition(".")
    if not digits:
        return text
    return f"{whole}.{fraction.ljust(digits, '0')}" if point else f"{whole}.{'0' * digits}"


_long = texts.whole(ColumnType("bigint"))


def _integer(value: Any) -> int:
    return int(_long(number(value)))


@lru_cache(maxsize=65536)
def _day(days: int) -> str:
    try:
        return datetime.date.fromordinal(_EPOCH + days).isoformat()
    except (ValueError, OverflowError):
        raise Unreadable(f"{days} days from 1970 is no date") from None


def _moment(micros: int, digits: int) -> str:
    seconds, rest = divmod(micros, 1_000_000)
    days, seconds = divmod(seconds, 86400)
    return f"{_day(days)} {seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}{_fraction(rest, digits)}"


def _clock(value: int, unit: int, digits: int) -> str:
    micros, rest = divmod(abs(value), unit)
    if rest or micros > _WIDEST_TIME:
        raise Unreadable(f"{value} is no time of that many digits")
    seconds, part = divmod(micros, 1_000_000)
    text = f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}{_fraction(part, digits)}"
    return "-" + text if value < 0 else text


def _fraction(micros: int, digits: int) -> str:
    if micros % 10 ** (6 - digits):
        raise Unreadable(f"{micros} microseconds are more than {digits} digits after the point")
    return f".{micros:06d}"[: digits + 1] if digits else ""


_MAKERS: dict[str, Callable[[ColumnType, StreamFormat], Read]] = {
    "decimal": _decimal,
    "float": lambda kind, modes: _number(texts.single),
    "double": lambda kind, modes: _number(texts.double),
    "binary": _binary,
    "bit": _bits,
    "enum": _enum,
    "set": _set,
    "year": _year,
    "date": _date,
    "datetime": _datetime,
    "timestamp": _timestamp,
    "time": _time,
}
