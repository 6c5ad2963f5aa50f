"""How do the rows of tables without a key come to the shards, each exactly once?

Such a table is read whole in a transaction at the source that proves its position (C3). Its rows are staged as the
decisions of a batch that begins and ends where the stream is. In one transaction the batch is recorded as staged, and
the position from which on the table's events count. So none is counted twice and none is left out. From then on the
batch is one like any other: recovery finishes it from the stages.

Where a migration begins, both positions are its start (batch 1). A table that comes to a begun migration, or is copied
again, is read at the start of a run: the stream is behind the read then, and passes over the table's events up to it.

Runs in the driver; writes the stages of all shards, for shards with rows their ledgers, and the first shard's ledger.
After a crash before the batch is recorded, the next run empties the stages and reads the tables again at a new
position.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pymysql.connections import Connection

from shardwright.compiler.plan.plan import StepName, TablePlan
from shardwright.compiler.plan.table_parts import SourceName
from shardwright.compiler.sql.sql_text import quote
from shardwright.compiler.steps.bookkeeping import STAGE_COLUMNS
from shardwright.runtime.events.copy import KeylessRowsStaged
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.ledger.batches import OpenBatch, mark_staged, open_batch, read_migration
from shardwright.runtime.ledger.chunks import chunk_copied, read_read_orders
from shardwright.runtime.ledger.comparison import void_verified
from shardwright.runtime.ledger.context import RunContext
from shardwright.runtime.ledger.stage_summary import Summary
from shardwright.runtime.ledger.steps import forget_steps, record_step
from shardwright.runtime.mysql.keys import source_sql
from shardwright.runtime.mysql.load_data import connect_for_loading, load_rows
from shardwright.runtime.mysql.load_lines import render_lines
from shardwright.runtime.mysql.raw_connection import RawConnection
from shardwright.runtime.mysql.text_protocol import stream_rows_by_place
from shardwright.runtime.mysql.transactions import execute
from shardwright.runtime.snapshot.chunks import Chunk
from shardwright.runtime.sources.source import Sources, read_at_once
from shardwright.runtime.stream.stage.stage import STAGE_STEP

FIRST_BATCH: Final = 1


def copy_ordered_reads(context: RunContext, sources: Sources) -> bool:
    """Stages the tables without a key that are to be read in a begun migration. No batch may be open. Returns whether
    there were any: then their batch is staged, and `recover` applies it."""
    plan, control = context.plan, context.control
    ordered = read_read_orders(control, plan.migration, [table.logical for table in plan.keyless_tables])
    tables = tuple(table for table in plan.keyless_tables if table.logical in ordered)
    if not tables:
        return False
    state = read_migration(control, plan.migration)
    assert state is not None  # the reads are ordered of a migration that has begun
    number = state.batch + 1
    with read_at_once(sources, (str(name) for table in tables for name in table.sources)) as (position, readers):
        counts, work = stage_keyless_tables(context, tables, readers, batch=number)

    def record_staged(connection: Connection[Any]) -> None:
        for chunk, rows in counts.items():
            chunk_copied(connection, plan.migration, chunk.identity, high=position, rows=rows)
        void_verified(connection, plan.migration, why=f"{', '.join(sorted(ordered))} was copied")
        opened = OpenBatch(
            number, plan.fingerprint, "staged", state.position, state.position, state.committed_at, work=work
        )
        open_batch(connection, plan.migration, opened)
        mark_staged(connection, plan.migration, number, work=work)

    failpoint("before-counted-batch-staged")
    context.transaction(record_staged)
    failpoint("after-counted-batch-staged")
    return True


def stage_keyless_tables(
    context: RunContext, tables: Collection[TablePlan], readers: Mapping[str, RawConnection], *, batch: int
) -> tuple[dict[Chunk, int], dict[int, Summary]]:
    """`readers`, by source table, read at the position from which on the tables' events count. Returns the rows read,
    and what each shard has to do in the batch; empty where there are no rows."""
    counts: dict[Chunk, int] = {}
    if not tables:
        return counts, {}
    with ExitStack() as opened:
        shards = range(len(context.servers.databases))
        stages = [_Stage.open(context, shard, batch, opened) for shard in shards]
        for stage in stages:
            stage.clear(tables)
        for table in tables:
            for source in table.sources:
                whole = Chunk(table.logical, source, 0, None, None)
                counts[whole] = _stage_table(context, table, source, reader=readers[str(source)], stages=stages)
            rows = sum(stage.lines.get(table.logical, 0) for stage in stages)
            context.emit(KeylessRowsStaged(table.logical, rows, at_the_start=batch == FIRST_BATCH))
        for stage in stages:
            stage.record()
        return counts, {stage.shard: stage.work for stage in stages if stage.work}


@dataclass
class _Stage:
    """The stages of one shard. Each method is one transaction, or several."""

    context: RunContext
    """Plan, servers, fenced writer."""
    shard: int
    """Its number."""
    batch: int
    """The batch that the rows belong to."""
    connection: Connection[Any]
    """To the shard, for loading."""
    work: Summary = field(default_factory=dict)
    """What was staged."""
    lines: dict[str, int] = field(default_factory=dict)
    """Logical table -> rows that were staged."""

    @classmethod
    def open(cls, context: RunContext, shard: int, batch: int, opened: ExitStack) -> _Stage:
        connection = connect_for_loading(context.servers.shards[shard], context.servers.databases[shard])
        opened.callback(connection.close)
        context.writer.record(connection)
        return cls(context, shard, batch, connection)

    def clear(self, tables: Collection[TablePlan]) -> None:
        """What an earlier run has staged that died before the batch was recorded."""

        def work(connection: Connection[Any]) -> None:
            for table in tables:
                execute(connection, f"DELETE FROM {quote(table.ours.stage)}")
            forget_steps(connection, self.context.migration, self.batch)

        self.context.writer.transaction(self.connection, work)

    def load(self, table: TablePlan, source: SourceName, parts: pa.Array, values: pa.ListArray) -> None:
        """`values` are the target's, `parts` their physical tables."""
        names = [*STAGE_COLUMNS, *(column.target for column in table.columns)]
        first, count = self.lines.get(table.logical, 0), len(values)
        start = {
            "sw_batch": self.batch,
            "sw_action": "upsert",
            "sw_file": 0,
            "sw_offset": 0,
            "sw_row": 0,
            "sw_source": [str(name) for name in table.sources].index(str(source)),
            "sw_version_before": None,
        }
        prefix = {name: pa.repeat(pa.scalar(value), count) for name, value in start.items() if value is not None}
        prefix |= {"sw_part": parts, "sw_line": pa.array(range(first, first + count), pa.int32())}
        columns = [prefix.get(name, pa.nulls(count, pa.string())) for name in STAGE_COLUMNS]
        payload = render_lines(columns, values)
        self.context.writer.transaction(
            self.connection,
            lambda c: load_rows(c, table.ours.stage, names, hexadecimal=table.byte_columns, payload=payload),
        )
        failpoint("after-counted-rows-staged", table.logical)
        self.lines[table.logical] = first + count
        staged = self.work.setdefault(table.logical, {}).setdefault("upsert", {})
        for counted in pc.value_counts(parts).to_pylist():
            part = str(counted["values"])
            staged[part] = staged.get(part, 0) + counted["counts"]

    def record(self) -> None:
        """The shard has its whole share."""
        if not self.work:
            return

        def work(connection: Connection[Any]) -> None:
            record_step(connection, self.context.migration, self.batch, step=STAGE_STEP, summary=self.work)

        self.context.writer.transaction(self.connection, work)
        failpoint("after-counted-stage-recorded")


def _stage_table(
    context: RunContext, table: TablePlan, source: SourceName, *, reader: RawConnection, stages: list[_Stage]
) -> int:
    """Returns how many rows were read."""
    count = 0
    sql = source_sql(context.plan.step(table.logical, StepName.CHUNK_READ).statement("whole"), source)
    for places, rows in stream_rows_by_place(reader, sql, columns=len(table.columns)):
        count += len(rows)
        broadcast = context.plan.shards(table) if table.placement.has_copies else None
        for shard in broadcast or np.unique(places[:, 0]).tolist():
            at = np.arange(len(rows)) if broadcast else np.flatnonzero(places[:, 0] == shard)
            stages[shard].load(table, source, pa.array(places[at, 1]), rows.take(pa.array(at)))
    return count
