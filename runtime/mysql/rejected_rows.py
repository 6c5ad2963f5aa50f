"""Which rows a physical table refuses, found on the shard itself by bisection, in a temporary table of its shape.

Runs in Spark tasks and in the driver, over a shard's connection; writes temporary tables only.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from functools import partial
from typing import Any, NamedTuple, TypeVar

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.plan.plan import TablePlan
from shardwright.compiler.sql.sql_text import quote
from shardwright.compiler.steps.bookkeeping import STAGE_COLUMNS
from shardwright.compiler.steps.snapshot import CHUNK
from shardwright.runtime.mysql.errors import DUP_ENTRY, PARTITIONED, is_about_a_value
from shardwright.runtime.mysql.keys import key_list, key_text
from shardwright.runtime.mysql.load_data import load_rows
from shardwright.runtime.mysql.rows_database import quote_table, row_table
from shardwright.runtime.mysql.transactions import execute, query

REFUSED_CODE = "SW8511"
"""Of a row that a target refuses."""
REFUSED = "!refused"
"""Replaces the name of a logical table in a shard's answer when it has staged nothing."""
Row = TypeVar("Row")

_MOST = 1_000
"""How many rows are found at a time; the rest is found when the batch is staged again."""
_TRIAL = "_sw_trial"
_UNESCAPED = {"\\\\": "\\", "\\t": "\t", "\\n": "\n", "\\r": "\r", "\\0": "\0"}


def find_refused_rows(
    connection: Connection[Any],
    error: pymysql.err.MySQLError,
    tables: Mapping[str, TablePlan],
    payloads: Mapping[str, bytes],
    *,
    held: frozenset[str],
) -> list[str]:
    """The rows that caused `error`: those of the tables `held` that the stage refuses, each in the form of a shard's
    answer. Empty when none of them is the cause."""
    if not is_about_a_value(error):
        return []
    found: list[str] = []
    for logical in sorted(held & payloads.keys()):
        table = tables[logical]
        lines = [line + b"\n" for line in payloads[logical].split(b"\n")[:-1]]
        execute(connection, f"DROP TEMPORARY TABLE IF EXISTS {quote(_TRIAL)}")
        execute(connection, f"CREATE TEMPORARY TABLE {quote(_TRIAL)} LIKE {quote(table.ours.stage)}")
        for line, why in _bisect(lines, partial(_trial, connection, table)):
            found.append(describe_refused_row(logical, key_in(table, line), why))
            if len(found) >= _MOST:
                break
        execute(connection, f"DROP TEMPORARY TABLE {quote(_TRIAL)}")
    return found


def describe_refused_row(logical: str, key: Sequence[str], why: str, code: str = REFUSED_CODE) -> str:
    """A rejected row in the form of a shard's answer. `code`: of the finding."""
    return json.dumps({"logical": logical, "key": list(key), "why": why, "code": code})


class RefusedRow(NamedTuple):
    """A rejected row."""

    logical: str
    key: tuple[str, ...]
    why: str
    code: str = REFUSED_CODE


def read_refused(answered: Iterable[str]) -> list[RefusedRow]:
    """Of rows in the form of a shard's answer."""
    rows = [json.loads(row) for row in answered]
    return [RefusedRow(row["logical"], tuple(row["key"]), row["why"], row["code"]) for row in rows]


def _bisect(rows: Sequence[Row], trial: Callable[[Sequence[Row]], str | None]) -> Iterator[tuple[Row, str]]:
    """The rejected rows with the reason of each; `trial` returns why a table rejects some rows together, None when it
    takes them. A half that the table takes whole holds none."""
    why = trial(rows) if rows else None
    if why is None:
        return
    if len(rows) == 1:
        yield rows[0], why
        return
    middle = len(rows) // 2
    yield from _bisect(rows[:middle], trial)
    yield from _bisect(rows[middle:], trial)


def _trial(connection: Connection[Any], table: TablePlan, lines: Sequence[bytes]) -> str | None:
    names = [*STAGE_COLUMNS, *(column.target for column in table.columns)]
    execute(connection, f"DELETE FROM {quote(_TRIAL)}")
    try:
        load_rows(connection, _TRIAL, names, hexadecimal=table.byte_columns, payload=b"".join(lines))
    except pymysql.err.MySQLError as error:
        if not is_about_a_value(error):
            raise
        return str(error.args[1]) if len(error.args) > 1 else str(error)
    return None


def key_in(table: TablePlan, line: bytes) -> list[str]:
    """The key in a line of a payload, as the decode step spells it."""
    values = line.decode("utf-8").rstrip("\n").split("\t")[len(STAGE_COLUMNS) :]
    by_name = dict(zip((column.target for column in table.columns), values, strict=True))
    return [key_text(_unescape(by_name[column.target]), column.type) for column in table.key_columns]


def _unescape(text: str) -> str:
    parts, at = [], 0
    while at < len(text):
        pair = text[at : at + 2]
        if pair in _UNESCAPED:
            parts.append(_UNESCAPED[pair])
            at += 2
        else:
            parts.append(text[at])
            at += 1
    return "".join(parts)


_SECOND = timedelta(seconds=1)
_CHECK = re.compile(r"^  CONSTRAINT `(.+)` (CHECK .+?),?$", re.MULTILINE)
Key = tuple[str, ...]


def find_refused_staged(
    connection: Connection[Any], table: TablePlan, batch: int, *, part: int, physical: str
) -> Iterator[tuple[Key, str]]:
    """Keys of the batch's upserts that the table `physical` (its name in SQL) refuses, and the server's message about
    each."""
    return _find_refused(connection, table, _stage_rows_sql(table, batch, part, "upsert"), physical=physical)


def read_staged_keys(connection: Connection[Any], table: TablePlan, batch: int, *, part: int, action: str) -> list[Key]:
    """The keys of the batch's rows with that action in one physical table."""
    return _keys(connection, table, _stage_rows_sql(table, batch, part, action))


def keep_staged(
    connection: Connection[Any], table: TablePlan, batch: int, *, part: int, action: str, keys: Sequence[Key]
) -> None:
    """Takes all other keys with that action out of the stage. For a transaction that is rolled back."""
    names, kinds = _names(table), [column.type for column in table.key_columns]
    rows = _stage_rows_sql(table, batch, part, action)
    execute(connection, f"DELETE FROM {rows} AND ({names}) NOT IN ({key_list(connection, kinds, keys)})")


def _stage_rows_sql(table: TablePlan, batch: int, part: int, action: str) -> str:
    rows = f"sw_batch = {batch} AND sw_part = {part} AND sw_action = '{action}'"
    return f"{quote(table.ours.stage)} WHERE {rows}"


def _names(table: TablePlan) -> str:
    return ", ".join(quote(name) for name in table.key)


def _keys(connection: Connection[Any], table: TablePlan, rows: str) -> list[Key]:
    kinds = [column.type for column in table.key_columns]
    return [key_of(row, kinds) for row in query(connection, f"SELECT {_names(table)} FROM {rows}")]


def find_refused_copied(connection: Connection[Any], table: TablePlan, *, part: int) -> Iterator[tuple[Key, str]]:
    """The same for a chunk's rows, which are in the connection's temporary table."""
    physical = quote_table(row_table(connection, f"{table.logical}{table.suffixes[part]}"))
    return _find_refused(connection, table, f"{quote(CHUNK)} WHERE sw_part = {part}", physical=physical)


def _find_refused(
    connection: Connection[Any], table: TablePlan, rows: str, *, physical: str
) -> Iterator[tuple[Key, str]]:
    """`rows`: the table that has them, and a condition."""
    names, kinds = _names(table), [column.type for column in table.key_columns]
    keys = _keys(connection, table, rows)
    execute(connection, f"DROP TEMPORARY TABLE IF EXISTS {quote(_TRIAL)}")
    try:
        execute(connection, f"CREATE TEMPORARY TABLE {quote(_TRIAL)} LIKE {physical}")
    except pymysql.err.MySQLError as error:
        if error.args and error.args[0] in PARTITIONED:
            return  # there is nothing to try them on: the caller has the server's message
        raise
    checks = _their_names(connection, physical)
    given = {quote(column.target): quote(column.target) for column in table.physical_columns}
    if table.own is not None:
        given |= {quote(name): str(connection.escape(text)) for name, text in table.own.born.items()}
    values = ", ".join(given.values())
    insert = f"INSERT INTO {quote(_TRIAL)} ({', '.join(given)}) SELECT {values} FROM {rows} AND ({names}) IN"

    def trial(some: Sequence[Key]) -> str | None:
        execute(connection, f"DELETE FROM {quote(_TRIAL)}")
        try:
            execute(connection, f"{insert} ({key_list(connection, kinds, some)})")
        except pymysql.err.MySQLError as error:
            if error.args and error.args[0] == DUP_ENTRY:
                return None  # two rows of the batch have one value; the upsert orders them
            if not is_about_a_value(error):
                raise
            return _with_their_names(str(error.args[1]), checks)
        return None

    yield from _bisect(keys, trial)
    execute(connection, f"DROP TEMPORARY TABLE {quote(_TRIAL)}")


def _their_names(connection: Connection[Any], physical: str) -> Mapping[str, str]:
    """Name of a CHECK constraint in the temporary table -> its name in the table itself. (MySQL gives the constraints
    of a copied table names of its own.)"""
    theirs, own = (
        _CHECK.findall(str(query(connection, f"SHOW CREATE TABLE {name}")[0][1])) for name in (physical, quote(_TRIAL))
    )
    named = {clause: name for name, clause in theirs}
    return {name: named.get(clause, name) for name, clause in own}


def _with_their_names(why: str, checks: Mapping[str, str]) -> str:
    return re.sub(r"'([^']+)'", lambda found: f"'{checks.get(found[1], found[1])}'", why)


def key_of(values: Sequence[Any], kinds: Sequence[ColumnType]) -> Key:
    """A key as PyMySQL returns it, in the form of the plan's Spark SQL."""
    return tuple(_spelt(value, kind) for value, kind in zip(values, kinds, strict=True))


def _spelt(value: Any, kind: ColumnType) -> str:
    """The server's text of a value. PyMySQL makes Python values of what the server prints: these lose zeros, and their
    own texts differ (hazard D7)."""
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
