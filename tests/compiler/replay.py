"""A plain model of one source table under random transactions, and of what merging a batch of its events may change.

Nothing here knows SQL. A row is a dict; the log is a list of events in log order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Row = tuple[str, str, str]
"""key, shard key, value: all of a row's columns, as text."""


@dataclass(frozen=True)
class Event:
    op: str
    before: Row | None
    after: Row | None


def replay(rows: Mapping[str, Row], events: Sequence[Event]) -> dict[str, Row]:
    """The table after all events, applied one by one. Forgiving as a replay must be: an insert of a row that stands
    overwrites, an update of one that is gone inserts."""
    table = dict(rows)
    for event in events:
        if event.before is not None and (event.after is None or event.after[0] != event.before[0]):
            table.pop(event.before[0], None)
        if event.after is not None:
            table[event.after[0]] = event.after
    return table


@dataclass(frozen=True)
class Merged:
    """One row of the merge's answer."""

    key: str
    op: str
    first_before: Row | None
    after: Row | None
    after_place: int | None
    places: frozenset[int]
    events: int


def apply_merged(rows: Mapping[str, Row], changes: Sequence[Merged]) -> dict[str, Row]:
    """The table after the merged changes, in any order: each key has at most one."""
    table = dict(rows)
    for change in changes:
        if change.op == "D":
            table.pop(change.key, None)
        else:
            assert change.after is not None
            table[change.key] = change.after
    return table
