"""All test files of a project: each against the plan of its migration, all cases of a migration played together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from shardwright.compiler.plan.catalogue import SourceTable
from shardwright.compiler.plan.plan import Plan
from shardwright.compiler.schema.file import read_schema
from shardwright.runtime.rehearsal.spec_tests.resolve import resolve
from shardwright.runtime.rehearsal.spec_tests.story import Story
from shardwright.runtime.rehearsal.spec_tests.verdict import Verdict, judge
from shardwright.specs.findings.diagnostics import Findings
from shardwright.specs.findings.wording import did_you_mean, quoted
from shardwright.specs.spec_tests.spec_tests import SpecTests

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(frozen=True, slots=True)
class Migration:
    """A plan and the schema file it was made from."""

    plan: Plan
    schema: str

    def catalogue(self) -> Mapping[str, SourceTable]:
        return read_schema(self.schema, file="", findings=Findings())  # the compiler has reported what is wrong in it


@dataclass(frozen=True, slots=True)
class ResolvedTests:
    """One file's stories and the plan they are played on."""

    plan: Plan
    stories: tuple[Story, ...]


def resolve_all(tests: Sequence[SpecTests], migrations: Mapping[str, Migration]) -> tuple[ResolvedTests, ...]:
    """Raises SpecError with what is wrong in any of the files."""
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
