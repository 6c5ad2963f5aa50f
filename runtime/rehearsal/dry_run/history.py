"""Which events of a history belong together, and do their images still follow from one another after a cut? Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from shardwright.compiler.plan.plan import TablePlan
from shardwright.runtime.rehearsal.dry_run.batch import Event
from shardwright.runtime.rehearsal.dry_run.layout import Row
from shardwright.runtime.rehearsal.dry_run.model import row_identity

Identity = tuple[str, tuple[str, ...]]
"""A row of a source table: the table, and the key as the server compares it."""


def identities(table: TablePlan, event: Event) -> tuple[Identity, ...]:
    images = [image for image in (event.before, event.after) if image is not None]
    return tuple(dict.fromkeys((event.source, tuple(row_identity(table, image))) for image in images))


def events_of_key(table: TablePlan, key: Sequence[str], events: Iterable[Event]) -> tuple[Event, ...]:
    """The events of a key in log order, each once, with those of every key that a change of the key connects to it."""
    once = sorted(dict.fromkeys(events), key=lambda event: event.position)
    named = [(event, identities(table, event)) for event in once]
    tied = {identity for _, those in named for identity in those if identity[1] == tuple(key)}
    while True:
        more = {identity for _, those in named if tied & set(those) for identity in those}
        if more <= tied:
            break
        tied |= more
    return tuple(event for event, those in named if tied & set(those))


def follows(table: TablePlan, events: Sequence[Event]) -> bool:
    """Whether a source could log this: a row that changes or leaves is as its before-image says, and a row that comes
    does not exist yet."""
    rows: dict[Identity, Row | None] = {}
    for event in events:
        before, after = _identity(table, event, event.before), _identity(table, event, event.after)
        if before is not None:
            if before in rows and rows[before] != event.before:
                return False
            rows[before] = None
        if after is not None:
            if rows.get(after) is not None:
                return False
            rows[after] = event.after
    return True


def relink(table: TablePlan, events: Sequence[Event]) -> tuple[Event, ...]:
    """The events with each before-image as the event ahead of it left the row. A row's first before-image is kept."""
    rows: dict[Identity, Row] = {}
    linked: list[Event] = []
    for event in events:
        before = _identity(table, event, event.before)
        image = event.before if before is None else rows.pop(before, event.before)
        linked.append(replace(event, before=image))
        after = _identity(table, event, event.after)
        if after is not None and event.after is not None:
            rows[after] = event.after
    return tuple(linked)


def rows_before(table: TablePlan, events: Sequence[Event]) -> tuple[tuple[str, Row], ...]:
    """The rows, by source table, that must exist before the first event."""
    seen: set[Identity] = set()
    rows: list[tuple[str, Row]] = []
    for event in events:
        before = _identity(table, event, event.before)
        if before is not None and before not in seen and event.before is not None:
            rows.append((event.source, event.before))
        seen.update(identities(table, event))
    return tuple(rows)


def _identity(table: TablePlan, event: Event, image: Row | None) -> Identity | None:
    return None if image is None else (event.source, tuple(row_identity(table, image)))
