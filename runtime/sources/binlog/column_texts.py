"""How a whole column of row images becomes text: the values of `values`, all at once, by NumPy and Arrow.

Runs in Spark tasks. Pure. A function raises ValueError, of which ArrowInvalid is one, for bytes that no server writes,
as those of `values` do for one value.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from shardwright.runtime.sources.binlog.compile_functions import compile_functions
from shardwright.runtime.sources.binlog.fields import Field
from shardwright.runtime.sources.binlog.values import decimal_groups, fraction_bytes

Bytes = npt.NDArray[np.uint8]
"""Bytes one after the other."""
Fixed = npt.NDArray[np.uint8]
"""A row of bytes for each value."""
Numbers = npt.NDArray[np.int64]
_POINT, _DASH, _COLON, _SPACE, _ZERO = b".-: 0"
_LEAST_PLAIN, _PLAIN_BELOW = 1e-4, 1e10
"""Numbers in between are written without an exponent, by Python and by Arrow."""


def texts_of_fixed_width(field: Field, raw: Fixed) -> pa.StringArray:
    """The texts of values of fixed width."""
    name, *details = field.form or ("",)
    if name in _FIXED:
        return _FIXED[name](raw, *details)
    text = _text_of(field.expression, field.function)
    return pa.array([text(*parts) for parts in struct.iter_unpack("<" + field.layout, raw.tobytes())], pa.string())


def variable_texts(field: Field, values: Bytes, starts: Numbers, ends: Numbers) -> pa.StringArray:
    """The texts of values of any width, each of which is `values` from its start to its end. They do not overlap, and
    come in this order."""
    if field.form == ("utf8",):
        return every_second(values, starts, ends).cast(pa.string())
    text, data = _text_of(field.expression, field.function), values.tobytes()
    return pa.array(
        [text(data[start:end]) for start, end in zip(starts.tolist(), ends.tolist(), strict=True)], pa.string()
    )


def every_second(values: Bytes, starts: Numbers, ends: Numbers) -> pa.BinaryArray:
    """Arrow's texts lie one behind the other. What is between two values counts as one, too, and is left out."""
    offsets = np.zeros(2 * len(starts) + 1, np.int32)
    offsets[0:-1:2], offsets[1::2] = starts, ends
    offsets[-1] = ends[-1] if len(ends) else 0
    parts = pa.BinaryArray.from_buffers(
        pa.binary(), len(offsets) - 1, [None, pa.py_buffer(offsets), pa.py_buffer(values)]
    )
    return parts.take(pa.array(np.arange(0, 2 * len(starts), 2)))


@lru_cache(maxsize=1024)
def _text_of(expression: str, function: Callable[..., Any] | None) -> Callable[..., str]:
    """The text of one value, from its unpacked parts."""
    source = f"def text(a, b=None):\n    return {expression.format('a', 'b', f='function')}\n"
    made: Callable[..., str] = compile_functions(source, "value", {"function": function, "from_bytes": int.from_bytes})[
        "text"
    ]
    return made


def _require(holds: npt.NDArray[np.bool_], what: str) -> None:
    if not holds.all():
        raise ValueError(f"{what} that is none")


def _integers(raw: Fixed, kind: str) -> pa.StringArray:
    return pa.array(raw.view(kind)[:, 0]).cast(pa.string())


def _mediumints(raw: Fixed, signed: bool) -> pa.StringArray:
    found = raw[:, 0] | raw[:, 1].astype(np.int32) << 8 | raw[:, 2].astype(np.int32) << 16
    return pa.array(np.where(found >> 23 & signed, found - (1 << 24), found)).cast(pa.string())


def _floats(raw: Fixed, kind: str) -> pa.StringArray:
    """As Python writes them. Arrow writes the same digits in another form where they are a whole number, or have an
    exponent."""
    stored = raw.view(kind)[:, 0]
    _require(np.isfinite(stored), "a number")
    found = stored.astype(np.float64)
    size = np.abs(found)
    texts = pa.array(found).cast(pa.string())
    whole = found == np.floor(found)
    if whole.any():
        texts = pc.binary_join_element_wise(texts, pa.array(["", ".0"]).take(pa.array(whole.astype(np.int8))), "")
    other = ~((size >= _LEAST_PLAIN) & (size < _PLAIN_BELOW) | (size == 0))
    if other.any():
        texts = pc.replace_with_mask(texts, pa.array(other), pa.array(map(repr, found[other].tolist()), pa.string()))
    return texts


def _decimals(raw: Fixed, precision: int, scale: int) -> pa.StringArray:
    """Groups of nine digits in four bytes, a shorter group at each outer end; negative numbers have all bits
    inverted."""
    negative = raw[:, 0] < 0x80
    raw = np.where(negative[:, None], ~raw, raw)
    raw[:, 0] &= 0x7F
    parts = {True: np.zeros(len(raw), np.int64), False: np.zeros(len(raw), np.int64)}
    at = 0
    for is_whole, digits, size in decimal_groups(precision, scale):
        group = _big_endian(raw[:, at : at + size])
        _require(group < 10**digits, "a group of digits")
        parts[is_whole] = parts[is_whole] * 10**digits + group
        at += size
    found = [pa.array(parts[True]).cast(pa.string())]
    if negative.any():
        found.insert(0, pa.array(["", "-"]).take(pa.array(negative.astype(np.int8))))
    if scale:
        found.append(_lines({0: _POINT}, [(1, parts[False], scale)], 1 + scale))
    return found[0] if len(found) == 1 else pc.binary_join_element_wise(*found, "")


def _datetimes(raw: Fixed, digits: int) -> pa.StringArray:
    packed = _big_endian(raw[:, :5]) - (1 << 39)
    months, clock = packed >> 22, packed & 0x1FFFF
    _require((packed >= 0) & (months // 13 <= 9999), "a date")
    hours, minutes, seconds = clock >> 12, clock >> 6 & 63, clock & 63
    _require((hours < 24) & (minutes < 60) & (seconds < 60), "a time")
    day = (months // 13, months % 13, packed >> 17 & 31)
    return _moments((*day, hours, minutes, seconds), _fractions(raw[:, 5:], digits), digits)


def _dates(raw: Fixed) -> pa.StringArray:
    packed = raw[:, 0] | raw[:, 1].astype(np.int64) << 8 | raw[:, 2].astype(np.int64) << 16
    year, month = packed >> 9, packed >> 5 & 15
    _require((year <= 9999) & (month <= 12), "a date")
    return _lines({4: _DASH, 7: _DASH}, [(0, year, 4), (5, month, 2), (8, packed & 31, 2)], 10)


def _timestamps(raw: Fixed, digits: int) -> pa.StringArray:
    """Seconds since 1970. Zero seconds and zero fraction is the zero date."""
    found = _big_endian(raw[:, :4])
    days = (found // 86_400).astype("datetime64[D]")
    months = days.astype("datetime64[M]")
    year, month = months.astype("datetime64[Y]").astype(np.int64) + 1970, months.astype(np.int64) % 12 + 1
    day, clock = (days - months).astype(np.int64) + 1, found % 86_400
    fraction = _fractions(raw[:, 4:], digits)
    is_zero = _big_endian(raw) == 0
    if is_zero.any():
        year, month, day = (np.where(is_zero, 0, part) for part in (year, month, day))
    return _moments((year, month, day, clock // 3600, clock // 60 % 60, clock % 60), fraction, digits)


def _moments(numbers: Sequence[Numbers], fraction: Numbers, digits: int) -> pa.StringArray:
    """`numbers` are years, months, days, hours, minutes and seconds."""
    marks = {4: _DASH, 7: _DASH, 10: _SPACE, 13: _COLON, 16: _COLON}
    places = [(0, 4), (5, 2), (8, 2), (11, 2), (14, 2), (17, 2)]
    written = [(at, number, width) for (at, width), number in zip(places, numbers, strict=True)]
    if not digits:
        return _lines(marks, written, 19)
    return _lines(marks | {19: _POINT}, [*written, (20, fraction, digits)], 20 + digits)


def _fractions(raw: Fixed, digits: int) -> Numbers:
    """The shown digits of hundredths, ten-thousandths or millionths."""
    stored, width = _big_endian(raw), 2 * fraction_bytes(digits)
    _require(stored < 10**width, "a fraction of a second")
    found: Numbers = stored // 10 ** (width - digits)
    return found


def _big_endian(raw: Fixed) -> Numbers:
    found = np.zeros(len(raw), np.int64)
    for place in range(raw.shape[1]):
        found = found << 8 | raw[:, place]
    return found


def _lines(marks: Mapping[int, int], numbers: list[tuple[int, Numbers, int]], width: int) -> pa.StringArray:
    """Texts of `width` characters: `marks` by their places, and numbers, each from a place on, in so many digits."""
    written = np.empty((len(numbers[0][1]), width), np.uint8)
    for at, mark in marks.items():
        written[:, at] = mark
    for at, number, digits in numbers:
        left = number
        for place in range(at + digits - 1, at - 1, -1):
            rest = left // 10
            written[:, place] = left - 10 * rest + _ZERO
            left = rest
    offsets = np.arange(0, written.size + 1, width, dtype=np.int32)
    return pa.StringArray.from_buffers(len(written), pa.py_buffer(offsets), pa.py_buffer(written))


_FIXED: Mapping[str, Callable[..., pa.StringArray]] = {
    "integer": _integers,
    "mediumint": _mediumints,
    "float": _floats,
    "decimal": _decimals,
    "datetime": _datetimes,
    "date": _dates,
    "timestamp": _timestamps,
}
