"""Policies of a table before and after: deletes, rows that exist on the target already, and indexes that are built
after the copy.
"""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.compiler.plan.plan import Plan, TablePlan
from shardwright.compiler.plan.table_parts import Deletes
from shardwright.compiler.review.difference.changes import (
    Change,
    DeferredIndexesChanged,
    DeletesChanged,
    ExistingRowsChanged,
)

_STRICTNESS = {"ignore": 0, "immediate": 1, "delay": 2, "until_snapshot": 3}
"""How surely a deleted row stays away: `ignore` lets all stand, `immediate` forgets deletes that come before the copied
row, `delay` remembers them for a time, `until_snapshot` exactly as long as it matters."""


def delete_changes(old: TablePlan, new: TablePlan) -> Iterator[Change]:
    before, after = _policy(old.deletes), _policy(new.deletes)
    if before != after:
        loosened = _strictness(new) < _strictness(old)
        yield DeletesChanged(
            new.logical, before, after, loosened or _is_looser(old.deletes.stop_above, new.deletes.stop_above)
        )


def _strictness(table: TablePlan) -> tuple[int, int]:
    return _STRICTNESS[table.deletes.policy], table.deletes.delay or 0


def _policy(deletes: Deletes) -> str:
    return deletes.words + (f", stop_above {deletes.stop_above}" if deletes.stop_above else "")


def _is_looser(old: str | None, new: str | None) -> bool:
    """A ceiling that went, rose, or cannot be compared: a share and a number."""
    if old is None or old == new:
        return False
    if new is None or old.endswith("%") != new.endswith("%"):
        return True
    return int(new.rstrip("%")) > int(old.rstrip("%"))


def changes_of_existing_rows(old: Plan | None, new: Plan, logical: str) -> Iterator[Change]:
    was = old.existing_rows.get(logical, "refuse") if old else "refuse"
    now = new.existing_rows.get(logical, "refuse")
    if was != now:
        yield ExistingRowsChanged(logical, was, now)


def changes_of_deferred_indexes(old: Plan | None, new: Plan, logical: str) -> Iterator[Change]:
    was = old.deferred_indexes.get(logical, ()) if old else ()
    now = new.deferred_indexes.get(logical, ())
    if was != now:
        yield DeferredIndexesChanged(logical, was, now)
