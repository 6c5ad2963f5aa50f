"""How the rows of many row events become text column by column: what `row_decoder` makes of them row by row, in a third
of the time.

A first pass over the bytes, in Python that is generated once for each table, finds where the images begin. Then NumPy
finds where their values are, and each column is read from all rows at once, by NumPy and Arrow. Whatever they do not
accept (month 13, ten digits in a group of nine, bytes that are no text) raises, and the caller decodes row by row,
which names the place and the column.

Runs in Spark tasks. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from itertools import groupby
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from shardwright.runtime.sources.binlog.column_texts import (
    Bytes,
    Fixed,
    Numbers,
    every_second,
    texts_of_fixed_width,
    variable_texts,
)
from shardwright.runtime.sources.binlog.compile_functions import compile_functions, number_at
from shardwright.runtime.sources.binlog.fields import Field
from shardwright.runtime.sources.event import IMAGE

_PADDING: Final = bytes(64)
"""Behind the last row: where a value is NULL, other bytes are read than those of a value, and not used."""

Starts = Callable[[bytes, int, int, Callable[[int], None]], int]
"""`starts(data, at, base, append)` goes over all images from `at` on, hands the place of each to `append`, and returns
the place after the last one. Places are counted from `-base`."""


def bytes_of(parts: Iterable[bytes]) -> Bytes:
    """`parts` one behind the other, in the form that `ColumnDecoder` reads."""
    return np.frombuffer(b"".join([*parts, _PADDING]), np.uint8)


class ColumnDecoder:
    """Reads images of one table."""

    def __init__(self, fields: Sequence[Field], order: Sequence[int]) -> None:
        self._fields = fields
        self._order = order
        self._runs = {min(sizes): sizes for sizes in _runs(fields)}
        """By its first place, the sizes of each run of values of fixed width."""
        names: dict[str, Any] = {"from_bytes": int.from_bytes}
        names |= {f"room{first}": cache(partial(_room, sizes)) for first, sizes in self._runs.items()}
        compile_functions("\n".join(self._lines()), "row starts", names)
        self.starts: Starts = names["starts"]

    def images(self, values: Bytes, starts: Numbers, *, only: Container[int] | None = None) -> pa.ListArray:
        """The images that begin at `starts` in `values`, as EVENT_SCHEMA has them. `only`: the indexes of columns that
        are read, others are NULL; None: all. Raises ValueError, of which ArrowInvalid is one, where a value is none."""
        wanted = {place for index, place in enumerate(self._order) if only is None or index in only}
        texts = {
            found.place: found.texts(values)
            for found in self._find_columns(values, starts, wanted)
            if self._fields[found.place].expression
        }
        nothing = pa.nulls(len(starts), pa.string())
        return _images([texts.get(place, nothing) for place in self._order])

    def identities(self, values: Bytes, starts: Numbers, *, of: Collection[int]) -> Numbers:
        """A number from 0 on for each image, which is the same for two images exactly when the columns with the indexes
        `of` hold the same bytes."""
        number = np.zeros(len(starts), np.int64)
        for found in self._find_columns(values, starts, {self._order[index] for index in of}):
            codes = found.codes(values)
            number = _codes(pa.array(number * (1 + codes.max(initial=0)) + codes))
        return number

    def _find_columns(self, values: Bytes, starts: Numbers, wanted: Collection[int]) -> Iterator[_Column]:
        """Where the values of columns are, by place in the table. All images are passed over in parallel."""
        null_bytes = (len(self._fields) + 7) // 8
        nulls, at = _windows(values, starts, null_bytes), starts + null_bytes
        null_somewhere = np.bitwise_or.reduce(nulls, axis=0).tolist()
        for place, field in enumerate(self._fields[: max(wanted, default=-1) + 1]):
            byte, bit = divmod(place, 8)
            is_null = (nulls[:, byte] >> bit & 1).astype(bool) if null_somewhere[byte] >> bit & 1 else None
            if field.layout:
                begin, width = at, field.size
                at = begin + (width if is_null is None else np.where(is_null, 0, width))
            else:
                begin, widths = at + field.length_size, field.length_size + _number(values, at, field.length_size)
                at = at + (widths if is_null is None else np.where(is_null, 0, widths))
            if place in wanted:
                there = slice(None) if is_null is None else ~is_null
                yield _Column(place, field, begin[there], at[there], is_null)

    def _lines(self) -> Iterator[str]:
        null_bytes = (len(self._fields) + 7) // 8
        yield "def starts(data, at, base, append):"
        yield "    end = len(data)"
        yield "    while at < end:"
        yield "        append(base + at)"
        yield f"        nulls = {number_at(null_bytes)}"
        yield f"        at += {null_bytes}"
        for place, field in enumerate(self._fields):
            if (sizes := self._runs.get(place)) is not None:
                mask = sum(1 << other for other in sizes)
                yield f"        at += {sum(sizes.values())} if not nulls & {mask} else room{place}(nulls & {mask})"
            elif not field.layout:
                size = field.length_size
                yield f"        if not nulls & {1 << place}: at += {size} + ({number_at(size)})"
        yield "    return at"


def _number(values: Bytes, at: Numbers, size: int) -> Numbers:
    """The number in the `size` bytes from each place on."""
    found = values[at].astype(np.int64)
    for byte in range(1, size):
        found |= values[at + byte].astype(np.int64) << 8 * byte
    return found


def _windows(values: Bytes, at: Numbers, size: int) -> Fixed:
    """The `size` bytes from each place on."""
    found = np.ndarray((len(values) - size + 1,), f"V{size}", values, strides=(1,))[at]
    return found.view(np.uint8).reshape(-1, size)


def _codes(values: pa.Array) -> Numbers:
    """A number from 0 on for each value, the same for the same values."""
    found: Numbers = values.dictionary_encode().indices.to_numpy().astype(np.int64)
    return found


@dataclass(frozen=True, slots=True)
class _Column:
    """Where the values of one column are that are not NULL."""

    place: int
    field: Field
    begin: Numbers
    end: Numbers
    is_null: npt.NDArray[np.bool_] | None
    """For each image; None: none is."""

    def texts(self, values: Bytes) -> pa.StringArray:
        if self.field.layout:
            found = texts_of_fixed_width(self.field, _windows(values, self.begin, self.field.size))
        else:
            found = variable_texts(self.field, values, self.begin, self.end)
        if self.is_null is None:
            return found
        return found.take(pa.array(np.cumsum(~self.is_null) - 1, mask=self.is_null))

    def codes(self, values: Bytes) -> Numbers:
        """A number from 0 on for each image, the same for the same bytes."""
        found = _codes(every_second(values, self.begin, self.end))
        if self.is_null is None:
            return found
        codes = np.zeros(len(self.is_null), np.int64)
        codes[~self.is_null] = 1 + found
        return codes


def _images(columns: Sequence[pa.StringArray]) -> pa.ListArray:
    rows, width = len(columns[0]), len(columns)
    at = (np.arange(rows)[:, None] + np.arange(width) * rows).ravel()
    offsets = pa.array(np.arange(0, rows * width + 1, width, dtype=np.int32))
    return pa.ListArray.from_arrays(offsets, pa.concat_arrays(columns).take(pa.array(at)), type=IMAGE)


def _runs(fields: Sequence[Field]) -> Iterator[dict[int, int]]:
    """The sizes of values of fixed width that lie one behind the other, by place."""
    for fixed, run in groupby(range(len(fields)), key=lambda place: bool(fields[place].layout)):
        if fixed:
            yield {place: fields[place].size for place in run}


def _room(sizes: Mapping[int, int], nulls: int) -> int:
    """How many bytes the values of a run take whose NULL bits are not set."""
    return sum(size for place, size in sizes.items() if not nulls >> place & 1)


@lru_cache(maxsize=256)
def column_decoder(fields: tuple[Field, ...], order: tuple[int, ...]) -> ColumnDecoder:
    return ColumnDecoder(fields, order)
