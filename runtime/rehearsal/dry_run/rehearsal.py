"""Which random short histories of a few rows does a table get? They come from the schema and a seed, and are as
adversarial as a log can be.

Pure. Rows are inserted, updated, moved between shards and back, given other keys (in chains and swaps) and deleted;
values are at their types' limits. A rehearsal is a slice of such a history: what lies before it happened in an earlier
batch. All rehearsals of a wave share one batch, each with keys of its own, so thousands cost one Spark job.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from shardwright.runtime.rehearsal.dry_run.batch import Event, MadeUpBatch, distinct_keys, key_values, value_pool
from shardwright.runtime.rehearsal.dry_run.layout import Layout, Row
from shardwright.runtime.rehearsal.dry_run.model import pads, row_identity

Key = tuple[str, ...]

_MOST_STEPS = 9
_TRIES = 12
_STEPS = ("insert", "change", "move", "back", "rename", "respell", "delete")


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """`events` are in log order; each before-image is as the earlier events left the row. Positions rise over a whole
    wave."""

    number: int
    events: tuple[Event, ...]


def make_rehearsals(layout: Layout, *, seed: int, count: int) -> tuple[Rehearsal, ...]:
    """At most `count` rehearsals: fewer when the key has too few values. The same seed gives the same ones."""
    rng = random.Random(f"{seed} {layout.table.logical}")
    keys = distinct_keys([key_values(column.type) for column in layout.table.source_key_columns])
    found: list[Rehearsal] = []
    positions = _positions()
    while len(found) < count:
        own = [key for _ in range(rng.choice((1, 2, 2, 3))) if (key := next(keys, None)) is not None]
        if not own:
            break
        events = _History(layout, rng, own).events(positions)
        if events:
            found.append(Rehearsal(len(found) + 1, events))
    return tuple(found)


def as_batch(rehearsals: Sequence[Rehearsal], *, seed: int) -> MadeUpBatch:
    """All rehearsals as one batch. Events arrive in another order than they happened, and some twice, as in a queue."""
    rng = random.Random(seed)
    events = [event for rehearsal in rehearsals for event in rehearsal.events]
    events += rng.sample(events, len(events) // 10)
    rng.shuffle(events)
    rows = tuple((event.source, event.after) for event in events if event.after is not None)
    return MadeUpBatch(tuple(events), pairs=9, rows=rows)


def _positions() -> Iterator[tuple[int, int, int, int]]:
    """Rising positions (epoch, file, offset, row): offsets start again with each file, rows with each offset."""
    file, offset, row = 9, 990, 0
    while True:
        yield (1, file, offset, row)
        row = row + 10 if row < 10 else 0
        if row == 0:
            offset += 7
        if offset > 1_050:
            file, offset = file + 1, 4


class _History:
    """The rows of a few keys, changed step by step. It keeps what each step logs."""

    def __init__(self, layout: Layout, rng: random.Random, keys: Sequence[Key]) -> None:
        self._layout, self._rng = layout, rng
        table = layout.table
        self._key = [column.position for column in table.source_key_columns]
        self._pools = [value_pool(column.type, nullable=column.nullable) for column in table.source.columns]
        sources = [str(source) for source in table.sources]
        self._sources = rng.sample(sources, min(len(sources), rng.choice((1, 1, 2))))
        self._keys = keys
        self._rows: dict[tuple[str, Key], Row] = {}
        self._seen: list[Row] = []
        self._logged: list[Event] = []

    def events(self, positions: Iterator[tuple[int, int, int, int]]) -> tuple[Event, ...]:
        for source in self._sources:
            for key in self._keys:
                if self._rng.random() < 0.5:
                    self._put(source, self._row(key))
        for _ in range(self._rng.randint(2, _MOST_STEPS)):
            self._step(self._rng.choice(_STEPS), self._rng.choice(self._sources))
        end = len(self._logged)
        start = self._rng.randrange(end) if end and self._rng.random() < 0.4 else 0
        return tuple(replace(event, position=next(positions)) for event in self._logged[start:end])

    def _step(self, step: str, source: str) -> None:
        present = [row for (its, _), row in self._rows.items() if its == source]
        free = [key for key in self._keys if (source, self._identity(self._row(key))) not in self._rows]
        if not present or (step == "insert" and free):
            if free:
                self._log(source, "I", None, self._row(self._rng.choice(free)))
            return
        row = self._rng.choice(present)
        match step:
            case "delete":
                self._log(source, "D", row, None)
            case "rename" if free:
                self._log(source, "U", row, self._with_key(self._change(row), self._rng.choice(free)))
            case "respell":
                self._log(source, "U", row, self._respelt(row))
            case "move":
                self._log(source, "U", row, self._move(row))
            case "back":
                self._log(source, "U", row, self._with_key(self._rng.choice(self._seen), self._key_of(row)))
            case _:
                self._log(source, "U", row, self._change(row))

    def _move(self, row: Row) -> Row:
        """Another row of the same key, at another place where one is found."""
        for _ in range(_TRIES):
            other = self._row(self._key_of(row))
            if self._layout.place(other) != self._layout.place(row):
                return other
        return self._change(row)

    def _change(self, row: Row) -> Row:
        """The same row with another value in one column."""
        index = self._rng.randrange(len(row))
        if index in self._key:
            return row
        return (*row[:index], self._rng.choice(self._pools[index]), *row[index + 1 :])

    def _respelt(self, row: Row) -> Row:
        """The same key under a collation that pads: with one space more or less at its end (hazard D2)."""
        column = self._layout.table.source_key_columns[-1]
        *first, last = self._key_of(row)
        other = last.rstrip(" ") if last.endswith(" ") else last + " "
        if column.type.name != "varchar" or not pads(column.type) or len(other) > (column.type.length or 0):
            return self._change(row)
        return self._with_key(self._change(row), (*first, other))

    def _row(self, key: Key) -> Row:
        return self._with_key(tuple(self._rng.choice(pool) for pool in self._pools), key)

    def _with_key(self, row: Row, key: Key) -> Row:
        values = list(row)
        for position, value in zip(self._key, key, strict=True):
            values[position] = value
        return tuple(values)

    def _key_of(self, row: Row) -> Key:
        return tuple(row[position] or "" for position in self._key)

    def _identity(self, row: Row) -> Key:
        return tuple(row_identity(self._layout.table, row))

    def _put(self, source: str, row: Row) -> None:
        self._rows[source, self._identity(row)] = row
        self._seen.append(row)

    def _log(self, source: str, op: str, before: Row | None, after: Row | None) -> None:
        if before is not None:
            del self._rows[source, self._identity(before)]
        if after is not None:
            self._put(source, after)
        # Clocks go back, because commit times must decide nothing (C2).
        committed_at = 1_700_000_000 - self._rng.randrange(600)
        self._logged.append(Event(source, op, (0, 0, 0, 0), committed_at, before, after))
