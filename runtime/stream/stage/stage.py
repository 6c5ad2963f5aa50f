"""How are a batch's decisions written to one shard, durably, before any of them takes effect (C1)?

Runs in a Spark task; writes to each of its shards' stage tables and ledger, in one transaction per shard. The driver
makes the context.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pyarrow as pa  # at run time too: Spark reads the functions' annotations
import pyarrow.compute as pc
import pymysql
from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan, StepName, TablePlan
from shardwright.compiler.steps.bookkeeping import STAGE_COLUMNS
from shardwright.compiler.steps.groups import CHANGED
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.ledger.decisions import DecisionMemory, record_decisions
from shardwright.runtime.ledger.fencing import Writer
from shardwright.runtime.ledger.recent_keys import KeyMemory, pack_keys, remember_keys
from shardwright.runtime.ledger.stage_rows import Share
from shardwright.runtime.ledger.stage_summary import TO_MERGE, Summary, with_inserted
from shardwright.runtime.ledger.steps import AlreadyRecorded, read_summary, record_step
from shardwright.runtime.ledger.writer_connections import connection_for_loading
from shardwright.runtime.mysql.all_shards import AT_ONCE, work_at_once
from shardwright.runtime.mysql.load_data import load_later, load_rows
from shardwright.runtime.mysql.load_lines import one_array, render_columns, render_lines
from shardwright.runtime.mysql.rejected_rows import REFUSED, find_refused_rows
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.mysql.spill import pieces
from shardwright.runtime.mysql.transactions import execute_later, send_waiting, set_variables
from shardwright.runtime.stream.stage.cleanup import forget_finished, make_room
from shardwright.runtime.stream.stage.foreign_rows import BucketGuard, ForeignRowsFound
from shardwright.runtime.stream.stage.rows import (
    DirectInsertFailed,
    TaskRows,
    place_rows,
    to_look_for,
    to_reread,
    without_new,
)
from shardwright.runtime.stream.stage.task_decisions import TaskDecisions

STAGE_STEP = "stage"
RESULT_SCHEMA = "shard int, summary string"
PIECE_ROWS = 200_000
"""What one task stages of a batch of the default size (`batch.max_rows`) is one piece."""


@dataclass(frozen=True, slots=True)
class BatchContext:
    """What a task needs to know of the batch it works for. Small and picklable."""

    migration: str
    """Its name, by which the ledgers are keyed."""
    databases: tuple[str, ...]
    """The plan's, by shard."""
    batch: int
    """The batch's number."""
    writer: Writer
    """Checks the fencing token in every transaction."""
    servers: Servers
    """The addresses of the shards."""
    tables: Mapping[str, TablePlan]
    """By logical table."""
    settling: Mapping[str, str] = field(default_factory=dict)
    """Logical table -> the statement by which the server decides which staged changes are of one row; for tables that
    need it."""
    quarantined: frozenset[str] = frozenset()
    """Logical tables whose refused rows are named instead of raised; nothing is staged then."""
    remembering: KeyMemory | None = None
    """How the changed keys are kept for a while; None: they are not."""
    suffixes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Logical table -> the suffixes of its physical tables, where new rows may go in place."""
    placing: frozenset[str] = frozenset()
    """Logical tables whose new rows go in place, if their keys are kept."""
    roomy: frozenset[str] = frozenset()
    """Logical tables whose stages have few rows of earlier batches on every shard: there is room, and no shard is
    asked."""
    merged: bool = True
    """False: every event was taken for a new row, without merging."""
    recording: DecisionMemory | None = None
    """Which decisions are kept; None: none are."""
    guard: BucketGuard | None = None
    """Which staged rows are not the other side's to write; None: all are."""


def collapse_statements(plan: Plan) -> Mapping[str, str]:
    """The statements of `BatchContext.settling`."""
    steps = [step for step in plan.steps if step.name is StepName.COLLAPSE]
    return {step.table: step.statement("collapse") for step in steps}


def stager(context: BatchContext) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """A function for mapInArrow over the columns of the plan's statement `decided`; all rows of a shard must come to
    one task. On the way back, a task that has keys to be read again stages nothing, and names them."""
    backward = any(table.own is not None for table in context.tables.values())

    def stage(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with pieces(batches, most_rows=PIECE_ROWS) as found:
            done = to_reread(found) if backward else {}
            if not done:
                decisions = None if context.recording is None else TaskDecisions(found, context.recording)
                rows = TaskRows(found if decisions is None else decisions.staged, context.tables)
                shards = [*rows.summaries]
                most = AT_ONCE if rows.in_memory and context.servers.stream_connections is None else 1
                staged = work_at_once(lambda shard: _stage_shard(context, shard, rows, decisions), shards, most=most)
                done = dict(zip(shards, staged, strict=True))
                if decisions is not None:
                    _record_skipped(context, decisions, decisions.shards - done.keys())
                for shard, named in to_look_for(found).items() if backward else ():
                    done[shard] = done[shard] | named
        if done:
            yield pa.RecordBatch.from_pydict(
                {"shard": pa.array(done, pa.int32()), "summary": [json.dumps(summary) for summary in done.values()]}
            )

    return stage


def _record_skipped(context: BatchContext, decisions: TaskDecisions, shards: Collection[int]) -> None:
    """Of shards where nothing is staged."""
    for shard in shards:
        with _connection(context, shard) as connection:
            context.writer.transaction(connection, partial(_record, context=context, decisions=decisions, shard=shard))


def _connection(context: BatchContext, shard: int) -> AbstractContextManager[Connection[Any]]:
    return connection_for_loading(
        context.servers.shards[shard],
        context.servers.databases[shard],
        writer=context.writer,
        keeping=context.servers.stream_connections is None,
    )


def _record(connection: Connection[Any], *, context: BatchContext, decisions: TaskDecisions, shard: int) -> None:
    record_decisions(connection, context.migration, context.batch, decisions.of(shard), memory=decisions.memory)


def _stage_shard(context: BatchContext, shard: int, rows: TaskRows, decisions: TaskDecisions | None) -> Summary:
    touched = rows.summaries[shard]
    database = context.servers.databases[shard]
    remembering = context.remembering
    keys = [] if remembering is None else pack_keys(rows.of(shard), context.tables, remembering)
    lines: dict[str, bytes] = {}
    failpoint("before-stage", database)

    def load(connection: Connection[Any], placing: frozenset[str]) -> Summary:
        summary = with_inserted(touched, placing)
        lines.clear()
        record_step(connection, context.migration, context.batch, step=STAGE_STEP, summary=summary)
        if remembering is not None:
            remember_keys(connection, context.migration, context.batch, keys, oldest=remembering.oldest)
        if decisions is not None:
            _record(connection, context=context, decisions=decisions, shard=shard)
        for logical in summary:
            forget_finished(connection, context.tables[logical], context.batch)
        loaded = dict.fromkeys(summary, 0)
        for share in rows.of(shard):
            table = context.tables[share.logical]
            if share.logical in placing:
                new, share = without_new(share)
                place_rows(connection, table, context.suffixes[share.logical], new)
            names = [*STAGE_COLUMNS, *(column.target for column in table.columns), *_marks(table)]
            payload = _lines(context, table, share, first=loaded[share.logical])
            if share.logical in lines:  # the next piece
                send_waiting(connection)
            lines[share.logical] = payload
            loaded[share.logical] += payload.count(b"\n")
            load_later(connection, load_rows, table.ours.stage, names, hexadecimal=table.byte_columns, payload=payload)
        for logical in summary.keys() & context.settling.keys():
            set_variables(connection, sw_batch=context.batch)
            execute_later(connection, context.settling[logical])
        send_waiting(connection)
        if context.guard is not None:
            rows_database = context.databases[shard]
            context.guard.require_owned(connection, context.tables, context.batch, rows_database, summary)
        return summary

    with _connection(context, shard) as connection:
        for logical in touched.keys() - context.roomy:
            make_room(connection, context.tables[logical], context.batch, writer=context.writer)
        try:
            placing = context.placing if keys else frozenset()
            if not (context.merged or placing):
                return {TO_MERGE: {}}
            try:
                summary = context.writer.transaction(connection, lambda c: load(c, placing))
            except DirectInsertFailed:
                if not context.merged:
                    return {TO_MERGE: {}}
                summary = context.writer.transaction(connection, lambda c: load(c, frozenset()))
        except ForeignRowsFound as found:
            return {REFUSED: {row: {} for row in found.rows}}
        except AlreadyRecorded:
            # Spark ran this task again after its commit (hazard A4): the first attempt's decisions are valid.
            recorded: Summary = read_summary(connection, context.migration, context.batch, step=STAGE_STEP)
            return recorded
        except pymysql.err.MySQLError as error:
            refused = find_refused_rows(connection, error, context.tables, lines, held=context.quarantined)
            if not refused:
                raise
            return {REFUSED: {row: {} for row in refused}}
    failpoint("after-stage", database)
    return summary


def _lines(context: BatchContext, table: TablePlan, share: Share, *, first: int) -> bytes:
    """Whole rows for upserts, the key alone for rows that leave; counted from `first`."""
    whole, keys = share.whole, share.keys
    values = {name: pc.list_element(keys.column("key"), at) for at, name in enumerate(table.key)}
    columns = [*(values.get(column.target) for column in table.columns), *(None for _ in _marks(table))]
    return b"".join(
        (
            render_lines(_prefix(context, table, whole, first=first), one_array(whole.column("row")))
            if len(whole)
            else b"",
            render_columns(_prefix(context, table, keys, first=first + len(whole)), columns) if len(keys) else b"",
        )
    )


def _prefix(context: BatchContext, table: TablePlan, rows: pa.Table, *, first: int) -> list[pa.Array | pa.ChunkedArray]:
    """The values of STAGE_COLUMNS, in that order; lines are counted from `first`."""
    sources = pa.array([str(name) for name in table.sources], pa.string())
    return [
        pa.repeat(pa.scalar(context.batch), len(rows)),
        rows.column("part"),
        rows.column("action"),
        pa.array(range(first, first + len(rows)), pa.int32()),
        *(rows.column(name) for name in ("file", "offset", "line")),
        pc.index_in(rows.column("source_table"), sources),
        rows.column("version_before"),
    ]


def _marks(table: TablePlan) -> tuple[str, ...]:
    return (CHANGED,) if table.writes.marks_columns else ()
