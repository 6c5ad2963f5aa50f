"""From a file of spec tests to stories: every name and value checked against the plan, every finding reported."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import accumulate, pairwise

from shardwright.compiler.plan.catalogue import SourceTable
from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.rehearsal.dry_run.batch import Event
from shardwright.runtime.rehearsal.spec_tests.names import Names
from shardwright.runtime.rehearsal.spec_tests.source_tables import SourceTables
from shardwright.runtime.rehearsal.spec_tests.story import Expected, GivenRow, Story
from shardwright.specs.findings.diagnostics import Findings
from shardwright.specs.spec_tests.spec_tests import ANYWHERE, Case, SpecTests


def resolve(
    tests: SpecTests, plan: Plan, catalogue: Mapping[str, SourceTable], *, findings: Findings
) -> tuple[Story, ...]:
    """The stories of a file; what is wrong in it goes to `findings`. `catalogue` is the schema file, for defaults."""
    names = Names(plan, tests.source, findings)
    return tuple(_story(case, names, catalogue) for case in tests.cases)


def _story(case: Case, names: Names, catalogue: Mapping[str, SourceTable]) -> Story:
    source = SourceTables(names, catalogue)
    given = tuple(GivenRow(table.logical, name, row) for each in case.given for table, name, row in source.give(each))
    logged: list[list[tuple[str, Event]]] = [
        [(table.logical, event) for table, event in source.log(written)] for written in case.events
    ]
    return Story(
        case,
        given,
        events=tuple(event for events in logged for event in events),
        cuts=tuple(_sizes(cut, [len(events) for events in logged]) for cut in case.batches),
        expect=tuple(_expected(case, names)),
        span=names.document.span_of((*case.path, "name")),
    )


def _sizes(cut: tuple[int, ...], lengths: list[int]) -> tuple[int, ...]:
    """The batches' sizes in change events, from those in written events."""
    bounds = [0, *accumulate(cut)]
    return tuple(sum(lengths[start:end]) for start, end in pairwise(bounds))


def _expected(case: Case, names: Names) -> Iterator[Expected]:
    for entry in case.expect:
        tables = names.physical(entry)
        if not tables:
            continue
        table = names.plan.table(tables[0].logical)
        yield Expected(
            tables,
            anywhere=entry.database == ANYWHERE,
            rows=tuple(names.target_values(table, row) for row in entry.rows),
            count=entry.count,
            span=names.document.key_span_of(entry.path),
            spans=tuple(names.document.span_of(row.path) for row in entry.rows),
        )
