"""What is the canonical text of a value that a person writes in YAML? That is the form in which values cross. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import date
from decimal import Context, Decimal, InvalidOperation

from shardwright.compiler.plan.catalogue import SPATIALS, ColumnType
from shardwright.runtime.rehearsal.dry_run.values import integer_range, plain_value
from shardwright.specs.findings.wording import did_you_mean, kind_of, quoted

_HEX = re.compile(r"0[xX]((?:[0-9A-Fa-f]{2})*)")
_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_CLOCK = re.compile(r"(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,6}))?")
_SPAN = re.compile(r"(-?)(\d{1,3}):(\d{2}):(\d{2})(?:\.(\d{1,6}))?")
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


def canonical(value: object, kind: ColumnType) -> str | None:
    """The text that SELECT prints for this value in a column of this type; None is NULL. Raises NotAValue."""
    if value is None:
        return None
    for holds, write in _WRITERS:
        if holds(kind):
            return write(value, kind)
    raise NotAValue(f"values of type {kind.name} cannot be written in a test")


def _integer(value: object, kind: ColumnType) -> str:
    if isinstance(value, bool):
        return str(int(value))
    text = str(value)
    if isinstance(value, float) or not re.fullmatch(r"[-+]?[0-9]+", text):
        raise NotAValue(f"{_shown(value)} is no whole number")
    low, high = integer_range(kind)
    if not low <= int(text) <= high:
        raise NotAValue(f"{text} is not between {low} and {high}")
    return str(int(text))


def _decimal(value: object, kind: ColumnType) -> str:
    precision, scale = kind.precision or 10, kind.scale or 0
    try:
        number = Decimal(_numeral(value))
        if not number.is_finite():
            raise InvalidOperation
    except InvalidOperation:
        raise NotAValue(f"{_shown(value)} is no number") from None
    if number.copy_abs() >= Decimal(10) ** (precision - scale):
        raise NotAValue(f"{_shown(value)} has more than {precision - scale} digits before the point")
    if kind.unsigned and number < 0:
        raise NotAValue(f"{_shown(value)} is below 0")
    rounded = number.quantize(Decimal(1).scaleb(-scale), context=Context(prec=_MOST_DIGITS))
    if number != rounded:
        raise NotAValue(f"{_shown(value)} has more than {scale} digits after the point")
    return f"{rounded.copy_abs() if rounded == 0 else rounded:f}"


def _floating(value: object, kind: ColumnType) -> str:
    del kind
    try:
        number = float(_numeral(value))
    except ValueError:
        raise NotAValue(f"{_shown(value)} is no number") from None
    whole = number.is_integer() and abs(number) < 1e15
    return repr(number).removesuffix(".0") if whole else repr(number).replace("e+", "e")


def _numeral(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise NotAValue(f"{kind_of(value)} is no number")
    if isinstance(value, float) and len(re.sub(r"[^0-9]|[eE].*", "", repr(value)).lstrip("0")) > _EXACT_DIGITS:
        raise NotAValue("a number of so many digits is not kept exactly", "write it in quotes")
    return str(value)


def _text(value: object, kind: ColumnType) -> str:
    if isinstance(value, bool | float):
        raise NotAValue(f"{kind_of(value)} is no text", "write it in quotes")
    if not isinstance(value, str | int):
        raise NotAValue(f"{kind_of(value)} is no text")
    text = str(value)
    if kind.name == "char":
        text = text.rstrip(" ")
    if kind.length is not None and len(text) > kind.length:
        raise NotAValue(f"{quoted(text)} has {len(text)} characters, the column holds {kind.length}")
    return text


def _bytes(value: object, kind: ColumnType) -> str:
    if kind.name == "bit":
        return _bits(value, kind)
    if not isinstance(value, str):
        raise NotAValue(f"{_shown(value)} is no bytes", "write 0x and hexadecimal digits, or text")
    match = _HEX.fullmatch(value)
    if kind.name in SPATIALS and match is None:
        raise NotAValue(f"{_shown(value)} is no {kind.name}", "write 0x and the hexadecimal digits that HEX() gives")
    content = bytes.fromhex(match.group(1)) if match else value.encode()
    if kind.length is not None and len(content) > kind.length:
        raise NotAValue(f"{len(content)} bytes, the column holds {kind.length}")
    if kind.name == "binary":
        content = content.ljust(kind.length or 1, b"\x00")
    return content.hex().upper()


def _bits(value: object, kind: ColumnType) -> str:
    bits = kind.length or 1
    number = int(value) if isinstance(value, bool | int) else -1
    if isinstance(value, str) and re.fullmatch(r"0[bB][01]+|0[xX][0-9A-Fa-f]+", value):
        number = int(value, 0)
    if not 0 <= number < 2**bits:
        raise NotAValue(f"{_shown(value)} is not {bits} bits", "write a whole number, or 0b and binary digits")
    return number.to_bytes((bits + 7) // 8, "big").hex().upper()


def _label(value: object, kind: ColumnType) -> str:
    text = _plain(value)
    if text not in kind.labels:
        hint = did_you_mean(text, kind.labels) or f"known: {', '.join(kind.labels[:12])}"
        raise NotAValue(f"{quoted(text)} is none of the column's labels", hint)
    return text


def _labels(value: object, kind: ColumnType) -> str:
    given = [_plain(item) for item in value] if isinstance(value, list) else _plain(value).split(",")
    chosen = {_label(item, kind) for item in given if item}
    return ",".join(label for label in kind.labels if label in chosen)


def _plain(value: object) -> str:
    if isinstance(value, bool | float) or not isinstance(value, str | int):
        raise NotAValue(f"{kind_of(value)} is no text", "write it in quotes")
    return str(value)


def _json(value: object, kind: ColumnType) -> str:
    del kind
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _date(value: object, kind: ColumnType) -> str:
    del kind
    return _checked_day(_written_time(value), value)


def _moment(value: object, kind: ColumnType) -> str:
    text = _written_time(value).replace("T", " ", 1)
    day, _, clock = text.partition(" ")
    clock = clock or "00:00:00"
    match = _CLOCK.fullmatch(clock)
    if match is None or int(match[1]) > 23 or int(match[2]) > 59 or int(match[3]) > 59:
        raise NotAValue(f"{_shown(value)} is no {kind.name}", "write it like '2024-05-01 10:30:00'")
    return f"{_checked_day(day, value)} {match[1]}:{match[2]}:{match[3]}{_fraction(match[4], kind, value)}"


def _time(value: object, kind: ColumnType) -> str:
    match = _SPAN.fullmatch(_written_time(value))
    if match is None or int(match[2]) > 838 or int(match[3]) > 59 or int(match[4]) > 59:
        raise NotAValue(f"{_shown(value)} is no time", "write it like '10:30:00'")
    return f"{match[1]}{match[2].zfill(2)}:{match[3]}:{match[4]}{_fraction(match[5], kind, value)}"


def _year(value: object, kind: ColumnType) -> str:
    del kind
    text = _plain(value)
    if not re.fullmatch(r"[0-9]{4}", text) or not (1901 <= int(text) <= 2155 or text == "0000"):
        raise NotAValue(f"{_shown(value)} is no year")
    return text


def _written_time(value: object) -> str:
    if not isinstance(value, str):
        raise NotAValue(f"{_shown(value)} is no time", "write it in quotes, like '2024-05-01 10:30:00'")
    return value


def _checked_day(text: str, value: object) -> str:
    match = _DAY.fullmatch(text)
    try:
        if match is None:
            raise ValueError
        if text != "0000-00-00":
            date(int(match[1]), int(match[2]), int(match[3]))
    except ValueError:
        raise NotAValue(f"{_shown(value)} is no day of the calendar", "write it like '2024-05-01'") from None
    return text


def _fraction(digits: str | None, kind: ColumnType, value: object) -> str:
    precision = kind.precision or 0
    digits = (digits or "").rstrip("0")
    if len(digits) > precision:
        raise NotAValue(f"{_shown(value)} has more than {precision} digits of a second")
    return f".{digits.ljust(precision, '0')}" if precision else ""


def _shown(value: object) -> str:
    return kind_of(value) if value is None or isinstance(value, list | dict) else quoted(value)


def _named(*names: str) -> Callable[[ColumnType], bool]:
    return lambda kind: kind.name in names


_WRITERS: tuple[tuple[Callable[[ColumnType], bool], Callable[[object, ColumnType], str]], ...] = (
    (lambda kind: kind.is_integer, _integer),
    (_named("decimal"), _decimal),
    (_named("float", "double"), _floating),
    (lambda kind: kind.is_text, _text),
    (lambda kind: kind.is_bytes, _bytes),
    (_named("enum"), _label),
    (_named("set"), _labels),
    (_named("json"), _json),
    (_named("date"), _date),
    (_named("datetime", "timestamp"), _moment),
    (_named("time"), _time),
    (_named("year"), _year),
)


def unnamed(kind: ColumnType) -> str | None:
    """The value of a NOT NULL column without default that a test does not name; None when the type has no plain one."""
    return None if kind.name in SPATIALS else plain_value(kind)
