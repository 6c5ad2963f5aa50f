"""Which indexes are built after the copy, before and after."""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.compiler.plan.plan import Plan
from shardwright.compiler.review.difference.changes import Change, DeferredIndexesChanged


def deferred_indexes_changes(old: Plan | None, new: Plan, logical: str) -> Iterator[Change]:
    was = old.deferred_indexes.get(logical, ()) if old else ()
    now = new.deferred_indexes.get(logical, ())
    if was != now:
        yield DeferredIndexesChanged(logical, was, now)
