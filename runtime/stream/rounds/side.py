"""What does one side's log have in a round, and how is what was decided written to the other one?

Runs in a thread of the driver, one for each direction; writes what a batch writes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial, reduce
from typing import TYPE_CHECKING, Any, Final

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import EVERY_TABLE, READ_AGAIN, StepName
from shardwright.compiler.steps.conflict import CHANGED, HASHES, MET, OF_HELD
from shardwright.runtime.ledger.conflicts import Conflict, Image
from shardwright.runtime.ledger.dead_letters import DeadLetter, QuarantinedKey, forget_dead_letter
from shardwright.runtime.sources.binlog.log_frame import LogFrame
from shardwright.runtime.sources.binlog.source import LogStream, log_streams
from shardwright.runtime.sources.event import DELETE, EVENT_DDL, UPDATE
from shardwright.runtime.sources.event_counts import EventCounts
from shardwright.runtime.sources.events import Events
from shardwright.runtime.sources.left_out import NOTHING
from shardwright.runtime.sources.next_range import NextRange, NextRanges
from shardwright.runtime.sources.positions.stream_position import StreamPosition, in_log
from shardwright.runtime.sources.shard_rows import ShardReader
from shardwright.runtime.stream.batch.affected_tables import find_affected_tables
from shardwright.runtime.stream.batch.changed_rows import PlaceLeft, and_leave
from shardwright.runtime.stream.batch.rows_again import BEHIND_LOGS, MOVES_WITHIN
from shardwright.runtime.stream.batch.run import BatchInput, BatchReport, BatchRunner
from shardwright.runtime.stream.quarantine.conflicts import Row
from shardwright.runtime.stream.quarantine.quarantined_events import Position
from shardwright.runtime.stream.rounds.present_rows import PresentRow, read_present_rows
from shardwright.runtime.stream.stage.lookup import find_places
from shardwright.specs.direction import Direction

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_MOVES_EVERY: Final = 1.0
"""Seconds until a range without changes is passed; a fifth of them shortly after there were some."""
_ACTIVE: Final = 5.0
_PLACE = "struct<epoch: bigint, file: bigint, offset: bigint, row: int>"
CHANGED_DDL = (
    "logical string, key array<string>, changes bigint, deletes bigint, "
    f"first_at {_PLACE}, last_at {_PLACE}, late boolean, overwritten boolean, has_own boolean, committed_at bigint, "
    "before array<string>, after array<string>, own_after array<string>, now array<string>, place string, "
    "is_unclear boolean"
)
"""As the statement `changed` of 51-conflict gives it."""


@dataclass(frozen=True, slots=True)
class KeyHashes:
    """Rows with changes of applications, by the hashes of their keys. `late`: those with a change before our own
    write."""

    changed: frozenset[int]
    late: frozenset[int]


NO_KEYS = KeyHashes(frozenset(), frozenset())


@dataclass
class RoundSide:
    """One direction of a run. All of it is called in the direction's own thread."""

    spark: SparkSession
    """The direction's own session."""
    batches: BatchRunner
    """Decides and applies its batches."""
    on_batch: Callable[[BatchReport], None]
    """Called with the report of each batch."""
    may_write: Callable[[], bool]
    """Returns True when a batch may be written, False when none may be any more."""
    movable: frozenset[str] = frozenset()
    """The logical tables whose rows go from one shard to another and keep their key."""
    _logs: Sequence[LogStream] = field(init=False)
    _ranges: NextRanges = field(init=False)
    _own: LogFrame = field(init=False)
    _follows: bool = False
    _moved_at: float = float("-inf")
    _active_at: float = float("-inf")
    _queries: dict[tuple[bool, tuple[str, ...], int], DataFrame] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._logs = log_streams(self.batches.sources)
        self._ranges = NextRanges(self.spark, self._logs, self.batches.state.position)
        self._own = LogFrame(self.spark, {log.name: log.own_log() for log in self._logs})

    @property
    def direction(self) -> Direction:
        return self.batches.context.plan.direction

    def close(self) -> None:
        self._ranges.close()
        self._own.close()

    def fetch(self, until: StreamPosition | None = None) -> NextRange | None:
        """What is behind the position, up to the ends of the logs, or up to `until`. None where there is nothing."""
        return self._ranges.after(self.batches.state.position, until)

    def end_of(self, found: NextRange | None) -> StreamPosition:
        """Where a round ends on this side."""
        return self.batches.state.position if found is None else found.end

    def follow(self) -> None:
        """Once: the direction is at the end of its logs. No round is at work."""
        if not self._follows:
            self._follows = True
            self.batches.follow()

    def tables_with_changes(self, found: NextRange | None) -> frozenset[str]:
        """The logical tables with changes of applications."""
        return frozenset(find_affected_tables(self.batches.context.plan, _counts(found)))

    def hashes(self, found: NextRange, tables: Collection[str]) -> KeyHashes:
        """Of the rows of `tables` that applications have changed."""
        self._view_changed(found, tables)
        rows = self.spark.sql(self._statement(HASHES)).toArrow()
        changed, late = rows.column("key_hash").to_pylist(), rows.column("late").to_pylist()
        return KeyHashes(
            frozenset(changed), frozenset(key for key, is_late in zip(changed, late, strict=True) if is_late)
        )

    def hashes_of(self, held: Sequence[tuple[int, str, list[str]]]) -> Mapping[int, int]:
        """Of conflicts (number, table, key): by number, the hash of the key."""
        frame = self.spark.createDataFrame(held, "id bigint, logical string, key array<string>")
        frame.createOrReplaceTempView("held_keys")
        return {row["id"]: row["key_hash"] for row in self.spark.sql(self._statement(OF_HELD)).collect()}

    def read_rows(
        self, found: NextRange, tables: Collection[str], keys: Collection[int], order: Mapping[str, Sequence[str]]
    ) -> list[tuple[Any, ...]]:
        """In the shape of CHANGED_DDL: what is known of the rows with these hashes. Where the logs of several shards do
        not say where a row is, the shards do."""
        self._view_changed(found, tables)
        wanted = self.spark.createDataFrame([(key,) for key in sorted(keys)], "key_hash bigint")
        wanted.createOrReplaceTempView("met_keys")
        rows = self.spark.sql(self._statement(MET)).collect()
        unclear = [(row["logical"], tuple(row["key"])) for row in rows if row["is_unclear"]]
        reader = ShardReader(self.batches.context.plan, self.batches.sources, found.end)
        present = read_present_rows(reader, unclear, order, within=MOVES_WITHIN)
        return [_plain(row, present) for row in rows]

    def _statement(self, name: str) -> str:
        return self.batches.context.plan.step(EVERY_TABLE, StepName.CONFLICT).statement(name)

    def _view_changed(self, found: NextRange, tables: Collection[str]) -> None:
        """Makes view `changed`, for the jobs that this thread starts."""
        names, events = tuple(sorted(tables)), self._ranges.events(found)
        events.begin()
        has_own = has_own_rows(found)
        known = (has_own, names, len(found.ranges))
        if known not in self._queries:
            own = self._own.events(found.ranges).frame if has_own else self.spark.createDataFrame([], EVENT_DDL)
            parts = [self._changes_of(name, events.frame, own) for name in names]
            self._queries[known] = reduce(lambda one, other: one.unionAll(other), parts)
        self._queries[known].createOrReplaceTempView("changed")

    def _changes_of(self, logical: str, events: DataFrame, own: DataFrame) -> DataFrame:
        plan = self.batches.context.plan
        decode = plan.step(logical, StepName.DECODE).statement("decode")
        for frame, view in ((events, "decoded"), (own, "decoded_own")):
            frame.createOrReplaceTempView("changes")
            self.spark.sql(decode).createOrReplaceTempView(view)
        return self.spark.sql(plan.step(logical, StepName.CONFLICT).statement(CHANGED))

    def run(self, found: NextRange | None, conflicts: Sequence[Conflict], order: Mapping[str, Sequence[str]]) -> None:
        """Makes the range take effect on the other side, with what was decided of conflicts in the place of their
        changes. `order`: by logical table, the columns of this side in the order of a conflict's images."""
        written = self.direction.write_side
        rows = [one for one in conflicts if written in one.writes]
        if not rows and (found is None or not self._is_worth(found)):
            return
        self._moved_at = time.monotonic()
        end, counts = self.end_of(found), _counts(found)
        self._active_at = self._moved_at if rows or counts.by_table else self._active_at
        overruled: dict[QuarantinedKey, Position | None] = {}
        for one in conflicts:
            if one.decision != "application":
                key = self.batches.dead_letters.keys_of(one.logical, one.key)[0]
                overruled[key] = self._end_place(end, one)
        events, also = self._events(found), None
        if rows:
            made = [self._event(one, one.writes[written], end, order[one.logical]) for one in rows]
            frame = self.spark.createDataFrame(made, EVENT_DDL)
            events = Events(events.frame.unionByName(frame), events.properties)
            added = {self._table(one): 1 for one in rows}
            counts = replace(counts, by_table={**added, **counts.by_table}, only_inserts=frozenset())
            if left := self._places_left(rows, end):
                also = partial(and_leave, left=left, plan=self.batches.context.plan)
        batch = BatchInput(
            events,
            end,
            counts=counts,
            lasting=not conflicts,
            also=also,
            overruled=overruled,
            left_out=NOTHING if found is None else found.left_out,
        )
        self.on_batch(self.batches.run(batch))

    def letters(self) -> list[DeadLetter]:
        """Rows of this direction that the write side has refused, and that are no conflicts yet."""
        return [one for one in self.batches.dead_letters.by_key.values() if one.state != "answered"]

    def read_present(self, rows: Collection[Row], order: Mapping[str, Sequence[str]]) -> dict[Row, PresentRow]:
        """Those of `rows` that the read side has, with all that its logs have up to the position."""
        reader = ShardReader(self.batches.context.plan, self.batches.sources, self.batches.state.position)
        return read_present_rows(reader, rows, order)

    def forget_letters(self) -> None:
        """They are conflicts now."""
        context, letters = self.batches.context, self.letters()

        def forget(connection: Connection[Any]) -> None:
            for one in letters:
                forget_dead_letter(connection, context.migration, one.held)

        if letters:
            context.transaction(forget)
            self.batches.dead_letters.read()

    def _is_worth(self, found: NextRange) -> bool:
        """Each batch leaves rows of the ledger in the other side's log: without this, both would follow them for
        ever."""
        now = time.monotonic()
        is_active = now - self._active_at < _ACTIVE
        return bool(_counts(found).by_table) or now - self._moved_at > (_MOVES_EVERY / 5 if is_active else _MOVES_EVERY)

    def _events(self, found: NextRange | None) -> Events:
        if found is None:
            return Events(self.spark.createDataFrame([], EVENT_DDL))
        return self._ranges.events(found)

    def _table(self, conflict: Conflict) -> str:
        """The read side's table that has the row."""
        plan = self.batches.context.plan
        if plan.direction.reads_shards and conflict.place:
            return conflict.place
        return str(plan.table(conflict.logical).sources[0])

    def _places_left(self, rows: Sequence[Conflict], end: StreamPosition) -> list[PlaceLeft]:
        """Wherever the shards have these rows now: they stay only where they belong."""
        context = self.batches.context
        if context.plan.direction.reads_shards:
            return []
        left: list[PlaceLeft] = []
        for logical in sorted({one.logical for one in rows} & self.movable):
            of_table = [one for one in rows if one.logical == logical]
            places = find_places(context.plan, context.servers, logical, keys=[one.key for one in of_table])
            for one in of_table:
                at = self._table(one), list(one.key)
                left += [PlaceLeft(logical, *at, *place, self._end_place(end, one), False) for place in sorted(places)]
        return left

    def _may_move(self, conflict: Conflict) -> bool:
        """Whether the row may have changes in several logs of this side."""
        return self.direction.reads_shards and conflict.logical in self.movable

    def _end_place(self, end: StreamPosition, conflict: Conflict) -> Position:
        """The first position behind all events of the row in the range. Where it may have some in several logs, one
        behind all logs."""
        if self._may_move(conflict):
            return (*BEHIND_LOGS, 0)
        table = self._table(conflict)
        log = next(log for log in self._logs if table in log.tables)
        return (*_place(end, log).event_place, 0)

    def _event(self, conflict: Conflict, row: Image, end: StreamPosition, columns: Sequence[str]) -> tuple[Any, ...]:
        """In the one shape of events: the row that counts, behind all events of the range. `columns` are those of the
        image."""
        table = self.batches.context.plan.table(conflict.logical)
        images = (row, conflict.at_source, conflict.at_shards, conflict.base)
        known = next(one for one in images if one is not None)
        places = {column.name: column.position for column in table.source.reads}
        image: list[str | None] = [None] * (max(places.values()) + 1)
        for name, value in zip(columns, known, strict=True):
            image[places[name]] = value
        # What was decided counts wherever the source believes the row to be: it is not read from the shards again.
        op = DELETE if row is None else READ_AGAIN if self._may_move(conflict) else UPDATE
        after = None if row is None else image
        return (self._table(conflict), op, *self._end_place(end, conflict), None, image, after)


def has_own_rows(found: NextRange) -> bool:
    """Whether our own runs have changed rows of followed tables in the range."""
    return found.left_out.transactions > 0


def _counts(found: NextRange | None) -> EventCounts:
    return EventCounts() if found is None or found.counts is None else found.counts


def _place(position: StreamPosition, log: LogStream) -> Any:
    place = in_log(position.parts[log.name])
    assert place is not None  # a spec with two writers has no queue
    return place


def _plain(row: Any, present: Mapping[Row, PresentRow]) -> tuple[Any, ...]:
    values = row.asDict()
    if row["is_unclear"]:
        there = present.get((row["logical"], tuple(row["key"])))
        values["after"] = values["now"] = None if there is None else list(there.image)
        if there is not None:
            values["place"] = there.table
            values["deletes"] = max(0, row["deletes"] - 1)  # the row has moved: its other place is in a later range
    return tuple(tuple(value) if isinstance(value, tuple) else value for value in values.values())
