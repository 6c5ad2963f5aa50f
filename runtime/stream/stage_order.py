"""Staged rows in the order of their keys.

Merging leaves them in several runs, one after the other. A shard inserts rows in the order in which they were staged, and rows that follow
one another in the table cost it a fifth less than rows which jump back and forth.
"""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from shardwright.compiler.plan import TablePlan

WORTH_SORTING = 1_000
"""Rows. Fewer find their pages in memory anyway."""


def in_key_order(rows: pa.Table, table: TablePlan) -> pa.Table:
    """`rows` are of one table. About as its servers order keys: nothing but speed depends on it."""
    if len(rows) < WORTH_SORTING:
        return rows
    by: dict[str, pa.ChunkedArray] = {"part": rows.column("part")}
    for at, column in enumerate(table.key_columns):
        text = pc.list_element(rows.column("key"), at)
        if column.type.is_integer:
            by[f"digits{at}"] = pc.binary_length(text)
        by[f"text{at}"] = text
    order = pc.sort_indices(pa.table(by), sort_keys=[(name, "ascending") for name in by])
    return rows.take(order)
