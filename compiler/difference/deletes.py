"""Delete policies: which of two lets more rows stand that are gone at the source, or go that are not."""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.compiler.difference.changes import Change, DeletesChanged
from shardwright.compiler.plan import TablePlan

_STRICTNESS = {"ignore": 0, "immediate": 1, "delay": 2, "until_snapshot": 3}
"""How surely a deleted row stays away: `ignore` lets all stand, `immediate` forgets deletes that come before the copied
row, `delay` remembers them for a time, `until_snapshot` exactly as long as it matters."""


def delete_changes(old: TablePlan, new: TablePlan) -> Iterator[Change]:
    if old.delete_policy != new.delete_policy:
        loosened = _STRICTNESS[new.delete_policy] < _STRICTNESS[old.delete_policy]
        yield DeletesChanged(new.logical, old.delete_policy, new.delete_policy, loosened)
