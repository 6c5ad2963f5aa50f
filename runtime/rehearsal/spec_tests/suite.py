"""Do all spec tests of a project pass? Names are resolved against the plan, then the stories are played.

Runs in the driver, with Spark; touches no server.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from shardwright.compiler.build import CompiledPlan
from shardwright.compiler.schema.file import read_schema
from shardwright.runtime.rehearsal.spec_tests.resolve import BothWays, resolve
from shardwright.runtime.rehearsal.spec_tests.resolved_case import ResolvedCase
from shardwright.runtime.rehearsal.spec_tests.verdict import Verdict, judge
from shardwright.runtime.rehearsal.spec_tests.way_back import way_back_plans
from shardwright.specs.findings.diagnostics import Findings
from shardwright.specs.findings.wording import did_you_mean, quote
from shardwright.specs.spec.model import Spec
from shardwright.specs.spec_tests.spec_tests import SpecTests

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(frozen=True, slots=True)
class Migration:
    """A spec, what was compiled of it, and the schema file it was made from."""

    spec: Spec
    compiled: CompiledPlan
    schema: str

    def ways(self, *, both: bool) -> BothWays:
        """What cases are played on. Without `both`, for forward cases only."""
        catalogue = read_schema(self.schema, file="", findings=Findings())  # the compiler has reported its faults
        back = way_back_plans(self.spec, self.compiled, catalogue) if both else None
        return BothWays(self.compiled.plan, catalogue, back)


@dataclass(frozen=True, slots=True)
class ResolvedTests:
    """One file's stories and the plans they are played on."""

    plans: BothWays
    resolved_cases: tuple[ResolvedCase, ...]


def resolve_all(tests: Sequence[SpecTests], migrations: Mapping[str, Migration]) -> tuple[ResolvedTests, ...]:
    """Resolves all files. Raises SpecError with what is wrong in any of them."""
    findings = Findings()
    backward = {each.migration for each in tests if any(case.direction.reads_shards for case in each.cases)}
    plans = {name: migration.ways(both=name in backward) for name, migration in migrations.items()}
    resolved: list[ResolvedTests] = []
    for each in tests:
        if each.migration not in plans:
            message = f"no spec of this project makes migration {quote(each.migration)}"
            hint = did_you_mean(each.migration, migrations) or f"known: {', '.join(migrations)}"
            findings.error("SW8852", message, each.source.span_of(("migration",)), hint=hint)
            continue
        both = plans[each.migration]
        resolved.append(ResolvedTests(both, resolve(each, both, findings=findings)))
    findings.raise_errors()
    return tuple(resolved)


def judge_all(spark: SparkSession, resolved: Sequence[ResolvedTests]) -> tuple[Verdict, ...]:
    """The verdicts by file and line."""
    return tuple(sorted(_judge(spark, resolved), key=lambda verdict: verdict.resolved_case.span))


def _judge(spark: SparkSession, resolved: Sequence[ResolvedTests]) -> Iterator[Verdict]:
    in_order = sorted(resolved, key=lambda each: each.plans.forward.migration)
    for _, group in groupby(in_order, key=lambda each: each.plans.forward.migration):
        files = list(group)
        yield from judge(
            spark, files[0].plans, [resolved_case for file in files for resolved_case in file.resolved_cases]
        )
