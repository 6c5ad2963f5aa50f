"""The bytes of a few columns of a row image, by Python generated once for each table (see `row_decoder`): enough to know a row again."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, groupby

from shardwright.runtime.sources.binlog.fields import Field
from shardwright.runtime.sources.binlog.generated import generated

Skim = Callable[[bytes, int], tuple[int, object]]
"""`skim(data, at)` gives the place after one image, and what is equal for two images just when the columns hold the same bytes."""


def build_skim(fields: Sequence[Field], wanted: Sequence[int]) -> Skim:
    source = "\n".join(_lines(fields, frozenset(wanted)))
    made: Skim = generated(source, "row skim", {"from_bytes": int.from_bytes})["skim"]
    return made


def _lines(fields: Sequence[Field], wanted: frozenset[int]) -> Iterator[str]:
    null_bytes = (len(fields) + 7) // 8
    yield "def skim(data, at):"
    yield f"    nulls = from_bytes(data[at:at + {null_bytes}], 'little')"
    yield f"    at += {null_bytes}"
    for fixed, run in groupby(range(len(fields)), key=lambda place: bool(fields[place].layout)):
        for line in (_fixed if fixed else _variable)(list(run), fields, wanted):
            yield "    " + line
    yield f"    return at, ({''.join(f'b{place}, ' for place in sorted(wanted))})"


def _fixed(places: Sequence[int], fields: Sequence[Field], wanted: frozenset[int]) -> Iterator[str]:
    sizes = [struct.calcsize("<" + fields[place].layout) for place in places]
    yield f"if nulls & {sum(1 << place for place in places)}:"
    for place, size in zip(places, sizes, strict=True):
        if place in wanted:
            yield f"    b{place} = None if nulls & {1 << place} else data[at:at + {size}]"
        yield f"    if not nulls & {1 << place}: at += {size}"
    yield "else:"
    for place, size, end in zip(places, sizes, accumulate(sizes), strict=True):
        if place in wanted:
            yield f"    b{place} = data[at + {end - size}:at + {end}]"
    yield f"    at += {sum(sizes)}"


def _variable(places: Sequence[int], fields: Sequence[Field], wanted: frozenset[int]) -> Iterator[str]:
    for place in places:
        size = fields[place].length_size
        end = f"at + {size} + " + ("data[at]" if size == 1 else f"from_bytes(data[at:at + {size}], 'little')")
        if place in wanted:
            yield f"if nulls & {1 << place}: b{place} = None"
            yield f"else: end = {end}; b{place} = data[at:end]; at = end"
        else:
            yield f"if not nulls & {1 << place}: at = {end}"
