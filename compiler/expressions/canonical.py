"""What is the canonical text of a value that a person writes (in a spec, a test, a list of keys, on the command line)?
That is the form in which values cross (`sql/transport`). Pure.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable
from datetime import date
from decimal import Context, Decimal, InvalidOperation

from shardwright.compiler.expressions import capacity
from shardwright.compiler.expressions.addresses import address_bytes, printer_of
from shardwright.compiler.expressions.documents import print_document, read_document
from shardwright.compiler.expressions.interval import integer_interval
from shardwright.compiler.expressions.leaves import DATES
from shardwright.compiler.plan.catalogue import MARIADB_TYPES, SPATIALS, ColumnType
from shardwright.specs.findings.wording import did_you_mean, kind_of, quote

_HEX = re.compile(r"0[xX]((?:[0-9A-Fa-f]{2})*)")
_WHOLE = re.compile(r"[-+]?[0-9]{1,100}")
_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_CLOCK = "([0-9]{2}):([0-9]{2})(?:\\.([0-9]{1,6}))?"
_MOMENT = re.compile(rf"([0-9]{{4}})-([0-9]{{2}})-([0-9]{{2}})(?:[ T]([0-9]{{2}}):{_CLOCK})?")
_SPAN = re.compile(rf"(-?)([0-9]{{1,3}}):{_CLOCK}")
_ADDRESSES = {"uuid": "123e4567-e89b-12d3-a456-426655440000", "inet4": "192.0.2.1", "inet6": "2001:db8::1"}
_ZERO_DATE = "0000-00-00"
_TIMESTAMPS = ("1970-01-01 00:00:01", "2106-02-07 06:28:15")
"""What a TIMESTAMP of any server holds, besides the zero date. Many end in 2038."""
_LARGEST_FLOAT = 3.4028234663852886e38
_EXACT_DIGITS = 15
"""Digits that a YAML number with a point keeps for certain."""
_MOST_DIGITS = 130
"""More digits than any DECIMAL has on both sides of its point."""


class NotAValue(Exception):
    """The column cannot hold this value: the reason, and what to write instead when that is known."""

    def __init__(self, reason: str, hint: str | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.hint = hint


def canonical(value: object, kind: ColumnType, *, calendar: bool = True) -> str:
    """The text that SELECT prints for this value in a column of this type. `calendar` is that of `moment`. Raises
    NotAValue."""
    if kind.name in DATES:
        return _day_or_moment(value, kind, calendar=calendar)
    for holds, write in _WRITERS:
        if holds(kind):
            return write(value, kind)
    raise NotAValue(f"values of type {kind.name} cannot be written")


def _integer(value: object, kind: ColumnType) -> str:
    if isinstance(value, bool):
        return str(int(value))
    text = str(value)
    if isinstance(value, float) or not _WHOLE.fullmatch(text):
        raise NotAValue(f"{_describe(value)} is no whole number")
    held = integer_interval(kind)
    if not held.low <= int(text) <= held.high:
        raise NotAValue(f"{text} is not between {held.low} and {held.high}")
    return str(int(text))


def _decimal(value: object, kind: ColumnType) -> str:
    precision, scale = kind.precision or 10, kind.scale or 0
    try:
        number = Decimal(_numeral(value))
    except InvalidOperation:  # an exponent beyond all bounds
        raise NotAValue(f"{_describe(value)} is no number") from None
    if number.copy_abs() >= Decimal(10) ** (precision - scale):
        raise NotAValue(f"{_describe(value)} has more than {precision - scale} digits before the point")
    if kind.unsigned and number < 0:
        raise NotAValue(f"{_describe(value)} is below 0")
    rounded = number.quantize(Decimal(1).scaleb(-scale), context=Context(prec=_MOST_DIGITS))
    if number != rounded:
        raise NotAValue(f"{_describe(value)} has more than {scale} digits after the point")
    return f"{rounded.copy_abs() if rounded == 0 else rounded:f}"


def _float_text(value: object, kind: ColumnType) -> str:
    number = float(_numeral(value))
    if math.isinf(number) or (kind.name == "float" and abs(number) > _LARGEST_FLOAT):
        raise NotAValue(f"{_describe(value)} is beyond the range of a {kind.name}")
    whole = number.is_integer() and abs(number) < 1e15
    return repr(number).removesuffix(".0") if whole else repr(number).replace("e+", "e")


def _numeral(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise NotAValue(f"{kind_of(value)} is no number")
    if isinstance(value, float) and len(re.sub(r"[^0-9]|[eE].*", "", repr(value)).lstrip("0")) > _EXACT_DIGITS:
        raise NotAValue("a number of so many digits is not kept exactly", "write it in quotes")
    if not _NUMBER.fullmatch(str(value)):
        raise NotAValue(f"{_describe(value)} is no number")
    return str(value)


def _text(value: object, kind: ColumnType) -> str:
    if isinstance(value, bool | float):
        raise NotAValue(f"{kind_of(value)} is no text", "write it in quotes")
    if not isinstance(value, str | int):
        raise NotAValue(f"{kind_of(value)} is no text")
    text = str(value)
    if kind.name == "char":
        text = text.rstrip(" ")
    size = len(text.encode("utf-8", "surrogatepass")) if (kind.charset or "").startswith("utf8") else len(text)
    if not capacity.holds_text(kind, len(text), size):
        limit = capacity.text_limit(kind)
        if limit is not None:
            raise NotAValue(f"the text has {size} bytes, the column holds {limit}")
        raise NotAValue(f"{quote(text)} has {len(text)} characters, the column holds {kind.length}")
    return text


def _bytes(value: object, kind: ColumnType) -> str:
    if kind.name == "bit":
        return _bits(value, kind)
    if not isinstance(value, str):
        raise NotAValue(f"{_describe(value)} is no bytes", "write 0x and hexadecimal digits, or text")
    match = _HEX.fullmatch(value)
    if kind.name in SPATIALS and match is None:
        raise NotAValue(f"{_describe(value)} is no {kind.name}", "write 0x and the hexadecimal digits that HEX() gives")
    content = bytes.fromhex(match.group(1)) if match else value.encode()
    if len(content) > (most := capacity.most_bytes(kind)):
        raise NotAValue(f"{len(content)} bytes, the column holds {most}")
    if kind.name == "binary":
        content = content.ljust(kind.length or 1, b"\x00")
    return content.hex().upper()


def _address(value: object, kind: ColumnType) -> str:
    octets = address_bytes(value, kind) if isinstance(value, str) else None
    if octets is None:
        raise NotAValue(f"{_describe(value)} is no {kind.name}", f"write it in quotes, like '{_ADDRESSES[kind.name]}'")
    return printer_of(kind)(octets)


def _vector(value: object, kind: ColumnType) -> str:
    """0x and the bytes of the numbers."""
    match = _HEX.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise NotAValue(f"{_describe(value)} is no vector", "write 0x and the hexadecimal digits that HEX() gives")
    size = len(match[1]) // 2
    if size % 4 or not 4 <= size <= capacity.most_bytes(kind):
        most = capacity.most_bytes(kind)
        raise NotAValue(f"{size} bytes: a number has 4, the column holds 4 to {most}")
    if not all(map(math.isfinite, struct.unpack(f"<{size // 4}f", bytes.fromhex(match[1])))):
        raise NotAValue("a vector holds neither infinity nor NaN")
    return match[1].upper()


def _bits(value: object, kind: ColumnType) -> str:
    bits = kind.length or 1
    number = int(value) if isinstance(value, bool | int) else -1
    if isinstance(value, str) and re.fullmatch(r"0[bB][01]+|0[xX][0-9A-Fa-f]+", value):
        number = int(value, 0)
    if not 0 <= number < 2**bits:
        raise NotAValue(f"{_describe(value)} is not {bits} bits", "write a whole number, or 0b and binary digits")
    return number.to_bytes((bits + 7) // 8, "big").hex().upper()


def _label(value: object, kind: ColumnType) -> str:
    text = _plain(value)
    if text not in kind.labels:
        hint = did_you_mean(text, kind.labels) or f"known: {', '.join(kind.labels[:12])}"
        raise NotAValue(f"{quote(text)} is none of the column's labels", hint)
    return text


def _labels(value: object, kind: ColumnType) -> str:
    given = (
        [_plain(item) for item in value] if isinstance(value, list) else _plain(value).split(",") if value != "" else []
    )
    chosen = {_label(item, kind) for item in given}
    return ",".join(label for label in kind.labels if label in chosen)


def _plain(value: object) -> str:
    if isinstance(value, bool | float) or not isinstance(value, str | int):
        raise NotAValue(f"{kind_of(value)} is no text", "write it in quotes")
    return str(value)


def _json(value: object, kind: ColumnType) -> str:
    """A text is that of a document, anything else is the document."""
    del kind
    try:
        text = print_document(read_document(value) if isinstance(value, str) else value)
        text.encode()
        return text
    except (ValueError, OverflowError) as error:
        raise NotAValue(f"{_describe(value)} is no JSON document: {error}") from None


def moment(text: str, *, calendar: bool = True) -> tuple[str, str | None, str] | None:
    """The day, the time of day and the digits of a second that are written; None when it is no date or time.

    `calendar`: the day is one of the calendar, or the zero date. Otherwise it may be any that a server stores under
    ALLOW_INVALID_DATES, such as 2024-02-30 and 2024-00-00.
    """
    match = _MOMENT.fullmatch(text)
    if match is None:
        return None
    year, month, day, hour, minute, second, digits = match.groups()
    if int(month) > 12 or int(day) > 31 or (hour and (int(hour) > 23 or int(minute) > 59 or int(second) > 59)):
        return None
    if calendar and text[:10] != _ZERO_DATE:
        try:
            date(int(year), int(month), int(day))
        except ValueError:
            return None
    return text[:10], text[11:19] if hour else None, digits or ""


def _day_or_moment(value: object, kind: ColumnType, *, calendar: bool) -> str:
    if not isinstance(value, str):
        raise NotAValue(f"{_describe(value)} is no time", "write it in quotes, like '2024-05-01 10:30:00'")
    found = moment(value, calendar=calendar or kind.name == "timestamp")
    if found is None or (kind.name == "date" and found[1] is not None):
        if kind.name == "date" or moment(value, calendar=False) is not None:
            raise NotAValue(f"{_describe(value)} is no day of the calendar", "write it like '2024-05-01'")
        raise NotAValue(f"{_describe(value)} is no {kind.name}", "write it like '2024-05-01 10:30:00'")
    day, clock, digits = found
    if kind.name == "date":
        return day
    text = f"{day} {clock or '00:00:00'}"
    if kind.name == "timestamp" and day != _ZERO_DATE and not _TIMESTAMPS[0] <= text <= _TIMESTAMPS[1]:
        raise NotAValue(f"{_describe(value)} is beyond the range of a timestamp")
    return text + _fraction(digits, kind, value)


def _time(value: object, kind: ColumnType) -> str:
    match = _SPAN.fullmatch(value) if isinstance(value, str) else None
    if match is None or int(match[2]) > 838 or int(match[3]) > 59 or int(match[4]) > 59:
        raise NotAValue(f"{_describe(value)} is no time", "write it in quotes, like '10:30:00'")
    text = f"{match[2].zfill(2)}:{match[3]}:{match[4]}{_fraction(match[5], kind, value)}"
    return match[1] + text if text.strip("0:.") else text


def _year(value: object, kind: ColumnType) -> str:
    del kind
    text = _plain(value)
    if not re.fullmatch(r"[0-9]{4}", text) or not (1901 <= int(text) <= 2155 or text == "0000"):
        raise NotAValue(f"{_describe(value)} is no year")
    return text


def _fraction(digits: str | None, kind: ColumnType, value: object) -> str:
    precision = kind.precision or 0
    digits = (digits or "").rstrip("0")
    if len(digits) > precision:
        raise NotAValue(f"{_describe(value)} has more than {precision} digits of a second")
    return f".{digits.ljust(precision, '0')}" if precision else ""


def _describe(value: object) -> str:
    return kind_of(value) if value is None or isinstance(value, list | dict) else quote(value)


def _is_one_of(*names: str) -> Callable[[ColumnType], bool]:
    return lambda kind: kind.name in names


_WRITERS: tuple[tuple[Callable[[ColumnType], bool], Callable[[object, ColumnType], str]], ...] = (
    (lambda kind: kind.is_integer, _integer),
    (_is_one_of("decimal"), _decimal),
    (_is_one_of("float", "double"), _float_text),
    (lambda kind: kind.is_text, _text),
    (_is_one_of("vector"), _vector),
    (lambda kind: kind.is_bytes, _bytes),
    (_is_one_of(*MARIADB_TYPES), _address),
    (_is_one_of("enum"), _label),
    (_is_one_of("set"), _labels),
    (_is_one_of("json"), _json),
    (_is_one_of("time"), _time),
    (_is_one_of("year"), _year),
)
