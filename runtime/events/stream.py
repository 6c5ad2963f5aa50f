"""Events of the stream: batches, lag, DDL, dead letters, and rows that are read again.

Pure. Made in the driver.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from shardwright.runtime.events.event import RunEvent


@dataclass(frozen=True, slots=True)
class TableApplied:
    """What a batch did with one logical table. A row is counted on each shard that it was applied to."""

    events: int
    """Row changes of the source."""
    inserted: int
    """Rows that were decided to be new."""
    updated: int
    """Rows that were decided to exist."""
    deleted: int
    """Rows that were decided to go; those that have moved to another shard, too."""


@dataclass(frozen=True, slots=True)
class BatchApplied(RunEvent):
    """One more batch is on all shards."""

    batch: int
    """Its number."""
    events: int
    """Row changes in it."""
    position: str
    """The position behind it."""
    lag_seconds: float | None
    """The age of its newest event; None when it held none of ours."""
    seconds: float
    """The time that it took."""
    tables: Mapping[str, TableApplied] = field(default_factory=dict)
    """By logical table: all that it has touched."""

    @property
    def sentence(self) -> str:
        lag = "" if self.lag_seconds is None else f" lag={self.lag_seconds:.1f}s"
        return f"stream batch={self.batch} events={self.events} {self.seconds:.2f}s{lag} offset={self.position}"


@dataclass(frozen=True, slots=True)
class Lag(RunEvent):
    """How far the stream is behind while no batch ends."""

    batch: int
    """The last batch that is applied; 0: none of this run."""
    position: str
    """The stream's position."""
    lag_seconds: float
    """0 at the end of the sources; else since when the stream is not there."""
    before_the_first_batch: bool = False
    """The stream was not at the end since it started, and no batch is applied: `lag_seconds` counts from its start."""

    @property
    def sentence(self) -> str:
        if self.before_the_first_batch:
            return f"the first batch is not applied yet, {self.lag_seconds:.0f} s after the stream's start"
        return f"stream lag={self.lag_seconds:.1f}s offset={self.position}"


@dataclass(frozen=True, slots=True)
class CaughtUp(RunEvent):
    """The stream has reached the end that the sources had when the copy was complete."""

    source: str
    """"the source" or "the shards"."""
    position: str

    @property
    def sentence(self) -> str:
        return f"caught up with {self.source} at {self.position}"


@dataclass(frozen=True, slots=True)
class StreamBlocked(RunEvent):
    """A statement of others keeps the stream out of a table, or has ended."""

    by: str
    """Which one, on which table, for how long."""
    seconds: float | None = None
    """How long the stream was seen to wait; None while it waits."""

    @property
    def sentence(self) -> str:
        if self.seconds is not None:
            return f"the stream continues; it has waited for {self.seconds:.0f} s: {self.by}"
        return f"the stream waits: {self.by}"


@dataclass(frozen=True, slots=True)
class RowsLocked(RunEvent):
    """A transaction of others keeps a batch out of rows. The statement is tried again."""

    database: str
    """The database whose rows are locked."""
    batch: int
    error: str
    """What the server said, and who holds the lock, as far as it shows."""

    @property
    def sentence(self) -> str:
        return f"{self.database}: batch {self.batch} waits for rows that others have locked: {self.error}"


@dataclass(frozen=True, slots=True)
class Following(RunEvent):
    """All rows are copied, Spark runs, and the stream is followed from here on."""

    source: str
    """"the source" or "the shards"."""
    position: str

    @property
    def sentence(self) -> str:
        return f"following {self.source} from {self.position}"


@dataclass(frozen=True, slots=True)
class SchemaChange(RunEvent):
    """DDL of the source's log, and what was decided about it."""

    place: str
    """Where it is in the log."""
    statement: str
    """Its beginning."""
    decision: str
    """"apply", "step over" or another decision of the spec."""
    outcome: str
    """What was done, in words."""

    @property
    def sentence(self) -> str:
        return f"DDL at {self.place} ({self.statement}): {self.outcome}"


@dataclass(frozen=True, slots=True)
class SchemaChangeRouted(RunEvent):
    """The shards' tables have a change of the source's table."""

    table: str
    """The logical table."""
    change: str
    """The change in words."""
    changed: int
    """Physical tables that got it now."""
    already: int
    """Physical tables that had it."""

    @property
    def sentence(self) -> str:
        return f"{self.change}: {self.changed} physical tables of {self.table} changed, {self.already} had it"


@dataclass(frozen=True, slots=True)
class ValuesCut(RunEvent):
    """A change of a column has cut values on the shards, as a source that is not strict has done."""

    table: str
    """The logical table."""
    place: str
    """Where the change is in the log."""

    @property
    def sentence(self) -> str:
        return f"at {self.place} values of {self.table} were cut as at the source: verify it"


@dataclass(frozen=True, slots=True)
class TableEmptied(RunEvent):
    """A table was emptied at the source (TRUNCATE), and its rows go on the shards."""

    table: str
    """The logical table."""
    change: str
    """The change in words."""
    rows: int
    """Rows that are deleted now."""
    complete: bool
    """False where the run is being stopped before all are gone."""

    @property
    def sentence(self) -> str:
        return f"{self.change}: {self.rows:,} rows deleted on the shards{'' if self.complete else ', not all yet'}"


@dataclass(frozen=True, slots=True)
class RowQuarantined(RunEvent):
    """A row is in quarantine: refused by a target, or to be read again."""

    to_be_read_again: bool
    row: str
    """Table, source and key."""
    code: str
    """Why it was refused."""
    reason: str

    @property
    def sentence(self) -> str:
        return f"{_quarantine(self.to_be_read_again)}: {self.row}: {self.code}: {self.reason}"


@dataclass(frozen=True, slots=True)
class MoreQuarantined(RunEvent):
    """Further rows of the same kind, at the same moment."""

    to_be_read_again: bool
    rows: int

    @property
    def sentence(self) -> str:
        return f"{_quarantine(self.to_be_read_again)}: {self.rows} more rows"


def _quarantine(to_be_read_again: bool) -> str:
    return "to be read again" if to_be_read_again else "new dead letter"


@dataclass(frozen=True, slots=True)
class DeadLettersWait(RunEvent):
    """Dead letters cannot be retried now: their source does not answer."""

    letters: int
    first: str
    """One of them."""
    error: str

    @property
    def sentence(self) -> str:
        return (
            f"SW8515: {self.letters} dead letters wait, the first is {self.first}: their rows cannot be read again at "
            f"the source's server: {self.error}"
        )


@dataclass(frozen=True, slots=True)
class RowsReadAgain(RunEvent):
    """Rows were read again, and applied as they are there."""

    rows: int
    asked: int
    """How many were to be read."""

    @property
    def sentence(self) -> str:
        return f"{self.rows} of {self.asked} rows read again"


@dataclass(frozen=True, slots=True)
class LostRowsRead(RunEvent):
    """After a failover: the rows that transactions of the lost server had changed were read at the new one."""

    source: str
    """The source's name."""
    batch: int
    """The first batch that had changed them."""
    keys: int
    """How many there are."""
    rows: int
    """How many of them exist at the new server; the others are gone."""
    server: str
    """The new server's identity."""
    position: str
    """As of which position."""

    @property
    def sentence(self) -> str:
        return (
            f"{self.source}: {self.keys} keys that batches from {self.batch} on changed, read from server "
            f"{self.server} at {self.position}: {self.rows} rows, {self.keys - self.rows} gone"
        )


@dataclass(frozen=True, slots=True)
class LostRowsApplied(RunEvent):
    """After a failover: the shards have what the new server has."""

    batch: int
    """The batch that brought it."""
    server: str
    position: str

    @property
    def sentence(self) -> str:
        return f"batch {self.batch}: the targets have what server {self.server} has at {self.position}"


@dataclass(frozen=True, slots=True)
class MessageSkipped(RunEvent):
    """An operator has skipped a message that cannot be read."""

    message: str
    """Topic, partition and offset, and why it cannot be read."""
    passed_before: bool = False
    """The stream was behind it already: nothing was done."""

    @property
    def sentence(self) -> str:
        if self.passed_before:
            return f"{self.message}: the stream has passed it already"
        return f"skipped by the operator: {self.message}"


@dataclass(frozen=True, slots=True)
class CopiedRowsYielded(RunEvent):
    """Copied rows had unique values that a row of the stream has now: they are copied again from what follows."""

    table: str
    """The logical table."""
    batch: int
    rows: int

    @property
    def sentence(self) -> str:
        return f"{self.table}, batch {self.batch}: {self.rows} copied rows yielded to the stream"


@dataclass(frozen=True, slots=True)
class SourceWarning(RunEvent):
    """A source warns about the place up to which it is read, such as a queue that soon deletes messages."""

    message: str

    @property
    def sentence(self) -> str:
        return self.message
