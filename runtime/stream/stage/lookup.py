"""Which of a batch's keys exist on their shard already, with which version, and on the way back: where do they belong?

`looker` runs in Spark tasks and reads the shards.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from typing import Any

import pyarrow as pa  # at run time too: Spark reads the functions' annotations
from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan, StepName, TablePlan, at_place
from shardwright.compiler.sql.transport import one_spelling
from shardwright.runtime.mysql.keys import rows_by_key
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.stream.stage.stage import BatchContext

FOUND_COLUMNS = "found boolean, found_version string, found_home string, snapshot_open boolean"

_FOUND = pa.schema([("found", pa.bool_()), ("found_version", pa.string()), ("found_home", pa.string())])
_NOTHING = (None, None)
Found = dict[tuple[str, ...], tuple[str | None, ...]]
"""Key -> version and home."""


def find_places(
    plan: Plan, servers: Servers, logical: str, *, keys: Sequence[tuple[str, ...]]
) -> frozenset[tuple[int, int]]:
    """Shard and part of every physical table that has a row of one of these keys. Called in the driver; asks all of
    the table's physical tables, one after the other."""
    if not keys:
        return frozenset()
    table, sql = plan.table(logical), plan.step(logical, StepName.LOOKUP).statement("lookup")
    kinds = [column.type for column in table.key_columns]
    found: set[tuple[int, int]] = set()
    for shard in plan.shards(table):
        with closing(servers.connect_shard(shard)) as connection:
            for part, suffix in enumerate(plan.parts(table)):
                if rows_by_key(connection, at_place(sql, plan.databases[shard], suffix), kinds, keys=keys):
                    found.add((shard, part))
    return frozenset(found)


def looker(
    context: BatchContext, *, lookups: dict[str, str], snapshot_open: bool
) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """A function for mapInArrow over routed changes: adds FOUND_COLUMNS. `lookups`: table -> SQL."""

    def look_up(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        connections: dict[int, Connection[Any]] = {}
        try:
            for batch in batches:
                found = _with_found(context, batch, connections, lookups=lookups)
                yield found.append_column("snapshot_open", pa.repeat(pa.scalar(snapshot_open), batch.num_rows))
        finally:
            for connection in connections.values():
                connection.close()

    return look_up


def _with_found(
    context: BatchContext,
    batch: pa.RecordBatch,
    connections: dict[int, Connection[Any]],
    *,
    lookups: dict[str, str],
) -> pa.RecordBatch:
    names, shards, parts, keys = (batch.column(name).to_pylist() for name in ("table", "shard", "part", "key"))
    wanted: dict[tuple[str, int, int], set[tuple[str, ...]]] = defaultdict(set)
    for name, shard, part, key in zip(names, shards, parts, keys, strict=True):
        wanted[(name, shard, part)].add(tuple(key))
    found: dict[tuple[str, int, int], Found] = {}
    for place, some_keys in sorted(wanted.items(), key=lambda item: item[0][1]):
        name, shard, part = place
        table = context.tables[name]
        if shard not in connections:
            while connections and context.servers.stream_connections is not None:
                connections.popitem()[1].close()
            connections[shard] = context.servers.connect_shard(shard)
        sql = at_place(lookups[name], context.databases[shard], table.suffixes[part])
        found[place] = _ask(connections[shard], table, sql, keys=sorted(some_keys))
    rows = [
        (tuple(key) in there, *there.get(tuple(key), _NOTHING))
        for name, shard, part, key in zip(names, shards, parts, keys, strict=True)
        for there in [found[(name, shard, part)]]
    ]
    for at, field in enumerate(_FOUND):
        batch = batch.append_column(field.name, pa.array([row[at] for row in rows], field.type))
    return batch


def _ask(connection: Connection[Any], table: TablePlan, sql: str, *, keys: list[tuple[str, ...]]) -> Found:
    kinds = [column.type for column in table.key_columns]
    rows = rows_by_key(connection, sql, kinds, keys=keys)
    if table.own is not None and not all(map(one_spelling, kinds)) and rows.keys() - set(keys):
        # The row is spelt otherwise than the event that asks for it: where it belongs matters all the same.
        for key in [key for key in keys if key not in rows]:
            for row in rows_by_key(connection, sql, kinds, keys=[key]).values():
                rows[key] = row
    texts = {key: tuple(None if value is None else str(value) for value in row) for key, row in rows.items()}
    return {key: row if len(row) == len(_NOTHING) else (*row, None) for key, row in texts.items()}
