"""How far the next batch may go: the last transaction end within the limits, found without decoding rows.

Runs in the driver; reads the source server.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import NamedTuple

from shardwright.runtime.failures import Refused
from shardwright.runtime.sources.binlog.captured_tables import CapturedTable, images_of
from shardwright.runtime.sources.binlog.connection import log_head
from shardwright.runtime.sources.binlog.events import INSERTS, UPDATES, LogEvent
from shardwright.runtime.sources.binlog.gtid_event import History
from shardwright.runtime.sources.binlog.left_out_rows import LeftOutRows
from shardwright.runtime.sources.binlog.log import Log
from shardwright.runtime.sources.binlog.prepared_transactions import PreparedTransactions
from shardwright.runtime.sources.binlog.walk import Step, walk
from shardwright.runtime.sources.event_counts import EventCounts
from shardwright.runtime.sources.left_out import NOTHING, LeftOutRange
from shardwright.runtime.sources.positions.log_position import LARGEST_OFFSET, LogPosition
from shardwright.runtime.sources.positions.pending import NONE_PENDING, Pending
from shardwright.specs.environment.environment import BatchLimits
from shardwright.specs.findings.remedies import START_OVER

_LEFT_OUT_ROWS = 200_000
"""So many keys of a range are kept at the most, also where a range has no limit."""
ROWS_IN_A_PART = 10_000
"""A range is read in parts at the same time only where each part is worth a connection."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A boundary within a range, and the XA transactions that are prepared there."""

    place: LogPosition
    pending: Pending


@dataclass(frozen=True, slots=True)
class RangeStart:
    """What the caller knows already where the range begins."""

    head: LogPosition | None = None
    """The end of the server's log."""
    prepared: PreparedTransactions | None = None
    """The XA transactions that were prepared before the range."""


@dataclass(frozen=True, slots=True)
class Boundary:
    """A transaction boundary, and what is between the start of the range and it."""

    end: LogPosition
    """The boundary; the start itself when there is nothing new."""
    rows: int
    """Rows of captured tables; an estimate, since an event's size shows its rows only roughly."""
    bytes: int
    """Bytes of the log from start to end, of the events that the server sends. Those of an XA transaction count once
    more where it commits."""
    committed_at: int | None
    """When its last transaction ended, in seconds since 1970; None: there was none."""
    head: LogPosition
    """The end of the server's log at that moment."""
    cuts: tuple[Cut, ...] = ()
    """Boundaries within the range, about ROWS_IN_A_PART rows from one to the next."""
    counts: EventCounts = field(default_factory=EventCounts)
    """Estimated rows and newest commit time, by source table."""
    pending: Pending = field(default_factory=lambda: NONE_PENDING)
    """The XA transactions that are prepared at the end."""
    left_out: LeftOutRange = NOTHING
    """What transactions of our own have changed of captured tables."""


def next_boundary(
    log: Log,
    start: LogPosition,
    *,
    limits: BatchLimits,
    until: LogPosition | None = None,
    known: RangeStart = RangeStart(),
    keys: Mapping[str, tuple[int, ...]] = MappingProxyType({}),
) -> Boundary:
    """The furthest boundary within both limits, but at least one transaction; `start` itself when nothing is new.
    `until`, a boundary too, is never passed. No boundary is beyond 4 GiB of a file, since no dump could begin there
    again. After a transaction that large the server begins a new file, and the boundary is in that one (hazard E10).
    `keys`: captured table -> which columns of an image are its key; for what is left out.

    An event that cannot be followed raises Refused only when it is the next one: all events before it can still be
    applied.
    """
    head = known.head or replace(log_head(log.endpoint, server=start.server), epoch=start.epoch)
    if head.log_name != start.log_name or head < start:
        raise Refused(
            "SW8110",
            f"{log.endpoint} is at {head}, before {start}: its log was reset, or this is another server. Positions of "
            f"one log mean nothing in another: {START_OVER}",
        )
    prepared = known.prepared or PreparedTransactions(log, start)
    sizes, history, cuts, seen = RowSizes(), History(start), _Cuts(), _SeenRows()
    left_out = LeftOutRows(keys, min(limits.max_rows, _LEFT_OUT_ROWS))
    replayed = start.replay_end
    best: _PassedBoundary | None = None
    rows = size = 0
    try:
        for step in walk(log, start, head if until is None else min(head, until), prepared, left_out):
            size += step.size
            if step.table is not None:
                found = sizes.rows_in(step.event, step.table)
                rows += found
                seen.add(step.table.name, found, step.event)
            if (size > limits.max_bytes or rows > limits.max_rows) and _may_end(best, replayed):
                break
            history.feed(step.event, inside=step.inside, changes=step.changes)
            if not step.inside:
                best = _PassedBoundary(step, start.epoch, rows, size, prepared.pending)
                if rows - cuts.rows >= ROWS_IN_A_PART:
                    cuts.add(best)
                seen.count()
                left_out.count()
    except Refused:
        if not _may_end(best, replayed):
            raise
    if best is None or not _is_usable(end := best.end, replayed) or end == start:
        return Boundary(start, 0, 0, None, head)
    return Boundary(
        history.at(end),
        best.rows,
        best.bytes,
        best.step.committed_at,
        head,
        cuts=cuts.before(end, start.server),
        counts=seen.counts(),
        pending=best.pending,
        left_out=left_out.summary(),
    )


class _PassedBoundary(NamedTuple):
    """A boundary behind `step`. Most of them are followed by a better one, so its place is made when it is needed."""

    step: Step
    epoch: int
    rows: int
    bytes: int
    pending: Pending

    @property
    def end(self) -> LogPosition:
        return replace(self.step.after, epoch=self.epoch)


def _may_end(best: _PassedBoundary | None, replayed: LogPosition | None) -> bool:
    """Whether a batch may end at `best`."""
    return best is not None and best.step.committed_at is not None and _is_usable(best.end, replayed)


def _is_usable(end: LogPosition, replayed: LogPosition | None) -> bool:
    """Whether a range may end there. `replayed`: after a change of servers the first batch must reach the place up to
    which it may have been applied before."""
    return end.offset <= LARGEST_OFFSET and (replayed is None or end >= replayed)


@dataclass
class _SeenRows:
    """Rows and times before the last boundary, by table. `_open` has those of the transaction that has not ended
    yet."""

    rows: dict[str, int] = field(default_factory=dict)
    newest: dict[str, int] = field(default_factory=dict)
    changed: set[str] = field(default_factory=set)
    """Tables with other events than INSERTs."""
    _open: list[tuple[str, int, int, bool]] = field(default_factory=list)

    def add(self, table: str, rows: int, event: LogEvent) -> None:
        self._open.append((table, rows, event.timestamp, event.kind in INSERTS))

    def count(self) -> None:
        for table, rows, timestamp, inserts in self._open:
            self.rows[table] = self.rows.get(table, 0) + rows
            self.newest[table] = max(self.newest.get(table, 0), timestamp)
            if not inserts:
                self.changed.add(table)
        self._open.clear()

    def counts(self) -> EventCounts:
        return EventCounts(self.rows, self.newest, frozenset(self.rows.keys() - self.changed))


@dataclass
class _Cuts:
    """The boundaries that the scan has passed, ROWS_IN_A_PART or more rows apart."""

    rows: int = 0
    """How many there were at the last one."""
    _cuts: list[Cut] = field(default_factory=list)

    def add(self, passed: _PassedBoundary) -> None:
        end = passed.end
        if end.offset <= LARGEST_OFFSET:
            self._cuts.append(Cut(end, passed.pending))
            self.rows = passed.rows

    def before(self, end: LogPosition, server: str | None) -> tuple[Cut, ...]:
        return tuple(Cut(replace(cut.place, server=server), cut.pending) for cut in self._cuts if cut.place < end)


class RowSizes:
    """Estimates rows by size: the first event of each table and kind is decoded, later ones are compared with it."""

    def __init__(self) -> None:
        self._bytes_per_row: dict[tuple[str, int], float] = {}

    def rows_in(self, event: LogEvent, table: CapturedTable) -> int:
        key = (table.name, event.kind)
        per_row = self._bytes_per_row.get(key)
        if per_row is None:
            images = len(images_of(event, table))
            rows = images // 2 if event.kind in UPDATES else images
            self._bytes_per_row[key] = len(event.data) / max(rows, 1)
            return rows
        return max(1, round(len(event.data) / per_row))
