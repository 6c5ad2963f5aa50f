"""Row images to text, by Python generated once for each table.

A loop over columns that asks each one for its type costs most of the time a Python decoder takes. The generated function
has no loop: neighbouring columns of fixed width are unpacked by one `struct` call unless one of them is NULL, and each
value becomes text in place. Its source is at `RowDecoder.source`.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from types import TracebackType
from typing import Any

from shardwright.runtime.binlog.fields import Field

Image = tuple[str | None, ...]
ReadImage = Callable[[bytes, int], tuple[int, Image]]


@dataclass(frozen=True, slots=True)
class RowDecoder:
    """`read_image(data, at)` gives the place after one image and the texts of all its columns."""

    columns: tuple[str, ...]
    source: str
    read_image: ReadImage
    lines: tuple[str | None, ...]

    def column_at_fault(self, trace: TracebackType | None) -> str | None:
        """The column whose generated line raised."""
        while trace is not None:
            if trace.tb_frame.f_code is self.read_image.__code__:
                return self.lines[trace.tb_lineno - 1]
            trace = trace.tb_next
        return None


def build_decoder(columns: Sequence[str], fields: Sequence[Field]) -> RowDecoder:
    names: dict[str, Any] = {"from_bytes": int.from_bytes}
    lines = list(_lines(columns, fields, names))
    source = "\n".join(text for text, _ in lines)
    exec(compile(source, "<row image>", "exec"), names)  # only our own templates and numbers are in it
    return RowDecoder(tuple(columns), source, names["read_image"], tuple(column for _, column in lines))


def _lines(columns: Sequence[str], fields: Sequence[Field], names: dict[str, Any]) -> Iterator[tuple[str, str | None]]:
    """The source, each line with the column it handles."""
    null_bytes = (len(fields) + 7) // 8
    yield "def read_image(data, at):", None
    yield f"    nulls = from_bytes(data[at:at + {null_bytes}], 'little')", None
    yield f"    at += {null_bytes}", None
    for fixed, run in groupby(range(len(fields)), key=lambda place: bool(fields[place].layout)):
        places = list(run)
        for place in places:
            if fields[place].function is not None:
                names[f"f{place}"] = fields[place].function
        writer = _fixed_run if fixed else _variable_run
        for text, at_fault in writer(places, fields, names):
            yield "    " + text, None if at_fault is None else columns[at_fault]
    yield f"    return at, ({''.join(f'v{place}, ' for place in range(len(fields)))})", None


def _parts(place: int, field: Field) -> list[str]:
    """One name for each item of the layout: 'Hb' has two, '16s' has one."""
    count = 1 if field.layout.endswith("s") else len(field.layout)
    return [f"p{place}_{part}" for part in range(count)]


def _value(place: int, field: Field, parts: Sequence[str]) -> str:
    return f"v{place} = {field.expression.format(*parts, f=f'f{place}')}"


def _fixed_run(
    places: Sequence[int], fields: Sequence[Field], names: dict[str, Any]
) -> Iterator[tuple[str, int | None]]:
    mask = sum(1 << place for place in places)
    if len(places) > 1:
        yield f"if nulls & {mask}:", None
        yield from (("    " + text, place) for text, place in _one_by_one(places, fields, names))
        yield "else:", None
        layout = struct.Struct("<" + "".join(fields[place].layout for place in places))
        names[f"u{places[0]}_run"] = layout.unpack_from
        parts = [part for place in places for part in _parts(place, fields[place])]
        yield f"    {', '.join(parts)}, = u{places[0]}_run(data, at)", None
        yield f"    at += {layout.size}", None
        for place in places:
            yield "    " + _value(place, fields[place], _parts(place, fields[place])), place
    else:
        yield from _one_by_one(places, fields, names)


def _one_by_one(
    places: Sequence[int], fields: Sequence[Field], names: dict[str, Any]
) -> Iterator[tuple[str, int | None]]:
    for place in places:
        layout = struct.Struct("<" + fields[place].layout)
        names[f"u{place}"] = layout.unpack_from
        parts = _parts(place, fields[place])
        yield f"if nulls & {1 << place}:", None
        yield f"    v{place} = None", None
        yield "else:", None
        yield f"    {', '.join(parts)}, = u{place}(data, at)", place
        yield f"    at += {layout.size}", None
        yield "    " + _value(place, fields[place], parts), place


def _variable_run(
    places: Sequence[int], fields: Sequence[Field], names: dict[str, Any]
) -> Iterator[tuple[str, int | None]]:
    for place in places:
        size = fields[place].length_size
        yield f"if nulls & {1 << place}:", None
        yield f"    v{place} = None", None
        yield "else:", None
        if size == 1:
            yield "    end = at + 1 + data[at]; at += 1", place
        else:
            yield f"    end = at + {size} + from_bytes(data[at:at + {size}], 'little'); at += {size}", place
        yield "    " + _value(place, fields[place], ["data[at:end]"]), place
        yield "    at = end", None
