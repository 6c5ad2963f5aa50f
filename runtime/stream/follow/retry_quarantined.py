"""`dead-letters retry` and `repair`: the row as the source has it now replaces everything that was quarantined of it.

Runs in the driver, between two batches; reads source servers, and writes the dead letters' table and what a batch
writes.

The row goes to the targets as a batch of its own under the ledgers, and leaves every place that a quarantined event
named. The stream applies the key's events again from the position where the row was read.

Families: the parents' batch comes first. It brings their entries in the lookup table to the same position, and their
rows from wherever they are. Then the lookup table says where the children's own rows belong, as in any batch.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pymysql

from shardwright.compiler.plan.plan import ORPHANS, Plan
from shardwright.runtime.events.stream import DeadLettersWait, RowsReadAgain
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.ledger.audit import audit
from shardwright.runtime.ledger.dead_letters import DeadLetter, Place, answer_dead_letter, forget_dead_letter
from shardwright.runtime.sources.event import EVENT_DDL, INSERT
from shardwright.runtime.sources.positions.part import PositionPart
from shardwright.runtime.sources.positions.queue_offsets import UNORDERED
from shardwright.runtime.sources.rows_by_key import Image, images_by_key
from shardwright.runtime.sources.shard_rows import ShardReader
from shardwright.runtime.sources.source import StreamSource
from shardwright.runtime.stream.batch.changed_rows import PlaceLeft
from shardwright.runtime.stream.batch.run import BatchRunner
from shardwright.runtime.stream.families.parents import generations
from shardwright.runtime.stream.quarantine.conflicts import Row
from shardwright.runtime.stream.quarantine.dead_letters import COPIED, DeadLetters, Quarantine
from shardwright.runtime.stream.stage.lookup import find_places

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(frozen=True, slots=True)
class RereadRow:
    """A dead letter whose row was read again at the source."""

    dead_letter: DeadLetter
    image: Image | None
    """The row's image at the source; None: it is gone."""
    at: PositionPart | None
    """The position in the stream that the image belongs to. None on the way back: whatever events of the shards' logs
    follow, they end in the row that the shards have."""
    table: str
    """The source table that has the row, or had it."""

    @property
    def place(self) -> tuple[int, int, int]:
        """In the form that events have: epoch, file and offset."""
        return UNORDERED if self.at is None else self.at.event_place

    def event(self) -> tuple[Any, ...]:
        """In the one shape of events."""
        return (self.table, INSERT, *self.place, -1, None, None, self.image)


def _places_left(item: RereadRow, present: Collection[Place], plan: Plan) -> Iterator[PlaceLeft]:
    """The places that events or the comparison named, and those where the row is without either. Under delete policy
    `ignore` a row that is gone at the source stays at the latter. A parent that is gone leaves the lookup table,
    too."""
    held, named = item.dead_letter.held, item.dead_letter.places
    stays = plan.table(held.logical).deletes.are_ignored
    for shard, part in sorted(named | set(present)):
        keeps = stays and (shard, part) not in named
        yield PlaceLeft(held.logical, item.table, list(held.key), shard, part, (*item.place, -1), keeps)
    if (lookup_table := plan.parents.get(held.logical)) is not None:
        recorded = plan.table(lookup_table).source_record
        key = [*held.key] if recorded is None else [*held.key, recorded.of(item.table)]
        yield PlaceLeft(lookup_table, item.table, key, *ORPHANS, (*item.place, -1), stays)


def read_rows(source: StreamSource, plan: Plan, dead_letters: Collection[DeadLetter]) -> list[RereadRow]:
    """All in one snapshot."""
    by_table: dict[str, list[DeadLetter]] = defaultdict(list)
    for dead_letter in dead_letters:
        by_table[dead_letter.held.logical].append(dead_letter)
    found: list[RereadRow] = []
    with source.rows_now() as (at, reader):
        for logical, some in by_table.items():
            for dead_letter in some:
                images = images_by_key(
                    reader, plan, logical, source=dead_letter.held.source_table, keys=[dead_letter.held.key]
                )
                found.append(RereadRow(dead_letter, images[0] if images else None, at, dead_letter.held.source_table))
    return found


def read_shards(shards: ShardReader, dead_letters: DeadLetters, wanted: Collection[DeadLetter]) -> list[RereadRow]:
    """On the way back: a row may be on another shard than it was. Leaves out rows that are in two tables: they wait."""
    plan, by_table = dead_letters.context.plan, defaultdict[str, list[DeadLetter]](list)
    for dead_letter in wanted:
        by_table[dead_letter.held.logical].append(dead_letter)
    found: list[RereadRow] = []
    doubles: dict[Row, Sequence[str]] = {}
    for logical, some in by_table.items():
        read = shards.read(logical, [item.held.key for item in some])
        doubles |= read.tables_of_doubles(logical)
        for item in some:
            if item.held.key in read.rows:
                row = read.rows[item.held.key]
                table = row.table if row else str(plan.table(logical).sources[0])
                found.append(RereadRow(item, row.image if row else None, None, table))
    quarantine = dead_letters.doubles(doubles)
    if quarantine.held:
        dead_letters.hold(Quarantine(held=quarantine.held), batch=COPIED)
    return found


_LOOK_EVERY = 2.0
"""Seconds between two checks for dead letters that are to be tried again."""
_PATIENCE = 1.0
"""Seconds that a check waits for the end of a batch."""


@dataclass
class Answers:
    """Checks for dead letters that are to be tried again, between two batches, once the stream has passed the copy.
    Until then a chunk may have written a row that only events to come show to be there."""

    spark: SparkSession
    batches: BatchRunner
    _looked: float = field(default=0.0)
    _warned: DeadLettersWait | None = None

    @property
    def dead_letters(self) -> DeadLetters:
        return self.batches.dead_letters

    def look(self) -> None:
        """Checks, unless a batch does not end within a second: the next call tries again."""
        if time.monotonic() - self._looked < _LOOK_EVERY or self.batches.is_copying:
            return
        # The caller has more to do than this: it reports how late a batch is that takes long.
        if self.batches.lock.acquire(timeout=_PATIENCE):
            try:
                self._looked = time.monotonic()
                self._look()
            finally:
                self.batches.lock.release()

    def look_at_end(self) -> None:
        """Checks whatever the time of the last check: the run ends."""
        if not self.batches.is_copying:
            with self.batches.lock:
                self._look()

    def _look(self) -> None:
        if self.batches.is_open:  # a batch has failed: the next attempt finishes it first
            return
        self.dead_letters.read()
        self._forget_passed()
        for logicals in generations(self.dead_letters.context.plan):
            wanted = [item for item in self.dead_letters.due() if item.held.logical in logicals]
            if wanted:
                self._answer(wanted)

    def _forget_passed(self) -> None:
        """Forgets answered dead letters whose position the stream has reached."""
        passed = [
            dead_letter
            for dead_letter in self.dead_letters.by_key.values()
            if dead_letter.until and self._has_reached(dead_letter)
        ]

        def forget(connection: Any) -> None:
            for dead_letter in passed:
                forget_dead_letter(connection, self.dead_letters.context.migration, dead_letter.held)

        if passed:
            self.dead_letters.context.transaction(forget)
            self.dead_letters.read()

    def _has_reached(self, dead_letter: DeadLetter) -> bool:
        assert dead_letter.until is not None
        for source in self.batches.sources:
            if dead_letter.held.source_table in source.tables:
                return self.batches.state.position.parts[source.name].is_past(dead_letter.until)
        return False

    def _answer(self, wanted: list[DeadLetter]) -> None:
        failpoint("before-dead-letters-read")
        reread = self._read(wanted)
        if not reread:
            return
        failpoint("after-dead-letters-read")
        self.dead_letters.answering = {item.dead_letter.held for item in reread}
        present = self._present_places(reread)
        try:
            changes = self.spark.createDataFrame([item.event() for item in reread if item.image], EVENT_DDL)
            left = [
                left
                for item in reread
                for left in _places_left(item, present[item.dead_letter.held.logical], self.dead_letters.context.plan)
            ]
            self.dead_letters.offer(changes)
            logicals = tuple(sorted({item.dead_letter.held.logical for item in reread}))
            self.batches.run_separately(changes, logicals, left=left)
            answered = [item for item in reread if item.dead_letter.held in self.dead_letters.answering]
        finally:
            self.dead_letters.answering = set()

        def record(connection: Any) -> None:
            migration = self.dead_letters.context.migration
            for item in answered:
                if item.at is None:
                    forget_dead_letter(connection, migration, item.dead_letter.held)
                else:
                    answer_dead_letter(connection, migration, item.dead_letter.held, until=item.at.short)
                found = "as the source has it" if item.image else "gone at the source"
                detail = f"{item.dead_letter.held}: {found}, at {item.at or 'now'}"
                audit(connection, migration, "dead letter answered", detail=detail)

        self.dead_letters.context.transaction(record)
        failpoint("after-dead-letter-answered")
        self.dead_letters.conflicts.resolve([item.dead_letter.held.row for item in answered])
        self.dead_letters.read()
        self.dead_letters.context.emit(RowsReadAgain(len(answered), len(reread)))

    def _present_places(self, reread: Sequence[RereadRow]) -> Mapping[str, frozenset[Place]]:
        """By logical table: where rows are whose repair was asked for. Batches may have brought such a row to a place
        that nobody has noted: after it was compared, and before this run held its events back. Its events up to the
        position where it was read again are left out, also the one by which it leaves that place. Of a child no event
        names a place."""
        context, keys = self.dead_letters.context, defaultdict[str, list[tuple[str, ...]]](list)
        for item in reread:
            of_table = keys[item.dead_letter.held.logical]
            follows = context.plan.table(item.dead_letter.held.logical).placement.parent is not None
            if item.dead_letter.batch == COPIED or item.at is None or follows:
                of_table.append(item.dead_letter.held.key)
        return {name: find_places(context.plan, context.servers, name, keys=some) for name, some in keys.items()}

    def _read(self, wanted: list[DeadLetter]) -> list[RereadRow]:
        """Leaves out dead letters whose source server cannot be read though its changes come by a queue: they wait, and
        the stream continues."""
        if self.dead_letters.context.plan.direction.reads_shards:
            plan, batches = self.dead_letters.context.plan, self.batches
            return read_shards(ShardReader(plan, batches.sources, batches.state.position), self.dead_letters, wanted)
        found: list[RereadRow] = []
        for source in self.batches.sources:
            dead_letters = [dead_letter for dead_letter in wanted if dead_letter.held.source_table in source.tables]
            if not dead_letters:
                continue
            try:
                found += read_rows(source, self.dead_letters.context.plan, dead_letters)
            except (RuntimeFailure, pymysql.err.MySQLError) as failure:
                if source.needs_server:
                    raise
                self._wait(dead_letters, failure)
        return found

    def _wait(self, dead_letters: list[DeadLetter], failure: Exception) -> None:
        warning = DeadLettersWait(len(dead_letters), str(dead_letters[0].held), str(failure))
        if warning != self._warned:
            self.dead_letters.context.emit(warning)
        self._warned = warning
