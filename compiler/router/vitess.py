"""Which VSchema makes Vitess place rows as the plan does? Pure.

A shard of Vitess is one range of keyspace ids, so the rules that it can express are `range` over integers (the vindex
`numeric`, whose keyspace id is the key) and `lookup` of integers (`numeric_static_map`). Its hashes are no modulo:
where a rule computes one, this output is refused. See https://vitess.io/docs/reference/features/vindexes/.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from shardwright.compiler.expressions.ladder import Ladder, ValueChoice
from shardwright.compiler.expressions.leaves import IntegerColumn
from shardwright.compiler.router.model import RoutedTable, Router
from shardwright.compiler.router.refusal import NotRouted, require_own_key

SHARDS = "shards.json"
_FIRST_LISTED = 2**63
"""Keyspace ids from here on belong to keys that a `lookup` lists: no other key gets there."""
_LISTED_STEP = 2**48


@dataclass(frozen=True, slots=True)
class _Ranges:
    """`databases[i]` (an index of the router's) has the keyspace ids from `starts[i]` on; the first start is 0."""

    starts: tuple[int, ...]
    databases: tuple[int, ...]

    def start(self, database: int) -> int:
        return self.starts[self.databases.index(database)]

    def shard(self, database: int) -> str:
        """The name of a shard in Vitess: both ends in hexadecimal digits."""
        at = self.databases.index(database)
        end = _hexadecimal(self.starts[at + 1]) if at + 1 < len(self.starts) else ""
        return f"{_hexadecimal(self.starts[at])}-{end}"


def vitess(router: Router) -> Mapping[str, str]:
    """The files by name: the VSchema of the keyspace, and the shard of each database. Raises NotRouted."""
    ranges = _find_ranges(router)
    tables: dict[str, object] = {}
    vindexes: dict[str, object] = {}
    for table in router.tables:
        name = _require_one_name(table)
        if table.copies:
            tables[name] = {"type": "reference"}
        elif table.function is None:
            start = ranges.start(table.databases[0])
            tables[name] = {"pinned": _hexadecimal(start) or "00"}
        else:
            vindex, made = _vindex(table, ranges)
            vindexes[vindex] = made
            tables[name] = {"column_vindexes": [{"column": table.key[0][1], "name": vindex}]}
    schema = {"sharded": True, "vindexes": vindexes, "tables": tables}
    shards = {name: ranges.shard(index) for index, name in enumerate(router.databases)}
    return {"vschema.json": _to_json(schema), SHARDS: _to_json(shards)}


def _find_ranges(router: Router) -> _Ranges:
    """Those that all rules agree on. Each database has exactly one."""
    found: tuple[_Ranges, RoutedTable] | None = None
    for table in router.tables:
        if table.function is None:
            continue
        ranges = _ranges_of(table)
        if found is not None and found[0] != ranges:
            message = f"'{table.logical}' has other ranges than '{found[1].logical}': shards of a keyspace have one"
            raise NotRouted("SW5302", table.logical, message)
        found = found or (ranges, table)
    every = tuple(range(len(router.databases)))
    if found is None:
        width = 2**64 // len(every)
        return _Ranges(tuple(index * width for index in every), every)
    ranges, table = found
    if sorted(ranges.databases) != list(every):
        message = f"the rule of '{table.logical}' does not give each database one range of keys, as Vitess has them"
        raise NotRouted("SW5302", table.logical, message)
    return ranges


def _ranges_of(table: RoutedTable) -> _Ranges:
    require_own_key(table, "Vitess")
    assert table.function is not None
    match table.function.database:
        case Ladder(value=IntegerColumn() as column, boundaries=boundaries, results=results):
            _require_unsigned(table, column, 2**64)
            return _Ranges((0, *boundaries), tuple(table.databases[result] for result in results))
        case ValueChoice(value=IntegerColumn() as column, results=listed, default=default):
            _require_unsigned(table, column, _FIRST_LISTED)
            others = sorted({result for result in listed.values() if result != default})
            starts = (_FIRST_LISTED + index * _LISTED_STEP for index in range(len(others)))
            return _Ranges((0, *starts), tuple(table.databases[result] for result in (default, *others)))
    message = f"no vindex of Vitess places '{table.logical}' as its rule does: they know ranges and lists of integers"
    raise NotRouted("SW5301", table.logical, message, "ask a library, or ShardingSphere")


def _require_unsigned(table: RoutedTable, column: IntegerColumn, end: int) -> None:
    if column.interval.low >= 0 and column.interval.high < end:
        return
    message = f"Vitess takes a key of '{table.logical}' as an unsigned number, and column '{column.name}' may hold "
    message += "negative ones" if column.interval.low < 0 else f"numbers from {end} on"
    raise NotRouted("SW5301", table.logical, message, "ask a library, or ShardingSphere")


def _require_one_name(table: RoutedTable) -> str:
    if len(table.names) > 1:
        message = f"'{table.logical}' has {len(table.names)} tables in a database: Vitess knows one"
        raise NotRouted("SW5302", table.logical, message)
    return table.names[0]


def _vindex(table: RoutedTable, ranges: _Ranges) -> tuple[str, dict[str, object]]:
    assert table.function is not None
    placed = table.function.database
    if not isinstance(placed, ValueChoice):
        return "key_as_number", {"type": "numeric"}
    listed = {
        str(key): ranges.start(table.databases[result])
        for key, result in placed.results.items()
        if result != placed.default
    }
    return f"list_of_{table.logical}", {"type": "numeric_static_map", "params": {"json": json.dumps(listed)}}


def _hexadecimal(start: int) -> str:
    """The shortest form, as Vitess writes it: without the zeros at the end."""
    return start.to_bytes(8, "big").rstrip(b"\0").hex()


def _to_json(data: object) -> str:
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"
