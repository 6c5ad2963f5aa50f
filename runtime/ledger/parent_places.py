"""Where parents are placed, which rows are excluded, and which child rows must move with a parent: look-ups for
families.

The look-ups run in Spark tasks; the driver makes them from the plan. Reads the lookup tables on the first shard and
child rows on all shards.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import pyarrow as pa  # at run time too: Spark reads the functions' annotations
from pymysql.connections import Connection

from shardwright.compiler.expressions.interval import integer_interval
from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.plan.plan import ORPHANS, Plan, Step, StepName, TablePlan, at_place, with_suffix
from shardwright.compiler.sql.transport import one_spelling, pads_spaces
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.mysql.keys import each_row_by_key, key_list, key_text, rows_by_key, with_keys
from shardwright.runtime.mysql.raw_connection import RawConnection
from shardwright.runtime.mysql.servers import Servers, connect
from shardwright.runtime.mysql.text_protocol import fetch_rows
from shardwright.runtime.mysql.transactions import execute, query, set_variables

_POSITION = "struct<epoch:bigint,file:bigint,offset:bigint,row:int>"
_PLACE = "struct<shard:int,part:int>"
RECORDED_SCHEMA = "lookup_table string, key array<string>, shard int, part int, same array<string>, origin string"
"""`same` is one key for all keys that the server calls equal. `origin` says which source table the parent's row is from
where there are several; such a parent has a row for each that has it."""
PLACEMENTS_SCHEMA = (
    f"lookup_table string, key array<string>, at_start {_PLACE}, at_end {_PLACE}, position {_POSITION}, committed_at "
    "bigint"
)
FOLLOWERS_SCHEMA = f"lookup_table string, key array<string>, at_end {_PLACE}, position {_POSITION}, committed_at bigint"
MOVED_SCHEMA = (
    f"`table` string, at_start {_PLACE}, at_end {_PLACE}, position {_POSITION}, committed_at bigint, `row` "
    "array<string>, source_table string"
)
"""`source_table` is the owner of the row, where rows have owners."""
FOUND_ROWS_SCHEMA = (
    "source_table string, chunk bigint, `row` array<string>, via array<string>, key array<string>, shard int, part "
    "int, excluded boolean"
)
_PARENTS_AT_ONCE = 500
_KEYS_AT_ONCE = 2_000

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
    """Logical name -> child table, or lookup table of parents that have a parent: its rows are children of that one."""
    places_sql: Mapping[str, str]
    """Lookup table -> statement that reads parents' places by key; only of lookup tables that hold places."""
    departed_sql: Mapping[str, str]
    """Lookup table -> statement that reads which keys are excluded."""
    children_sql: Mapping[str, str]
    """Such a table -> statement that reads its rows by their parents' keys."""
    asking: Mapping[str, Step]
    """Lookup table -> the step that asks it; only of those in which one key may be spelt in several ways."""

    def connect_first_shard(self) -> Connection[Any]:
        return self.servers.connect_shard(ORPHANS[0])


def family_of(plan: Plan, servers: Servers) -> Family:
    lookups = {
        lookup_table.logical: plan.step(lookup_table.logical, StepName.LOOKUP) for lookup_table in plan.lookup_tables
    }
    children = {table.logical: table for table in plan.target_tables if table.placement.parent is not None}
    return Family(
        servers=servers,
        lookup_tables={lookup_table.logical: lookup_table for lookup_table in plan.lookup_tables},
        children=children,
        places_sql={name: step.statement("places") for name, step in lookups.items() if step.has("places")},
        departed_sql={name: step.statement("lookup") for name, step in lookups.items()},
        children_sql={name: plan.step(name, StepName.LOOKUP).statement("children") for name in children},
        asking={name: step for name, step in lookups.items() if step.has("answers")},
    )


def places_looker(family: Family) -> Arrow:
    """For mapInArrow over (`lookup_table`, `key`): adds shard and part, NULL for a parent that does not exist, the key
    that stands for all that are the same, and the source table where several may have the parent. Where keys may be
    spelt in several ways, all must come to one task. RECORDED_SCHEMA."""

    def look_up(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with closing(family.connect_first_shard()) as connection:
            for batch in _whole_batch(batches) if family.asking else batches:
                lookup_tables, keys = (batch.column(name).to_pylist() for name in ("lookup_table", "key"))
                wanted: dict[str, set[Key]] = defaultdict(set)
                for lookup_table, key in zip(lookup_tables, keys, strict=True):
                    wanted[lookup_table].add(tuple(key))
                found = {
                    lookup_table: _places(family, connection, lookup_table, wanted=some)
                    for lookup_table, some in wanted.items()
                }
                yield _record_batch(found, zip(lookup_tables, map(tuple, keys), strict=True))

    return look_up


_NOWHERE = (None, None, None)


def _record_batch(found: Mapping[str, _Answer], asked: Iterable[tuple[str, Key]]) -> pa.RecordBatch:
    rows = [
        (name, list(key), shard, part, list(found[name].same.get(key, key)), origin)
        for name, key in asked
        for shard, part, origin in found[name].rows.get(key) or (_NOWHERE,)
    ]
    columns = zip(*rows, strict=True) if rows else [()] * len(_RECORDED)
    return pa.RecordBatch.from_arrays(
        [pa.array(values, field.type) for values, field in zip(columns, _RECORDED, strict=True)], schema=_RECORDED
    )


def _whole_batch(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """All of a task's rows as one batch; none where it has none."""
    found = list(batches)
    if found:
        yield from pa.Table.from_batches(found).combine_chunks().to_batches()


def chunk_looker(family: Family, table: TablePlan) -> Arrow:
    """For mapInArrow over a chunk's rows with `via` and `key`: adds shard, part and excluded. FOUND_ROWS_SCHEMA."""
    assert table.placement.parent is not None
    link, excluded_keys_table = table.placement.parent, family.lookup_tables[table.placement.parent.excluded]

    def look_up(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with closing(family.connect_first_shard()) as connection:
            for batch in batches:
                vias = [tuple(via) for via in batch.column("via").to_pylist()]
                keys = [tuple(key) for key in batch.column("key").to_pylist()]
                places = _places(family, connection, link.places, wanted=set(vias))
                excluded = _find_excluded(family, connection, excluded_keys_table, wanted=set(keys))
                placed = _with_places(batch, [places.place(via) for via in vias])
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
        if table.ours.owner is not None:
            set_variables(connection, sw_part=part)
        keys = _whole(by_key, len(table.via_columns))
        # Else only the server knows which of several parents a row names.
        at_once = _PARENTS_AT_ONCE if all(one_spelling(column.type) for column in table.via_columns) else 1
        for at in range(0, len(keys), at_once):
            yield _children(connection, table, sql, parents={key: by_key[key] for key in keys[at : at + at_once]})
        failpoint("after-children-read", family.servers.databases[shard])


def _children(
    connection: RawConnection, table: TablePlan, sql: str, *, parents: Mapping[Key, Mapping[str, Any]]
) -> pa.RecordBatch:
    kinds = [column.type for column in table.via_columns]
    statement = with_keys(sql, connection, kinds, list(parents))
    owned = table.ours.owner is not None
    rows = fetch_rows(connection, statement, columns=len(table.columns) + owned).to_pylist()
    index = [table.columns.index(column) for column in table.via_columns]
    moved = []
    only = next(iter(parents.values())) if len(parents) == 1 else None
    for row in rows:
        # A row without an owner is none of a run's: it goes along as one of the first source.
        owner = table.sources[int(row.pop() or 0)] if owned else None
        parent = only or parents[tuple(key_text(row[at], kind) for at, kind in zip(index, kinds, strict=True))]
        moved.append(
            {
                "table": table.logical,
                "at_start": parent["at_start"],
                "at_end": parent["at_end"],
                "position": parent["position"],
                "committed_at": parent["committed_at"],
                "row": row,
                "source_table": None if owner is None else str(owner),
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
        ("source_table", pa.string()),
    ]
)
_RECORDED = pa.schema(
    [
        ("lookup_table", pa.string()),
        ("key", pa.list_(pa.string())),
        ("shard", pa.int32()),
        ("part", pa.int32()),
        ("same", pa.list_(pa.string())),
        ("origin", pa.string()),
    ]
)


@dataclass(frozen=True, slots=True)
class _Answer:
    """By key as it was asked for: the rows of the lookup table as the statement has them (shard, part, and which source
    table the parent is from where there are several), and the key that stands for all that are the same."""

    rows: Mapping[Key, Sequence[tuple[int, int, str | None]]]
    same: Mapping[Key, Key]

    def place(self, key: Key) -> tuple[int, int] | None:
        """Where the parent is: the first row counts."""
        rows = self.rows.get(key)
        return rows[0][:2] if rows else None


def _places(family: Family, connection: Connection[Any], lookup_table: str, *, wanted: set[Key]) -> _Answer:
    kinds = [column.type for column in family.lookup_tables[lookup_table].lookup_columns]
    keys = _whole(wanted, len(kinds))
    found: dict[Key, list[tuple[int, int, str | None]]] = defaultdict(list)
    if (step := family.asking.get(lookup_table)) is None:
        for key, row in each_row_by_key(connection, family.places_sql[lookup_table], kinds, keys=keys):
            found[key].append(_row(*row))
        return _Answer(found, {})
    answers = _answers(connection, step, kinds, keys)
    for key, rows in answers.items():
        found[key] += [_row(*row) for _, *row in rows if row[0] is not None]
    return _Answer(found, {key: keys[rows[0][0]] for key, rows in answers.items()})


def _row(shard: Any, part: Any, origin: str | None = None) -> tuple[int, int, str | None]:
    return int(shard), int(part), origin


def _find_excluded(
    family: Family, connection: Connection[Any], table: TablePlan, *, wanted: set[Key]
) -> Container[Key]:
    kinds, keys = [column.type for column in table.key_columns], sorted(wanted)
    if (step := family.asking.get(table.logical)) is not None:
        return {key for key, rows in _answers(connection, step, kinds, keys).items() if rows[0][1] is not None}
    return rows_by_key(connection, with_suffix(family.departed_sql[table.logical], ""), kinds, keys=keys)


def _answers(
    connection: Connection[Any], step: Step, kinds: Sequence[ColumnType], keys: Sequence[Key]
) -> Mapping[Key, Sequence[tuple[Any, ...]]]:
    """By key: the number of the first key that is the same, and what each row of the lookup table has. A key that its
    columns could not hold is none of anybody's."""
    asked = [(str(number), *_as_stored(key, kinds)) for number, key in enumerate(keys) if _fits(key, kinds)]
    if not asked:
        return {}
    execute(connection, step.statement("asked_table"))
    execute(connection, step.statement("first_table"))
    try:
        for at in range(0, len(asked), _KEYS_AT_ONCE):
            listed = key_list(connection, [ColumnType("int"), *kinds], asked[at : at + _KEYS_AT_ONCE])
            execute(connection, step.statement("ask").replace("(`${keys}`)", listed))
        execute(connection, step.statement("first"))
        found: dict[Key, list[tuple[Any, ...]]] = defaultdict(list)
        for number, *row in query(connection, step.statement("answers")):
            found[keys[number]].append(tuple(row))
        return found
    finally:
        execute(connection, step.statement("forget_asked"))
        execute(connection, step.statement("forget_first"))


def _as_stored(key: Key, kinds: Sequence[ColumnType]) -> Key:
    """Without the spaces at the end that the server does not compare."""
    return tuple(
        text.rstrip(" ") if kind.is_text and pads_spaces(kind) else text for text, kind in zip(key, kinds, strict=True)
    )


def _fits(key: Key, kinds: Sequence[ColumnType]) -> bool:
    """Whether the parent's columns can have the key: the child's may be wider."""
    for text, kind in zip(_as_stored(key, kinds), kinds, strict=True):
        if kind.is_integer:
            holds = integer_interval(kind)
            if not holds.low <= int(text) <= holds.high:
                return False
        size = len(text) // 2 if kind.is_bytes else len(text)
        if (kind.is_text or kind.name == "varbinary") and kind.length is not None and size > kind.length:
            return False
    return True


def _whole(keys: Sequence[Key] | set[Key] | Mapping[Key, Any], width: int) -> list[Key]:
    """Keys without a NULL. A key with a NULL is shorter, and no parent has it."""
    return sorted(key for key in keys if len(key) == width)


def _with_places(batch: pa.RecordBatch, places: Sequence[tuple[int, int] | None]) -> pa.RecordBatch:
    shards = pa.array([None if place is None else place[0] for place in places], pa.int32())
    parts = pa.array([None if place is None else place[1] for place in places], pa.int32())
    return batch.append_column("shard", shards).append_column("part", parts)
