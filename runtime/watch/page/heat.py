"""How do 256,000 numbers become a map that a screen holds? The largest tables have a line each, the others one line.
Where there are many shards, neighbours share a column. The worst single cells are listed.

Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nlargest
from typing import Any, Final

from shardwright.runtime.run.status.copy_status import TableStatus
from shardwright.runtime.watch.page.cells import Cells

LINES: Final = 24
COLUMNS: Final = 64
WORST: Final = 6
"""Of each kind."""
_UNEVEN: Final = 1.5
"""A shard with so many times the mean of a table's shards is listed."""


@dataclass(frozen=True, slots=True)
class HeatInput:
    """What the map is made of."""

    cells: Cells
    """The rows of each table on each shard."""
    left: Mapping[str, int]
    """Logical table -> rows that are left, by the source server's estimate; none where that is not known."""
    wrong: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Logical table -> shard -> rows that a comparison has found wrong."""


def rows_left(tables: Sequence[TableStatus]) -> Mapping[str, int]:
    """By logical table, where that is known."""
    return {
        table.table: max(0, table.rows_expected - table.rows_copied)
        for table in tables
        if table.rows_expected is not None
    }


def heat_map(given: HeatInput) -> dict[str, Any]:
    """Sections for the page: `columns` (label, shards), `lines` (label, tables, and by column rows, rows left and wrong
    rows, each None where it is not known) and `worst` (what, table, shard, value, mean or None)."""
    names = given.cells.shards
    groups = _groups(len(names))
    lines = list(_lines(given))
    return {
        "columns": {str(number): [_label(names, group), len(group)] for number, group in enumerate(groups)},
        "lines": {
            str(number): [label, count, *([_total(values, group) for values in measures] for group in groups)]
            for number, (label, count, measures) in enumerate(lines)
        },
        "worst": {str(number): cell for number, cell in enumerate(_worst(given))},
    }


def _groups(shards: int) -> list[range]:
    width = -(-shards // COLUMNS) or 1
    return [range(first, min(first + width, shards)) for first in range(0, shards, width)]


def _label(names: Sequence[str], group: range) -> str:
    return names[group[0]] if len(group) == 1 else f"{names[group[0]]} to {names[group[-1]]}"


def _total(values: Sequence[float | None], group: range) -> int | None:
    known = [value for value in (values[number] for number in group) if value is not None]
    return round(sum(known)) if known else None


Measures = tuple[Sequence[float | None], Sequence[float | None], Sequence[float | None]]


def _lines(given: HeatInput) -> Iterator[tuple[str, int, Measures]]:
    """Label, number of tables, and what each shard has."""
    wrong = {name: sum(counts.values()) for name, counts in given.wrong.items()}
    sizes = {
        name: sum(value or 0 for value in values) + given.left.get(name, 0) for name, values in given.cells.rows.items()
    }
    order = sorted(sizes, key=lambda name: (-wrong.get(name, 0), -sizes[name], name))
    fits = order if len(order) <= LINES else order[: LINES - 1]
    for name in fits:
        yield name, 1, _measures(given, name)
    if others := order[len(fits) :]:
        yield "", len(others), _together([_measures(given, name) for name in others])


def _measures(given: HeatInput, name: str) -> Measures:
    """The rows that are left are expected where the rows are that came."""
    rows, counts = given.cells.rows[name], given.wrong.get(name)
    known, left = [value for value in rows if value is not None], given.left.get(name)
    all_rows = sum(known)
    spread: list[float | None] = [
        None if value is None or left is None else left * (value / all_rows if all_rows else 1 / len(known))
        for value in rows
    ]
    wrong: list[float | None] = [(counts or {}).get(shard, 0) if given.wrong else None for shard in given.cells.shards]
    return rows, spread, wrong


def _together(tables: Sequence[Measures]) -> Measures:
    found: list[list[float | None]] = []
    for measure in range(3):
        columns = zip(*(table[measure] for table in tables), strict=True)
        found.append([None if all(one is None for one in column) else sum(filter(None, column)) for column in columns])
    return found[0], found[1], found[2]


def _worst(given: HeatInput) -> Iterator[list[Any]]:
    """First wrong rows, then rows that are left, then shards with far more rows of a table than the others."""
    names = given.cells.shards
    wrong = [(count, name, shard) for name, counts in given.wrong.items() for shard, count in counts.items() if count]
    left: list[tuple[int, str, str]] = []
    uneven: list[tuple[float, str, str, int, float]] = []
    for name, values in given.cells.rows.items():
        known = [(value, names[number]) for number, value in enumerate(values) if value is not None]
        if not known:
            continue
        rows, (most, fullest) = sum(value for value, _ in known), max(known)
        if name in given.left:
            left.append((round(given.left[name] * (most / rows if rows else 1 / len(known))), name, fullest))
        mean = rows / len(known)
        uneven += [(value / mean, name, shard, value, mean) for value, shard in known if value > _UNEVEN * mean]
    for count, name, shard in nlargest(WORST, wrong):
        yield ["wrong", name, shard, count, None]
    for count, name, shard in nlargest(WORST, left):
        if count:
            yield ["left", name, shard, count, None]
    for _, name, shard, value, mean in nlargest(WORST, uneven):
        yield ["uneven", name, shard, value, round(mean)]
