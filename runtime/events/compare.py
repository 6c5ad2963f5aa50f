"""Events of comparisons and repairs.

Pure. Made in the process of the command.
"""

from __future__ import annotations

from dataclasses import dataclass

from shardwright.runtime.events.event import RunEvent
from shardwright.runtime.events.time_left import span


@dataclass(frozen=True, slots=True)
class TableCompared(RunEvent):
    """How far the comparison of a table is."""

    table: str
    """The logical table."""
    rows: int
    """Rows that are compared."""
    mismatches: int
    rows_per_second: float | None
    expected_rows: int
    """The source server's estimate; 0 where it is not known, or was too low."""
    left_seconds: float | None
    """The time left; None where it is not known."""

    @property
    def sentence(self) -> str:
        parts = [f"{self.rows:,} rows", f"{self.mismatches:,} mismatches"]
        if self.rows_per_second is not None:
            parts.append(f"{self.rows_per_second:,.0f} rows/s")
        if self.left_seconds is not None:
            share = 100 * self.rows // self.expected_rows
            parts += [f"{share}% of about {self.expected_rows:,}", f"about {span(self.left_seconds)} left"]
        return f"{self.table}: {', '.join(parts)}"


@dataclass(frozen=True, slots=True)
class ShardsAwaited(RunEvent):
    """A comparison waits until the shards have what the source has."""

    position: str
    """Where the shards are."""
    wanted: str
    """Where the source is."""
    run_is_live: bool
    """Whether a run is connected that can bring them there."""

    @property
    def sentence(self) -> str:
        none = "" if self.run_is_live else "; no run is live: start `shardwright run`"
        return f"waiting for the shards, which are at {self.position}, the source is at {self.wanted}{none}"


@dataclass(frozen=True, slots=True)
class ComparisonDiffers(RunEvent):
    """`verify` has found that the sides are not equal."""

    tables: tuple[str, ...]
    """The logical tables with mismatches."""
    mismatches: int
    """Rows that are missing, extra, different or misplaced, in all tables."""
    invariants: tuple[str, ...]
    """The invariants that do not hold."""

    @property
    def sentence(self) -> str:
        parts = [f"{self.mismatches:,} mismatches in {', '.join(self.tables)}"] if self.tables else []
        parts += [f"invariant {name} is broken" for name in self.invariants]
        return f"verify: {'; '.join(parts)}"


@dataclass(frozen=True, slots=True)
class ComparisonNotRecorded(RunEvent):
    """Both sides are equal, but a cutover cannot rely on this comparison."""

    why: str

    @property
    def sentence(self) -> str:
        return f"this comparison is not recorded for a cutover: {self.why}"


@dataclass(frozen=True, slots=True)
class ChangesCompared(RunEvent):
    """The rows that batches have changed are compared."""

    rows: int
    """Rows that were compared."""
    first_batch: int | None
    """The first of the batches; None: the oldest that is remembered."""
    last_batch: int
    verdict: str
    """In words."""
    since: str = ""
    """The whole comparison that this one continues, by its time; empty without one."""

    @property
    def sentence(self) -> str:
        if self.first_batch is None:
            return f"{self.rows:,} rows of the batches up to {self.last_batch}: {self.verdict}"
        if self.since:
            return (
                f"{self.rows:,} rows that batches {self.first_batch} to {self.last_batch} changed since the comparison "
                f"of {self.since}: {self.verdict}"
            )
        return f"{self.rows:,} rows of batches {self.first_batch} to {self.last_batch}: {self.verdict}"


@dataclass(frozen=True, slots=True)
class ComparisonStarted(RunEvent):
    """A cutover compares beside the stream what batches have changed."""

    after_batch: int

    @property
    def sentence(self) -> str:
        return f"comparing the rows of batches after {self.after_batch} beside the stream"


@dataclass(frozen=True, slots=True)
class ComparisonWaits(RunEvent):
    """That comparison is not ended yet."""

    seconds: float

    @property
    def sentence(self) -> str:
        return f"still comparing after {self.seconds:.0f} s: rows that changed meanwhile wait for the stream"


@dataclass(frozen=True, slots=True)
class ProofLine(RunEvent):
    """What a cutover's proof covered, and what it did not."""

    line: str

    @property
    def sentence(self) -> str:
        return self.line


@dataclass(frozen=True, slots=True)
class KeysCompared(RunEvent):
    """`repair` compares given keys again, before or after their repair."""

    table: str
    """The logical table."""
    keys: int
    repaired: bool

    @property
    def sentence(self) -> str:
        return f"{self.table}: comparing {self.keys} {'repaired rows' if self.repaired else 'rows again'}"


@dataclass(frozen=True, slots=True)
class RepairsEnqueued(RunEvent):
    """A run will repair these rows."""

    rows: int

    @property
    def sentence(self) -> str:
        return f"{self.rows} rows are enqueued for the run"


@dataclass(frozen=True, slots=True)
class RepairProgress(RunEvent):
    """So many of the rows are read again by the run."""

    rows: int
    total: int

    @property
    def sentence(self) -> str:
        return f"{self.rows} of {self.total} rows read again"
