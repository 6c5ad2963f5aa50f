"""Which of a task's rows each shard stages, and in which order: by logical table, rows to write apart from rows to
remove, sorted by key. Runs in Spark tasks. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from shardwright.compiler.plan.plan import TablePlan

WORTH_SORTING = 1_000
"""In rows. Fewer find their pages in memory anyway."""


@dataclass(frozen=True, slots=True)
class Share:
    """What one shard takes of one logical table: `whole` are rows to write. Of `keys`, the rows that leave the shard,
    only the keys count."""

    logical: str
    whole: pa.Table
    keys: pa.Table


def shares(rows: pa.Table, tables: Mapping[str, TablePlan]) -> Iterator[tuple[int, list[Share]]]:
    """Shard -> its shares. The rows are sorted by physical table and, where there are many, about as servers order
    keys; only speed depends on that order."""
    rows = rows.combine_chunks()
    names = sorted(pc.unique(rows.column("table")).to_pylist())
    numbers = pc.index_in(rows.column("table"), pa.array(names, pa.string()))
    # One number for shard, table and whether a row leaves: the first thing to sort by.
    stretch = pc.add(pc.multiply(rows.column("shard"), len(names) * 2), pc.add(pc.multiply(numbers, 2), _leaves(rows)))
    by: dict[str, pa.ChunkedArray] = {"stretch": stretch, "part": rows.column("part")}
    if len(rows) >= WORTH_SORTING:
        by |= _keys(rows, [tables[name] for name in names], numbers)
    order = pc.sort_indices(pa.table(by), sort_keys=[(name, "ascending") for name in by])
    rows = rows.take(order)
    found = dict(stretches(rows, pc.take(stretch, order)))
    nothing, width = rows.slice(0, 0), 2 * len(names)
    for shard in sorted({number // width for number in found}):
        tables_there = [(name, shard * width + 2 * at) for at, name in enumerate(names)]
        yield (
            shard,
            [
                Share(name, found.get(number, nothing), found.get(number + 1, nothing))
                for name, number in tables_there
                if number in found or number + 1 in found
            ],
        )


def stretches(rows: pa.Table, by: pa.ChunkedArray) -> Iterator[tuple[int, pa.Table]]:
    """Each number in `by`, which is in the order of `rows`, with the rows beside it that follow one another."""
    runs = pc.run_end_encode(by.combine_chunks())
    ends = runs.run_ends.to_pylist()
    for number, start, end in zip(runs.values.to_pylist(), [0, *ends], ends, strict=False):
        yield number, rows.slice(start, end - start)


def _leaves(rows: pa.Table) -> pa.ChunkedArray:
    return pc.cast(pc.is_null(rows.column("row")), pa.int32())


def _keys(rows: pa.Table, tables: list[TablePlan], numbers: pa.ChunkedArray) -> dict[str, pa.ChunkedArray]:
    """What to sort keys by. Integers are sorted by their number of digits first, so that their texts are in the order
    of the numbers."""
    by: dict[str, pa.ChunkedArray] = {}
    for at in range(max(len(table.key) for table in tables)):
        text = pc.list_element(_where([len(table.key) > at for table in tables], numbers, rows.column("key")), at)
        integers = [len(table.key) > at and table.key_columns[at].type.is_integer for table in tables]
        if any(integers):
            by[f"digits{at}"] = _where(integers, numbers, pc.binary_length(text))
        by[f"text{at}"] = text
    return by


def _where(which: list[bool], numbers: pa.ChunkedArray, values: pa.ChunkedArray) -> pa.ChunkedArray:
    """`values` where the row's table is one of those, else NULL."""
    if all(which):
        return values
    return pc.if_else(pc.take(pa.array(which), numbers), values, None)
