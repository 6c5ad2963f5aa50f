"""A case with its names and values resolved against the plan: what is given, what happens, what is expected."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from shardwright.compiler.plan.plan import Plan, TablePlan
from shardwright.runtime.rehearsal.dry_run.batch import Event
from shardwright.runtime.rehearsal.dry_run.layout import Row
from shardwright.specs.findings.span import Span
from shardwright.specs.spec_tests.spec_tests import Case

TargetRow = Mapping[str, str | None]
"""Column names on the shards and their values as canonical text; partial when a test gives it."""


@dataclass(frozen=True, slots=True, order=True)
class PhysicalTable:
    logical: str
    shard: int
    part: int

    def named(self, plan: Plan) -> str:
        suffix = plan.parts(plan.table(self.logical))[self.part]
        return f"{plan.databases[self.shard]}.{self.logical}{suffix}"


@dataclass(frozen=True, slots=True)
class GivenRow:
    """A row of a source table before anything happens: every column, in table order."""

    logical: str
    source: str
    row: Row


@dataclass(frozen=True, slots=True)
class Expected:
    """What one entry of `expect` says. `tables` has several when the entry names a range; `anywhere` says that the rows are spread
    over them in an unknown way. `spans` are the places of the rows; `count` is given instead of rows."""

    tables: tuple[PhysicalTable, ...]
    anywhere: bool
    rows: tuple[TargetRow, ...]
    count: int | None
    span: Span
    spans: tuple[Span, ...]

    @property
    def logical(self) -> str:
        return self.tables[0].logical


@dataclass(frozen=True, slots=True)
class Story:
    """`events` carry the logical table they belong to, in log order; a written event may be several of them, so `cuts` gives the
    batches' sizes anew."""

    case: Case
    given: tuple[GivenRow, ...]
    events: tuple[tuple[str, Event], ...]
    cuts: tuple[tuple[int, ...], ...]
    expect: tuple[Expected, ...]
    span: Span


def physical_tables(plan: Plan, table: TablePlan) -> tuple[PhysicalTable, ...]:
    return tuple(PhysicalTable(table.logical, shard, part) for shard, part, _ in plan.physical_tables(table))
