"""Do all spec tests of a project pass? Names are resolved against the plan, then the stories are played.

Runs in the driver, with Spark; touches no server.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby, pairwise
from typing import TYPE_CHECKING

from shardwright.compiler.plan.catalogue import SourceTable
from shardwright.compiler.plan.plan import Plan
from shardwright.compiler.schema.file import read_schema
from shardwright.runtime.rehearsal.dry_run.batch import Event
from shardwright.runtime.rehearsal.spec_tests.names import Names
from shardwright.runtime.rehearsal.spec_tests.source_tables import SourceTables
from shardwright.runtime.rehearsal.spec_tests.story import Expected, GivenRow, Story
from shardwright.runtime.rehearsal.spec_tests.verdict import Verdict, judge
from shardwright.specs.findings.diagnostics import Findings
from shardwright.specs.findings.wording import did_you_mean, quoted
from shardwright.specs.spec_tests.spec_tests import ANYWHERE, Case, SpecTests

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def resolve(
    tests: SpecTests, plan: Plan, catalogue: Mapping[str, SourceTable], *, findings: Findings
) -> tuple[Story, ...]:
    """The stories of a file. Faults in it go to `findings`. `catalogue` is the schema file, for defaults."""
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


@dataclass(frozen=True, slots=True)
class Migration:
    """A plan and the schema file it was made from."""

    plan: Plan
    schema: str

    def catalogue(self) -> Mapping[str, SourceTable]:
        return read_schema(self.schema, file="", findings=Findings())  # the compiler has reported its faults


@dataclass(frozen=True, slots=True)
class ResolvedTests:
    """One file's stories and the plan they are played on."""

    plan: Plan
    stories: tuple[Story, ...]


def resolve_all(tests: Sequence[SpecTests], migrations: Mapping[str, Migration]) -> tuple[ResolvedTests, ...]:
    """Resolves all files. Raises SpecError with what is wrong in any of them."""
    findings = Findings()
    catalogues = {name: migration.catalogue() for name, migration in migrations.items()}
    resolved: list[ResolvedTests] = []
    for each in tests:
        migration = migrations.get(each.migration)
        if migration is None:
            message = f"no spec of this project makes migration {quoted(each.migration)}"
            hint = did_you_mean(each.migration, migrations) or f"known: {', '.join(migrations)}"
            findings.error("SW8852", message, each.source.span_of(("migration",)), hint=hint)
            continue
        stories = resolve(each, migration.plan, catalogues[each.migration], findings=findings)
        resolved.append(ResolvedTests(migration.plan, stories))
    findings.raise_errors()
    return tuple(resolved)


def judge_all(spark: SparkSession, resolved: Sequence[ResolvedTests]) -> tuple[Verdict, ...]:
    """The verdicts by file and line."""
    return tuple(sorted(_judged(spark, resolved), key=lambda verdict: verdict.story.span))


def _judged(spark: SparkSession, resolved: Sequence[ResolvedTests]) -> Iterator[Verdict]:
    in_order = sorted(resolved, key=lambda each: each.plan.migration)
    for _, group in groupby(in_order, key=lambda each: each.plan.migration):
        files = list(group)
        yield from judge(spark, files[0].plan, [story for file in files for story in file.stories])
