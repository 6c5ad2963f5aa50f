"""How the bytes of one value in a row image become text: what SELECT prints (see `row_decoder`).

Pure. Used in Spark tasks, and in the driver where a range is scanned.

Dates and clock times repeat a lot in real tables, so their texts are cached. Every function raises ValueError or
IndexError for bytes that no server writes (month 13, 25 o'clock, ten digits in a group of nine). So no such value of a
damaged log reaches a shard. A cached text is checked when it is made, so the check costs nothing afterwards. Zero and
incomplete dates are values like others.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, NoReturn

from shardwright.runtime.sources.binlog.compile_functions import compile_functions

BytesToText = Callable[[bytes], str]

_EPOCH_DAY = datetime.date(1970, 1, 1).toordinal()
_FRACTION_BYTES = (0, 1, 1, 2, 2, 3, 3)
_DECIMAL_BYTES = (0, 1, 1, 2, 2, 3, 3, 4, 4, 4)


class _TextCache(dict[int, str]):
    """A cache of texts by their number in the log. A text is made when it is first needed; all are dropped when there
    are too many."""

    def __init__(self, make: Callable[[int], str], *, most: int) -> None:
        super().__init__()
        self._make = make
        self._most = most

    def __missing__(self, number: int) -> str:
        if len(self) >= self._most:
            self.clear()
        made = self[number] = self._make(number)
        return made


_DAYS, _CLOCKS = 65536, 131072  # the days of 180 years, all seconds of a day


@lru_cache(maxsize=_DAYS)
def date_text(low: int, high: int) -> str:
    """A DATE: 24 bits, day (5), month (4), year (15)."""
    packed = low | high << 16
    return _day_text(packed >> 9, packed >> 5 & 15, packed & 31)


def _day_text(year: int, month: int, day: int) -> str:
    text = f"{year:04d}-{month:02d}-{day:02d}"
    if not 0 <= year <= 9999 or month > 12:  # the day has five bits: it is never more than 31
        raise ValueError(f"there is no date {text}")
    return text


def _day_of(packed: int) -> str:
    months, day = divmod(packed, 32)
    return _day_text(*divmod(months, 13), day) + " "


def _clock_of(packed: int) -> str:
    return _clock_text(packed, most_hours=23)


def _duration_of(packed: int) -> str:
    """The text of a TIME, which is a duration."""
    return _clock_text(packed, most_hours=838)


def _clock_text(packed: int, *, most_hours: int) -> str:
    hours, minutes, seconds = packed >> 12, packed >> 6 & 63, packed & 63
    text = f"{hours:02d}:{minutes:02d}:{seconds:02d}"
    if hours > most_hours or minutes > 59 or seconds > 59:
        raise ValueError(f"there is no time {text}")
    return text


def _unix_day(days: int) -> str:
    return datetime.date.fromordinal(_EPOCH_DAY + days).isoformat() + " "


def _unix_clock(seconds: int) -> str:
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


_packed_days = _TextCache(_day_of, most=_DAYS)
_packed_clocks = _TextCache(_clock_of, most=_CLOCKS)
_packed_times = _TextCache(_duration_of, most=_CLOCKS)
_unix_days = _TextCache(_unix_day, most=_DAYS)
_unix_clocks = _TextCache(_unix_clock, most=_CLOCKS)


def fraction_bytes(digits: int) -> int:
    return _FRACTION_BYTES[digits]


def _fraction(digits: int) -> Callable[[int], str]:
    """'.ddd' of a stored fraction: hundredths, ten-thousandths or millionths, by the bytes it takes."""
    width = 2 * _FRACTION_BYTES[digits]
    if width < 6:
        return [f".{value:0{width}d}"[: digits + 1] if digits else "" for value in range(10**width)].__getitem__

    def text(value: int) -> str:
        if value > 999_999:
            raise ValueError(f"there are no {value} microseconds in a fraction of a second")
        return f".{value:06d}"[: digits + 1]

    return text


@lru_cache
def datetime_text(digits: int) -> BytesToText:
    shift = 8 * _FRACTION_BYTES[digits]
    mask = (1 << shift) - 1
    fraction = _fraction(digits)
    sign = 1 << 39
    number, days, clocks = int.from_bytes, _packed_days, _packed_clocks

    def whole_seconds(raw: bytes) -> str:
        packed = number(raw, "big") - sign
        return days[packed >> 17] + clocks[packed & 0x1FFFF]

    def with_fraction(raw: bytes) -> str:
        stored = number(raw, "big")
        packed = (stored >> shift) - sign
        return days[packed >> 17] + clocks[packed & 0x1FFFF] + fraction(stored & mask)

    return with_fraction if shift else whole_seconds


@lru_cache
def timestamp_text(digits: int) -> BytesToText:
    """UTC. Zero seconds and zero fraction is the zero timestamp: the server allows no value in that second (C8)."""
    shift = 8 * _FRACTION_BYTES[digits]
    mask = (1 << shift) - 1
    fraction = _fraction(digits)
    zero = "0000-00-00 00:00:00" + fraction(0)

    def text(raw: bytes) -> str:
        stored = int.from_bytes(raw, "big")
        if not stored:
            return zero
        days, seconds = divmod(stored >> shift, 86400)
        return _unix_days[days] + _unix_clocks[seconds] + fraction(stored & mask)

    return text


@lru_cache
def time_text(digits: int) -> BytesToText:
    shift = 8 * _FRACTION_BYTES[digits]
    mask = (1 << shift) - 1
    fraction = _fraction(digits)
    times = _packed_times
    zero = 0x800000 << shift

    def text(raw: bytes) -> str:
        stored = int.from_bytes(raw, "big") - zero
        sign, stored = ("-", -stored) if stored < 0 else ("", stored)
        return sign + times[stored >> shift] + fraction(stored & mask)

    return text


_SHORT = range(1, 5)
"""Numbers of digits after the point."""


def decimal_bytes(precision: int, scale: int) -> int:
    whole, part = precision - scale, scale
    return whole // 9 * 4 + _DECIMAL_BYTES[whole % 9] + part // 9 * 4 + _DECIMAL_BYTES[part % 9]


def decimal_groups(precision: int, scale: int) -> Iterator[tuple[bool, int, int]]:
    """Of each group of digits: whether it is before the point, how many digits and how many bytes it has."""
    whole = precision - scale
    before = [whole % 9] * (whole % 9 > 0) + [9] * (whole // 9)
    after = [9] * (scale // 9) + [scale % 9] * (scale % 9 > 0)
    for is_whole, counts in ((True, before), (False, after)):
        yield from ((is_whole, count, _DECIMAL_BYTES[count]) for count in counts)


@lru_cache(maxsize=1024)
def decimal_text(precision: int, scale: int) -> BytesToText:
    """Groups of nine digits in four bytes, a shorter group at each outer end; negative numbers have all bits inverted.
    The function is generated, as the functions of whole rows are (see `row_decoder`)."""
    digits = [count for _, count, _ in decimal_groups(precision, scale)]
    wholes = len(digits) - (scale + 8) // 9
    groups, checks = [], []
    shift, power = 0, 1
    for place, count in reversed(list(enumerate(digits))):
        bits = 8 * _DECIMAL_BYTES[count]
        group = f"(stored >> {shift} & {(1 << bits) - 1})"
        if place < wholes or scale not in _SHORT:  # `parts` has no text for more digits than its own
            checks.append(f"(g{place} := {group}) > {10**count - 1}")
            group = f"g{place}"
        groups.append((place < wholes, group if power == 1 else f"{group} * {power}"))
        shift, power = shift + bits, 1 if place == wholes else power * 10**count
    top, ones = 1 << (shift - 1), (1 << shift) - 1
    before = " + ".join(text for is_whole, text in groups if is_whole) or "0"
    after = " + ".join(text for is_whole, text in groups if not is_whole)
    names: dict[str, Any] = {"number": int.from_bytes, "refuse": _refuse_digits}
    if scale in _SHORT:  # from a list: a number with leading zeros takes as long as all the rest
        names["parts"] = [f".{part:0{scale}d}" for part in range(10**scale)]
    shown = f"str({before})" + _fraction_code(after, scale)
    check = f"if {' or '.join(checks)}: refuse()" if checks else "pass"
    source = (
        "def text(raw):\n"
        "    stored = number(raw, 'big')\n"
        f"    if stored & {top}:\n"
        f"        stored -= {top}\n"
        f"        {check}\n"
        f"        return {shown}\n"
        f"    stored = {ones - top} - stored\n"
        f"    {check}\n"
        f"    return '-' + {shown}\n"
    )
    made: BytesToText = compile_functions(source, "decimal", names)["text"]
    return made


def _refuse_digits() -> NoReturn:
    raise ValueError("a group of digits of the decimal holds more digits than it has")


def _fraction_code(after: str, scale: int) -> str:
    if not scale:
        return ""
    return f" + parts[{after}]" if scale in _SHORT else f" + f'.{{{after}:0{scale}d}}'"


def no_number(value: float) -> NoReturn:
    raise ValueError(f"{value} is no value of a column")


@lru_cache
def bit_text(bits: int) -> BytesToText:
    """HEX(bit): a number, without zeros in front."""

    def text(raw: bytes) -> str:
        stored = int.from_bytes(raw, "big")
        if stored >> bits:
            raise ValueError(f"{stored:X} has more than {bits} bits")
        return f"{stored:X}"

    return text


@lru_cache(maxsize=256)
def enum_text(labels: tuple[str, ...]) -> Callable[[int], str]:
    return ("", *labels).__getitem__  # index 0: what a non-strict server stores for an invalid value (C13)


@lru_cache(maxsize=256)
def set_text(labels: tuple[str, ...]) -> Callable[[int], str]:
    @lru_cache(maxsize=4096)
    def text(bits: int) -> str:
        if bits >> len(labels):
            raise ValueError(f"bit {bits.bit_length()} of a SET with {len(labels)} members")
        return ",".join(label for place, label in enumerate(labels) if bits >> place & 1)

    return text
