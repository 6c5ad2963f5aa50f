"""Does Spark accept the plan's SQL for a table, and what does it answer for a made-up batch?

Runs in the driver, with Spark; touches no server. Statements are first analysed against typed views, then executed
together in one job.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import pyarrow as pa
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import DataType, StructType

from shardwright.compiler.plan.plan import Plan, StepName, TablePlan
from shardwright.compiler.sql.batch_sql import (
    merge_packed_sql,
    merges_packed,
    route_packed_sql,
    routes_packed,
)
from shardwright.compiler.sql.sql_text import quote
from shardwright.runtime.rehearsal.dry_run.batch import Event, MadeUpBatch
from shardwright.runtime.rehearsal.dry_run.model import Answer, Scenario
from shardwright.runtime.snapshot.read import SEEN_ROWS_SCHEMA
from shardwright.runtime.sources.event import EVENT_SCHEMA
from shardwright.runtime.stream.stage.lookup import FOUND_COLUMNS

STATEMENTS: Mapping[StepName, str] = {
    StepName.SNAPSHOT_ROUTE: "route",
    StepName.DECODE: "decode",
    StepName.MERGE: "merge",
    StepName.ROUTE: "route",
    StepName.FILTER: "filter",
    StepName.BATCH: "packed",
}
"""Every Spark SQL statement of a table's plan, with its name in the step. The last one is of `22-route`: the batch's
own statement makes decisions of what it answers, or routes it on the way back."""

CHAIN = (StepName.DECODE, StepName.MERGE, StepName.ROUTE, StepName.FILTER)
"""The statements that a table's events pass by themselves, in order."""

_POSITION = "struct<epoch:bigint,file:bigint,offset:bigint,row:int>"
ROUTED_SCHEMA = (
    "`table` string, source_table string, shard int, part int, action string, op string, key array<string>, position "
    f"{_POSITION}, committed_at bigint, `row` array<string>, version_before string, version string"
)
_PROMISED = {
    StepName.SNAPSHOT_ROUTE: "`table` string, source_table string, chunk bigint, shard int, part int, `row` "
    "array<string>",
    StepName.ROUTE: ROUTED_SCHEMA,
    StepName.FILTER: (
        "`table` string, source_table string, shard int, part int, action string, key array<string>, position "
        f"{_POSITION}, committed_at bigint, `row` array<string>, version_before string, decision string, why string"
    ),
    StepName.BATCH: (
        "`table` string, source_table string, shard int, part int, action string, decision string, key array<string>, "
        "file bigint, offset bigint, line int, `row` array<string>, version_before string, why string"
    ),
}
"""The columns, with their types, that the runtime's Python reads of these statements' results."""


@dataclass(frozen=True, slots=True)
class StatementFault:
    """A statement that is wrong. `reason` is Spark's."""

    code: str
    step: StepName
    reason: str


@dataclass(frozen=True, slots=True)
class AnalysedTable:
    """A table's statements as Spark understood them. `faults` has the other statements."""

    logical: str
    frames: Mapping[StepName, DataFrame]
    faults: tuple[StatementFault, ...]


def analyse(
    spark: SparkSession, plan: Plan, logical: str, *, batch: MadeUpBatch, scenarios: Sequence[Scenario]
) -> AnalysedTable:
    """Analyses every statement over a view of its declared type.

    Look-up and chunks have a declared type, so their statements are analysed even when the one before is wrong. Decode
    and merge pass on their own types.
    """
    copies = plan.direction.copies and not plan.table(logical).identity.counts_rows
    sql = {
        step: plan.step(logical, step).statement(name)
        for step, name in STATEMENTS.items()
        if step in CHAIN or (copies and step is StepName.SNAPSHOT_ROUTE)
    }
    promised = dict(_PROMISED)
    if merges_packed(plan, logical):
        sql[StepName.BATCH] = merge_packed_sql(plan, [logical], snapshot_open=True)
    elif routes_packed(plan, logical):
        sql[StepName.BATCH], promised[StepName.BATCH] = route_packed_sql(plan, [logical]), ROUTED_SCHEMA
    frames: dict[StepName, DataFrame] = {}
    faults: list[StatementFault] = []

    def run(step: StepName, view: str, rows: DataFrame | None) -> DataFrame | None:
        if rows is None:
            return None
        rows.createOrReplaceTempView(view)
        try:
            frame = spark.sql(sql[step])
            missing = _find_broken_promise(promised.get(step), frame)
        except SPARK_ERRORS as error:
            faults.append(StatementFault("SW8701", step, first_line(error)))
            return None
        if missing:
            faults.append(StatementFault("SW8702", step, missing))
            return None
        frames[step] = frame
        return frame

    changes = change_rows(spark, batch.events)
    decoded = run(StepName.DECODE, "changes", changes)
    merged = run(StepName.MERGE, "decoded", decoded)
    routed = run(StepName.ROUTE, "merged", merged)
    looked_up = _add_answers(spark, routed, scenarios)
    run(StepName.FILTER, "looked_up", looked_up)
    if routed is None:
        frames.pop(StepName.FILTER, None)
    if StepName.BATCH in sql:
        run(StepName.BATCH, "changes", changes)
    if copies:
        run(StepName.SNAPSHOT_ROUTE, "chunk_rows", _chunk_rows(spark, batch, plan.table(logical)))
    return AnalysedTable(logical, frames, tuple(faults))


SPARK_ERRORS = (PySparkException, Py4JJavaError)
"""The errors that Spark raises when it does not accept a statement, or fails in it."""

Answers = Mapping[tuple[str, StepName], list[Answer]]


def execute(tables: Sequence[AnalysedTable]) -> tuple[Answers, list[tuple[str, StatementFault]]]:
    """The answers of all statements, from one Spark job. If that fails, each statement gets a job, to find out which
    one fails."""
    frames = [(each.logical, step, frame) for each in tables for step, frame in each.frames.items()]
    try:
        return _collect(frames), []
    except SPARK_ERRORS:
        pass
    answers: dict[tuple[str, StepName], list[Answer]] = {}
    faults: list[tuple[str, StatementFault]] = []
    failed: set[str] = set()
    for logical, step, frame in frames:
        if logical in failed and step in CHAIN:
            continue  # it reads the result of the statement that failed
        try:
            answers |= _collect([(logical, step, frame)])
        except SPARK_ERRORS as error:
            faults.append((logical, StatementFault("SW8703", step, first_line(error))))
            failed.add(logical)
    return answers, faults


def _collect(frames: Sequence[tuple[str, StepName, DataFrame]]) -> dict[tuple[str, StepName], list[Answer]]:
    if not frames:
        return {}
    answers: dict[tuple[str, StepName], list[Answer]] = defaultdict(list)
    union = reduce(DataFrame.unionAll, (_as_json(*each) for each in frames))
    for logical, step, text in union.collect():
        answers[(logical, StepName(step))].append(json.loads(text))
    return answers


def _as_json(logical: str, step: StepName, frame: DataFrame) -> DataFrame:
    columns = [F.col(quote(name)) for name in frame.columns]
    text = F.to_json(F.struct(*columns), {"ignoreNullFields": "false"})
    return frame.select(F.lit(logical), F.lit(step.value), text)


def change_rows(spark: SparkSession, events: Sequence[Event]) -> DataFrame:
    """Events as the stream passes them on, in the order given."""
    rows = [(e.source, e.op, *e.position, e.committed_at, _as_list(e.before), _as_list(e.after)) for e in events]
    columns = [list(column) for column in zip(*rows, strict=True)]
    return spark.createDataFrame(pa.Table.from_arrays(
        [pa.array(column, field.type) for column, field in zip(columns, EVENT_SCHEMA, strict=True)], schema=EVENT_SCHEMA
    ))  # fmt: skip


def _as_list(row: Sequence[str | None] | None) -> list[str | None] | None:
    return None if row is None else list(row)


def _chunk_rows(spark: SparkSession, batch: MadeUpBatch, table: TablePlan) -> DataFrame:
    rows = [
        (
            source,
            number,
            *([row[column.position] for column in some] for some in (table.spark_columns, table.source.reads)),
        )
        for number, (source, row) in enumerate(batch.rows)
    ]
    return spark.createDataFrame(rows, SEEN_ROWS_SCHEMA)


def _add_answers(spark: SparkSession, routed: DataFrame | None, scenarios: Sequence[Scenario]) -> DataFrame:
    """Routed changes with each made-up answer. The scenario's number travels as `committed_at`, which no decision
    reads."""
    if routed is None:
        return spark.createDataFrame([], f"{ROUTED_SCHEMA}, {FOUND_COLUMNS}")
    made = spark.createDataFrame(
        [(s.number, s.found, s.snapshot_open, s.version, s.at_home) for s in scenarios],
        "scenario bigint, found boolean, snapshot_open boolean, found_version string, at_home boolean",
    )
    version = F.col("found_version")
    version = (
        F.when(version == "first", F.col("version_before")).when(version == "own", F.col("version")).otherwise(version)
    )
    joined = routed.drop("committed_at").crossJoin(F.broadcast(made))
    joined = joined.withColumn("found_home", F.when(F.col("at_home"), F.col("source_table"))).drop("at_home")
    return joined.withColumn("found_version", version).withColumnRenamed("scenario", "committed_at")


def rows_with_answers(spark: SparkSession, rows: Sequence[Answer]) -> DataFrame:
    """Routed changes with the look-up's answers, as the filter reads them."""
    return spark.createDataFrame([dict(row) for row in rows], struct(f"{ROUTED_SCHEMA}, {FOUND_COLUMNS}"))


def struct(ddl: str) -> StructType:
    declared = DataType.fromDDL(ddl)
    assert isinstance(declared, StructType)
    return declared


def _find_broken_promise(promised: str | None, frame: DataFrame) -> str | None:
    if promised is None:
        return None
    wanted = dict(_fields(promised))
    found = {field.name: field.dataType.simpleString() for field in frame.schema.fields}
    for name in [*wanted, *found]:
        if wanted.get(name) != found.get(name):
            return f"column '{name}' is {found.get(name, 'missing')}, not {wanted.get(name, 'expected at all')}"
    return None


def _fields(ddl: str) -> Iterator[tuple[str, str]]:
    for field in struct(ddl).fields:
        yield field.name, field.dataType.simpleString()


def first_line(error: Any) -> str:
    """Spark's reason without its stack trace."""
    return str(error).strip().splitlines()[0]
