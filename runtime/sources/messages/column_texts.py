"""How a value in a message becomes its canonical text. Each maker gives the function for one column. That function
raises `Unreadable` for a value that the column cannot hold, so that nothing is ever rounded, cut or guessed.

Pure. Used in Spark tasks, and in the driver for single messages.

The texts are those of `runtime/sources/binlog/values.py` and `fields.py` for the same values.
"""

from __future__ import annotations

import base64
import binascii
import datetime
import math
import re
import struct
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Any, Literal

from shardwright.compiler.expressions.interval import integer_interval
from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.runtime.sources.messages.json_text import Number, quote

Read = Callable[[Any], str]

_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,19}")
_DECIMAL = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?")
_LONGEST_NUMBER = 2000
"""In characters: the longest double that is written in full takes 1,100."""
_MOST_BYTES = 64
"""The most bytes of a number that comes as bytes: a decimal of 65 digits takes 28."""
_UNSURE_LATIN1 = re.compile("[\x80\x82-\x8c\x8e\x91-\x9c\x9e\x9f\ufffd]")  # decoded as ISO-8859-1, or not at all
_UTF8 = frozenset({"utf8", "utf8mb3", "utf8mb4"})


class Unreadable(ValueError):
    """Says why a value cannot be read exactly."""


class CannotCarry(Exception):
    """Says why a format cannot carry a column's values exactly, and what to do."""


def plain(value: Any) -> str:
    """A JSON text, as it is."""
    if value.__class__ is not str:
        raise Unreadable(f"{quote(value)} is not a text")
    return str(value)


def number(value: Any) -> str:
    """The characters of a JSON number."""
    if value.__class__ is not Number:
        raise Unreadable(f"{quote(value)} is not a number")
    return str(value)


def whole(kind: ColumnType) -> Callable[[str], str]:
    held = integer_interval(kind)
    low, high = held.low, held.high
    is_whole = _WHOLE.fullmatch
    sign = "unsigned " if kind.unsigned else ""

    def read(text: str) -> str:
        if not is_whole(text) or not low <= int(text) <= high:
            raise Unreadable(f"{quote(text)} is no {kind.name} {sign}".rstrip())
        return text

    return read


def number_of_bytes(value: Any, order: Literal["little", "big"], *, signed: bool = False) -> int:
    """A number that is written as base64 of its bytes."""
    raw = from_base64(value)
    if len(raw) > _MOST_BYTES:
        raise Unreadable(f"{len(raw)} bytes are no number of the column")
    return int.from_bytes(raw, order, signed=signed)


def decimal_text(value: int, kind: ColumnType) -> str:
    """A decimal from its digits without the point."""
    precision, scale = kind.precision or 10, kind.scale or 0
    if abs(value) >= 10**precision:
        raise Unreadable(f"{_display_whole(value)}e-{scale} has more digits than decimal({precision},{scale})")
    digits = str(abs(value)).rjust(scale + 1, "0")
    text = f"{digits[:-scale]}.{digits[-scale:]}" if scale else digits
    return "-" + text if value < 0 else text


def _display_whole(value: int) -> str:
    """The number in a message, or its size: Python writes no number of thousands of digits."""
    return str(value) if value.bit_length() <= 8 * _MOST_BYTES else f"a number of {value.bit_length()} bits "


def decimal(kind: ColumnType) -> Callable[[str], str]:
    """From decimal or scientific notation; more digits than the column has are refused unless they are zeros."""
    scale = kind.scale or 0
    canonical = re.compile(rf"(?:0|-?[1-9][0-9]*)\.[0-9]{{{scale}}}" if scale else r"0|-?[1-9][0-9]*").fullmatch
    room = (kind.precision or 10) + (scale > 0)

    def read(text: str) -> str:
        if canonical(text) and len(text) <= room:
            return text
        if not _is_number(text):
            raise Unreadable(f"{quote(text)} is no decimal number")
        try:
            sign, digits, exponent = Decimal(text).as_tuple()
        except InvalidOperation:
            raise Unreadable(f"{quote(text)} is no decimal number") from None
        value, shift = int("".join(map(str, digits))), int(exponent) + scale
        value, rest = (value * 10**shift, 0) if shift >= 0 else divmod(value, 10**-shift)
        if rest:
            raise Unreadable(f"{quote(text)} has more than {scale} digits after the point")
        return decimal_text(-value if sign else value, kind)

    return read


def _is_number(text: str) -> bool:
    return len(text) <= _LONGEST_NUMBER and _DECIMAL.fullmatch(text) is not None


def double(text: str) -> str:
    """The nearest double. A number beyond the largest or below the smallest is refused, not made infinite or zero."""
    return repr(_nearest_double(text))


@lru_cache(maxsize=4096)
def single(text: str) -> str:
    """The nearest single, shown as the double of the same value. Going through the nearest double could round twice; a
    double rounded to odd cannot, because it has more than two bits to spare."""
    value = _nearest_double(text)
    error = Decimal(text) - Decimal(value) if Decimal(text) != Decimal(value) else Decimal(0)
    if error and not struct.pack("<d", value)[0] & 1:
        value = math.nextafter(value, math.inf if error > 0 else -math.inf)
    try:
        (nearest,) = struct.unpack("<f", struct.pack("<f", value))
    except OverflowError:
        raise Unreadable(f"{quote(text)} is beyond the range of a float") from None
    if value and not nearest:
        raise Unreadable(f"{quote(text)} is below the range of a float")
    return repr(nearest)


def _nearest_double(text: str) -> float:
    if not _is_number(text):
        raise Unreadable(f"{quote(text)} is no number")
    value = float(text)
    if math.isinf(value) or (not value and not _is_zero(text)):
        raise Unreadable(f"{quote(text)} is beyond the range of a double")
    return value


def _is_zero(text: str) -> bool:
    return not set(re.split("[eE]", text)[0]) - set("-0.")


def character_text(kind: ColumnType, *, charsets: frozenset[str]) -> Read:
    """Reads a text whose character set the producer decodes as the server does. Raises CannotCarry for other sets
    (hazards C20-C22)."""
    charset = "utf8mb4" if kind.name == "json" else kind.charset or ""
    if charset in _UTF8 or (charset == "ascii" and "ascii" in charsets):
        return plain
    if charset == "latin1" and "latin1" in charsets:
        return _latin1
    raise CannotCarry(
        f"it is not shown that texts in character set {charset or 'that is not written'} arrive as the server reads "
        "them; convert the column to utf8mb4, or read the source's binary log"
    )


def _latin1(value: Any) -> str:
    text = plain(value)
    if unsure := _UNSURE_LATIN1.search(text):
        raise Unreadable(
            f"its character {unsure.group()!a} shows that the producer did not decode latin1 as MySQL does"
        )
    return text


def bytes_text(kind: ColumnType) -> Callable[[bytes], str]:
    """Hexadecimal; BINARY(n) gets back the zero bytes that the log leaves out (hazard C17)."""
    if kind.name != "binary":
        return lambda raw: raw.hex().upper()
    size = kind.length or 1

    def pad(raw: bytes) -> str:
        if len(raw) > size:
            raise Unreadable(f"{len(raw)} bytes do not fit binary({size})")
        return raw.ljust(size, b"\0").hex().upper()

    return pad


def from_base64(value: Any) -> bytes:
    try:
        return base64.b64decode(plain(value), validate=True)
    except (binascii.Error, ValueError):
        raise Unreadable(f"{quote(value)} is not base64") from None


def bit_number(kind: ColumnType) -> Callable[[int], str]:
    bits = kind.length or 1

    def read(value: int) -> str:
        if not 0 <= value < 1 << bits:
            raise Unreadable(f"{_display_whole(value)} is no bit({bits})")
        return f"{value:X}"

    return read


def enum_by_index(kind: ColumnType) -> Callable[[str], str]:
    by_index = {str(place): label for place, label in enumerate(("", *kind.labels))}

    def read(text: str) -> str:
        try:
            return by_index[text]
        except KeyError:
            raise Unreadable(
                f"{quote(text)} is no number of a member of the enum, which has {len(kind.labels)}"
            ) from None

    return read


def enum_by_label(kind: ColumnType) -> Callable[[str], str]:
    """A label as it is. The empty label is index 0, which a server that is not strict stores for an invalid value
    (C13)."""
    labels = frozenset(("", *kind.labels))

    def read(text: str) -> str:
        if text not in labels:
            raise Unreadable(f"{quote(text)} is no member of the enum")
        return text

    return read


_DATE = r"[0-9]{4}-(?:0[0-9]|1[0-2])-(?:[0-2][0-9]|3[01])"
_CLOCK = r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"


def _require_match(pattern: str, what: str) -> Callable[[str], str]:
    matches = re.compile(pattern).fullmatch

    def read(text: str) -> str:
        if not matches(text):
            raise Unreadable(f"{quote(text)} is no {what}")
        return text

    return read


def _fraction(digits: int) -> str:
    return rf"\.[0-9]{{{digits}}}" if digits else ""


def date_text() -> Callable[[str], str]:
    return _require_match(_DATE, "date")


def datetime_text(kind: ColumnType) -> Callable[[str], str]:
    digits = kind.precision or 0
    return _require_match(f"{_DATE} {_CLOCK}{_fraction(digits)}", f"{kind.name}({digits})")


def time_text(kind: ColumnType) -> Callable[[str], str]:
    digits = kind.precision or 0
    return _require_match(
        rf"-?(?:[0-7]?[0-9]{{2}}|8[0-3][0-9]):[0-5][0-9]:[0-5][0-9]{_fraction(digits)}", f"time({digits})"
    )


def year_text() -> Callable[[str], str]:
    return _require_match("0000|19(?:0[1-9]|[1-9][0-9])|20[0-9][0-9]|21(?:[0-4][0-9]|5[0-5])", "year")


def shift_to_utc(offset: datetime.timedelta) -> Callable[[str], str]:
    """A canonical date and time of that offset from UTC, as UTC. The zero timestamp is no instant and stays."""

    @lru_cache(maxsize=4096)
    def read(text: str) -> str:
        if text.startswith("0000-00-00 00:00:00"):
            return text
        try:
            instant = datetime.datetime.fromisoformat(text[:19]) - offset
        except ValueError:
            raise Unreadable(f"{quote(text)} is no instant") from None
        return f"{instant.isoformat(' ')}{text[19:]}"

    return read
