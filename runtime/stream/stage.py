"""Staging, on executors: a batch's decisions for one shard, written durably before any of them takes effect (C1)."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa  # at run time too: Spark reads the functions' annotations
from pymysql.connections import Connection

from shardwright.compiler.plan import TablePlan
from shardwright.compiler.steps.bookkeeping import STAGE_COLUMNS
from shardwright.runtime.connections import Servers
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.ledger.epoch import record_connection
from shardwright.runtime.ledger.steps import AlreadyRecorded, record_step, recorded_summary
from shardwright.runtime.local_infile import connect_for_loading, load_rows, render_rows
from shardwright.runtime.transactions import execute, in_transaction

STAGE_STEP = "stage"
RESULT_SCHEMA = "shard int, summary string"

Summary = dict[str, dict[str, dict[str, int]]]
"""logical table -> action -> part (as text, for JSON) -> rows."""


@dataclass(frozen=True, slots=True)
class BatchContext:
    """What a task needs to know of the batch it works for. Small and picklable."""

    migration: str
    batch: int
    epoch: int
    servers: Servers
    tables: Mapping[str, TablePlan]
    _numbers: dict[str, dict[str, int]] = field(default_factory=dict)

    def source_number(self, table: TablePlan, source_table: str) -> int:
        """The number of one of the table's sources, in topology order."""
        if table.logical not in self._numbers:
            self._numbers[table.logical] = {str(name): number for number, name in enumerate(table.sources)}
        return self._numbers[table.logical][source_table]


def stager(context: BatchContext) -> Callable[[tuple[Any, ...], Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """The function that Spark runs once for each shard's group of decisions."""

    def stage(key: tuple[Any, ...], batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        shard = int(key[0].as_py())
        summary = _stage_shard(context, shard, batches)
        yield pa.RecordBatch.from_pydict({"shard": pa.array([shard], pa.int32()), "summary": [json.dumps(summary)]})

    return stage


def _stage_shard(context: BatchContext, shard: int, batches: Iterator[pa.RecordBatch]) -> Summary:
    rows, summary = _render(context, batches)
    database = context.servers.databases[shard]
    failpoint("before-stage", database)
    connection = connect_for_loading(context.servers.shards[shard], database)
    try:
        record_connection(connection, role="data", epoch=context.epoch)

        def load(connection: Connection[Any]) -> None:
            record_step(connection, context.migration, context.batch, step=STAGE_STEP, summary=summary)
            for logical, payload in rows.items():
                table = context.tables[logical]
                names = [*STAGE_COLUMNS, *(column.target for column in table.columns)]
                hexadecimal = frozenset(column.target for column in table.columns if column.type.is_bytes)
                execute(connection, f"DELETE FROM `{table.stage_table}` WHERE sw_batch < %s", (context.batch,))
                load_rows(connection, table.stage_table, names, hexadecimal=hexadecimal, payload=payload)

        try:
            in_transaction(connection, load, role="data", epoch=context.epoch)
        except AlreadyRecorded:
            # Spark ran this task again after its commit (hazard A4): the first attempt's decisions stand.
            recorded: Summary = recorded_summary(connection, context.migration, context.batch, step=STAGE_STEP)
            return recorded
    finally:
        connection.close()
    failpoint("after-stage", database)
    return summary


def _render(context: BatchContext, batches: Iterator[pa.RecordBatch]) -> tuple[dict[str, bytes], Summary]:
    lines: dict[str, list[list[str | None]]] = defaultdict(list)
    counts: Summary = {}
    for batch in batches:
        for row in batch.to_pylist():
            table = context.tables[row["table"]]
            lines[table.logical].append(_stage_row(context, table, row))
            parts = counts.setdefault(table.logical, {}).setdefault(row["action"], {})
            parts[str(row["part"])] = parts.get(str(row["part"]), 0) + 1
    return {logical: render_rows(rows) for logical, rows in lines.items()}, counts


def _stage_row(context: BatchContext, table: TablePlan, row: Mapping[str, Any]) -> list[str | None]:
    position = row["position"]
    values: list[str | None] = row["row"] if row["row"] is not None else _key_only(table, row["key"])
    return [
        str(context.batch),
        str(row["part"]),
        row["action"],
        str(position["file"]),
        str(position["offset"]),
        str(position["row"]),
        str(context.source_number(table, row["source_table"])),
        row["version_before"],
        *values,
    ]


def _key_only(table: TablePlan, key: list[str]) -> list[str | None]:
    values = dict(zip(table.key, key, strict=True))
    return [values.get(column.target) for column in table.columns]
