"""An invariant as the plan has it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ColumnRole = Literal["group", "sum", "least", "most", "earliest", "latest"]
"""How an invariant's column goes together from the answers of many tables; counts are added up as sums are."""


@dataclass(frozen=True, slots=True)
class InvariantColumn:
    name: str
    role: ColumnRole


@dataclass(frozen=True, slots=True)
class Invariant:
    """A query that both sides must answer alike, or (`must_be_empty`) with no row at all. `tables` are the logical
    tables it reads, the one whose physical tables it is asked of first.

    `source` is asked once, or where it holds `${source_table}` of each source table of the only table; `target`, with
    `${suffix}`, of each physical table (tables that are read together have the same suffixes). Both print their columns
    as text. `compare` is Spark SQL over the answers as views `at_source` and `on_shards`: the groups that differ, each
    with whether it is there and its values on both sides.
    """

    name: str
    must_be_empty: bool
    written: str
    tables: tuple[str, ...]
    columns: tuple[InvariantColumn, ...]
    source: str
    target: str
    compare: str

    @property
    def groups(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns if column.role == "group")

    @property
    def values(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns if column.role != "group")
