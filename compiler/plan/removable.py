"""May all rows of a table go from the shards? Only where all of them are the source's."""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.compiler.plan.plan import Plan, TablePlan


def why_rows_must_stay(plan: Plan, table: TablePlan) -> Iterator[str]:
    """What would be lost without them, as far as the plan says."""
    if table.writes.marks_columns:
        yield "it is written with `write: changed`, so others' values in its rows would be lost"
    if table.writes.version_column is not None:
        yield f"it has the version column {table.writes.version_column}, so newer rows that others wrote would be lost"
    if table.deletes.are_ignored:
        yield "`deletes: ignore` keeps rows that are gone at the source, and they would be lost"
    if plan.existing_rows.get(table.logical) == "keep":
        yield "`existing_rows: keep` holds rows that the source does not have, and they would be lost"


def why_its_family_stays(plan: Plan, table: TablePlan) -> Iterator[str]:
    """What does not go with a parent's rows: where they were. Of a table without child tables nothing is left."""
    children = [
        child.logical
        for child in plan.children
        if child.placement.parent and child.placement.parent.parent == table.logical
    ]
    if children:
        yield f"rows of {', '.join(children)} are placed through its rows"
