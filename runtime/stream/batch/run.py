"""How does one batch of the stream run? It is opened, decided and staged, applied, closed; at every moment the ledger
says what is owed (C1).

Runs in the driver; writes the first shard's ledger, and through Spark tasks and the applier the shards.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from shardwright.runtime.events.stream import SourceWarning
from shardwright.runtime.ledger.batches import MigrationState, record_following
from shardwright.runtime.ledger.context import RunContext
from shardwright.runtime.ledger.decisions import DecisionMemory, decision_memory
from shardwright.runtime.ledger.parent_places import family_of
from shardwright.runtime.ledger.recent_batches import RecentBatches
from shardwright.runtime.ledger.stage_summary import TO_MERGE, Summary, most_staged
from shardwright.runtime.mysql.rejected_rows import REFUSED, RefusedRow, read_refused
from shardwright.runtime.sources.event_counts import EventCounts
from shardwright.runtime.sources.events import Events
from shardwright.runtime.sources.left_out import NOTHING, LeftOutRange
from shardwright.runtime.sources.positions.stream_position import StreamPosition
from shardwright.runtime.sources.shard_rows import ShardReader
from shardwright.runtime.sources.source import Sources, order_events, prove_position
from shardwright.runtime.stream.apply.ceiling import DeleteCeilings
from shardwright.runtime.stream.apply.purge_tombstones import DeleteDelay
from shardwright.runtime.stream.apply.statements import StagedBatch
from shardwright.runtime.stream.batch.affected_tables import (
    all_new,
    counts_of_started_tables,
    direct_insert_tables,
    events_of_started_tables,
    find_affected_tables,
    newest_times,
    placeable,
)
from shardwright.runtime.stream.batch.changed_rows import PlaceLeft, and_leave, own_versions
from shardwright.runtime.stream.batch.journal import Batch, BatchJournal
from shardwright.runtime.stream.batch.query import (
    Also,
    BatchChanges,
    Decider,
    DecisionInput,
    PreparedBatch,
    count_events,
)
from shardwright.runtime.stream.batch.recovery import clear_stages
from shardwright.runtime.stream.batch.rows_again import RowsAgain
from shardwright.runtime.stream.families.affected_families import AffectedFamilies, find_affected_families
from shardwright.runtime.stream.families.parents import FamilyEvents, RoutedFamilies, route_families
from shardwright.runtime.stream.families.shared_exclusive import SharedExclusive
from shardwright.runtime.stream.quarantine.applier import QuarantiningApplier
from shardwright.runtime.stream.quarantine.dead_letters import COPIED, DeadLetters, Quarantine
from shardwright.runtime.stream.quarantine.quarantined_events import AdmittedFrom
from shardwright.runtime.stream.stage.cleanup import WORTH_TRUNCATING
from shardwright.runtime.stream.stage.foreign_rows import BucketGuard, bucket_guard
from shardwright.runtime.stream.stage.stage import BatchContext, collapse_statements

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True, slots=True)
class BatchInput:
    """What one batch is made of."""

    events: Events
    """The frame of events, and the job properties with their range."""
    end: StreamPosition
    """Where the events end: the ledger records it."""
    counts: EventCounts | None = None
    """How many events there are; None: Spark counts them."""
    left_out: LeftOutRange = NOTHING
    """What transactions of our own have changed in the range."""
    lasting: bool = False
    """Whether later batches come in the same frame."""
    prepared: PreparedBatch | None = None
    """What prefetch has done of it while the batch before took effect."""
    logicals: Collection[str] = ()
    """Tables that the batch touches even where they have no events."""
    also: Also | None = None
    """Adds rows that no event of the batch names."""
    overruled: AdmittedFrom = field(default_factory=dict)
    """Keys of which only what is at these positions or behind them counts."""


@dataclass(frozen=True, slots=True)
class BatchReport:
    """What the run reports of one finished batch."""

    batch: int
    """Its number."""
    end: StreamPosition
    """Where it ends in every source."""
    events: Mapping[str, int]
    """How many, by source table."""
    committed_at: int | None
    """The newest event's commit time; None: unknown."""
    seconds: float
    """The time that it took."""
    work: Mapping[int, Summary] = field(default_factory=dict)
    """What the shards had to apply, by shard."""


@dataclass
class BatchRunner:
    """Runs batches one after the other."""

    context: RunContext
    """The run: plan, servers, ledger connection, writer."""
    sources: Sources
    """What the stream reads."""
    applier: QuarantiningApplier
    """Applies staged batches, and has the dead letters."""
    ceilings: DeleteCeilings
    """Checked between staging and applying."""
    recent: RecentBatches
    """Keeps what batches changed for a while, in case a server loses it."""
    families: SharedExclusive = field(default_factory=SharedExclusive)
    """Held alone while a batch moves parents; chunks of child tables share it."""
    lock: threading.Lock = field(default_factory=threading.Lock)
    """Held while a batch is in progress."""
    _journal: BatchJournal = field(init=False)
    _decider: Decider = field(init=False)
    _suffixes: Mapping[str, tuple[str, ...]] = field(init=False)
    _recording: DecisionMemory | None = field(init=False)
    _guard: BucketGuard | None = field(init=False)
    _staged: dict[str, int] = field(init=False, default_factory=dict)
    """Logical table -> at most so many rows of the last batch with it are in a shard's stage."""

    def __post_init__(self) -> None:
        self._journal = BatchJournal(self.context, self.sources, self.recent)
        self._decider = Decider(self.context.plan)
        self._suffixes = placeable(self.context.plan)
        self._recording = decision_memory(self.context.plan)
        by_bucket = self.context.both_ways and not self.context.in_rounds
        self._guard = bucket_guard(self.context.plan) if by_bucket else None

    @property
    def dead_letters(self) -> DeadLetters:
        return self.applier.dead_letters

    @property
    def state(self) -> MigrationState:
        return self._journal.state

    @property
    def is_copying(self) -> bool:
        """True until the stream has passed the copy's high watermark."""
        return self._journal.is_copying

    @property
    def is_open(self) -> bool:
        """Whether a batch was opened and not closed. Read it while holding `lock`: then the batch has failed."""
        return self._journal.is_open

    @property
    def delay(self) -> DeleteDelay:
        return self._journal.delay

    def read_quarantined_keys(self, logical: str) -> frozenset[tuple[str, ...]]:
        """Read from the ledger again: an operator may have discarded some."""
        if not self.dead_letters.by_key:
            return frozenset()
        with self.lock:
            self.dead_letters.read()
            return self.dead_letters.keys_in_quarantine(logical)

    def quarantine_copied(self, logical: str, refused: Mapping[tuple[str, ...], str]) -> None:
        """Quarantines rows of a chunk; `refused`: key -> why a target refuses the row. Runs between two batches, in the
        ledger before the chunk is written: from then on no event of these rows reaches a batch."""
        with self.lock:
            named = [RefusedRow(logical, key, why) for key, why in refused.items()]
            self.dead_letters.hold(Quarantine(held=self.dead_letters.refusals_of(named)), batch=COPIED)

    def snapshot_finished(self) -> None:
        """The snapshot's end is in the ledger now: batches behind it need no tombstones any more."""
        self.read_again()

    def follow(self) -> None:
        """Records that the stream is at the end of its sources: a cutover may rely on this run. Called once."""
        with self.lock:
            self.context.transaction(lambda c: record_following(c, self.context.migration))

    def read_again(self) -> None:
        """Called when the ledger was changed beside the batches."""
        with self.lock:
            self._journal.read()

    def begin_weight(self, weight: int) -> None:
        """From here on the stream counts for the tables of this weight: before their first chunk is read. No batch is
        in progress meanwhile, so none has skipped events that are behind the recorded position."""
        with self.lock:
            if not self._journal.has_begun(weight):
                self._journal.begin_weight(weight, prove_position(self.sources))

    def run(self, batch_input: BatchInput, *, meanwhile: Callable[[], None] = lambda: None) -> BatchReport:
        """Makes the events take effect. `meanwhile` is called as soon as the batch is open. The caller holds `lock`."""
        started = time.monotonic()
        number, logicals = self.state.batch + 1, batch_input.logicals
        counts, end, prepared = batch_input.counts, batch_input.end, batch_input.prepared
        also = batch_input.also or own_versions(self.context.plan, self.context.servers, self.state)
        again = counts is None or self._reads_again(counts, logicals, also=also)
        with batch_input.events.reading(again=again) as read:
            events, end = order_events(self.sources, read, start=self.state.position, end=end)
            changes = events_of_started_tables(
                events, self.context.plan, self.sources, self._journal.begins, start=self.state.position
            )
            which = find_affected_families(
                self.context.plan, (counts or count_events(events)).by_table if self.context.plan.children else {}
            )
            counts = count_events(changes) if counts is None else counts_of_started_tables(counts, self._journal.begins)
            touched = _without_children(find_affected_tables(self.context.plan, counts, logicals), which)
            times = newest_times(self.sources, self.state.committed_at, counts)
            batch = Batch(number, end, counts, times, touched, batch_input.left_out)
            self.dead_letters.overruled = {}
            self.dead_letters.keep_events(changes, {*touched, *which.logicals}, self.sources)
            if batch_input.overruled:
                self.dead_letters.overruled = batch_input.overruled
                self.dead_letters.offer(changes)
            lasting = batch_input.lasting and changes is read
            kept = batch_input.events.kept() if lasting and again and batch_input.events.kept is not None else None
            decided = BatchChanges(changes, also, lasting=lasting, kept=kept, prepared=prepared)
            work: Mapping[int, Summary] = {}
            if which:
                with self.families.exclusive():
                    work = self._stage_and_apply(batch, decided, families=FamilyEvents(which, events, changes))
            elif batch.logicals:
                work = self._stage_and_apply(batch, decided, meanwhile=meanwhile)
        self._journal.close(batch, work)
        self._report_finished(batch.end)
        newest = max(counts.committed_at.values(), default=None)
        return BatchReport(number, end, counts.by_table, newest, time.monotonic() - started, work)

    def prepare(self, events: Events, counts: EventCounts) -> PreparedBatch | None:
        """Begins with what does not depend on the batch in progress, for the events of a later one in the same frame;
        None where there is no such thing. Another thread than the one that runs batches may call it."""
        if self._reads_again(counts, (), also=None):
            return None
        touched = find_affected_tables(self.context.plan, counts)
        merged = not self._all_new(touched, counts)
        return self._decider.prepare(
            events.begin(), DecisionInput(touched, self._journal.keeps_tombstones, merged=merged)
        )

    def run_separately(self, changes: DataFrame, logicals: tuple[str, ...], *, left: Sequence[PlaceLeft]) -> None:
        """A batch of rows that were read again, and are no events of the log: the position stays. `left`: the places
        that rows, and lookup tables' entries, leave where they are not any more. The caller holds `lock`."""
        plan, position = self.context.plan, self.state.position
        which = find_affected_families(
            plan, {str(name): 1 for logical in logicals for name in plan.table(logical).sources}
        )
        touched = _without_children(logicals, which)
        batch = Batch(self.state.batch + 1, position, EventCounts(), self.state.committed_at, touched)
        places = [item for item in left if item.logical in which.lookup_names]
        families = FamilyEvents(which, changes, changes, reread=partial(and_leave, left=places, plan=plan))
        with self.families.exclusive() if which else nullcontext():
            decided = BatchChanges(changes, partial(and_leave, left=left, plan=plan))
            work = self._stage_and_apply(batch, decided, families=families if which else None, guarded=False)
        self._journal.close(batch, work)

    def _reads_again(self, counts: EventCounts, more: Collection[str], *, also: Also | None) -> bool:
        """Whether a batch's events are read more than once: Spark keeps them then."""
        touched = find_affected_tables(self.context.plan, counts, more)
        return (
            len(touched) > 1
            or also is not None
            or bool(self.context.plan.children)
            or bool(self.dead_letters.tables & {*touched})
        )

    def _stage_and_apply(
        self,
        batch: Batch,
        changes: BatchChanges,
        *,
        families: FamilyEvents | None = None,
        meanwhile: Callable[[], None] = lambda: None,
        guarded: bool = True,
    ) -> Mapping[int, Summary]:
        """Returns what shards had to apply. `guarded`: rows of the other side's buckets are kept out; an operator may
        have ordered that they are taken."""
        number, remembering = batch.number, self._journal.keeps_tombstones
        # Only ranges of logs can be read again to the same end.
        again_alike = families is None and changes.also is None and changes.lasting
        merged = not (again_alike and self._all_new(batch.logicals, batch.counts))
        placing = self._tables_to_insert(batch.logicals, merged=merged) if again_alike else frozenset[str]()
        self._journal.open(batch, placing=placing)
        context = BatchContext(
            self.context.migration,
            self.context.plan.databases,
            number,
            self.context.writer,
            self.context.servers,
            {table.logical: table for table in self.context.plan.target_tables},
            collapse_statements(self.context.plan),
            self.dead_letters.may_hold,
            self.recent.memory_for(number, self.state.position),
            self._suffixes,
            placing,
            self._forget_roomy(batch.logicals),
            merged=merged,
            recording=self._recording,
            guard=self._guard if guarded else None,
        )
        again = RowsAgain(self.context, ShardReader(self.context.plan, self.sources, batch.end))
        meanwhile()
        while True:
            routed = None if families is None else self._route(families)
            holding = self.dead_letters.tables & set(batch.logicals)
            asked = DecisionInput(batch.logicals, remembering, holding, merged=context.merged)
            work = self._decider.stage(again.among(changes), asked, context=context, families=routed)
            if again.read(work):
                if again.doubles:
                    self._leave_out(self.dead_letters.doubles(again.doubles), changes.events, batch, families)
                clear_stages(self.context, number)
            elif any(TO_MERGE in answer for answer in work.values()):
                clear_stages(self.context, number)
                context = replace(context, placing=self._tables_to_insert(batch.logicals, merged=True), merged=True)
            elif not self._quarantine_refused(work, changes.events, batch, families):
                break
        self.ceilings.check(work, start=self.state.position, end=batch.end)
        self._journal.audit_allowed(self.ceilings.take_used())
        self._journal.mark_staged(batch, work)
        self.applier.apply(
            StagedBatch(number, work, batch.end, copying=self.is_copying, remembering=remembering, is_fresh=True)
        )
        self._staged |= most_staged(work)
        return work

    def _forget_roomy(self, logicals: Collection[str]) -> frozenset[str]:
        """The tables with room in their stages. What this batch leaves there is known at its end."""
        rows = {name: self._staged.pop(name, WORTH_TRUNCATING + 1) for name in logicals}
        return frozenset(name for name, count in rows.items() if count <= WORTH_TRUNCATING)

    def _all_new(self, logicals: Collection[str], counts: EventCounts) -> bool:
        """Whether all events insert rows that go in place, so that none are merged. Rows whose keys are too many to
        remember do not go in place: the batch would be decided twice."""
        if counts.events > self.recent.limits.reread_rows or not self._may_place(logicals):
            return False
        return all_new(self.context.plan, self._suffixes.keys(), logicals, counts)

    def _tables_to_insert(self, logicals: Collection[str], *, merged: bool) -> frozenset[str]:
        """The tables of which rows may be in place before everything is staged."""
        if not merged:
            return frozenset(logicals)
        if not self._may_place(logicals):
            return frozenset()
        return direct_insert_tables(self.context.plan, self._suffixes.keys(), logicals)

    def _may_place(self, logicals: Collection[str]) -> bool:
        if self._journal.keeps_tombstones or self.dead_letters.tables & set(logicals) or self.context.both_ways:
            return False
        return self.recent.limits.reread_rows > 0

    def _quarantine_refused(
        self, work: Mapping[int, Summary], changes: DataFrame, batch: Batch, families: FamilyEvents | None
    ) -> bool:
        """Whether shards have refused rows, which are quarantined now: the batch is to be staged again without them."""
        refused = [item for answer in work.values() for item in read_refused(answer.get(REFUSED, ()))]
        if not refused:
            return False
        self._leave_out(Quarantine(held=self.dead_letters.refusals_of(refused)), changes, batch, families)
        clear_stages(self.context, batch.number)
        return True

    def _leave_out(
        self, quarantine: Quarantine, changes: DataFrame, batch: Batch, families: FamilyEvents | None
    ) -> None:
        self.dead_letters.hold(quarantine, batch=batch.number)
        touched = {*batch.logicals, *(families.which.logicals if families else ())}
        self.dead_letters.keep_events(changes, touched, self.sources)
        self.dead_letters.offer(changes)

    def _route(self, families: FamilyEvents) -> RoutedFamilies:
        family = family_of(self.context.plan, self.context.servers)
        families = replace(families, holding=self.dead_letters.tables)
        return route_families(self.context.plan, families, family=family, snapshot_open=self.is_copying)

    def _report_finished(self, position: StreamPosition) -> None:
        for source in self.sources:
            warning = source.finish(position.parts[source.name])
            if warning:
                self.context.emit(SourceWarning(warning))


def _without_children(logicals: Collection[str], which: AffectedFamilies) -> tuple[str, ...]:
    """The tables whose rows say themselves where they belong."""
    children = {table.logical for table in which.children}
    return tuple(name for name in logicals if name not in children)
