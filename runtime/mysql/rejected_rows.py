"""Which rows of a stage's payload a target refuses, found on the shard itself by halving, in a temporary table."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.plan.plan import TablePlan
from shardwright.compiler.sql.sql_text import quoted
from shardwright.compiler.steps.bookkeeping import STAGE_COLUMNS
from shardwright.runtime.mysql.key_rows import key_text
from shardwright.runtime.mysql.load_data import load_rows
from shardwright.runtime.mysql.transactions import execute
from shardwright.runtime.mysql.value_errors import is_about_a_value

REFUSED = "!refused"
"""Stands for a logical table in what a shard answers when it has staged nothing."""
_MOST = 1_000
"""Rows found in one go; the rest is found when the batch is staged again."""
_TRIAL = "_sw_trial"
_UNESCAPED = {"\\\\": "\\", "\\t": "\t", "\\n": "\n", "\\r": "\r", "\\0": "\0"}


def named_refusals(
    connection: Connection[Any],
    error: pymysql.err.MySQLError,
    tables: Mapping[str, TablePlan],
    payloads: Mapping[str, bytes],
    *,
    held: frozenset[str],
) -> list[str]:
    """After `error`: the rows of the tables `held` that do not go into the stage, each in the form that a shard answers. Empty
    when none of them is at fault."""
    if not is_about_a_value(error):
        return []
    found: list[str] = []
    for logical in sorted(held & payloads.keys()):
        table = tables[logical]
        lines = [line + b"\n" for line in payloads[logical].split(b"\n")[:-1]]
        execute(connection, f"DROP TEMPORARY TABLE IF EXISTS {quoted(_TRIAL)}")
        execute(connection, f"CREATE TEMPORARY TABLE {quoted(_TRIAL)} LIKE {quoted(table.stage_table)}")
        for line, why in _bad(connection, table, lines):
            found.append(refused_row(logical, key_in(table, line), why))
            if len(found) >= _MOST:
                break
        execute(connection, f"DROP TEMPORARY TABLE {quoted(_TRIAL)}")
    return found


def refused_row(logical: str, key: Sequence[str], why: str) -> str:
    """As a shard answers it."""
    return json.dumps({"logical": logical, "key": list(key), "why": why})


def read_refused(answered: Iterable[str]) -> list[tuple[str, tuple[str, ...], str]]:
    """Logical table, key, and why, of rows in the form that a shard answers."""
    rows = [json.loads(row) for row in answered]
    return [(row["logical"], tuple(row["key"]), row["why"]) for row in rows]


def _bad(connection: Connection[Any], table: TablePlan, lines: Sequence[bytes]) -> Iterator[tuple[bytes, str]]:
    """Halves that go in whole hold no bad row."""
    why = _trial(connection, table, b"".join(lines))
    if why is None:
        return
    if len(lines) == 1:
        yield lines[0], why
        return
    middle = len(lines) // 2
    yield from _bad(connection, table, lines[:middle])
    yield from _bad(connection, table, lines[middle:])


def _trial(connection: Connection[Any], table: TablePlan, payload: bytes) -> str | None:
    names = [*STAGE_COLUMNS, *(column.target for column in table.columns)]
    execute(connection, f"DELETE FROM {quoted(_TRIAL)}")
    try:
        load_rows(connection, _TRIAL, names, hexadecimal=table.byte_columns, payload=payload)
    except pymysql.err.MySQLError as error:
        if not is_about_a_value(error):
            raise
        return str(error.args[1]) if len(error.args) > 1 else str(error)
    return None


def key_in(table: TablePlan, line: bytes) -> list[str]:
    """Of a line of a payload, as the decode step spells it."""
    values = line.decode("utf-8").rstrip("\n").split("\t")[len(STAGE_COLUMNS) :]
    by_name = dict(zip((column.target for column in table.columns), values, strict=True))
    return [key_text(_unescaped(by_name[column.target]), column.type) for column in table.key_columns]


def _unescaped(text: str) -> str:
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
