"""How the rows of many row events become text column by column: what `row_decoder` makes of them row by row, in a third
of the time.

A first pass over the bytes, in Python that is generated once for each table, finds where the values are. Then each
column is read from all rows at once, by NumPy and Arrow. Whatever they do not accept (month 13, ten digits in a group
of nine, bytes that are no text) raises, and the caller decodes row by row, which names the place and the column.

Runs in Spark tasks. Pure.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from itertools import groupby
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from shardwright.runtime.sources.binlog.column_texts import Bytes, Fixed, fixed_texts, variable_texts
from shardwright.runtime.sources.binlog.fields import Field
from shardwright.runtime.sources.binlog.generated import generated, number_at
from shardwright.runtime.sources.event import EVENT_SCHEMA

_IMAGES: Final = EVENT_SCHEMA.field("after").type
_MOST_COLUMNS: Final = 63
"""The NULL bits of a row are one number of 64 bits."""
_PADDING: Final = bytes(64)
"""Behind the last row: where a value is NULL, other bytes are read than those of a value, and not used."""

Spans = Callable[[bytes, int, int, Callable[[tuple[int, ...]], None]], int]
"""`spans(data, at, base, extend)` goes over all images from `at` on, hands their numbers to `extend`, and returns the
place after the last one. `span` does so with one image. Places are counted from `-base`."""


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
        self._run_of = {place: first for first, sizes in self._runs.items() for place in sizes}
        self._numbers: dict[str, int] = {}
        wanted = frozenset(order)
        source = "\n".join([*self._lines("spans", wanted, many=True), *self._lines("span", wanted, many=False)])
        names: dict[str, Any] = {"from_bytes": int.from_bytes}
        names |= {f"room{first}": cache(partial(_room, sizes)) for first, sizes in self._runs.items()}
        generated(source, "row spans", names)
        self.spans: Spans = names["spans"]
        self.span: Spans = names["span"]
        self.width = 1 + len(self._numbers)
        """How many numbers a row has."""

    def images(
        self, values: Bytes, numbers: npt.NDArray[np.int64], *, only: Container[int] | None = None
    ) -> pa.ListArray:
        """The images whose `numbers` (a row for each) `spans` has found in `values`, as EVENT_SCHEMA has them. `only`:
        the indexes of columns that are read, others are NULL; None: all. Raises ValueError, of which ArrowInvalid is
        one, where a value is none."""
        return _images(self._columns(values, numbers, only))

    def images_twice(
        self, values: Bytes, numbers: npt.NDArray[np.int64], *, only: Container[int]
    ) -> tuple[pa.ListArray, pa.ListArray]:
        """The same images with the columns `only`, and with all."""
        columns = self._columns(values, numbers, None)
        nothing = pa.nulls(len(numbers), pa.string())
        some = [column if index in only else nothing for index, column in enumerate(columns)]
        return _images(some), _images(columns)

    def _columns(
        self, values: Bytes, numbers: npt.NDArray[np.int64], only: Container[int] | None
    ) -> list[pa.StringArray]:
        nothing = pa.nulls(len(numbers), pa.string())
        return [
            self._column(place, values, numbers) if only is None or index in only else nothing
            for index, place in enumerate(self._order)
        ]

    def _column(self, place: int, values: Bytes, numbers: npt.NDArray[np.int64]) -> pa.StringArray:
        field = self._fields[place]
        if not field.expression:
            return pa.nulls(len(numbers), pa.string())
        is_null = (numbers[:, 0] >> place & 1).astype(bool)
        some = numbers[~is_null] if is_null.any() else numbers
        if field.layout:
            found = fixed_texts(field, self._fixed(place, values, some))
        else:
            found = variable_texts(field, values, *(some[:, self._numbers[f"{end}{place}"]] for end in "se"))
        if len(some) == len(numbers):
            return found
        return found.take(pa.array(np.cumsum(~is_null) - 1, mask=is_null))

    def _fixed(self, place: int, values: Bytes, numbers: npt.NDArray[np.int64]) -> Fixed:
        first = self._run_of[place]
        sizes, at = self._runs[first], numbers[:, self._numbers[f"r{first}"]]
        for other in range(first, place):
            at = at + sizes[other] * (1 - (numbers[:, 0] >> other & 1))
        found: Fixed = values[at[:, None] + np.arange(sizes[place])]
        return found

    def _lines(self, name: str, wanted: frozenset[int], *, many: bool) -> Iterator[str]:
        null_bytes = (len(self._fields) + 7) // 8
        yield f"def {name}(data, at, base, extend):"
        yield "    end = len(data)"
        yield "    while at < end:" if many else "    if True:"
        yield f"        nulls = {number_at(null_bytes)}"
        yield f"        at += {null_bytes}"
        for place, field in enumerate(self._fields):
            if (sizes := self._runs.get(place)) is not None:
                mask = sum(1 << other for other in sizes)
                yield f"        r{place} = at"
                yield f"        at += {sum(sizes.values())} if not nulls & {mask} else room{place}(nulls & {mask})"
                self._numbers.setdefault(f"r{place}", 1 + len(self._numbers))
            elif not field.layout:
                size = field.length_size
                length = f"({number_at(size)})"
                yield f"        if nulls & {1 << place}: s{place} = e{place} = at"
                yield f"        else: s{place} = at + {size}; e{place} = at = s{place} + {length}"
                if place in wanted:
                    for end in "se":
                        self._numbers.setdefault(f"{end}{place}", 1 + len(self._numbers))
        yield f"        extend((nulls, {''.join(f'base + {name}, ' for name in self._numbers)}))"
        yield "    return at"


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
