"""Batches that a test stages by hand, row by row, applied to real shards without Spark."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from shardwright.compiler.build import build_plan
from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.ddl.tables.create import create_tables
from shardwright.runtime.ledger.members import begin_on_shard
from shardwright.runtime.ledger.takeover import take_over_everywhere
from shardwright.runtime.mysql.servers import Servers, servers_of
from shardwright.runtime.run.bookkeeping import create_bookkeeping
from shardwright.runtime.sources.positions.log_position import LogPosition
from shardwright.runtime.sources.positions.stream_position import StreamPosition
from shardwright.runtime.stream.apply.apply import Applier
from shardwright.runtime.stream.apply.statements import StagedBatch
from shardwright.specs.environment.read import read_environment
from shardwright.specs.spec.read import read_spec
from tests.servers.testbed import Arena

HERE = Path(__file__).parent
START, END = (StreamPosition({"source": LogPosition("log.000001", offset)}) for offset in (4, 400))


class Bench:
    """The shards of an example, and batches that are staged by hand."""

    def __init__(self, arena: Arena, folder: Path, example: str) -> None:
        root = HERE / example
        (spec_file,) = (root / "specs").glob("*.yaml")
        spec = read_spec(str(spec_file))
        self.plan: Plan = build_plan(spec, schema=(root / spec.source.schema).read_text("utf-8"), ddl={}).plan
        environment = arena.prepare(
            folder, source_databases=spec.source.databases, target_databases=spec.target.databases
        )
        self.servers: Servers = servers_of(
            read_environment(str(environment), databases=self.plan.databases), self.plan, os.environ
        )
        writer = take_over_everywhere(self.servers, role="data")
        create_tables(
            self.plan,
            connect=lambda name: self.servers.connect_shard(self.plan.databases.index(name)),
            limit=2,
            on_progress=lambda _progress: None,
        )
        create_bookkeeping(self.plan, self.servers)
        for _, connection in self.servers.each_shard():
            begin_on_shard(connection, self.plan.migration, START)
        self.applier = Applier(self.plan, self.servers, writer)
        self.source = arena.source
        self._batch = 0

    def batch(self, logical: str, rows: Sequence[tuple[str, int, Sequence[object]]], *, copying: bool = False) -> None:
        """(action, number of the source, values) of shard 0, part 0, applied as one batch."""
        self._batch += 1
        table = self.plan.table(logical)
        counts: dict[str, dict[str, int]] = {}
        for number, (action, source, values) in enumerate(rows):
            padded = [*values, *[None] * (len(table.columns) - len(values))]
            marks = ", ".join(["%s"] * (9 + len(padded)))
            self.ask(
                f"INSERT INTO `{table.ours.stage}` VALUES ({marks})",
                (self._batch, 0, action, number, 1, 100 * self._batch, number, source, None, *padded),
            )
            part = counts.setdefault(action, {"0": 0})
            part["0"] += 1
        self.applier.apply(StagedBatch(self._batch, {0: {logical: counts}}, END, copying=copying, remembering=False))

    def ask(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        connection = self.servers.connect_shard(0)
        try:
            with connection.cursor() as cursor:
                cursor.execute(sql, values or None)
                return list(cursor.fetchall())
        finally:
            connection.close()


def bench_of_grid(arena: Arena, folder: Path) -> Bench:
    """Four source tables `notes` on two databases, which make one."""
    bench = Bench(arena, folder, "grid")
    for database in ("mall_0", "mall_1"):
        arena.source.run_script(HERE / "grid" / "schema" / "mall.sql", database=database)
        arena.source.query("CREATE TABLE notes_1 LIKE notes_0", database=database)
    return bench


def notes(bench: Bench) -> list[tuple[Any, ...]]:
    return sorted(bench.ask("SELECT id, note FROM notes"))
