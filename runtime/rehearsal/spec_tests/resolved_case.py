"""What is a case with its names and values resolved against the plan of its direction: given rows, events, expected
rows? Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from shardwright.compiler.plan.plan import Plan, TablePlan
from shardwright.runtime.rehearsal.dry_run.batch import Event
from shardwright.runtime.rehearsal.dry_run.layout import Row
from shardwright.specs.findings.diagnostics import Span
from shardwright.specs.spec_tests.spec_tests import Case

TargetRow = Mapping[str, str | None]
"""Column names of the target and their values as canonical text; partial when a test gives it."""


@dataclass(frozen=True, slots=True, order=True)
class PhysicalTable:
    logical: str
    shard: int
    part: int

    def name_in(self, plan: Plan) -> str:
        return plan.physical_name(plan.table(self.logical), self.shard, self.part)


@dataclass(frozen=True, slots=True)
class GivenRow:
    """A row of a source table before the first event: every column, in table order."""

    logical: str
    source: str
    row: Row


@dataclass(frozen=True, slots=True)
class Expectation:
    """What one entry of `expect` says."""

    tables: tuple[PhysicalTable, ...]
    """The physical tables; several when the entry names a range."""
    anywhere: bool
    """Whether the rows may be in any of `tables`."""
    rows: tuple[TargetRow, ...]
    """The expected rows, perhaps partial; empty when only their number is expected."""
    count: int | None
    """The expected number of rows; None when rows are given instead."""
    span: Span
    """The entry's place in the test."""
    spans: tuple[Span, ...]
    """The places of the rows in the test."""

    @property
    def logical(self) -> str:
        return self.tables[0].logical


@dataclass(frozen=True, slots=True)
class ResolvedCase:
    """One case, resolved."""

    case: Case
    """The case as written."""
    given: tuple[GivenRow, ...]
    """The rows of the plan's sources before the first event."""
    events: tuple[tuple[str, Event], ...]
    """Each event with its logical table, in log order. One written event may be several of them."""
    cuts: tuple[tuple[int, ...], ...]
    """For each way to cut the case into batches: their sizes, counted in `events`."""
    expect: tuple[Expectation, ...]
    """What the plan's targets must hold at the end."""
    span: Span
    """The place of the case's name in the test."""
    begins_with: tuple[tuple[PhysicalTable, TargetRow], ...] = ()
    """Whole rows that the targets hold before the first event. On the way back only: nothing is copied there."""


def physical_tables(plan: Plan, table: TablePlan) -> tuple[PhysicalTable, ...]:
    return tuple(PhysicalTable(table.logical, shard, part) for shard, part, _ in plan.physical_tables(table))
