"""The policy for rows that stand on the target already, before and after: removing them is dangerous."""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.compiler.plan.plan import Plan
from shardwright.compiler.review.difference.changes import Change, ExistingRowsChanged


def existing_rows_changes(old: Plan | None, new: Plan, logical: str) -> Iterator[Change]:
    was = old.existing_rows.get(logical, "refuse") if old else "refuse"
    now = new.existing_rows.get(logical, "refuse")
    if was != now:
        yield ExistingRowsChanged(logical, was, now)
