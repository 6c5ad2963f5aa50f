"""The history of one row, entry by entry, in words: changes, chunks, recorded decisions, and what else happened.

Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from shardwright.runtime.history.facts import Change, Chunk, DecisionOnRecord, Moment, RowFacts

MIGRATION: Final = "migration"
"""The lane of what happened to the migration as a whole."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Where and when something took effect."""

    lane: str
    """A log, a physical table, a shard, or MIGRATION."""
    at: str
    """When (UTC); empty where that is not known."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that happened."""

    kind: str
    """insert, update, delete, foreign, chunk, recorded or moment."""
    title: str
    """What, where."""
    lines: tuple[str, ...]
    """What became of it."""
    marks: tuple[Mark, ...]
    """Where it began, then where it took effect."""

    @property
    def at(self) -> str:
        return self.marks[0].at

    def text_lines(self) -> Iterator[str]:
        """The entry on a terminal."""
        yield f"{self.at or 'no time':<26}  {self.title}"
        yield from (f"    {line}" for line in self.lines)


def find_entries(facts: RowFacts) -> Sequence[Entry]:
    """From the oldest on; those whose time is not known come first."""
    entries = [
        *map(describe_change, facts.changes),
        *map(_chunk, facts.chunks),
        *map(_moment, facts.moments),
        *map(_decision, facts.recorded),
        *map(_foreign, facts.foreign),
    ]
    return sorted(entries, key=lambda entry: entry.at)


def describe_change(change: Change) -> Entry:
    marks = [Mark(change.log, change.committed_at or "")]
    marks += [Mark(effect.place, effect.at or "") for effect in change.effects]
    return Entry(change.operation, _title(change), tuple(_what_became(change)), tuple(marks))


def _foreign(change: Change) -> Entry:
    title = f"{_title(change)}, by another writer"
    return Entry("foreign", title, tuple(_columns(change)), (Mark(change.log, change.committed_at or ""),))


def _title(change: Change) -> str:
    gtid = "" if change.gtid is None else f", {change.gtid}"
    return f"{change.operation} of {change.table} at {change.log} {change.position}{gtid}"


def _columns(change: Change) -> Iterator[str]:
    for column in change.columns:
        yield f"{column.name}: {value_text(column.old)} -> {value_text(column.new)}"
    if change.is_move:
        yield f"moves from {change.from_place} to {change.to_place}"


def _what_became(change: Change) -> Iterator[str]:
    yield from _columns(change)
    batch = "its batch is not recorded" if change.batch is None else f"batch {change.batch}"
    decided = change.decision.decision or "decision not known"
    states = {"before": "", "applied": f", {batch}", "open": f", {batch} is open", "ahead": ""}
    yield f"{decided}: {change.decision.why}{states[change.state]}"
    for effect in change.effects:
        when = "the ledger keeps no time of it" if effect.at is None else f"{effect.step} at {effect.at}"
        yield f"in {effect.place}: {when}"


def _chunk(chunk: Chunk) -> Entry:
    if chunk.number is None:
        title = f"no chunk of {chunk.source_table} that has the key is planned"
        return Entry("chunk", title, (), (Mark(chunk.source_table, ""),))
    low = "the first row" if chunk.low is None else f"above {chunk.low}"
    high = "the last row" if chunk.high is None else f"up to {chunk.high}"
    lines = [] if chunk.read_before is None else [f"read before {chunk.read_before}, {chunk.rows} rows"]
    lines += [f"written to {one.shard} at {one.at}: {one.rows} rows inserted" for one in chunk.written]
    marks = sorted((Mark(one.shard, one.at) for one in chunk.written), key=lambda mark: mark.at)
    title = f"chunk {chunk.number} of {chunk.source_table} ({low}, {high}) is {chunk.state}"
    return Entry("chunk", title, tuple(lines), tuple(marks) or (Mark(chunk.source_table, ""),))


def _moment(moment: Moment) -> Entry:
    title = f"{moment.what}{'' if moment.position is None else f' at {moment.position}'}: {moment.detail}"
    return Entry("moment", title, (), (Mark(MIGRATION, moment.at or ""),))


def _decision(one: DecisionOnRecord) -> Entry:
    what = f"{one.decision} in {one.place}: {one.why}, batch {one.batch}"
    title = f"recorded: {what}, of the change of {one.source_table} at {one.position}"
    return Entry("recorded", title, (), (Mark(one.place, one.at),))


def value_text(value: str | None) -> str:
    return "NULL" if value is None else value
