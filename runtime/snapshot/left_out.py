"""Rows of a chunk that a shard refuses: named, so that they can be held as dead letters; and left out, once they are held."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.plan.plan import TablePlan
from shardwright.runtime.mysql.errors import is_about_a_value
from shardwright.runtime.mysql.rejected_rows import key_in, named_refusals, refused_copied, refused_row

Key = tuple[str, ...]


def without_held(table: TablePlan, payload: bytes, held: Collection[Key]) -> bytes:
    """The lines of rows that are not held."""
    if not held:
        return payload
    lines = payload.split(b"\n")[:-1]
    return b"".join(line + b"\n" for line in lines if tuple(key_in(table, line)) not in held)


def refused_at_loading(
    connection: Connection[Any], error: pymysql.err.MySQLError, table: TablePlan, payload: bytes
) -> list[str]:
    """After `error`: the rows that the chunk's temporary table refuses; empty when none is at fault."""
    name = table.logical
    return named_refusals(connection, error, {name: table}, {name: payload}, held=frozenset({name}))


def refused_at_insert(
    connection: Connection[Any], error: pymysql.err.MySQLError, table: TablePlan, parts: Sequence[int]
) -> list[str]:
    """After `error`: the loaded rows that their physical tables refuse; empty when none is at fault."""
    if not is_about_a_value(error):
        return []
    return [
        refused_row(table.logical, key, why)
        for part in parts
        for key, why in refused_copied(connection, table, part=part)
    ]
