"""Which rows do the shards have at a moment of a backward case? Pure."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import NamedTuple

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.rehearsal.dry_run.layout import Row
from shardwright.runtime.rehearsal.dry_run.model import row_identity
from shardwright.runtime.rehearsal.spec_tests.resolved_case import ResolvedCase

RowKey = tuple[str, tuple[str, ...]]
"""Logical table and key."""


class ShardRow(NamedTuple):
    table: str
    """Where it is ("database.table")."""
    row: Row


@dataclass(frozen=True, slots=True)
class ShardHistory:
    plan: Plan
    resolved_case: ResolvedCase

    def read(self, wanted: RowKey, happened: int) -> ShardRow | None:
        """The row of a key when at least so many events have happened. A row that is in two tables is on its way: it is
        read again until one is left, as a run does."""
        for events in range(happened, len(self.resolved_case.events) + 1):
            found = self._after(events)[wanted]
            if len(found) < 2:
                return next((ShardRow(table, row) for table, row in found.items()), None)
        raise AssertionError(f"{wanted} stays in two tables")  # `resolve` has refused the case

    def duplicates_at_end(self) -> dict[RowKey, tuple[str, ...]]:
        """Keys that more than one table has after the last event, with the tables."""
        at_end = self._after(len(self.resolved_case.events))
        return {key: tuple(rows) for key, rows in at_end.items() if len(rows) > 1}

    def _after(self, events: int) -> dict[RowKey, dict[str, Row]]:
        rows: dict[RowKey, dict[str, Row]] = defaultdict(dict)
        for given in self.resolved_case.given:
            rows[self._key(given.logical, given.row)][given.source] = given.row
        for logical, event in self.resolved_case.events[:events]:
            if event.before is not None:
                del rows[self._key(logical, event.before)][event.source]
            if event.after is not None:
                rows[self._key(logical, event.after)][event.source] = event.after
        return rows

    def _key(self, logical: str, row: Row) -> RowKey:
        return logical, tuple(row_identity(self.plan.table(logical), row))
