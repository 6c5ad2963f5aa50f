"""From the cases of a file to stories: names and values are resolved against the plan of each case's direction.
Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from shardwright.compiler.plan.catalogue import SourceTable
from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.rehearsal.dry_run.batch import Event
from shardwright.runtime.rehearsal.dry_run.model import row_identity
from shardwright.runtime.rehearsal.spec_tests.names import Names
from shardwright.runtime.rehearsal.spec_tests.resolved_case import (
    Expectation,
    GivenRow,
    PhysicalTable,
    ResolvedCase,
    TargetRow,
)
from shardwright.runtime.rehearsal.spec_tests.shard_history import ShardHistory
from shardwright.runtime.rehearsal.spec_tests.source_tables import SourceTables
from shardwright.runtime.rehearsal.spec_tests.way_back import WayBackPlans
from shardwright.specs.findings.diagnostics import Findings, Note
from shardwright.specs.spec_tests.spec_tests import ANYWHERE, Case, SpecTests, WrittenEvent


@dataclass(frozen=True, slots=True)
class BothWays:
    """What the cases of a migration are resolved against and played on. `catalogue` is the schema file, for defaults;
    `back` is None where there is no way back."""

    forward: Plan
    catalogue: Mapping[str, SourceTable]
    back: WayBackPlans | None = None

    def plan(self, resolved_case: ResolvedCase) -> Plan:
        """The plan on which the story is played."""
        if resolved_case.case.direction.reads_source:
            return self.forward
        assert self.back is not None  # `resolve` has refused the case
        return self.back.plan


def resolve(tests: SpecTests, plans: BothWays, *, findings: Findings) -> tuple[ResolvedCase, ...]:
    """The stories of a file. Faults in it go to `findings`."""
    names = Names(plans.forward, tests.source, findings)
    resolved_cases: list[ResolvedCase] = []
    for case in tests.cases:
        if case.direction.reads_source:
            resolved_cases.append(_forward(case, names, plans.catalogue))
        elif plans.back is not None:
            resolved_cases.append(_backward(case, names, plans.back))
        else:
            _refuse(case, names)
    return tuple(resolved_cases)


def _refuse(case: Case, names: Names) -> None:
    notes = tuple(
        Note(f"{table.logical}{'.' if way.column else ''}{way.column}: {way.verdict}: {way.why}")
        for table in names.plan.tables
        for way in table.way_back
        if way.closes
    )
    message = f"migration {names.plan.migration} has no way back"
    hint = "say under 'backward' of these tables what becomes of them: docs/explanation/way-back.md"
    names.findings.error("SW8865", message, names.document.span_of((*case.path, "direction")), hint=hint, notes=notes)


def _forward(case: Case, names: Names, catalogue: Mapping[str, SourceTable]) -> ResolvedCase:
    source = SourceTables(names, catalogue)
    given = tuple(_resolve_given(case, source))
    logged = [_resolve_events(source, written) for written in case.events]
    return _resolve_case(case, names, given=given, logged=logged)


def _backward(case: Case, names: Names, back: WayBackPlans) -> ResolvedCase:
    """The shards begin with what is written of them, and with what the forward plan has copied of other rows."""
    at_source = tuple(_resolve_given(case, SourceTables(names, back.catalogue)))
    names = Names(back.plan, names.document, names.findings, back.source_columns())
    shards = SourceTables(names, back.shards, back.shard_key_columns())
    written = [GivenRow(table.logical, name, row) for each in case.shards for table, name, row in shards.give(each)]
    known = {_key(back.plan, each) for each in written}
    copied = [each for each in back.on_shards(at_source) if _key(back.plan, each) not in known]
    for each in copied:
        shards.put(each.source, each.row)
    logged = [_resolve_events(shards, written_event) for written_event in case.events]
    begins_with = tuple(map(back.source_row, at_source))
    resolved_case = _resolve_case(case, names, given=(*written, *copied), logged=logged, begins_with=begins_with)
    for (logical, key), tables in ShardHistory(back.plan, resolved_case).duplicates_at_end().items():
        message = f"row ({', '.join(key)}) of {logical} is in {' and in '.join(tables)} after the last event"
        names.findings.error(
            "SW8857", message, resolved_case.span, hint="only one of them can go back: delete the other one"
        )
    return resolved_case


def _key(plan: Plan, given: GivenRow) -> tuple[str, ...]:
    return given.logical, *row_identity(plan.table(given.logical), given.row)


def _resolve_given(case: Case, source: SourceTables) -> Iterator[GivenRow]:
    for each in case.given:
        for table, name, row in source.give(each):
            yield GivenRow(table.logical, name, row)


def _resolve_events(source: SourceTables, written: WrittenEvent) -> list[tuple[str, Event]]:
    return [(table.logical, event) for table, event in source.log(written)]


def _resolve_case(
    case: Case,
    names: Names,
    *,
    given: tuple[GivenRow, ...],
    logged: Sequence[Sequence[tuple[str, Event]]],
    begins_with: tuple[tuple[PhysicalTable, TargetRow], ...] = (),
) -> ResolvedCase:
    """`logged`: the change events of each written one."""
    return ResolvedCase(
        case,
        given,
        events=tuple(event for events in logged for event in events),
        cuts=tuple(_sizes(cut, [len(events) for events in logged]) for cut in case.batches),
        expect=tuple(_resolve_expected(case, names)),
        span=names.document.span_of((*case.path, "name")),
        begins_with=begins_with,
    )


def _sizes(cut: tuple[int, ...], lengths: list[int]) -> tuple[int, ...]:
    """The batches' sizes in change events, from those in written events."""
    bounds = [0, *accumulate(cut)]
    return tuple(sum(lengths[start:end]) for start, end in pairwise(bounds))


def _resolve_expected(case: Case, names: Names) -> Iterator[Expectation]:
    for entry in case.expect:
        tables = names.physical(entry)
        if not tables:
            continue
        table = names.plan.table(tables[0].logical)
        yield Expectation(
            tables,
            anywhere=entry.database == ANYWHERE,
            rows=tuple(names.target_values(table, row) for row in entry.rows),
            count=entry.count,
            span=names.document.key_span_of(entry.path),
            spans=tuple(names.document.span_of(row.path) for row in entry.rows),
        )
