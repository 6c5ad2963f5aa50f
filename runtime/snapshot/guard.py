"""The guarded way into physical tables: a chunk's rows are loaded into a temporary table of the stage's shape and
inserted from there. Rows that a shard refuses are named, so that they can be quarantined.

Runs in a Spark task; writes to one shard, in its own transaction.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.plan.plan import TablePlan, at_place
from shardwright.compiler.sql.sql_text import quote
from shardwright.compiler.steps.bookkeeping import STAGE_COLUMNS
from shardwright.compiler.steps.snapshot import CHUNK
from shardwright.runtime.mysql.errors import is_about_a_value
from shardwright.runtime.mysql.keys import set_key
from shardwright.runtime.mysql.load_data import load_rows
from shardwright.runtime.mysql.rejected_rows import describe_refused_row, find_refused_copied, find_refused_rows, key_in
from shardwright.runtime.mysql.rows_database import rows_database
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.mysql.transactions import execute, query, set_variables
from shardwright.runtime.snapshot.chunk_properties import ChunkWork
from shardwright.runtime.snapshot.chunk_rows import ShardRows
from shardwright.runtime.sources.row_owners import incoming_wins, owner_conflicts

Key = tuple[str, ...]


def without_quarantined(table: TablePlan, payload: bytes, held: Collection[Key]) -> bytes:
    """The lines of rows that are not held."""
    if not held:
        return payload
    lines = payload.split(b"\n")[:-1]
    return b"".join(line + b"\n" for line in lines if tuple(key_in(table, line)) not in held)


def find_refused_at_load(
    connection: Connection[Any], error: pymysql.err.MySQLError, table: TablePlan, payload: bytes
) -> list[str]:
    """After `error`: the rows that the chunk's temporary table refuses; empty when no row is the cause."""
    name = table.logical
    return find_refused_rows(connection, error, {name: table}, {name: payload}, held=frozenset({name}))


def find_refused_at_insert(
    connection: Connection[Any], error: pymysql.err.MySQLError, table: TablePlan, parts: Sequence[int]
) -> list[str]:
    """After `error`: the loaded rows that their physical tables refuse; empty when no row is the cause."""
    if not is_about_a_value(error):
        return []
    return [
        describe_refused_row(table.logical, key, why)
        for part in parts
        for key, why in find_refused_copied(connection, table, part=part)
    ]


class RefusedRows(Exception):
    """Rows keep the chunk from being written. `rows` has them in the form of a shard's answer."""

    def __init__(self, rows: Sequence[str]) -> None:
        super().__init__(f"{len(rows)} rows refused")
        self.rows = rows


class TakenValues(Exception):
    """Rows of the chunk have unique values that rows of other source tables have. `rows` has them in the form of a
    shard's answer."""

    def __init__(self, rows: Sequence[str]) -> None:
        super().__init__(f"{len(rows)} rows left out")
        self.rows = rows


def load_guarded(connection: Connection[Any], work: ChunkWork, rows: ShardRows) -> None:
    """Loads the temporary table, before the transaction. Raises RefusedRows when rows are to be named, else the
    driver's error."""
    table = work.table
    source = [str(name) for name in table.sources].index(str(work.chunk.source))
    execute(connection, f"DROP TEMPORARY TABLE IF EXISTS {quote(CHUNK)}")
    execute(connection, work.statements["chunk_table"])
    names = [*STAGE_COLUMNS, *(column.target for column in table.columns)]
    first = 0
    for part, lines in rows.each():
        staged = _stage_lines(lines, part, source, first=first)
        first += len(staged)
        payload = without_quarantined(table, b"".join(staged), work.held)
        try:
            load_rows(connection, CHUNK, names, hexadecimal=table.byte_columns, payload=payload)
        except pymysql.err.MySQLError as error:
            refused = find_refused_at_load(connection, error, table, payload) if work.naming else []
            if not refused:
                raise
            raise RefusedRows(refused) from error


def _stage_lines(lines: bytes, part: int, source: int, *, first: int) -> list[bytes]:
    """Each line behind the values of STAGE_COLUMNS, in that order; rows are counted from `first`."""
    before, behind = f"0\t{part}\tcopy\t", f"\t0\t0\t0\t{source}\t\\N\t"
    return [
        f"{before}{number}{behind}".encode() + line + b"\n"
        for number, line in enumerate(lines.split(b"\n")[:-1], start=first)
    ]


def insert_guarded(servers: Servers, connection: Connection[Any], work: ChunkWork, rows: ShardRows) -> int:
    """Inserts what was loaded, within the transaction. Returns how many rows are new. `servers` are asked which of two
    source rows is the later one. Raises as `load_guarded` does."""
    parts = sorted(rows.parts)
    try:
        inserted = sum(_insert_part(connection, work, part) for part in parts)
        if "owner_conflicts" in work.statements:
            inserted += sum(_settle_part(servers, connection, work, part) for part in parts)
        if "left_out" in work.statements and (
            taken := [row for part in parts for row in _read_left_out(connection, work, part)]
        ):
            raise TakenValues(taken)
        return inserted
    except pymysql.err.MySQLError as error:
        refused = find_refused_at_insert(connection, error, work.table, parts) if work.naming else []
        if not refused:
            raise
        raise RefusedRows(refused) from error


def _insert_part(connection: Connection[Any], work: ChunkWork, part: int) -> int:
    set_variables(connection, sw_part=part)
    inserted = execute(connection, _sql(connection, work, part, "insert"))
    if "set_owner" in work.statements:
        execute(connection, _sql(connection, work, part, "set_owner"))
    return inserted


def _settle_part(servers: Servers, connection: Connection[Any], work: ChunkWork, part: int) -> int:
    """Asks for conflicts behind the inserts of all parts. These wait for a chunk with the same key that is written at
    the same moment; this is the transaction's first read without locks, so it sees what that one has committed."""
    set_variables(connection, sw_part=part)
    met = owner_conflicts(query(connection, _sql(connection, work, part, "owner_conflicts")))
    winners = incoming_wins(servers, work.table, work.source_row, found=met) if met else []
    won = [conflict for conflict, wins in zip(met, winners, strict=True) if wins]
    for conflict in won:
        set_key(connection, "sw_key", conflict.key)
        execute(connection, _sql(connection, work, part, "release_row"))
        execute(connection, _sql(connection, work, part, "release_owner"))
    return _insert_part(connection, work, part) if won else 0


def _read_left_out(connection: Connection[Any], work: ChunkWork, part: int) -> list[str]:
    table, width = work.table, len(work.table.key)
    set_variables(connection, sw_part=part)
    found = []
    for row in query(connection, _sql(connection, work, part, "left_out")):
        key, owner, theirs = row[:width], row[width], row[width + 1 :]
        named = "" if owner is None else f": row ({', '.join(map(str, theirs))}) of {table.sources[int(owner)]}"
        why = f"it has a unique value that a row of another source table has{named}"
        found.append(describe_refused_row(table.logical, [str(value) for value in key], why))
    return found


def _sql(connection: Connection[Any], work: ChunkWork, part: int, name: str) -> str:
    return at_place(work.statements[name], rows_database(connection), work.table.suffixes[part])
