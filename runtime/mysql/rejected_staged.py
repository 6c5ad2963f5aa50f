"""Which rows of a stage, or of a copied chunk, a physical table refuses, found by halving in a temporary table of its shape."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.plan.plan import TablePlan
from shardwright.compiler.sql.sql_text import quoted
from shardwright.compiler.steps.snapshot import CHUNK
from shardwright.runtime.mysql.errors import DUP_ENTRY
from shardwright.runtime.mysql.key_rows import key_list, key_text
from shardwright.runtime.mysql.transactions import execute, query
from shardwright.runtime.mysql.value_errors import is_about_a_value

_TRIAL = "_sw_trial"
_SECOND = timedelta(seconds=1)
_CHECK = re.compile(r"^  CONSTRAINT `(.+)` (CHECK .+?),?$", re.MULTILINE)
Key = tuple[str, ...]


def refused_staged(
    connection: Connection[Any], table: TablePlan, batch: int, *, part: int
) -> Iterator[tuple[Key, str]]:
    """Keys of the batch's upserts for that physical table, and what the server says of each."""
    rows = f"{quoted(table.stage_table)} WHERE sw_batch = {batch} AND sw_part = {part} AND sw_action = 'upsert'"
    return _refused(connection, table, rows, part=part)


def refused_copied(connection: Connection[Any], table: TablePlan, *, part: int) -> Iterator[tuple[Key, str]]:
    """The same of a chunk's rows, which stand in the connection's temporary table."""
    return _refused(connection, table, f"{quoted(CHUNK)} WHERE sw_part = {part}", part=part)


def _refused(connection: Connection[Any], table: TablePlan, rows: str, *, part: int) -> Iterator[tuple[Key, str]]:
    """`rows`: the table they stand in, and a condition."""
    names = ", ".join(quoted(name) for name in table.key)
    kinds = [column.type for column in table.key_columns]
    keys = [key_of(row, kinds) for row in query(connection, f"SELECT {names} FROM {rows}")]
    execute(connection, f"DROP TEMPORARY TABLE IF EXISTS {quoted(_TRIAL)}")
    physical = f"{table.logical}{table.suffixes[part]}"
    execute(connection, f"CREATE TEMPORARY TABLE {quoted(_TRIAL)} LIKE {quoted(physical)}")
    checks = _their_names(connection, physical)
    columns = ", ".join(quoted(column.target) for column in table.columns)
    insert = f"INSERT INTO {quoted(_TRIAL)} ({columns}) SELECT {columns} FROM {rows} AND ({names}) IN"

    def trial(some: Sequence[Key]) -> str | None:
        execute(connection, f"DELETE FROM {quoted(_TRIAL)}")
        try:
            execute(connection, f"{insert} ({key_list(connection, kinds, some)})")
        except pymysql.err.MySQLError as error:
            if error.args and error.args[0] == DUP_ENTRY:
                return None  # of two rows of the batch; the upsert itself knows their order
            if not is_about_a_value(error):
                raise
            return _with_their_names(str(error.args[1]), checks)
        return None

    def search(some: Sequence[Key]) -> Iterator[tuple[Key, str]]:
        why = trial(some) if some else None
        if why is None:
            return
        if len(some) == 1:
            yield some[0], why
            return
        yield from search(some[: len(some) // 2])
        yield from search(some[len(some) // 2 :])

    yield from search(keys)
    execute(connection, f"DROP TEMPORARY TABLE {quoted(_TRIAL)}")


def _their_names(connection: Connection[Any], physical: str) -> Mapping[str, str]:
    """MySQL gives the CHECK constraints of a copied table names of its own: each one's name in the table itself."""
    theirs, own = (
        _CHECK.findall(str(query(connection, f"SHOW CREATE TABLE {quoted(name)}")[0][1])) for name in (physical, _TRIAL)
    )
    named = {clause: name for name, clause in theirs}
    return {name: named.get(clause, name) for name, clause in own}


def _with_their_names(why: str, checks: Mapping[str, str]) -> str:
    return re.sub(r"'([^']+)'", lambda found: f"'{checks.get(found[1], found[1])}'", why)


def key_of(values: Sequence[Any], kinds: Sequence[ColumnType]) -> Key:
    """A key as the driver gives it, in the form that the plan's Spark SQL has."""
    return tuple(_spelt(value, kind) for value, kind in zip(values, kinds, strict=True))


def _spelt(value: Any, kind: ColumnType) -> str:
    """The driver makes values of what the server prints: they lose zeros, and their own texts are others (hazard D7)."""
    match value:
        case bytes():
            return value.hex().upper()
        case datetime():
            return value.replace(microsecond=0).isoformat(" ") + _fraction(value.microsecond, kind)
        case timedelta():
            minutes, seconds = divmod(abs(value) // _SECOND, 60)
            sign, rest = "-" if value < timedelta() else "", abs(value) % _SECOND
            return f"{sign}{minutes // 60:02}:{minutes % 60:02}:{seconds:02}{_fraction(rest.microseconds, kind)}"
        case Decimal():
            return f"{value:f}"
        case _:
            return key_text(value, kind)


def _fraction(microseconds: int, kind: ColumnType) -> str:
    return f".{microseconds:06}"[: kind.precision + 1] if kind.precision else ""
