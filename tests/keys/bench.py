"""Real shards that take changes as a run gives them: routed by the model of the contract, staged and applied by the
product. Spark is left out, so hundreds of histories fit into seconds."""

from __future__ import annotations

import json
import os
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from shardwright.compiler.build import build_plan
from shardwright.compiler.plan.plan import Plan, TablePlan
from shardwright.runtime.ddl.tables.create import create_tables
from shardwright.runtime.ledger.context import RunContext
from shardwright.runtime.ledger.members import begin_on_shard
from shardwright.runtime.ledger.recent_keys import KeyMemory
from shardwright.runtime.ledger.stage_summary import PLACED, TO_MERGE, Summary
from shardwright.runtime.ledger.takeover import take_over_everywhere
from shardwright.runtime.mysql.servers import Servers, servers_of
from shardwright.runtime.rehearsal.dry_run.batch import Event
from shardwright.runtime.rehearsal.dry_run.layout import Layout, layout
from shardwright.runtime.rehearsal.dry_run.model import Answer, Model
from shardwright.runtime.run.bookkeeping import create_bookkeeping
from shardwright.runtime.sources.event_counts import EventCounts
from shardwright.runtime.sources.positions.log_position import LogPosition
from shardwright.runtime.sources.positions.stream_position import StreamPosition
from shardwright.runtime.stream.apply.apply import Applier
from shardwright.runtime.stream.apply.statements import StagedBatch
from shardwright.runtime.stream.batch.affected_tables import all_new, direct_insert_tables, placeable
from shardwright.runtime.stream.batch.recovery import clear_stages
from shardwright.runtime.stream.stage.stage import BatchContext, collapse_statements, stager
from shardwright.specs.environment.read import read_environment
from shardwright.specs.spec.read import read_spec
from tests.compiler.projects import write_texts
from tests.servers.testbed import Arena

Row = tuple[Any, ...]

_STAGED = pa.schema(
    [
        ("table", pa.string()),
        ("source_table", pa.string()),
        ("shard", pa.int32()),
        ("part", pa.int32()),
        ("action", pa.string()),
        ("decision", pa.string()),
        ("key", pa.list_(pa.string())),
        ("file", pa.int64()),
        ("offset", pa.int64()),
        ("line", pa.int32()),
        ("row", pa.list_(pa.string())),
        ("version_before", pa.string()),
    ]
)


def _to_be_staged(change: Answer) -> dict[str, Any]:
    """What the log inserts is taken for new, as in a run that does not ask the shards."""
    new = change["action"] == "upsert" and change["op"] == "I"
    place = change["position"]
    flat = {"file": place["file"], "offset": place["offset"], "line": place["row"]}
    found = {**change, **flat, "decision": "insert" if new else "update"}
    return {name: found[name] for name in _STAGED.names}


def _counts(events: Mapping[str, Sequence[Event]]) -> EventCounts:
    found = [event for some in events.values() for event in some]
    others = {event.source for event in found if event.op != "I"}
    by_table = Counter(event.source for event in found)
    return EventCounts(by_table, {}, frozenset(by_table.keys() - others))


def _position(offset: int) -> StreamPosition:
    return StreamPosition({"source": LogPosition("log.000001", offset)})


@dataclass(frozen=True)
class PresentRow:
    """A row on the shards, and where it stands."""

    row: Row
    shard: int
    part: int


class Bench:
    """The shards of one small migration. A test may take statements out of `settling`, and may have few `rows_at_once`
    come to staging. `placed` counts the rows that went in place when they were staged, `refused` the batches of inserts
    alone of which a shard refused rows."""

    def __init__(self, arena: Arena, folder: Path, spec_text: str, schema: str) -> None:
        write_texts(folder, spec_text, schema)
        spec = read_spec(str(folder / "spec.yaml"))
        made = build_plan(spec, schema=schema, ddl={})
        self.plan: Plan = made.plan
        environment = arena.prepare(
            folder, source_databases=spec.source.databases, target_databases=spec.target.databases
        )
        arena.source.run_script(folder / "schema.sql", database=spec.source.databases[0])
        self.environment = read_environment(str(environment), databases=self.plan.databases)
        self.servers: Servers = servers_of(self.environment, self.plan, os.environ)
        self.writer = take_over_everywhere(self.servers, role="data")
        create_tables(
            self.plan,
            connect=lambda name: self.servers.connect_shard(self.plan.databases.index(name)),
            limit=2,
            on_progress=lambda _progress: None,
        )
        create_bookkeeping(self.plan, self.servers)
        for _, connection in self.servers.each_shard():
            begin_on_shard(connection, self.plan.migration, _position(4))
        self.layouts: Mapping[str, Layout] = {
            table.logical: layout(spec, self.plan, table, made.functions, made.mappings.get(table.logical))
            for table in self.plan.tables
        }
        self.applier = Applier(self.plan, self.servers, self.writer)
        self.settling = collapse_statements(self.plan)
        self.rows_at_once: int | None = None
        self.placed = 0
        self.refused = 0
        self._batch = 0

    def deliver(self, events: Mapping[str, Sequence[Event]], *, copying: bool = False) -> None:
        """One batch: `events` by logical table, in any order."""
        self._batch += 1
        context = self._context(events, copying=copying)
        shares = sorted(self._shares(events).items())
        work = {shard: self._stage(context, rows) for shard, rows in shares}
        if any(TO_MERGE in summary for summary in work.values()):
            self.refused += 1
            self._clear()
            context = self._context(events, copying=copying, merged=True)
            work = {shard: self._stage(context, rows) for shard, rows in shares}
        self.applier.apply(
            StagedBatch(self._batch, work, _position(1000 * self._batch), copying=copying, remembering=copying)
        )

    def begin(self, events: Mapping[str, Sequence[Event]], *, shards: Sequence[int]) -> None:
        """A batch that ends when only `shards` have staged it; a run has begun anew since."""
        self._batch += 1
        context = self._context(events, copying=False)
        for shard, rows in self._shares(events).items():
            if shard in shards:
                self._stage(context, rows)
        self._clear()
        self._batch -= 1

    def _clear(self) -> None:
        control = self.servers.connect_shard(0)
        clear_stages(RunContext(self.plan, self.servers, control, self.writer), self._batch)
        control.close()

    def _context(self, events: Mapping[str, Sequence[Event]], *, copying: bool, merged: bool = False) -> BatchContext:
        suffixes = placeable(self.plan)
        merged = merged or copying or not all_new(self.plan, suffixes.keys(), events.keys(), _counts(events))
        placing = direct_insert_tables(self.plan, suffixes.keys(), events.keys()) if merged else frozenset(events)
        return BatchContext(
            self.plan.migration,
            self.plan.databases,
            self._batch,
            self.writer,
            self.servers,
            {table.logical: table for table in self.plan.tables},
            self.settling,
            remembering=KeyMemory(self._batch, 100_000),
            suffixes=suffixes,
            placing=frozenset() if copying else placing,
            merged=merged,
        )

    def _shares(self, events: Mapping[str, Sequence[Event]]) -> dict[int, list[dict[str, Any]]]:
        shares: dict[int, list[dict[str, Any]]] = defaultdict(list)
        for logical, some in events.items():
            for change in Model(self.layouts[logical]).route(some):
                shares[change["shard"]].append(_to_be_staged(change))
        return shares

    def _stage(self, context: BatchContext, rows: list[dict[str, Any]]) -> Summary:
        batch = pa.RecordBatch.from_pylist(rows, schema=_STAGED)
        at_once = self.rows_at_once or max(len(rows), 1)
        (answer,) = stager(context)(batch.slice(at, at_once) for at in range(0, len(rows), at_once))
        summary: Summary = json.loads(answer.column("summary")[0].as_py())
        self.placed += sum(sum(actions.get(PLACED, {}).values()) for actions in summary.values())
        return summary

    def read_rows(self, table: TablePlan) -> list[PresentRow]:
        """All rows of the table on all shards."""
        names = ", ".join(f"`{column.target}`" for column in table.columns)
        found = []
        for shard in self.plan.shards(table):
            connection = self.servers.connect_shard(shard)
            with connection, connection.cursor() as cursor:
                for part, suffix in enumerate(self.plan.parts(table)):
                    cursor.execute(f"SELECT {names} FROM `{table.logical}{suffix}`")
                    found += [PresentRow(tuple(row), shard, part) for row in cursor.fetchall()]
        return found
