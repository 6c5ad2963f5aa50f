"""What did a comparison find? Plain data, from which reports and exit codes are made.

Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from shardwright.compiler.plan.plan import TablePlan
from shardwright.runtime.ledger.left_out import NONE, LeftOutCount
from shardwright.runtime.verify.cause import Cause, LastWriter
from shardwright.runtime.verify.sample import Sample
from shardwright.specs.direction import Direction


class Verdict(StrEnum):
    EQUAL = "equal"
    DIFFERENT = "different"
    COULD_NOT_CHECK = "could_not_check"


class MismatchKind(StrEnum):
    """What is wrong with one key, seen from the source.

    missing    at the source, on no shard that should have it
    extra      on a shard, not at the source
    different  on both, with other values
    misplaced  equal, but not in the table its rule names
    duplicate  in more tables than one (of the shards; or of the source, when several source tables feed this one)
    """

    MISSING = "missing"
    EXTRA = "extra"
    DIFFERENT = "different"
    MISPLACED = "misplaced"
    DUPLICATE = "duplicate"


@dataclass(frozen=True, slots=True)
class ColumnDifference:
    """Both values as text; None is NULL."""

    column: str
    source: str | None
    target: str | None
    cause: Cause | None = None
    """By which relaxed rule they are equal; None: by none."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One thing that is wrong with one key."""

    kind: MismatchKind
    """What is wrong."""
    table: str
    """The logical table."""
    key: tuple[str, ...]
    """The key's values as text."""
    places: tuple[str, ...]
    """The tables that hold the row (`order_db_02.orders_11`)."""
    belongs: str | None = None
    """The table that should hold it. None where the source has no such row or several, where MySQL cannot compute it,
    and behind the first 1,000 mismatches of a key range."""
    columns: tuple[ColumnDifference, ...] = ()
    """The columns that differ; empty when values were not read."""
    cause: Cause | None = None
    """Why; None where nobody has looked for it."""
    writer: LastWriter | None = None
    """Who wrote the row last beside the migration; None where no log that was read shows it."""

    @property
    def is_out_of_place(self) -> bool:
        """Whether it is known where the row belongs, and the row is not there alone."""
        return self.belongs is not None and self.places != (self.belongs,)

    @property
    def key_text(self) -> str:
        return ", ".join(self.key)


@dataclass(frozen=True, slots=True)
class ShardRows:
    database: str
    rows: int


@dataclass(frozen=True, slots=True)
class NotCompared:
    """A column whose values were not compared, and why."""

    column: str
    why: str


def columns_not_compared(table: TablePlan) -> tuple[NotCompared, ...]:
    """Those that the target does not get, and those that its servers compute."""
    computed = {column.source or column.target: column.target for column in table.generated}
    carried = {column.source for column in table.columns} | computed.keys()
    return (
        *(NotCompared(column.name, "not copied") for column in table.source.columns if column.name not in carried),
        *(NotCompared(name, "computed by the servers") for name in computed.values()),
    )


@dataclass(frozen=True, slots=True)
class TableResult:
    """One logical table."""

    table: str
    """Its name."""
    rows_source: int
    """Rows at the source, in the ranges that were compared."""
    rows_shards: tuple[ShardRows, ...]
    """The same for each shard; empty where only given keys were compared."""
    chunks: int
    """Key ranges whose sums were compared."""
    differing_chunks: int
    """Those of them whose keys had to be listed."""
    mismatches: tuple[Mismatch, ...]
    """What was found wrong: the first 100,000."""
    still_changing: tuple[tuple[str, ...], ...]
    """Keys that kept changing while they were checked: neither equal nor different."""
    problem: str | None
    """Why the table could not be compared to its end; None when it was."""
    seconds: float
    """Seconds that it took."""
    not_looked_for: str | None = None
    """What MySQL cannot compute of the sharding rule, so that no row was found misplaced; None when all was checked."""
    sample: Sample | None = None
    """Set when not all key ranges were compared."""
    copies: int = 1
    """Of the whole table on the shards that were compared: a broadcast table has one a shard."""
    not_compared: tuple[NotCompared, ...] = ()
    """Columns that no comparison of this table reads."""
    not_listed: int = 0
    """Mismatches that were found beyond those of `mismatches`."""
    cascades: tuple[str, ...] = ()
    """Foreign keys by which the source's server changes rows of the table without a word in its log. Empty where nobody
    has looked for them."""

    @property
    def mismatch_count(self) -> int:
        return len(self.mismatches) + self.not_listed

    @property
    def counts_are_of_two_moments(self) -> bool:
        """Equal, and yet not as many rows: they were counted while rows came and went."""
        return (
            bool(self.rows_shards)
            and self.verdict is Verdict.EQUAL
            and self.rows_target != self.rows_source * self.copies
        )

    @property
    def rows_target(self) -> int:
        return sum(shard.rows for shard in self.rows_shards)

    @property
    def is_empty(self) -> bool:
        """No side had any row: there was nothing to compare."""
        return self.problem is None and self.rows_source == 0 and self.rows_target == 0

    @property
    def verdict(self) -> Verdict:
        if self.mismatches:
            return Verdict.DIFFERENT
        return Verdict.COULD_NOT_CHECK if self.problem or self.still_changing else Verdict.EQUAL


@dataclass(frozen=True, slots=True)
class InvariantDifference:
    """A group that is not the same on both sides, or a row that neither should have."""

    group: Mapping[str, str | None]
    source: Mapping[str, str | None] | None
    """Values of the source by name; None where the source does not have the group."""
    shards: Mapping[str, str | None] | None
    """Values of all shards by name; None where they do not have the group."""


@dataclass(frozen=True, slots=True)
class InvariantResult:
    """One invariant."""

    name: str
    """Its name in the spec."""
    must_be_empty: bool
    """Whether neither side may have a row; else both must have the same."""
    differences: tuple[InvariantDifference, ...]
    """What was found wrong."""
    still_changing: tuple[tuple[str, ...], ...]
    """Groups that kept changing while they were checked."""
    problem: str | None
    """Why it could not be compared; None when it was."""
    seconds: float
    """Seconds that it took."""
    more: bool = False
    """Whether there may be other differences beside those that are listed."""

    @property
    def verdict(self) -> Verdict:
        if self.differences:
            return Verdict.DIFFERENT
        return Verdict.COULD_NOT_CHECK if self.problem or self.still_changing else Verdict.EQUAL


@dataclass(frozen=True, slots=True)
class VerifyResult:
    """One comparison."""

    migration: str
    """Its name."""
    fingerprint: str
    """That of the plan."""
    tables: tuple[TableResult, ...]
    """Empty where only invariants were asked."""
    seconds: float
    """Seconds that it took."""
    positions: Mapping[str, str] = field(default_factory=dict)
    """Positions of sources and shards, by their description; empty where no stream runs."""
    only_shard: str | None = None
    """The only database that was compared; None: all of them."""
    invariants: tuple[InvariantResult, ...] = ()
    """Empty where none were asked."""
    direction: Direction = Direction.FORWARD
    """Which of the two sides follows the other one."""
    left_out: LeftOutCount = NONE
    """What the stream has left out as our own, since the migration began."""
    logs_not_read: tuple[str, ...] = ()
    """What was not read of the logs that show the causes of mismatches, and why."""

    @property
    def ends(self) -> tuple[str, str]:
        """What is followed, and what should be equal to it."""
        return self.direction.read_side, "target" if self.direction.writes_shards else "source"

    @property
    def rows_compared(self) -> int:
        return sum(table.rows_source + table.rows_target for table in self.tables)

    @property
    def places_not_checked(self) -> tuple[str, ...]:
        """The tables whose rows were compared, but not whether each is where the rule places it."""
        return tuple(table.table for table in self.tables if table.not_looked_for)

    @property
    def is_sampled(self) -> bool:
        """Whether some table's key ranges were not all compared."""
        return any(table.sample for table in self.tables)

    @property
    def in_words(self) -> str:
        """The verdict for people. Batches that changed no row leave nothing to compare, and nothing went wrong."""
        nothing = not self.tables and not self.invariants
        return "there was nothing to compare" if nothing else self.verdict.value.replace("_", " ")

    @property
    def verdict(self) -> Verdict:
        """`equal` says that rows were compared, all of them (or all of a sample), and none differed (hazard H7)."""
        verdicts = {*(table.verdict for table in self.tables), *(one.verdict for one in self.invariants)}
        if Verdict.DIFFERENT in verdicts:
            return Verdict.DIFFERENT
        only_invariants = bool(self.invariants) and not self.tables
        if Verdict.COULD_NOT_CHECK in verdicts or (self.rows_compared == 0 and not only_invariants):
            return Verdict.COULD_NOT_CHECK
        return Verdict.EQUAL
