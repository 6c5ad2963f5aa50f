"""Which keys does a library have to answer, and how? Keys at the edges of their types and keys spread over them, with
the places that the Python form of the rule gives. Pure.

A key's value is `{"integer": "7"}`, `{"text": "a"}`, `{"bytes": "00ff"}` or null: no language reads them otherwise.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from shardwright.compiler.expressions.expression import Expression
from shardwright.compiler.expressions.interval import integer_interval
from shardwright.compiler.expressions.ladder import Ladder, ValueChoice
from shardwright.compiler.expressions.leaves import ColumnLeaf, DateColumn, IntegerColumn
from shardwright.compiler.plan.catalogue import Column
from shardwright.compiler.router.model import RoutedTable, Router, columns_of, nodes_of
from shardwright.compiler.sharding.function import ShardFunction, route_each
from shardwright.compiler.sharding.key_samples import sample_rows

_SPREAD = 40
_NUMBERS = (0, 1, -1, 7, 2**31 - 1, 2**31, -(2**31), 2**53 + 1, 2**63 - 1, 2**63, 2**64 - 1, -(2**63))
_TEXTS = ("", "a", "A", "a b", "7", "0007", "-7", "it's", 'say "x"', "\\", "100%")
_UNICODE = ("ä", "a\u0308", "ß", "中文", "\U0001f600", "\u200b")
_DATES = ("1970-01-01", "1999-12-31", "2000-02-29", "2024-02-29", "2024-03-01", "9999-12-31", "0000-00-00")
_UUIDS = ("00000000-0000-0000-0000-000000000000", "9f3c1b52-7d1e-11ee-b962-0242ac120002")
_OCTETS = (b"", b"\x00", b"a", b"\xff", b"\x80\x00\x7f")


def vectors(router: Router) -> str:
    """The JSON file. Tables without a function have all their places in it, the others a place for each key."""
    lists = [list(_of_table(router, table)) for table in router.tables if table.function is not None]
    fixed = {table.logical: _places(router, table) for table in router.tables if table.function is None}
    lines = ",\n".join("    " + json.dumps(vector, ensure_ascii=False) for found in lists for vector in found)
    head = f'"migration": {json.dumps(router.migration)},\n  "fingerprint": {json.dumps(router.fingerprint)}'
    return f'{{\n  {head},\n  "places": {json.dumps(fixed)},\n  "vectors": [\n{lines}\n  ]\n}}\n'


def _places(router: Router, table: RoutedTable) -> list[list[str]]:
    return [[router.databases[index], name] for index in table.databases for name in table.names]


def _of_table(router: Router, table: RoutedTable) -> Iterator[dict[str, object]]:
    assert table.function is not None
    rows = list(keys(table.function))
    names = dict(table.key)
    for row, (database, part) in zip(rows, route_each(table.function, rows), strict=True):
        key = {names[column]: _spell(value) for column, value in row.items()}
        yield {
            "table": table.logical,
            "key": key,
            "database": router.databases[table.databases[database]],
            "name": table.names[part],
            **_bucket(table, {names[column]: value for column, value in row.items()}),
        }


def _bucket(table: RoutedTable, key: Mapping[str, object]) -> Mapping[str, object]:
    """`key` by the application's names."""
    if table.bucket is None:
        return {}
    row = {column: key[name] for column, name in table.bucket_key}
    return {"bucket": table.bucket.database.evaluate(row)}


def _spell(value: object) -> dict[str, str] | None:
    match value:
        case int():
            return {"integer": str(value)}
        case str():
            return {"text": value}
        case bytes():
            return {"bytes": value.hex()}
    return None


def keys(function: ShardFunction) -> Iterator[dict[str, object]]:
    """Rows of the columns that the function reads."""
    leaves = columns_of(function)
    edges = {leaf.name: [*_edges(leaf), *_values_of_rule(function, leaf)] for leaf in leaves}
    for number in range(max((len(found) for found in edges.values()), default=0)):
        yield {name: found[number % len(found)] for name, found in edges.items()}
    if all(_has_samples(leaf) for leaf in leaves):
        yield from sample_rows([Column(leaf.name, leaf.type, leaf.nullable) for leaf in leaves], _SPREAD)


def _values_of_rule(function: ShardFunction, leaf: ColumnLeaf) -> Iterator[object]:
    """What the rule itself names of a column: the ends of its ranges, and listed values."""
    for node in nodes_of(function):
        if isinstance(node, Ladder) and _reads(node.value, leaf):
            held = integer_interval(leaf.type)
            ends = {number for end in node.boundaries[:_SPREAD] for number in (end - 1, end)}
            yield from sorted(number for number in ends if held.low <= number <= held.high)
        elif isinstance(node, ValueChoice) and _reads(node.value, leaf):
            yield from list(node.results)[:_SPREAD]


def _reads(value: Expression, leaf: ColumnLeaf) -> bool:
    return isinstance(value, ColumnLeaf) and value.name == leaf.name


def _has_samples(leaf: ColumnLeaf) -> bool:
    """Samples are made of the letters of numbers: no dates, no addresses."""
    return not isinstance(leaf, DateColumn) and leaf.type.name not in ("uuid", "inet4", "inet6")


def _edges(leaf: ColumnLeaf) -> Iterator[object]:
    kind = leaf.type
    if leaf.nullable:
        yield None
    if isinstance(leaf, IntegerColumn):
        held = integer_interval(kind)
        yield from dict.fromkeys([held.low, held.high, *(n for n in _NUMBERS if held.low <= n <= held.high)])
    elif isinstance(leaf, DateColumn):
        digits = kind.precision or 0
        fraction = "." + "9" * digits if digits else ""
        yield from (_DATES if kind.name == "date" else [f"{date} 23:59:59{fraction}" for date in _DATES])
    elif kind.name == "uuid":
        yield from _UUIDS
    elif kind.name == "inet4":
        yield from ("0.0.0.0", "10.0.0.7", "192.168.1.255", "255.255.255.255")
    elif kind.is_bytes:
        yield from _fitting_octets(kind.length or 16, padded=kind.name == "binary")
    else:
        wide = (kind.charset or "").startswith("utf8mb4")
        texts: Sequence[str] = (*_TEXTS, *(_UNICODE if wide else ()))
        yield from [text for text in texts if len(text) <= (kind.length or 255)]


def _fitting_octets(length: int, *, padded: bool) -> Iterator[bytes]:
    for octets in _OCTETS:
        if len(octets) <= length:
            yield octets.ljust(length, b"\0") if padded else octets
