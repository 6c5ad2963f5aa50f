"""What a comparison found. Plain data: reports and exit codes are made from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from shardwright.runtime.verify.sample import Sample


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


@dataclass(frozen=True, slots=True)
class Mismatch:
    """`places` are the tables that hold the row (`order_db_02.orders_11`), `belongs` is the one that should: None where
    the source has no such row or several, where MySQL cannot compute it, and behind the first 1,000 mismatches of a key
    range. `columns` is empty when values were not looked at."""

    kind: MismatchKind
    table: str
    key: tuple[str, ...]
    places: tuple[str, ...]
    belongs: str | None = None
    columns: tuple[ColumnDifference, ...] = ()

    @property
    def is_out_of_place(self) -> bool:
        """It is known where the row belongs, and it is not there alone."""
        return self.belongs is not None and self.places != (self.belongs,)

    @property
    def key_text(self) -> str:
        return ", ".join(self.key)


@dataclass(frozen=True, slots=True)
class ShardRows:
    database: str
    rows: int


@dataclass(frozen=True, slots=True)
class TableResult:
    """One logical table. `chunks` were summed, `differing_chunks` of them had to be looked into.

    unsettled   keys that kept changing while they were looked at: neither equal nor different
    not_looked_for   what MySQL cannot compute of the sharding rule, so that no row was found misplaced; None when all was
    sample      set when not all key ranges were compared
    copies      of the whole table on the shards that were compared: a broadcast table has one a shard
    problem     why the table could not be compared to its end; None when it was
    """

    table: str
    rows_source: int
    rows_shards: tuple[ShardRows, ...]
    chunks: int
    differing_chunks: int
    mismatches: tuple[Mismatch, ...]
    unsettled: tuple[tuple[str, ...], ...]
    problem: str | None
    seconds: float
    not_looked_for: str | None = None
    sample: Sample | None = None
    copies: int = 1

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
        """Nothing stood on either side: there was nothing to compare."""
        return self.problem is None and self.rows_source == 0 and self.rows_target == 0

    @property
    def verdict(self) -> Verdict:
        if self.mismatches:
            return Verdict.DIFFERENT
        return Verdict.COULD_NOT_CHECK if self.problem or self.unsettled else Verdict.EQUAL


@dataclass(frozen=True, slots=True)
class InvariantDifference:
    """A group that both sides do not have alike, or a row that neither should have. `source` and `shards`: its values by name; None where
    the group is not there."""

    group: Mapping[str, str | None]
    source: Mapping[str, str | None] | None
    shards: Mapping[str, str | None] | None


@dataclass(frozen=True, slots=True)
class InvariantResult:
    """`unsettled`: groups that kept changing while they were looked at. `more`: there may be others beside those that are listed.
    `problem`: why it could not be compared; None when it was."""

    name: str
    must_be_empty: bool
    differences: tuple[InvariantDifference, ...]
    unsettled: tuple[tuple[str, ...], ...]
    problem: str | None
    seconds: float
    more: bool = False

    @property
    def verdict(self) -> Verdict:
        if self.differences:
            return Verdict.DIFFERENT
        return Verdict.COULD_NOT_CHECK if self.problem or self.unsettled else Verdict.EQUAL


@dataclass(frozen=True, slots=True)
class VerifyResult:
    """`positions`: where sources and shards stood, by what that is; empty where no stream runs. `only_shard` names the only database that
    was compared, where it was not all of them; `tables` is empty where only invariants were asked."""

    migration: str
    fingerprint: str
    tables: tuple[TableResult, ...]
    seconds: float
    positions: Mapping[str, str] = field(default_factory=dict)
    only_shard: str | None = None
    invariants: tuple[InvariantResult, ...] = ()

    @property
    def rows_compared(self) -> int:
        return sum(table.rows_source + table.rows_target for table in self.tables)

    @property
    def places_not_checked(self) -> tuple[str, ...]:
        """The tables whose rows were compared, but not whether each stands where the rule puts it."""
        return tuple(table.table for table in self.tables if table.not_looked_for)

    @property
    def is_sampled(self) -> bool:
        """Whether some table's key ranges were not all compared."""
        return any(table.sample for table in self.tables)

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
