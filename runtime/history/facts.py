"""What is known of one row, as data. Values of masked columns are not in here: only how long they are.

Pure. Made and read in the process of the command.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from shardwright.specs.direction import Direction

ChangeState = Literal["before", "applied", "open", "ahead"]
"""Where a change is: before the position from which the stream counts for its table, before the stream's position, in
the open batch, or not read yet."""


@dataclass(frozen=True, slots=True)
class Belonging:
    """Where the row belongs on the shards, and why."""

    places: tuple[str, ...]
    """Full names of the physical tables; empty where that is not known."""
    why: str
    """The rule in words, or what keeps it from being known."""
    shard_key: Mapping[str, str | None] = field(default_factory=dict)
    """Column -> the row's value. Empty where a column is masked, or where the table has no rule of its own."""
    python: tuple[int, int] | None = None
    """Database and table index that the Python form gives."""
    mysql: str | None = None
    """The MySQL form with the row's values in it."""
    mysql_says: tuple[int, int] | None = None
    """What the first shard's server answers to it."""
    spark: str | None = None
    """The Spark form with the row's values in it."""


@dataclass(frozen=True, slots=True)
class HeldRow:
    """One table that has the row."""

    place: str
    """Its full name."""
    values: Mapping[str, str | None]
    """By column of the target; None is NULL."""
    hash: int
    """Of the whole row, as `verify` compares it."""
    misplaced: bool = False
    """Whether the server says that the rule places the row elsewhere."""


@dataclass(frozen=True, slots=True)
class ChunkOnShard:
    """A shard that has got a chunk."""

    shard: str
    at: str
    """When, by its own clock (UTC)."""
    rows: int
    """How many rows it inserted."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """The chunk whose range has the key."""

    source_table: str
    """Whose chunk it is."""
    number: int | None
    """None: no chunk that has the key is planned yet."""
    low: str | None
    """The key above which it begins, as JSON; None: the first row."""
    high: str | None
    """Its last key, as JSON; None: the last row."""
    state: str
    """not planned, planned, done, or recopy."""
    read_before: str | None
    """A position not before its read."""
    rows: int | None
    """How many rows it had."""
    written: tuple[ChunkOnShard, ...]
    """Which shards have it."""


@dataclass(frozen=True, slots=True)
class KeptOnShard:
    """What a table of ours has of the key: a staged decision, or a tombstone."""

    place: str
    """The physical table that it is about."""
    position: str
    """Of the change behind it: file number, offset and row."""
    action: str
    """Of the staged decision; of a tombstone: delete."""


@dataclass(frozen=True, slots=True)
class HeldBack:
    """A dead letter of the row."""

    source_table: str
    """The source table of its events."""
    state: str
    """held, retry or answered."""
    code: str
    """Of the finding."""
    reason: str
    """Why a target refused it."""
    events: int
    """How many later events were kept back."""
    first_seen: str
    """When it was enqueued (UTC)."""
    last_seen: str
    """When it got its last event (UTC)."""


@dataclass(frozen=True, slots=True)
class ChangedColumn:
    """A column of a change. None is NULL; in an insert all is NULL before, in a delete all is NULL after."""

    name: str
    old: str | None
    new: str | None


@dataclass(frozen=True, slots=True)
class Effect:
    """Where a batch has brought a change."""

    place: str
    """The physical table."""
    step: str | None
    """The sub-step; None where the ledger does not keep it any more."""
    at: str | None
    """When it took effect, by the shard's clock (UTC)."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What a batch does with a change, and why."""

    decision: str | None
    """None: it is not recorded, and the rules leave several."""
    why: str
    """The rule's words, or why it is not known."""
    basis: Literal["recorded", "rules", "batch", "none"]
    """`recorded`: the flight recorder has it. `batch`: the rules, over what the ledger has of its batch. `rules`: the
    same, as if it was alone in its batch. `none`: not recorded."""


@dataclass(frozen=True, slots=True)
class Change:
    """One change of the key, as a log has it."""

    direction: Direction
    """In which direction the migration brings it."""
    log: str
    """The source whose log it is."""
    position: str
    """Where its event begins."""
    row: int
    """Its number among the rows of the event."""
    gtid: str | None
    """Of its transaction; None where the server has none."""
    committed_at: str | None
    """When that committed (UTC)."""
    operation: Literal["insert", "update", "delete"]
    """As the log has it."""
    table: str
    """The table that was changed."""
    columns: tuple[ChangedColumn, ...]
    """Those that it changed."""
    from_place: str | None
    """The physical table where the row was by the rule; None where that is not known, or where it was not there."""
    to_place: str | None
    """Where it is by the rule afterwards; None as before."""
    state: ChangeState
    """How far the stream is with it."""
    batch: int | None
    """The batch that had it; None: not recorded."""
    decision: Decision
    """What that did with it."""
    effects: tuple[Effect, ...] = ()
    """Where it took effect."""

    @property
    def is_move(self) -> bool:
        return None not in (self.from_place, self.to_place) and self.from_place != self.to_place


@dataclass(frozen=True, slots=True)
class DecisionOnRecord:
    """A decision that the flight recorder has."""

    batch: int
    """The batch that made it."""
    place: str
    """The physical table that it is about."""
    source_table: str
    """Whose change it is."""
    position: str
    """Of the change: file number, offset and row."""
    decision: str
    """What the batch did with the change."""
    why: str
    """The rule's words."""
    at: str
    """When it was staged, by the shard's clock (UTC)."""


@dataclass(frozen=True, slots=True)
class Moment:
    """Something else that happened: a DDL statement of the log, a step of a cutover, an operator's order."""

    at: str | None
    """When (UTC)."""
    what: str
    """In a few words."""
    detail: str
    """More of it."""
    position: str | None = None
    """Where it is in a log."""


@dataclass(frozen=True, slots=True)
class Unread:
    """A part of a log whose changes are not listed."""

    log: str
    why: str


@dataclass(frozen=True, slots=True)
class Way:
    """A direction of the migration that has begun."""

    direction: Direction
    """Which one it is."""
    is_live: bool
    """Whether changes go in it now."""
    start: str
    """Where its stream began."""
    position: str
    """How far its stream is."""
    batch: int
    """Its last closed batch."""
    copying: bool
    """Whether the snapshot phase is not over."""
    open_batch: int | None
    """The batch that is open."""
    open_state: str | None
    """How far that is: open, placing or staged."""


@dataclass(frozen=True, slots=True)
class RowFacts:
    """All that is known of one row."""

    migration: str
    """The migration's name."""
    table: str
    """The logical table."""
    key: Mapping[str, str]
    """Column of the target -> value."""
    ways: tuple[Way, ...]
    """The directions that have begun."""
    belongs: Belonging
    """Where it belongs on the shards."""
    read_side: tuple[HeldRow, ...]
    """The tables that have it on the side where applications write."""
    write_side: tuple[HeldRow, ...]
    """Those that have it on the side that the migration keeps equal."""
    expected: tuple[str, ...]
    """The tables of that side that should have it; empty where that is not known."""
    is_filtered: bool
    """Whether the table's row filter leaves it out."""
    keeps_deleted: bool
    """Whether the table keeps rows that are gone at the source."""
    chunks: tuple[Chunk, ...]
    """For each source table that may have it."""
    changes: tuple[Change, ...]
    """From the oldest to the newest."""
    equal_to: int | None
    """The last of `changes` that left the row as the write side has it; None: none did, or that is not known."""
    foreign: tuple[Change, ...]
    """Changes of the row on the write side that no run of this migration made. Looked for where the row is wrong."""
    moments: tuple[Moment, ...]
    """What else happened."""
    unread: tuple[Unread, ...]
    """What of the logs is not in `changes`."""
    staged: tuple[KeptOnShard, ...]
    """Decisions of the open batch."""
    tombstones: tuple[KeptOnShard, ...]
    """Deletes that are remembered while rows are copied."""
    dead_letters: tuple[HeldBack, ...]
    """The row's dead letters."""
    recorded: tuple[DecisionOnRecord, ...] = ()
    """Decisions that the flight recorder has, and that are of none of `changes`: their log is gone, or was not read."""
    owners: Sequence[str] = ()
    """Source tables that the shards name as the row's owner, where several could be."""

    @property
    def live(self) -> Way:
        return next(way for way in self.ways if way.is_live)
