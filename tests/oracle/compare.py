"""The oracle: do the shards together hold the source, every row in its place? Shares no code with the product."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pymysql.connections import Connection
from pymysql.cursors import Cursor

from tests.oracle.rows import Row, column_types, display, raw_bytes, read_rows
from tests.oracle.tables import Table

LIMIT = 20
Shards = Mapping[str, "Connection[Cursor]"]
_Expected = tuple[dict[Row, Row], list[str], list[str]]


def compare(source: Connection[Cursor], tables: Sequence[Table], shards: Shards) -> list[str]:
    """The differences, one line each (no more than LIMIT for a table); empty when all is as it must be.

    `shards` has a connection for every target database. The source must be at rest and the stream drained.
    """
    differences = []
    for table in tables:
        found = _broadcast(source, table, shards) if table.place is None else _compare_sharded(source, table, shards)
        differences += found[:LIMIT] + ([f"{table.name}: and {len(found) - LIMIT} more"] if len(found) > LIMIT else [])
    return differences


def count(source: Connection[Cursor], table: Table) -> int:
    """How many rows the source has, so that a test can show it compared something."""
    return len(_expect_rows(source, table)[0])


def _compare_sharded(source: Connection[Cursor], table: Table, shards: Shards) -> list[str]:
    expected, columns, types = _expect_rows(source, table)
    index = [columns.index(name) for name in table.placed_by]
    seen: dict[Row, str] = {}
    found = []
    for database in table.databases:
        for suffix in table.suffixes:
            place = f"{database}.{table.name}{suffix}"
            missing = _shape_difference(shards[database], database, table.name + suffix, columns=columns, types=types)
            if missing:
                found.append(missing)
                continue
            for row in read_rows(shards[database], database, table.name + suffix, columns=columns, types=types):
                key = row[: len(table.key)]
                assert table.place is not None
                wanted = table.place(tuple(raw_bytes(row[i], types[i]) for i in index))
                if wanted != (database, suffix):
                    found.append(f"{place}: {_key(table, key, types)} belongs to {wanted[0]}.{table.name}{wanted[1]}")
                if key in seen:
                    found.append(f"{place}: {_key(table, key, types)} stands in {seen[key]} too")
                seen[key] = place
                found += _row_difference(table, place, row, expected.get(key), columns=columns, types=types)
    found += [f"{table.name}: {_key(table, key, types)} is on no shard" for key in expected if key not in seen]
    return found


def _broadcast(source: Connection[Cursor], table: Table, shards: Shards) -> list[str]:
    expected, columns, types = _expect_rows(source, table)
    found = []
    for database in table.databases:
        place = f"{database}.{table.name}"
        missing = _shape_difference(shards[database], database, table.name, columns=columns, types=types)
        if missing:
            found.append(missing)
            continue
        seen = set()
        for row in read_rows(shards[database], database, table.name, columns=columns, types=types):
            key = row[: len(table.key)]
            seen.add(key)
            found += _row_difference(table, place, row, expected.get(key), columns=columns, types=types)
        found += [f"{place}: {_key(table, key, types)} is not there" for key in expected if key not in seen]
    return found


def _expect_rows(source: Connection[Cursor], table: Table) -> _Expected:
    """The source's rows by key under the target's names, key columns first."""
    rows: dict[Row, Row] = {}
    columns: list[str] = []
    types: list[str] = []
    for place in table.sources:
        database, _, name = place.partition(".")
        there = column_types(source, database, name)
        assert there, f"the source has no table {place}"
        to_target = {column: table.renamed.get(column, column) for column in there if column not in table.excluded}
        ordered = sorted(to_target, key=lambda column: _rank(table.key, to_target[column]))
        columns = [to_target[column] for column in ordered]
        types = [there[column] for column in ordered]
        for row in read_rows(source, database, name, columns=ordered, types=types):
            key = row[: len(table.key)]
            assert key not in rows, f"{place}: {_key(table, key, types)} is in two source tables"
            rows[key] = row
    return rows, columns, types


def _rank(key: tuple[str, ...], column: str) -> int:
    return key.index(column) if column in key else len(key)


def _shape_difference(
    shard: Connection[Cursor], database: str, table: str, *, columns: Sequence[str], types: Sequence[str]
) -> str | None:
    """Columns of the target's own (added by routed DDL) are no difference."""
    there = column_types(shard, database, table)
    if not there:
        return f"{database}.{table}: there is no such table"
    wrong = [
        f"{name} {there.get(name, 'missing')}"
        for name, kind in zip(columns, types, strict=True)
        if there.get(name) != kind
    ]
    return f"{database}.{table}: columns differ: {', '.join(wrong)}" if wrong else None


def _row_difference(
    table: Table, place: str, row: Row, wanted: Row | None, *, columns: Sequence[str], types: Sequence[str]
) -> list[str]:
    if row == wanted:
        return []
    key = _key(table, row[: len(table.key)], types)
    if wanted is None:
        return [f"{place}: {key} is not in the source"]
    wrong = [
        f"{name} is {display(is_, kind)[:80]}, must be {display(must, kind)[:80]}"
        for name, kind, is_, must in zip(columns, types, row, wanted, strict=True)
        if is_ != must
    ]
    return [f"{place}: {key}: {'; '.join(wrong)}"]


def _key(table: Table, key: Row, types: Sequence[str]) -> str:
    return ", ".join(f"{name} {display(value, kind)}" for name, value, kind in zip(table.key, key, types, strict=False))
