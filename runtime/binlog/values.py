"""The text of one value, from the bytes it has in a row image: what SELECT prints (see `row_decoder`).

Dates and clock times repeat a lot in real tables, so those are remembered.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from functools import lru_cache

BytesToText = Callable[[bytes], str]

_EPOCH_DAY = datetime.date(1970, 1, 1).toordinal()
_FRACTION_BYTES = (0, 1, 1, 2, 2, 3, 3)
_DECIMAL_BYTES = (0, 1, 1, 2, 2, 3, 3, 4, 4, 4)


@lru_cache(maxsize=65536)
def date_text(low: int, high: int) -> str:
    """A DATE: 24 bits, day (5), month (4), year (15)."""
    packed = low | high << 16
    return f"{packed >> 9:04d}-{packed >> 5 & 15:02d}-{packed & 31:02d}"


@lru_cache(maxsize=65536)
def _packed_day(packed: int) -> str:
    months, day = divmod(packed, 32)
    return f"{months // 13:04d}-{months % 13:02d}-{day:02d} "


@lru_cache(maxsize=131072)
def _packed_clock(packed: int) -> str:
    return f"{packed >> 12:02d}:{packed >> 6 & 63:02d}:{packed & 63:02d}"


@lru_cache(maxsize=65536)
def _unix_day(days: int) -> str:
    return datetime.date.fromordinal(_EPOCH_DAY + days).isoformat() + " "


@lru_cache(maxsize=131072)
def _unix_clock(seconds: int) -> str:
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


def fraction_bytes(digits: int) -> int:
    return _FRACTION_BYTES[digits]


def _fraction(digits: int) -> Callable[[int], str]:
    """'.ddd' of a stored fraction: hundredths, ten-thousandths or millionths, by the bytes it takes."""
    if digits == 0:
        return lambda value: ""
    width = 2 * _FRACTION_BYTES[digits]
    return lambda value: f".{value:0{width}d}"[: digits + 1]


def datetime_text(digits: int) -> BytesToText:
    shift = 8 * _FRACTION_BYTES[digits]
    mask = (1 << shift) - 1
    fraction = _fraction(digits)
    sign = 1 << 39

    def text(raw: bytes) -> str:
        stored = int.from_bytes(raw, "big")
        whole = (stored >> shift) - sign
        if shift:
            return _packed_day(whole >> 17) + _packed_clock(whole & 0x1FFFF) + fraction(stored & mask)
        return _packed_day(whole >> 17) + _packed_clock(whole & 0x1FFFF)

    return text


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
        return _unix_day(days) + _unix_clock(seconds) + (fraction(stored & mask) if shift else "")

    return text


def time_text(digits: int) -> BytesToText:
    shift = 8 * _FRACTION_BYTES[digits]
    mask = (1 << shift) - 1
    fraction = _fraction(digits)
    zero = 0x800000 << shift

    def text(raw: bytes) -> str:
        stored = int.from_bytes(raw, "big") - zero
        sign, stored = ("-", -stored) if stored < 0 else ("", stored)
        whole = stored >> shift
        clock = f"{whole >> 12 & 1023:02d}:{whole >> 6 & 63:02d}:{whole & 63:02d}"
        return sign + clock + fraction(stored & mask)

    return text


def decimal_bytes(precision: int, scale: int) -> int:
    whole, part = precision - scale, scale
    return whole // 9 * 4 + _DECIMAL_BYTES[whole % 9] + part // 9 * 4 + _DECIMAL_BYTES[part % 9]


def decimal_text(precision: int, scale: int) -> BytesToText:
    """Groups of nine digits in four bytes, a shorter group at each outer end; negative numbers have all bits inverted."""
    whole = precision - scale
    digits = [whole % 9] * (whole % 9 > 0) + [9] * (whole // 9) + [9] * (scale // 9) + [scale % 9] * (scale % 9 > 0)
    groups = []
    shift, power = 0, 1
    for count in reversed(digits):
        bits = 8 * _DECIMAL_BYTES[count]
        groups.append((shift, (1 << bits) - 1, power))
        shift, power = shift + bits, power * 10**count
    top, ones = 1 << (shift - 1), (1 << shift) - 1
    parts = tuple(groups)

    def text(raw: bytes) -> str:
        stored = int.from_bytes(raw, "big")
        negative = not stored & top
        stored = (ones - stored if negative else stored) - top
        number = 0
        for at, mask, unit in parts:
            number += (stored >> at & mask) * unit
        shown = f"{number:0{scale + 1}d}"
        if scale:
            shown = f"{shown[:-scale]}.{shown[-scale:]}"
        return "-" + shown if negative else shown

    return text


def set_text(labels: tuple[str, ...]) -> Callable[[int], str]:
    @lru_cache(maxsize=4096)
    def text(bits: int) -> str:
        if bits >> len(labels):
            raise ValueError(f"bit {bits.bit_length()} of a SET with {len(labels)} members")
        return ",".join(label for place, label in enumerate(labels) if bits >> place & 1)

    return text
