"""Is the Spark SQL of one compiled spec right? The work of `shardwright dry-run`.

Runs in the driver, with Spark; touches no server.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from shardwright.compiler.columns.row_mapping import RowMapping
from shardwright.compiler.plan.json_form import BACKWARD
from shardwright.compiler.plan.plan import EVERY_TABLE, Plan, StepName, TablePlan
from shardwright.compiler.sharding.function import ShardFunction
from shardwright.runtime.rehearsal.dry_run.batch import MadeUpBatch, make_batch
from shardwright.runtime.rehearsal.dry_run.case_text import case_text, spec_test
from shardwright.runtime.rehearsal.dry_run.chain import (
    STATEMENTS,
    Answers,
    StatementFault,
    analyse,
    execute,
)
from shardwright.runtime.rehearsal.dry_run.compare import Difference, first_difference
from shardwright.runtime.rehearsal.dry_run.history import events_of_key
from shardwright.runtime.rehearsal.dry_run.keyless import NO_LOOK_UP, KeylessModel, make_keyless_batch
from shardwright.runtime.rehearsal.dry_run.layout import Layout, layout
from shardwright.runtime.rehearsal.dry_run.model import Answer, Model, Scenario, spread_over_shards
from shardwright.runtime.rehearsal.dry_run.quiet_spark import quiet_spark
from shardwright.runtime.rehearsal.dry_run.rehearse import (
    DEFAULT_REHEARSING,
    Counterexample,
    RehearsalOptions,
    rehearse,
    show,
)
from shardwright.runtime.rehearsal.dry_run.trial import TRIED, Bench, compute_answers
from shardwright.runtime.rehearsal.dry_run.values import extreme_values
from shardwright.specs.direction import Direction
from shardwright.specs.findings.diagnostics import Diagnostic, Note
from shardwright.specs.spec.model import Spec

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SPARK_CONF: Mapping[str, str] = {
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.adaptive.enabled": "false",
    "spark.default.parallelism": "1",
    # A few dozen rows: to compile Java for them would take longer than to interpret.
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    # Half of the processor time would be spent on optimising code that ends in seconds.
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Dlog4j2.level=ERROR",
}
"""Settings that make many small queries over few rows quick. They do not change results."""

_MEANING = {
    "SW8701": "Spark does not accept it",
    "SW8702": "its result is not what the next step reads",
    "SW8703": "it fails on generated rows",
}


@dataclass(frozen=True, slots=True)
class DryRunResult:
    """What the dry run of one plan has found."""

    tables: int
    """Tables that were tried."""
    statements: int
    """Statements that were analysed and executed."""
    pairs: int
    """How many pairs of contract C5 the smallest batch of a table with a key holds; 0 where there is none."""
    findings: tuple[Diagnostic, ...]
    """The faults; empty when all is right."""
    histories: int = 0
    """How many random histories were made up."""
    cases: tuple[str, ...] = ()
    """Spec tests, ready to paste, of the histories that showed a fault."""
    left_out: Mapping[str, str] = field(default_factory=dict)
    """Tables that are not tried, and why: of those that are placed through their parent, the row alone does not say
    where it goes."""
    direction: Direction = Direction.FORWARD
    """Which plan it was."""


@dataclass(frozen=True, slots=True)
class _Table:
    plan: Plan
    layout: Layout
    model: Model
    batch: MadeUpBatch
    scenarios: tuple[Scenario, ...]

    @property
    def logical(self) -> str:
        return self.layout.table.logical

    @property
    def is_keyless(self) -> bool:
        return self.layout.table.identity.counts_rows


def dry_run(
    spark: SparkSession,
    spec: Spec,
    plan: Plan,
    mappings: Mapping[str, RowMapping] = MappingProxyType({}),
    *,
    functions: Mapping[str, ShardFunction],
    rehearsing: RehearsalOptions = DEFAULT_REHEARSING,
) -> DryRunResult:
    """Analyses and executes every Spark SQL statement of `plan`, then rehearses the tables without a fault.

    A table gives at most one finding for the stream's chain and one for the snapshot, since what follows a fault is
    wrong, too. `spark` should run with SPARK_CONF. `mappings` are those of `CompiledPlan`; a table that is not among
    them copies its columns unchanged.
    """
    tables = [
        _table(plan, layout(spec, plan, table, functions, mappings.get(table.logical)))
        for table in plan.tables
        if table.placement.parent is None
    ]
    findings: list[Diagnostic] = []
    cases: list[str] = []
    with quiet_spark():
        analysed = [
            analyse(spark, plan, table.logical, batch=table.batch, scenarios=table.scenarios) for table in tables
        ]
        answers, failed = execute(analysed)
        fine: list[Bench] = []
        for table, understood in zip(tables, analysed, strict=True):
            faults = [*understood.faults, *(fault for logical, fault in failed if logical == table.logical)]
            bench = None if table.is_keyless else Bench(spark, plan, table.model, table.scenarios)
            found = [_finding(plan, table.layout, fault) for fault in faults]
            for step, difference in _differences(table, answers, faulty=[fault.step for fault in faults]):
                found.append(_wrong_answer(table, bench, step, difference, cases=cases, rounds=rehearsing.rounds))
            findings += found
            fine += [] if found or bench is None else [bench]
        shown, unable, histories = rehearse(fine, rehearsing)
    findings += [_finding(bench.plan, bench.model.layout, fault) for bench, fault in unable]
    findings += [_history_finding("SW8705", each, cases=cases, rehearsing=rehearsing) for each in shown]
    pairs = min((table.batch.pairs for table in tables if not table.is_keyless), default=0)
    statements = sum(len(each.frames) + len(each.faults) for each in analysed)
    left_out = {child.logical: "is a co-located child table" for child in plan.children}
    return DryRunResult(
        len(tables), statements, pairs, tuple(findings), histories, tuple(cases), left_out, plan.direction
    )


def _table(plan: Plan, layout: Layout) -> _Table:
    if layout.table.identity.counts_rows:
        return _Table(plan, layout, KeylessModel(layout), make_keyless_batch(layout), NO_LOOK_UP)
    return _Table(plan, layout, Model(layout), make_batch(layout), scenarios(layout.table))


def scenarios(table: TablePlan) -> tuple[Scenario, ...]:
    """Row found or not, snapshot open or not, and each way in which a row's version can compare with ours. On the way
    back nothing is copied, and a row that is found belongs to the event's table or to another one."""
    versions: list[str | None] = [None]
    kind = next((column.type for column in table.columns if column.target == table.writes.version_column), None)
    if kind is not None:
        versions += ["first", "own", *extreme_values(kind)]
    answers = [(False, None), *((True, version) for version in versions)]
    if table.own is not None:
        homes = [(False, True), (True, True), *([(True, False)] if spread_over_shards(table) else [])]
        return tuple(Scenario(number, found, False, None, home) for number, (found, home) in enumerate(homes))
    both = [(found, is_open, version) for is_open in (False, True) for found, version in answers]
    return tuple(Scenario(number, *each) for number, each in enumerate(both))


def _differences(
    table: _Table, answers: Answers, *, faulty: Sequence[StepName]
) -> Iterator[tuple[StepName, Difference]]:
    expected = _expectation(table)
    copied = () if table.layout.table.own is not None or table.is_keyless else (StepName.SNAPSHOT_ROUTE,)
    for steps in (TRIED, copied):
        for step in steps:
            if step in faulty:
                break
            got = answers.get((table.logical, step), [])
            difference = first_difference(step, expected[step], got, model=table.model, events=table.batch.events)
            if difference is not None:
                yield step, difference
                break


def _wrong_answer(
    table: _Table, bench: Bench | None, step: StepName, difference: Difference, *, cases: list[str], rounds: int
) -> Diagnostic:
    if bench is not None and difference.key is not None:
        history = events_of_key(table.layout.table, difference.key, table.batch.events)
        if history:
            shown = show(bench, [history], step, found=difference, rounds=rounds)
            return _history_finding("SW8704", shown, cases=cases)
    notes = (
        Note(f"for {difference.events}"),
        Note(f"expected {difference.expected}"),
        Note(f"got {difference.got}"),
    )
    message = _message(table.plan, table.layout, step, difference.what)
    return Diagnostic("SW8704", message, table.layout.span, notes=notes)


def _history_finding(
    code: str, shown: Counterexample, *, cases: list[str], rehearsing: RehearsalOptions | None = None
) -> Diagnostic:
    """The finding about a history. Its spec test is added to `cases`."""
    layout, plan, difference = shown.bench.model.layout, shown.bench.plan, shown.difference
    message = _message(plan, layout, shown.step, difference.what)
    lines = list(case_text(layout, plan, shown.history)) or [f"for {difference.events}"]
    if shown.number is not None and rehearsing is not None:
        lines.append(f"from rehearsal {shown.number} of seed {rehearsing.seed}")
    notes = [*lines, f"expected {difference.expected}", f"got {difference.got}"]
    name = f"{layout.table.logical}: {difference.what}"
    case = None if plan.direction.reads_shards else spec_test(layout, plan, shown.history, name=name)
    cases += [] if case is None else [case]
    return Diagnostic(code, message, layout.span, notes=tuple(map(Note, notes)))


def _expectation(table: _Table) -> Mapping[StepName, list[Answer]]:
    chain = compute_answers(table.model, table.batch.events, table.scenarios)
    return {**chain, StepName.SNAPSHOT_ROUTE: table.model.locate(table.batch.rows)}


def _finding(plan: Plan, layout: Layout, fault: StatementFault) -> Diagnostic:
    message = _message(plan, layout, fault.step, _MEANING[fault.code])
    return Diagnostic(fault.code, message, layout.span, notes=(Note(fault.reason),))


def _message(plan: Plan, layout: Layout, step: StepName, what: str) -> str:
    """Names the statement's file in the plan, and the table where the file is every table's."""
    place = StepName.ROUTE if step is StepName.BATCH else step
    table = layout.table
    folder = "" if table.own is None else f"{BACKWARD}/"
    if plan.step(table.logical, place).table == EVERY_TABLE:
        return f"statement '{STATEMENTS[step]}' of {folder}{place.file_name}, table {table.logical}: {what}"
    return f"statement '{STATEMENTS[step]}' of {folder}{table.logical}/{place.file_name}: {what}"
