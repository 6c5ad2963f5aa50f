"""What `shardwright dry-run` does for one compiled spec."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shardwright.compiler.plan import Plan, StepName, TablePlan
from shardwright.runtime.dry_run.batch import MadeUpBatch, make_batch
from shardwright.runtime.dry_run.chain import (
    STATEMENTS,
    Analysed,
    Answers,
    StatementFault,
    analyse,
    execute,
)
from shardwright.runtime.dry_run.compare import first_difference
from shardwright.runtime.dry_run.layout import Layout, layout
from shardwright.runtime.dry_run.model import Answer, Model, Scenario
from shardwright.runtime.dry_run.quiet_spark import quiet_spark
from shardwright.runtime.dry_run.values import extreme_values
from shardwright.specs.diagnostics import Diagnostic, Note
from shardwright.specs.model import Spec

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SPARK_CONF: Mapping[str, str] = {
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.adaptive.enabled": "false",
    "spark.default.parallelism": "1",
    # A few dozen rows: compiling Java for them would take longer than interpreting.
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    # Half of the processor time would go into optimising code that ends in seconds.
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Dlog4j2.level=ERROR",
}
"""What makes many small queries over few rows quick; nothing of it changes a result."""

_CHAIN = (StepName.DECODE, StepName.MERGE, StepName.ROUTE, StepName.FILTER)
_MEANING = {
    "SW8701": "Spark does not accept it",
    "SW8702": "its result is not what the next step reads",
    "SW8703": "it fails on made-up rows",
}


@dataclass(frozen=True, slots=True)
class DryRunResult:
    """`statements` were analysed and executed; `pairs` is how many pairs of contract C5 the smallest batch holds."""

    tables: int
    statements: int
    pairs: int
    findings: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class _Table:
    layout: Layout
    model: Model
    batch: MadeUpBatch
    scenarios: tuple[Scenario, ...]

    @property
    def logical(self) -> str:
        return self.layout.table.logical


def dry_run(spark: SparkSession, spec: Spec, plan: Plan) -> DryRunResult:
    """Analyse and execute every Spark SQL statement of `plan`; at most one finding a table for the stream's chain and one
    for the snapshot, since what follows a fault is wrong too. `spark` should run with SPARK_CONF."""
    tables = [_table(layout(spec, plan, table)) for table in plan.tables]
    with quiet_spark():
        analysed = [
            analyse(spark, plan, table.logical, batch=table.batch, scenarios=table.scenarios) for table in tables
        ]
        answers, failed = execute(analysed)
    findings: list[Diagnostic] = []
    for table, understood in zip(tables, analysed, strict=True):
        faults = [*understood.faults, *(fault for logical, fault in failed if logical == table.logical)]
        findings += [_finding(table, fault) for fault in faults]
        findings += _wrong_answers(table, understood, answers, faulty=[fault.step for fault in faults])
    pairs = min(table.batch.pairs for table in tables)
    return DryRunResult(len(tables), len(tables) * len(STATEMENTS), pairs, tuple(findings))


def _table(layout: Layout) -> _Table:
    return _Table(layout, Model(layout), make_batch(layout), _scenarios(layout.table))


def _scenarios(table: TablePlan) -> tuple[Scenario, ...]:
    """Row there or not, snapshot open or not, and each way a row's version can compare with ours."""
    versions: list[str | None] = [None]
    kind = next((column.type for column in table.columns if column.target == table.version_column), None)
    if kind is not None:
        versions += ["first", "own", *extreme_values(kind)]
    answers = [(False, None), *((True, version) for version in versions)]
    both = [(found, is_open, version) for is_open in (False, True) for found, version in answers]
    return tuple(Scenario(number, *each) for number, each in enumerate(both))


def _wrong_answers(
    table: _Table, analysed: Analysed, answers: Answers, *, faulty: Sequence[StepName]
) -> Iterator[Diagnostic]:
    expected = _expected(table)
    for steps in (_CHAIN, (StepName.SNAPSHOT_ROUTE,)):
        for step in steps:
            if step in faulty:
                break
            got = answers.get((table.logical, step), [])
            difference = first_difference(step, expected[step], got, model=table.model, events=table.batch.events)
            if difference is not None:
                notes = (
                    Note(f"for {difference.events}"),
                    Note(f"expected {difference.expected}"),
                    Note(f"got {difference.got}"),
                )
                yield Diagnostic("SW8704", _message(table, step, difference.what), table.layout.span, notes=notes)
                break


def _expected(table: _Table) -> Mapping[StepName, list[Answer]]:
    model, events = table.model, table.batch.events
    return {
        StepName.DECODE: model.decoded(events),
        StepName.MERGE: model.merged(events),
        StepName.ROUTE: model.routed(events),
        StepName.FILTER: model.decided(events, table.scenarios),
        StepName.SNAPSHOT_ROUTE: model.placed(table.batch.rows),
    }


def _finding(table: _Table, fault: StatementFault) -> Diagnostic:
    message = _message(table, fault.step, _MEANING[fault.code])
    return Diagnostic(fault.code, message, table.layout.span, notes=(Note(fault.reason),))


def _message(table: _Table, step: StepName, what: str) -> str:
    return f"statement '{STATEMENTS[step]}' of {table.logical}/{step.file_name}: {what}"
