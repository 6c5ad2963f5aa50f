"""How row images become text: by Python that is generated once for each table. A loop that checks the type of each
value would take most of the time.

Runs in Spark tasks, and in the driver where a range is scanned. Pure.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from types import TracebackType
from typing import Any, NamedTuple

from shardwright.runtime.sources.binlog.before_columns import BeforeColumns
from shardwright.runtime.sources.binlog.compile_functions import compile_functions, number_at
from shardwright.runtime.sources.binlog.fields import Field

Image = tuple[str | None, ...]
_MISSING = -1
"""In the place of a column's index: the image has no value of it."""
ReadImage = Callable[[bytes, int], tuple[int, Image]]


@dataclass(frozen=True, slots=True)
class RowDecoder:
    """The functions that read the images of one table. `data` is a row event's bytes, `at` an offset in it."""

    columns: tuple[str, ...]
    """Names of all columns, in table order."""
    source: str
    """The generated Python, for people who debug it."""
    read_image: ReadImage
    """`read_image(data, at)` returns the place after one image and the texts of all its columns."""
    read_replaced: ReadImage
    """The same for an image that an update replaces: texts of the columns that matter, None for the others."""
    key_of: Callable[[Image], object]
    """The key in an image; equal for all images where nothing says which columns matter."""
    lines: tuple[str | None, ...]
    """For each line of `source` the column that it handles; None for lines that handle none."""
    fields: tuple[Field, ...] = ()
    """How the table's columns are packed."""
    order: tuple[int, ...] = ()
    """The indexes of the columns that make an image; negative for one that is missing."""
    replaced: BeforeColumns | None = None
    """Which columns matter of the images that updates replace; None: all."""

    def read_rows(self, data: bytes, at: int, images: list[Image]) -> int:
        """Append all images from `at` on to `images`. Returns the place after the last one."""
        read_image, end, add = self.read_image, len(data), images.append
        while at < end:
            at, image = read_image(data, at)
            add(image)
        return at

    def read_updates(self, data: bytes, at: int, images: list[Image]) -> int:
        """The same for pairs of images: the replaced one and the one that replaces it."""
        read_image, read_replaced, key_of, end, add = (
            self.read_image,
            self.read_replaced,
            self.key_of,
            len(data),
            images.append,
        )
        while at < end:
            middle, before = read_replaced(data, at)
            after_end, after = read_image(data, middle)
            add(before if key_of(before) == key_of(after) else read_image(data, at)[1])
            add(after)
            at = after_end
        return at

    @property
    def read_places(self) -> int:
        """The bits of the columns whose values are read."""
        return sum(1 << place for place, field in enumerate(self.fields) if field.expression)

    def without(self, missing: int) -> RowDecoder:
        """For images that lack the columns whose bits are set: they are read as NULL."""
        left = [place for place in range(len(self.fields)) if not missing >> place & 1]
        return build_decoder(
            tuple(self.columns[place] for place in left),
            tuple(self.fields[place] for place in left),
            self.replaced,
            tuple(left.index(place) if place in left else _MISSING for place in self.order),
        )

    def column_at_fault(self, trace: TracebackType | None) -> str | None:
        """The column whose generated line raised."""
        ours = (self.read_image.__code__, self.read_replaced.__code__)
        while trace is not None:
            if trace.tb_frame.f_code in ours:
                return self.lines[trace.tb_lineno - 1]
            trace = trace.tb_next
        return None


@lru_cache(maxsize=256)
def build_decoder(
    columns: tuple[str, ...],
    fields: tuple[Field, ...],
    replaced: BeforeColumns | None = None,
    order: tuple[int, ...] | None = None,
) -> RowDecoder:
    """Without `replaced` all columns matter of the images that updates replace. `order` has the indexes of the columns
    that make an image, negative for NULL; those of `replaced` count within it. Decoders are cached, since each range of
    the log describes its tables again."""
    names: dict[str, Any] = {"from_bytes": int.from_bytes}
    at = tuple(range(len(fields))) if order is None else order
    lines = list(_lines("read_image", _Table(columns, fields, at), names, wanted=at))
    if replaced is not None:
        lines += _lines("read_replaced", _Table(columns, fields, at), names, wanted=[at[i] for i in replaced.columns])
    source = "\n".join(text for text, _ in lines)
    compile_functions(source, "row image", names)
    return RowDecoder(
        columns,
        source,
        names["read_image"],
        names.get("read_replaced", names["read_image"]),
        itemgetter(*replaced.key) if replaced is not None else itemgetter(slice(0)),
        tuple(column for _, column in lines),
        fields,
        at,
        replaced,
    )


class _Table(NamedTuple):
    columns: Sequence[str]
    fields: Sequence[Field]
    order: Sequence[int]


def _lines(
    name: str, table: _Table, names: dict[str, Any], *, wanted: Container[int]
) -> Iterator[tuple[str, str | None]]:
    """The source, each line with the column it handles."""
    columns, fields, order = table
    wanted = frozenset(place for place in range(len(fields)) if place in wanted and fields[place].expression)
    null_bytes = (len(fields) + 7) // 8
    yield f"def {name}(data, at):", None
    yield f"    nulls = {number_at(null_bytes)}", None
    yield f"    at += {null_bytes}", None
    for fixed, run in groupby(range(len(fields)), key=lambda place: bool(fields[place].layout)):
        places = list(run)
        for place in places:
            if fields[place].function is not None:
                names[f"f{place}"] = fields[place].function
        writer = _run_of_fixed_width if fixed else _variable_run
        for text, at_fault in writer(places, fields, names, wanted):
            yield "    " + text, None if at_fault is None else columns[at_fault]
    values = (f"v{place}" if place in wanted else "None" for place in order)
    yield f"    return at, ({''.join(f'{value}, ' for value in values)})", None


def _parts(place: int, field: Field) -> list[str]:
    """One name for each item of the layout: 'Hb' has two, '16s' has one."""
    count = 1 if field.layout.endswith("s") else len(field.layout)
    return [f"p{place}_{part}" for part in range(count)]


def _value(place: int, field: Field, parts: Sequence[str]) -> str:
    return f"v{place} = {field.expression.format(*parts, f=f'f{place}')}"


def _run_of_fixed_width(
    places: Sequence[int], fields: Sequence[Field], names: dict[str, Any], wanted: Container[int]
) -> Iterator[tuple[str, int | None]]:
    if len(places) == 1:
        yield from _one_by_one(places, fields, names, wanted)
        return
    mask = sum(1 << place for place in places)
    yield f"if nulls & {mask}:", None
    yield from (("    " + text, place) for text, place in _one_by_one(places, fields, names, wanted))
    yield "else:", None
    layout = struct.Struct("<" + "".join(_layout(fields[place], read=place in wanted) for place in places))
    here = [place for place in places if place in wanted]
    if here:
        unpack = f"u{places[0]}_run{len(here)}"
        names[unpack] = layout.unpack_from
        parts = [part for place in here for part in _parts(place, fields[place])]
        yield f"    {', '.join(parts)}, = {unpack}(data, at)", None
    yield f"    at += {layout.size}", None
    for place in here:
        yield "    " + _value(place, fields[place], _parts(place, fields[place])), place


def _layout(field: Field, *, read: bool) -> str:
    return field.layout if read else f"{field.size}x"


def _one_by_one(
    places: Sequence[int], fields: Sequence[Field], names: dict[str, Any], wanted: Container[int]
) -> Iterator[tuple[str, int | None]]:
    for place in places:
        layout = struct.Struct("<" + fields[place].layout)
        if place not in wanted:
            yield f"if not nulls & {1 << place}: at += {layout.size}", place
            continue
        names[f"u{place}"] = layout.unpack_from
        parts = _parts(place, fields[place])
        yield f"if nulls & {1 << place}:", None
        yield f"    v{place} = None", None
        yield "else:", None
        yield f"    {', '.join(parts)}, = u{place}(data, at)", place
        yield f"    at += {layout.size}", None
        yield "    " + _value(place, fields[place], parts), place


def _variable_run(
    places: Sequence[int], fields: Sequence[Field], names: dict[str, Any], wanted: Container[int]
) -> Iterator[tuple[str, int | None]]:
    for place in places:
        size = fields[place].length_size
        length = f"({number_at(size)})"
        if place not in wanted:
            yield f"if not nulls & {1 << place}: at += {size} + {length}", place
            continue
        yield f"if nulls & {1 << place}:", None
        yield f"    v{place} = None", None
        yield "else:", None
        yield f"    end = at + {size} + {length}; at += {size}", place
        yield "    " + _value(place, fields[place], ["data[at:end]"]), place
        yield "    at = end", None
