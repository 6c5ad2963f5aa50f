"""How many events a range or a batch has of which tables, and when the newest was committed. Pure: without Arrow,
which commands that only ask have no need of.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class EventCounts:
    """By source table: events, and the newest commit time among them (seconds since 1970)."""

    by_table: Mapping[str, int] = field(default_factory=dict)
    committed_at: Mapping[str, int] = field(default_factory=dict)
    only_inserts: frozenset[str] = frozenset()
    """Tables of which every event inserts a row, where that is known."""

    @property
    def events(self) -> int:
        return sum(self.by_table.values())

    def of(self, tables: Container[str]) -> EventCounts:
        """Those of `tables` alone."""
        return EventCounts(
            {table: events for table, events in self.by_table.items() if table in tables},
            {table: at for table, at in self.committed_at.items() if table in tables},
            frozenset(table for table in self.only_inserts if table in tables),
        )


def combine(parts: Iterable[EventCounts]) -> EventCounts:
    """Of several sources: every table has its changes in one of them."""
    by_table: dict[str, int] = {}
    committed_at: dict[str, int] = {}
    only_inserts = frozenset[str]()
    for part in parts:
        by_table.update(part.by_table)
        committed_at.update(part.committed_at)
        only_inserts |= part.only_inserts
    return EventCounts(by_table, committed_at, only_inserts)
