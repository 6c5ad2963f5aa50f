"""Which made-up batch does the dry run try on a table? Every pair of contract C5, moves, key changes, extreme values.

Pure: the same batch for the same table. Positions and commit times disagree, and the events come in another order than
their positions, because only log order may decide (C2).
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.runtime.rehearsal.dry_run.layout import Layout, Row
from shardwright.runtime.rehearsal.dry_run.values import distinct_values, extreme_values

PAIRS = tuple((earlier, later) for earlier in "IUD" for later in "IUD")
_TRIES = 200
_OFTEN = 32
"""How many of a column's made-up values are ones that the row filter asks for, so that rows enter and leave it."""


@dataclass(frozen=True, slots=True)
class Event:
    """One change, as the log has it."""

    source: str
    """The source table, as "database.table"."""
    op: str
    """I (insert), U (update) or D (delete)."""
    position: tuple[int, int, int, int]
    """(epoch, file, offset, row): the order of the log."""
    committed_at: int
    """Commit time in seconds; the order of events does not follow it."""
    before: Row | None
    """The row before the change; None for an insert."""
    after: Row | None
    """The row after the change; None for a delete."""

    def __str__(self) -> str:
        return f"{self.op} at {'.'.join(map(str, self.position[1:]))}"


@dataclass(frozen=True, slots=True)
class MadeUpBatch:
    """`events` are in the order of arrival. `rows` are (source table, row) of a snapshot chunk.

    `pairs` is how many pairs of C5 are among the events: all, unless the key's type has too few values.
    """

    events: tuple[Event, ...]
    pairs: int
    rows: tuple[tuple[str, Row], ...]


def make_batch(layout: Layout) -> MadeUpBatch:
    """Makes the table's batch: always the same one."""
    maker = BatchMaker(layout)
    pairs = maker.pairs(moving=False)
    maker.pairs(moving=True)
    maker.longer_sequences()
    maker.key_changes()
    maker.equal_keys()
    maker.extremes()
    events = list(maker.events)
    random.Random(0).shuffle(events)
    rows = tuple((str(layout.table.sources[-1]), event.after) for event in maker.events if event.after is not None)
    return MadeUpBatch(tuple(events), pairs, rows)


class BatchMaker:
    """Makes rows and events of a table, and keeps the events."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._columns = layout.table.source.columns
        key = () if layout.table.identity.counts_rows else layout.table.source_key_columns
        self._key = [column.position for column in key]
        asked = layout.mapping.row_filter.literals() if layout.mapping.row_filter is not None else {}
        self._pools = [
            _mix(value_pool(column.type, nullable=column.nullable), asked.get(column.name, ()), seed=index)
            for index, column in enumerate(self._columns)
        ]
        self._keys = distinct_keys([key_values(self._columns[position].type) for position in self._key])
        self._sources = [str(source) for source in layout.table.sources]
        self._made = 0
        self.events: list[Event] = []

    @property
    def longest(self) -> int:
        """How many values the column has that has most."""
        return max(len(pool) for pool in self._pools)

    def pairs(self, *, moving: bool) -> int:
        """Adds each (earlier, later) of one row, in one place or from place to place. Returns for how many a key was
        left."""
        sources = self._sources
        return sum(
            self._sequence(ops, sources[number % len(sources)], moving=moving) for number, ops in enumerate(PAIRS)
        )

    def longer_sequences(self) -> None:
        for ops in ("UUU", "IUD", "DIU", "IDI", "IDU", "UDIUD", "DUU"):
            self._sequence(tuple(ops), self._sources[0], moving=True)
        # The same key in two source tables is two rows, which are merged separately.
        key = next(self._keys, None)
        if key is not None and len(self._sources) > 1:
            for source in self._sources[:2]:
                self.add(source, "I", None, self.row(key, self._made))
                self.add(source, "D", self.row(key, self._made), None)

    def key_changes(self) -> None:
        source = self._sources[0]
        keys = [key for _ in range(7) if (key := next(self._keys, None)) is not None]
        if len(keys) < 7:
            return
        rows = [self.row(key, 3 * number) for number, key in enumerate(keys)]
        self.add(source, "U", rows[0], rows[1])  # alone
        self.add(source, "U", rows[2], rows[3])  # and on to a third key
        self.add(source, "U", rows[3], rows[4])
        self.add(source, "I", None, rows[5])  # of a new row, whose old key is taken again
        self.add(source, "U", rows[5], rows[6])
        self.add(source, "I", None, self.row(keys[5], 50))

    def equal_keys(self) -> None:
        """A key that only gains spaces is the same key under a collation that pads (hazard D2)."""
        key = next(self._keys, None)
        last = self._layout.table.source_key_columns[-1]
        if key is None or last.type.name != "varchar" or len(key[-1]) >= (last.type.length or 0):
            return
        longer = (*key[:-1], key[-1] + " ")
        self.add(self._sources[0], "U", self.row(key, 1), self.row(longer, 2))
        self.add(self._sources[0], "D", self.row(longer, 2), None)

    def extremes(self) -> None:
        """Adds rows until every value of every column has been used."""
        for number in range(self.longest):
            key = next(self._keys, None)
            if key is None:
                return
            self.add(self._sources[-1], "I", None, self.row(key, number, spread=False))

    def _sequence(self, ops: Sequence[str], source: str, *, moving: bool) -> bool:
        key = next(self._keys, None)
        if key is None:
            return False
        variants = self._variants(key, moving=moving)
        image = next(variants)
        for op in ops:
            before = None if op == "I" else image
            if op != "D":
                image = next(variants)
            self.add(source, op, before, None if op == "D" else image)
        return True

    def _variants(self, key: tuple[str, ...], *, moving: bool) -> Iterator[Row]:
        """Different rows of one key: each at another place than the one before, or all at one place, where possible."""
        row = self.row(key, len(self.events))
        yield row
        number = len(self.events)
        while True:
            for _ in range(_TRIES):
                number += 1
                other = self.row(key, number)
                stays = self._layout.place(other) == self._layout.place(row)
                if stays is not moving and other != row:
                    break
            row = other
            yield row

    def row(self, key: tuple[str, ...], number: int, *, spread: bool = True) -> Row:
        """The row of that key and number; without `spread` each column has its value of that number."""
        if spread and self._layout.mapping.row_filter is not None:
            return self._draw(key, number)
        return self._set_key(
            key,
            [pool[(number + index * 7 if spread else number) % len(pool)] for index, pool in enumerate(self._pools)],
        )

    def _draw(self, key: tuple[str, ...], number: int) -> Row:
        """A row that the filter lets through; every third one is a row that it does not, where one can be drawn."""
        dice = random.Random(number)
        wanted = number % 3 != 0
        for _ in range(_TRIES):
            row = self._set_key(key, [dice.choice(pool) for pool in self._pools])
            if self._layout.mapping.matches(self._layout.texts(row)) is wanted:
                break
        return row

    def _set_key(self, key: tuple[str, ...], values: list[str | None]) -> Row:
        for position, value in zip(self._key, key, strict=True):
            values[position] = value
        return tuple(values)

    def add(self, source: str, op: str, before: Row | None, after: Row | None) -> None:
        self._made += 1
        made = self._made
        # Offsets start again with each file, rows with each offset, and text order is not number order (hazard E88).
        position = (1, 9 + made // 8, 1000 - 100 * (made // 8) + 4 * (made // 2), made % 2 * 10)
        self.events.append(Event(source, op, position, 1_700_000_000 - made % 3 * 60, before, after))


def value_pool(kind: ColumnType, *, nullable: bool) -> tuple[str | None, ...]:
    """Ordinary and extreme values, and NULL where the column may be NULL."""
    values: tuple[str | None, ...] = tuple(dict.fromkeys((*distinct_values(kind)[:24], *extreme_values(kind))))
    return (*values, None) if nullable else values


def _mix(pool: tuple[str | None, ...], asked: tuple[str, ...], *, seed: int) -> tuple[str | None, ...]:
    """The pool mixed with the filter's own values, in an order that depends on the column."""
    if not asked:
        return pool
    mixed = [*pool, *(asked[number % len(asked)] for number in range(_OFTEN))]
    random.Random(seed).shuffle(mixed)
    return tuple(mixed)


def distinct_keys(pools: Sequence[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """Keys made of each column's pool of values. Ends when the pools have no more."""
    seen: set[tuple[str, ...]] = set()
    for number in range(64 * 64):
        key = tuple(pool[(number + index * (number // len(pool))) % len(pool)] for index, pool in enumerate(pools))
        if key not in seen:
            seen.add(key)
            yield key


def key_values(kind: ColumnType) -> tuple[str, ...]:
    """Values that the server distinguishes, extreme ones among them."""
    return tuple(dict.fromkeys((*extreme_values(kind), *distinct_values(kind))))
