"""Where, and as what, does the forward plan put a row of the source? By the Python forms of its rules and mappings,
which a dry run holds against the plan's SQL. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from shardwright.compiler.plan.plan import ORPHANS, CopiedColumn, Plan, TablePlan
from shardwright.runtime.rehearsal.dry_run.layout import Layout, Place, Row
from shardwright.runtime.rehearsal.dry_run.model import pads, row_identity


@dataclass(frozen=True, slots=True)
class ForwardRule:
    """`layouts` are those of the forward plan, by logical table."""

    plan: Plan
    layouts: Mapping[str, Layout]

    def moves(self, logical: str, row: Row) -> bool:
        """Whether the row matches the row filter."""
        layout = self.layouts[logical]
        return layout.mapping.matches(layout.texts(row))

    def copy(self, logical: str, row: Row, source: str) -> dict[str, str | None]:
        """The row of that source table as it is on the shards: columns and values."""
        layout = self.layouts[logical]
        names = (column.target for column in layout.table.columns)
        return dict(zip(names, layout.copy(row, source), strict=True))

    def place(self, logical: str, row: Row, parents: Mapping[str, Sequence[Row]]) -> Place:
        """Its place; the first one of a table that is copied whole. `parents` are the source's rows of the tables of
        `parents_of`, of a table with equal keys in several source tables those of the row's own source."""
        table = self.plan.table(logical)
        if table.placement.parent is None:
            return self.layouts[logical].place(row)
        parent = self.plan.table(table.placement.parent.parent)
        key = _values(row, table.via_columns)
        found = next((other for other in parents.get(parent.logical, ()) if row_identity(parent, other) == key), None)
        return Place(*ORPHANS) if found is None else self.place(parent.logical, found, parents)

    def parents_of(self, logical: str) -> Iterator[str]:
        """The table through which the rows of another one are placed, that of its own rows, and so on."""
        while (link := self.plan.table(logical).placement.parent) is not None:
            logical = link.parent
            yield logical

    def home(self, logical: str, row: Row, parents: Mapping[str, Sequence[Row]]) -> str | None:
        """What the look-up of the backward plan says: the shards' table ("database.table") where a row of the source
        belongs. None where MySQL cannot compute it."""
        table = self.plan.table(logical)
        if table.placement.no_mysql is not None or not self._mysql_knows_parent(table):
            return None
        place = self.place(logical, row, parents)
        return self.plan.physical_name(table, place.shard, place.part)

    def _mysql_knows_parent(self, table: TablePlan) -> bool:
        parents = [self.plan.table(name) for name in self.parents_of(table.logical)]
        return all(parent.placement.no_mysql is None and len(parent.sources) == 1 for parent in parents)


def _values(row: Row, columns: Sequence[CopiedColumn]) -> list[str] | None:
    """These columns as the server compares them; None when one is NULL, which equals nothing."""
    values = [(row[column.position], column.type) for column in columns if column.source]
    known = [value.rstrip(" ") if pads(kind) else value for value, kind in values if value is not None]
    return known if len(known) == len(values) else None
