"""Where parents are placed, which rows are excluded, and which child rows must move with a parent: look-ups for
families.

The look-ups run in Spark tasks; the driver makes them from the plan. Reads the lookup tables on the first shard and
child rows on all shards.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import pyarrow as pa  # at run time too: Spark reads the functions' annotations
from pymysql.connections import Connection

from shardwright.compiler.plan.plan import ORPHANS, Plan, StepName, TablePlan, at_place, with_suffix
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.mysql.keys import key_text, rows_by_key, with_keys
from shardwright.runtime.mysql.raw_connection import RawConnection
from shardwright.runtime.mysql.servers import Servers, connect
from shardwright.runtime.mysql.text_protocol import fetch_rows

_POSITION = "struct<epoch:bigint,file:bigint,offset:bigint,row:int>"
_PLACE = "struct<shard:int,part:int>"
RECORDED_SCHEMA = "lookup_table string, key array<string>, shard int, part int"
MOVED_SCHEMA = (
    f"`table` string, at_start {_PLACE}, at_end {_PLACE}, position {_POSITION}, committed_at bigint, `row` "
    "array<string>"
)
FOUND_ROWS_SCHEMA = (
    "source_table string, chunk bigint, `row` array<string>, via array<string>, key array<string>, shard int, part "
    "int, excluded boolean"
)
_PARENTS_AT_ONCE = 500

Key = tuple[str, ...]
Arrow = Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]


@dataclass(frozen=True, slots=True)
class Family:
    """What a task needs for look-ups about families. Small and picklable."""

    servers: Servers
    """The addresses of all shards."""
    lookup_tables: Mapping[str, TablePlan]
    """Logical name -> lookup table (parents' places, excluded keys)."""
    children: Mapping[str, TablePlan]
    """Logical name -> child table."""
    places_sql: Mapping[str, str]
    """Lookup table -> statement that reads parents' places by key; only of lookup tables that hold places."""
    departed_sql: Mapping[str, str]
    """Lookup table -> statement that reads which keys are excluded."""
    children_sql: Mapping[str, str]
    """Child table -> statement that reads its rows by their parents' keys."""

    def connect_first_shard(self) -> Connection[Any]:
        return self.servers.connect_shard(ORPHANS[0])


def family_of(plan: Plan, servers: Servers) -> Family:
    lookups = {
        lookup_table.logical: plan.step(lookup_table.logical, StepName.LOOKUP) for lookup_table in plan.lookup_tables
    }
    children = {table.logical: table for table in plan.children}
    return Family(
        servers=servers,
        lookup_tables={lookup_table.logical: lookup_table for lookup_table in plan.lookup_tables},
        children=children,
        places_sql={name: step.statement("places") for name, step in lookups.items() if step.has("places")},
        departed_sql={name: step.statement("lookup") for name, step in lookups.items()},
        children_sql={name: plan.step(name, StepName.LOOKUP).statement("children") for name in children},
    )


def places_looker(family: Family) -> Arrow:
    """For mapInArrow over (`lookup_table`, `key`): adds shard and part, NULL for a parent that does not exist.
    RECORDED_SCHEMA."""

    def look_up(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with closing(family.connect_first_shard()) as connection:
            for batch in batches:
                lookup_tables, keys = (batch.column(name).to_pylist() for name in ("lookup_table", "key"))
                wanted: dict[str, set[Key]] = defaultdict(set)
                for lookup_table, key in zip(lookup_tables, keys, strict=True):
                    wanted[lookup_table].add(tuple(key))
                found = {
                    lookup_table: _places(family, connection, lookup_table, wanted=some)
                    for lookup_table, some in wanted.items()
                }
                places = [
                    found[lookup_table].get(tuple(key)) for lookup_table, key in zip(lookup_tables, keys, strict=True)
                ]
                yield _with_places(batch, places)

    return look_up


def chunk_looker(family: Family, table: TablePlan) -> Arrow:
    """For mapInArrow over a chunk's rows with `via` and `key`: adds shard, part and excluded. FOUND_ROWS_SCHEMA."""
    assert table.parent is not None
    link, excluded_keys_table = table.parent, family.lookup_tables[table.parent.excluded]

    def look_up(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with closing(family.connect_first_shard()) as connection:
            for batch in batches:
                vias = [tuple(via) for via in batch.column("via").to_pylist()]
                keys = [tuple(key) for key in batch.column("key").to_pylist()]
                places = _places(family, connection, link.places, wanted=set(vias))
                kinds = [column.type for column in excluded_keys_table.key_columns]
                sql = with_suffix(family.departed_sql[link.excluded], "")
                excluded = rows_by_key(connection, sql, kinds, keys=sorted(set(keys)))
                placed = _with_places(batch, [places.get(via) for via in vias])
                yield placed.append_column("excluded", pa.array([key in excluded for key in keys], pa.bool_()))

    return look_up


def children_reader(family: Family) -> Arrow:
    """For mapInArrow over parents that move (table, key, at_start, at_end, position, committed_at), `table` being the
    child: the child's rows at the place `at_start`. MOVED_SCHEMA."""

    def read(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        connections: dict[int, RawConnection] = {}
        try:
            for batch in batches:
                yield from _read_children(family, batch.to_pylist(), connections)
        finally:
            for connection in connections.values():
                connection.close()

    return read


def _read_children(
    family: Family, parents: list[dict[str, Any]], connections: dict[int, RawConnection]
) -> Iterator[pa.RecordBatch]:
    groups: dict[tuple[str, int, int], dict[Key, dict[str, Any]]] = defaultdict(dict)
    for parent in parents:
        start = parent["at_start"]
        groups[(parent["table"], start["shard"], start["part"])][tuple(parent["key"])] = parent
    for (name, shard, part), by_key in groups.items():
        table = family.children[name]
        connection = connections.get(shard)
        if connection is None:
            found = connect(family.servers.shards[shard], family.servers.databases[shard], kind=RawConnection)
            assert isinstance(found, RawConnection)
            connection = connections[shard] = found
        sql = at_place(family.children_sql[name], family.servers.targets[shard], table.suffixes[part])
        keys = _whole(by_key, len(table.via_columns))
        for at in range(0, len(keys), _PARENTS_AT_ONCE):
            yield _children(
                connection, table, sql, parents={key: by_key[key] for key in keys[at : at + _PARENTS_AT_ONCE]}
            )
        failpoint("after-children-read", family.servers.databases[shard])


def _children(
    connection: RawConnection, table: TablePlan, sql: str, *, parents: Mapping[Key, Mapping[str, Any]]
) -> pa.RecordBatch:
    kinds = [column.type for column in table.via_columns]
    statement = with_keys(sql, connection, kinds, list(parents))
    rows = fetch_rows(connection, statement, columns=len(table.columns)).to_pylist()
    index = [table.columns.index(column) for column in table.via_columns]
    moved = []
    for row in rows:
        parent = parents[tuple(key_text(row[at], kind) for at, kind in zip(index, kinds, strict=True))]
        moved.append(
            {
                "table": table.logical,
                "at_start": parent["at_start"],
                "at_end": parent["at_end"],
                "position": parent["position"],
                "committed_at": parent["committed_at"],
                "row": row,
            }
        )
    return pa.RecordBatch.from_pylist(moved, schema=_MOVED)


_AT = pa.struct([("shard", pa.int32()), ("part", pa.int32())])
_MOVED = pa.schema(
    [
        ("table", pa.string()),
        ("at_start", _AT),
        ("at_end", _AT),
        (
            "position",
            pa.struct([("epoch", pa.int64()), ("file", pa.int64()), ("offset", pa.int64()), ("row", pa.int32())]),
        ),
        ("committed_at", pa.int64()),
        ("row", pa.list_(pa.string())),
    ]
)


def _places(
    family: Family, connection: Connection[Any], lookup_table: str, *, wanted: set[Key]
) -> dict[Key, tuple[int, int]]:
    kinds = [column.type for column in family.lookup_tables[lookup_table].key_columns]
    rows = rows_by_key(connection, family.places_sql[lookup_table], kinds, keys=_whole(wanted, len(kinds)))
    return {key: (int(shard), int(part)) for key, (shard, part) in rows.items()}


def _whole(keys: Sequence[Key] | set[Key] | Mapping[Key, Any], width: int) -> list[Key]:
    """Keys without a NULL. A key with a NULL is shorter, and no parent has it."""
    return sorted(key for key in keys if len(key) == width)


def _with_places(batch: pa.RecordBatch, places: Sequence[tuple[int, int] | None]) -> pa.RecordBatch:
    shards = pa.array([None if place is None else place[0] for place in places], pa.int32())
    parts = pa.array([None if place is None else place[1] for place in places], pa.int32())
    return batch.append_column("shard", shards).append_column("part", parts)
