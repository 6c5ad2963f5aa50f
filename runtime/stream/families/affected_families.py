"""Which families may a batch move, and what does it say of them by itself? Runs in the driver; touches no server."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shardwright.compiler.plan.plan import Plan, TablePlan

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True, slots=True)
class AffectedFamilies:
    """The parents and children that a batch may move. It is false when the batch needs no lookup table of parents."""

    parents: tuple[TablePlan, ...]
    children: tuple[TablePlan, ...]

    def __bool__(self) -> bool:
        return bool(self.parents)

    @property
    def logicals(self) -> frozenset[str]:
        return frozenset(table.logical for table in (*self.parents, *self.children))

    @property
    def lookup_names(self) -> tuple[str, ...]:
        return tuple(sorted({child.placement.parent.places for child in self.children if child.placement.parent}))


def find_affected_families(plan: Plan, source_tables: Mapping[str, int]) -> AffectedFamilies:
    """`source_tables`: the source tables of all events of the range, also of those that do not count for their table
    yet."""

    def has_events(table: TablePlan) -> bool:
        return any(str(name) in source_tables for name in table.sources)

    def may_move(table: TablePlan) -> bool:
        return has_events(table) or (
            table.placement.parent is not None and may_move(plan.table(table.placement.parent.parent))
        )

    children = [child for child in plan.children if may_move(child)]
    names = {child.placement.parent.parent for child in children if child.placement.parent}
    return AffectedFamilies(tuple(plan.table(name) for name in sorted(names)), tuple(children))


@dataclass(frozen=True, slots=True)
class FamilyChanges:
    """What the batch alone shows, before any shard is asked."""

    which: AffectedFamilies
    lookup_tables: DataFrame
    """Routed changes of the lookup tables of parents' places."""
    children: Mapping[str, DataFrame]
    """Child table -> its merged changes, each with its parents' keys for places."""
    read_again: bool = False
    """The changes are rows that were read again, not events. What is below such a row comes from wherever it is: the
    entry in the lookup table may have been wrong before."""

    @property
    def moves_statement(self) -> str:
        """The statement that says below which parents rows move."""
        return "gathering" if self.read_again else "moving"

    def levels(self, plan: Plan) -> Iterator[tuple[TablePlan, ...]]:
        """The lookup tables of parents' places, those of the topmost parents first."""
        waiting = [plan.table(name) for name in self.which.lookup_names]
        while waiting:
            names = {table.logical for table in waiting}
            level = tuple(
                table
                for table in waiting
                if table.placement.parent is None or table.placement.parent.places not in names
            )
            yield level
            waiting = [table for table in waiting if table not in level]
