"""How do the rows of tables without a key come to the shards, each exactly once?

Such a table is read whole in the transaction at the source that proves the start position (C3). Its rows are staged as
the decisions of batch 1, which begins and ends at that position: no event of the stream is older than the rows, so
none is counted twice. The migration is recorded as begun together with the batch. From then on the batch is one like
any other: recovery finishes it from the stages.

Runs in the driver; writes the stages of all shards, and for shards with rows their ledgers. The migration has not begun
yet: after a crash the next run empties the stages, and reads the tables again at a new position.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pymysql.connections import Connection

from shardwright.compiler.plan.plan import SourceName, StepName, TablePlan
from shardwright.compiler.sql.sql_text import quoted
from shardwright.compiler.steps.bookkeeping import STAGE_COLUMNS
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.ledger.context import RunContext
from shardwright.runtime.ledger.stage_summary import Summary
from shardwright.runtime.ledger.steps import forget_steps, record_step
from shardwright.runtime.mysql.keys import source_sql
from shardwright.runtime.mysql.load_data import connect_for_loading, load_rows
from shardwright.runtime.mysql.load_lines import render_lines
from shardwright.runtime.mysql.raw_connection import RawConnection
from shardwright.runtime.mysql.text_protocol import stream_placed_rows
from shardwright.runtime.mysql.transactions import execute
from shardwright.runtime.stream.stage.stage import STAGE_STEP

FIRST_BATCH: Final = 1


def stage_counted_tables(context: RunContext, readers: Mapping[str, RawConnection]) -> dict[int, Summary]:
    """`readers`, by source table, read at the start position. Returns what each shard has to do in batch 1; empty where
    there are no rows."""
    tables = context.plan.counted
    if not tables:
        return {}
    with ExitStack() as opened:
        stages = [_Stage.opened(context, shard, opened) for shard in range(len(context.servers.databases))]
        for stage in stages:
            stage.clear(tables)
        for table in tables:
            for source in table.sources:
                _stage_table(context, table, source, reader=readers[str(source)], stages=stages)
            rows = sum(stage.lines.get(table.logical, 0) for stage in stages)
            context.log_line(f"{table.logical} has no key: {rows} rows staged, as they are where the stream begins")
        for stage in stages:
            stage.record()
        return {stage.shard: stage.work for stage in stages if stage.work}


@dataclass
class _Stage:
    """The stages of one shard. Each method is one transaction, or several."""

    context: RunContext
    """Plan, servers, fenced writer."""
    shard: int
    """Its number."""
    connection: Connection[Any]
    """To the shard, for loading."""
    work: Summary = field(default_factory=dict)
    """What was staged."""
    lines: dict[str, int] = field(default_factory=dict)
    """Logical table -> rows that were staged."""

    @classmethod
    def opened(cls, context: RunContext, shard: int, opened: ExitStack) -> _Stage:
        connection = connect_for_loading(context.servers.shards[shard], context.servers.databases[shard])
        opened.callback(connection.close)
        context.writer.record(connection)
        return cls(context, shard, connection)

    def clear(self, tables: tuple[TablePlan, ...]) -> None:
        """What an earlier run has staged that died before the migration had begun."""

        def work(connection: Connection[Any]) -> None:
            for table in tables:
                execute(connection, f"DELETE FROM {quoted(table.stage_table)}")
            forget_steps(connection, self.context.migration, FIRST_BATCH)

        self.context.writer.transaction(self.connection, work)

    def load(self, table: TablePlan, source: SourceName, parts: pa.Array, values: pa.ListArray) -> None:
        """`values` are the target's, `parts` their physical tables."""
        names = [*STAGE_COLUMNS, *(column.target for column in table.columns)]
        first, count = self.lines.get(table.logical, 0), len(values)
        start = {
            "sw_batch": FIRST_BATCH,
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
            lambda c: load_rows(c, table.stage_table, names, hexadecimal=table.byte_columns, payload=payload),
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
            record_step(connection, self.context.migration, FIRST_BATCH, step=STAGE_STEP, summary=self.work)

        self.context.writer.transaction(self.connection, work)
        failpoint("after-counted-stage-recorded")


def _stage_table(
    context: RunContext, table: TablePlan, source: SourceName, *, reader: RawConnection, stages: list[_Stage]
) -> None:
    sql = source_sql(context.plan.step(table.logical, StepName.CHUNK_READ).statement("whole"), source)
    for places, rows in stream_placed_rows(reader, sql, columns=len(table.columns)):
        broadcast = context.plan.shards(table) if table.distribution == "broadcast" else None
        for shard in broadcast or np.unique(places[:, 0]).tolist():
            at = np.arange(len(rows)) if broadcast else np.flatnonzero(places[:, 0] == shard)
            stages[shard].load(table, source, pa.array(places[at, 1]), rows.take(pa.array(at)))
