"""How evenly are rows spread over the shards by a key? Pure."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from shardwright.compiler.advise.design import Design, Way
from shardwright.compiler.advise.source import SourceDatabase
from shardwright.compiler.advise.statistics import ColumnStatistics

GROWTH: Final = (2, 4, 8, 16, 64)
"""Numbers of shards for which the largest one's part is shown."""


def largest_part(design: Design, source: SourceDatabase, shards: int) -> float:
    """The part of the family's rows that the fullest shard has, from 1/shards to 1. Where nothing is known of a column,
    its rows are taken as even."""
    weighed = [(max(1, source.rows(table)), _largest(known, shards)) for table, known in _key_columns(design, source)]
    every = sum(rows for rows, _ in weighed)
    return sum(rows * part for rows, part in weighed) / every if every else 1 / shards


def largest_part_of(table: str, design: Design, source: SourceDatabase, shards: int) -> float:
    """The same of one table's rows, which are where its keyed ancestor's rows are."""
    placed = design.find_keyed_ancestor(table)
    known = column_statistics(source, placed.table, placed.columns[0]) if placed.columns else None
    return 1 / shards if known is None else _largest(known, shards)


def heaviest_values(design: Design, source: SourceDatabase) -> tuple[tuple[str, float], ...]:
    """Values of the key with their part of the rows, by the table in which the heaviest has most rows. The key's own
    table is not looked at: there each value has one row."""
    known = [
        (source.rows(table) * column.top_share, column)
        for table, column in _key_columns(design, source)
        if column.heaviest and table != design.key.table
    ]
    return max(known, key=lambda one: one[0])[1].heaviest if known else ()


def _key_columns(design: Design, source: SourceDatabase) -> Iterator[tuple[str, ColumnStatistics]]:
    for placement in design.of_way(Way.KEY):
        known = column_statistics(source, placement.table, placement.columns[0])
        if known is not None:
            yield placement.table, known


def column_statistics(source: SourceDatabase, table: str, column: str) -> ColumnStatistics | None:
    """What the server knows, else what the type says: the labels of an ENUM, the two values of a BIT(1)."""
    found = source.statistics.get(table)
    if found is not None and column in found.columns:
        return found.columns[column]
    kind = source.column(table, column).type
    if kind.name == "enum":
        return ColumnStatistics(max(1, len(kind.labels)))
    if kind.name == "bit":
        return ColumnStatistics(2 ** min(kind.length or 1, 16))
    if kind.name == "tinyint":
        return ColumnStatistics(2 if column.startswith(("is_", "has_")) else 256)
    return None


def _largest(known: ColumnStatistics, shards: int) -> float:
    """The fullest shard has the heaviest value, or one value more than others where there are few of them. A hash
    spreads the rest evenly."""
    top = known.top_share
    distinct = max(1, known.distinct)
    by_count = math.ceil(distinct / shards) / distinct
    return min(1.0, max(top + (1 - top) / shards, by_count))
