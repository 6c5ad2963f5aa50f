"""What is known of a migration at one moment? Whatever shows it (metrics, a page) shows this.

Values; `observer` finds them. What no server has answered is None, or left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from shardwright.runtime.ledger.comparison import Verification
from shardwright.runtime.ledger.conflicts import ConflictCount
from shardwright.runtime.ledger.cutover_state import State
from shardwright.runtime.ledger.dead_letters import DeadLetterCount
from shardwright.runtime.run.status.status import Status
from shardwright.runtime.sources.positions.log_position import LogPosition
from shardwright.runtime.watch.purge_clock import PurgeClock
from shardwright.specs.direction import Direction, Side

Role = Literal["ledger", "source", "shard"]
"""What a server was asked as: for the migration's ledger, for its log, for the ledgers of its shards."""


@dataclass(frozen=True, slots=True)
class ServerAnswer:
    """Whether a server has answered, in one of its roles."""

    server: str
    """host:port."""
    role: Role
    answers: bool
    code: str = ""
    """Of the failure (SWnnnn); empty where it has none."""
    message: str = ""
    """Why it has not answered, in words that may name an account."""


@dataclass(frozen=True, slots=True)
class LogPlace:
    """A place in a server's log."""

    file: int
    """The number in the file's name."""
    offset: int
    """Bytes from the file's beginning."""

    @classmethod
    def of(cls, position: LogPosition | None) -> LogPlace | None:
        return None if position is None else cls(position.file_number, position.offset)


@dataclass(frozen=True, slots=True)
class SourceObserved:
    """One log or queue, beside what `Status.sources` says of it. The places are None in a queue."""

    source: str
    """Its name in the plan."""
    position: LogPlace | None
    """Up to where every shard has it."""
    head: LogPlace | None
    """Its end."""
    applied_at: int | None
    """The commit time of the newest applied event of ours, in seconds since 1970."""
    purge: PurgeClock | None
    """For how long its log still has the position."""


@dataclass(frozen=True, slots=True)
class ShardObserved:
    """One shard, beside what `Status.shards` says of it."""

    shard: str
    """The target database."""
    applied_seconds: float
    """Seconds since its last batch, by its own clock."""


@dataclass(frozen=True, slots=True)
class CutoverObserved:
    """The record of the cutover. A migration without one follows its source."""

    state: State
    seconds: float
    """How long this state has lasted."""
    writes_to: Side
    """Which side takes the applications' writes."""
    generation: int
    """How many times that has changed."""
    to: Side | None
    """Where the cutover in progress goes; None without one."""
    rehearsal: bool
    """Whether the one in progress is a rehearsal."""
    pause_seconds: float | None
    """For how long neither side has taken writes until now; None while one does."""
    last_pause_seconds: float | None
    """How long the last switch took from its fence on."""
    given_up: str | None
    """Why the last cutover was given up."""
    buckets: Mapping[str, int] = field(default_factory=dict)
    """How many virtual buckets each side writes, `none`: how many are moving; empty where none has moved by itself."""

    conflicts: tuple[ConflictCount, ...] = ()
    """Of rows that both sides have changed, where both write all rows."""

    @property
    def conflicts_held(self) -> int:
        """How many wait for a decision."""
        return sum(one.rows for one in self.conflicts if one.state == "held")

    @property
    def buckets_text(self) -> str:
        """E.g. `10 shards, 1,014 source`."""
        return ", ".join(f"{count:,} {writer}" for writer, count in sorted(self.buckets.items()))


@dataclass(frozen=True, slots=True)
class RunObserved:
    """The run that holds the fencing token."""

    epoch: int
    """The token."""
    owner: str
    """Host and process."""
    is_live: bool | None
    """Whether it is connected to its ledger; None where the account sees no sessions of others."""


@dataclass(frozen=True, slots=True)
class Observation:
    """A migration at one moment."""

    migration: str
    """Its name."""
    at: float
    """When it was asked for, in seconds since 1970 by this machine's clock."""
    seconds: float
    """How long the answers took."""
    begun: bool | None
    """Whether it has begun; None where its ledger has not answered."""
    finished: bool | None
    """Whether `cutover finish` has ended it; None where the first shard has not answered."""
    servers: tuple[ServerAnswer, ...]
    """Who was asked."""
    direction: Direction | None = None
    """Which way changes go, forward while they go in both; None where the first shard has not answered."""
    status: Status | None = None
    """As `status` shows it, without tombstones, indexes and blocking DDL. Only shards that have answered are in it."""
    sources: tuple[SourceObserved, ...] = ()
    """The logs and queues that the stream reads."""
    shards: tuple[ShardObserved, ...] = ()
    """Those that have answered."""
    run: RunObserved | None = None
    """The last run; None before the first."""
    dead_letters: tuple[DeadLetterCount, ...] = ()
    """By table, state and code."""
    cutover: CutoverObserved | None = None
    """None where the first shard has not answered."""
    verified: Verification | None = None
    """The last whole comparison that found both sides equal; its `void` says why it proves nothing any more."""
    beside: Direction | None = None
    """The other direction, while buckets move one by one. Its sources and dead letters are among those above."""
