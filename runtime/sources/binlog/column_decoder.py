"""How the rows of many row events become text column by column: what `row_decoder` makes of them row by row, in a third
of the time.

A first pass over the bytes, in Python that is generated once for each table, finds where the images begin. Then NumPy
finds where their values are, and each column is read from all rows at once, by NumPy and Arrow. Whatever they do not
accept (month 13, ten digits in a group of nine, bytes that are no text) raises, and the caller decodes row by row,
which names the place and the column.

Runs in Spark tasks. Pure.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from itertools import groupby
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from shardwright.runtime.sources.binlog.column_texts import Bytes, Numbers, fixed_texts, variable_texts
from shardwright.runtime.sources.binlog.fields import Field
from shardwright.runtime.sources.binlog.generated import generated, number_at
from shardwright.runtime.sources.event import EVENT_SCHEMA

_IMAGES: Final = EVENT_SCHEMA.field("after").type
_MOST_COLUMNS: Final = 63
"""The NULL bits of a row are one number of 64 bits."""
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
        generated("\n".join(self._lines()), "row starts", names)
        self.starts: Starts = names["starts"]

    def images(self, values: Bytes, starts: Numbers, *, only: Container[int] | None = None) -> pa.ListArray:
        """The images that begin at `starts` in `values`, as EVENT_SCHEMA has them. `only`: the indexes of columns that
        are read, others are NULL; None: all. Raises ValueError, of which ArrowInvalid is one, where a value is none."""
        return _images(self._columns(values, starts, only))

    def images_twice(
        self, values: Bytes, starts: Numbers, *, only: Container[int]
    ) -> tuple[pa.ListArray, pa.ListArray]:
        """The same images with the columns `only`, and with all."""
        columns = self._columns(values, starts, None)
        nothing = pa.nulls(len(starts), pa.string())
        some = [column if index in only else nothing for index, column in enumerate(columns)]
        return _images(some), _images(columns)

    def _columns(self, values: Bytes, starts: Numbers, only: Container[int] | None) -> list[pa.StringArray]:
        nothing = pa.nulls(len(starts), pa.string())
        wanted = frozenset(place for index, place in enumerate(self._order) if only is None or index in only)
        found = self._found(values, starts, wanted)
        return [found.get(place, nothing) for place in self._order]

    def _found(self, values: Bytes, starts: Numbers, wanted: Collection[int]) -> Mapping[int, pa.StringArray]:
        """By place. All images are passed over in parallel, one value after the other."""
        found: dict[int, pa.StringArray] = {}
        null_bytes = (len(self._fields) + 7) // 8
        nulls, at = _number(values, starts, null_bytes), starts + null_bytes
        null_somewhere = int(np.bitwise_or.reduce(nulls)) if len(nulls) else 0
        for place, field in enumerate(self._fields[: max(wanted, default=-1) + 1]):
            is_null = (nulls >> place & 1).astype(bool) if null_somewhere >> place & 1 else None
            if field.layout:
                begin, size = at, struct.calcsize("<" + field.layout)
                at = end = begin + (size if is_null is None else np.where(is_null, 0, size))
            else:
                size = field.length_size
                width = size + _number(values, at, size)
                begin = at + size
                at = end = at + (width if is_null is None else np.where(is_null, 0, width))
            if place in wanted and field.expression:
                found[place] = _texts(field, values, begin, end, is_null)
        return found

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


def _texts(
    field: Field, values: Bytes, begin: Numbers, end: Numbers, is_null: npt.NDArray[np.bool_] | None
) -> pa.StringArray:
    if is_null is not None:
        begin, end = begin[~is_null], end[~is_null]
    if field.layout:
        size = struct.calcsize("<" + field.layout)
        windows = np.ndarray((len(values) - size + 1,), f"V{size}", values, strides=(1,))
        found = fixed_texts(field, windows[begin].view(np.uint8).reshape(-1, size))
    else:
        found = variable_texts(field, values, begin, end)
    return found if is_null is None else found.take(pa.array(np.cumsum(~is_null) - 1, mask=is_null))


def _images(columns: Sequence[pa.StringArray]) -> pa.ListArray:
    rows, width = len(columns[0]), len(columns)
    at = (np.arange(rows)[:, None] + np.arange(width) * rows).ravel()
    offsets = pa.array(np.arange(0, rows * width + 1, width, dtype=np.int32))
    return pa.ListArray.from_arrays(offsets, pa.concat_arrays(columns).take(pa.array(at)), type=_IMAGES)


def _runs(fields: Sequence[Field]) -> Iterator[dict[int, int]]:
    """The sizes of values of fixed width that lie one behind the other, by place."""
    for fixed, run in groupby(range(len(fields)), key=lambda place: bool(fields[place].layout)):
        if fixed:
            yield {place: struct.calcsize("<" + fields[place].layout) for place in run}


def _room(sizes: Mapping[int, int], nulls: int) -> int:
    """How many bytes the values of a run take whose NULL bits are not set."""
    return sum(size for place, size in sizes.items() if not nulls >> place & 1)


@lru_cache(maxsize=256)
def column_decoder(fields: tuple[Field, ...], order: tuple[int, ...]) -> ColumnDecoder | None:
    """None for a table with too many columns."""
    return ColumnDecoder(fields, order) if 0 < len(fields) <= _MOST_COLUMNS else None
