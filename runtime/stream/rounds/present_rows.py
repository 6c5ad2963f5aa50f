"""Which rows has a side now? Asked where its logs do not say it: of a row that a server has refused, and of a row that
goes from one shard to another, whose logs have no order.

Runs in the driver; reads the side's tables.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from shardwright.runtime.sources.shard_rows import ShardReader, ShardRow
from shardwright.runtime.stream.quarantine.conflicts import Row


@dataclass(frozen=True, slots=True)
class PresentRow:
    """A row that a side has."""

    table: str
    """Where it is ("database.table")."""
    image: tuple[str | None, ...]
    """Its values, in the order of a conflict's images."""


def read_present_rows(
    reader: ShardReader, rows: Collection[Row], order: Mapping[str, Sequence[str]], *, within: float = 0.0
) -> dict[Row, PresentRow]:
    """Those of `rows` that are there; of a row that is in several tables for `within` seconds one. `order`: by logical
    table, its columns in the order of a conflict's images."""
    found: dict[Row, PresentRow] = {}
    for logical in sorted({logical for logical, _ in rows}):
        places = {column.name: column.position for column in reader.plan.table(logical).source.reads}
        columns = [places[name] for name in order[logical]]
        read = reader.read(logical, sorted(key for name, key in rows if name == logical), within=within)
        found |= {(logical, key): _present(row, columns) for key, row in read.rows.items() if row is not None}
        found |= {(logical, key): _present(some[0], columns) for key, some in read.doubles.items()}
    return found


def _present(row: ShardRow, columns: Sequence[int]) -> PresentRow:
    return PresentRow(row.table, tuple(row.image[at] for at in columns))
