"""Which ledger tables there are, and that all of them have one format. They are in the target databases, beside the
rows that they record, so that a row and its record are one transaction. Each module of this room has the DDL and the
statements of its tables.

Runs in the driver; writes DDL to shards.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Collection, Iterable, Iterator
from typing import Any, Final

from pymysql.connections import Connection

from shardwright.compiler.sql.sql_text import quote
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger import (
    audit,
    batches,
    buckets,
    chunks,
    chunks_done,
    comparison,
    conflicts,
    cutover,
    cutover_state,
    ddl_record,
    dead_letters,
    decisions,
    fencing,
    heartbeat,
    left_out,
    members,
    orders,
    recent_batches,
    recent_keys,
    steps,
    stream_ddl,
    switch_row,
)
from shardwright.runtime.mysql.transactions import decode_text, execute, execute_later, query, send_waiting

FORMAT: Final = 1
"""The format that this version writes and reads."""
_LEDGER_TABLE: Final = """CREATE TABLE IF NOT EXISTS `_shardwright_ledger` (
      only_row TINYINT NOT NULL PRIMARY KEY,
      format INT NOT NULL,
      ledger CHAR(32) NOT NULL,
      made_at DATETIME(6) NOT NULL
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin"""
EVERY_SHARD: Final = (
    members.SHARD_TABLE,
    fencing.TOKEN_TABLE,
    fencing.CONNECTION_TABLE,
    steps.TABLE,
    chunks_done.TABLE,
    recent_keys.TABLE,
    decisions.TABLE,
    ddl_record.TABLE,
    switch_row.TABLE,
    buckets.TABLE,
)
FIRST_SHARD: Final = (
    orders.TABLE,
    recent_batches.TABLE,
    batches.MIGRATION_TABLE,
    batches.OPEN_TABLE,
    batches.WEIGHT_TABLE,
    members.MEMBER_TABLE,
    chunks.TABLE,
    dead_letters.TABLE,
    cutover.TABLE,
    cutover_state.TABLE,
    comparison.TABLE,
    left_out.TABLE,
    conflicts.TABLE,
    conflicts.ROUND_TABLE,
    stream_ddl.STATEMENT_TABLE,
    stream_ddl.PLAN_TABLE,
    audit.TABLE,
)
_LEDGER: Final = "_shardwright_ledger"
_TABLES: Final = (
    "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() "
    "AND table_name LIKE '\\_shardwright\\_%'"
)
_NUMBER = (
    "INSERT INTO `_shardwright_ledger` (only_row, format, ledger, made_at) SELECT 1, %s, %s, NOW(6) FROM DUAL "
    "WHERE NOT EXISTS (SELECT 1 FROM `_shardwright_ledger`)"
)


def create_ledger(connection: Connection[Any], *, first: bool) -> None:
    """Create what is missing in the connection's database. The ledger's number comes last: without it there is no
    ledger, so a run that is killed between two tables is started again. Raises Refused (SW8211) for a ledger of another
    format."""
    there = {str(decode_text(name)) for (name,) in query(connection, _TABLES)}
    has_ledger = _LEDGER in there and _has_format(connection)
    for statement in (_LEDGER_TABLE, *EVERY_SHARD, *(FIRST_SHARD if first else ())):
        if next(_names([statement])) not in there:
            execute_later(connection, statement, may_commit=True, outside=True)
    if not has_ledger:
        execute_later(connection, _NUMBER, (FORMAT, secrets.token_hex(16)), may_commit=True, outside=True)
    send_waiting(connection)


def create_ddl_record(connection: Connection[Any]) -> None:
    """The record of routed DDL alone, in the connection's database: DDL can be routed to shards that no run has begun
    on. Raises Refused (SW8211) for a ledger of another format."""
    require_format(connection)
    execute(connection, ddl_record.TABLE)


def forget_migration(connection: Connection[Any], migration: str, *, first: bool, kept: Collection[str]) -> list[str]:
    """Forgets a finished migration in the connection's database, but for its rows in the tables `kept`. Returns the
    tables that no other migration needs."""
    empty = []
    for name in _names(EVERY_SHARD + (FIRST_SHARD if first else ())):
        if name not in kept and _exists(connection, name):
            execute(connection, f"DELETE FROM {quote(name)} WHERE migration = %s", (migration,))
            if not query(connection, f"SELECT 1 FROM {quote(name)} LIMIT 1"):
                empty.append(name)
    alone = not _exists(connection, "_shardwright_shard") or "_shardwright_shard" in empty
    return [*empty, *(name for name in _names((_LEDGER_TABLE, heartbeat.TABLE)) if alone and name not in kept)]


def _names(statements: Iterable[str]) -> Iterator[str]:
    for statement in statements:
        found = re.search(r"_shardwright_\w+", statement)
        assert found is not None
        yield found[0]


def require_format(connection: Connection[Any]) -> bool:
    """Whether there is a ledger in the connection's database; reads only. Raises Refused (SW8211) for one of another
    format."""
    return _exists(connection, _LEDGER) and _has_format(connection)


def _has_format(connection: Connection[Any]) -> bool:
    rows = query(connection, "SELECT format, DATABASE() FROM `_shardwright_ledger`")
    if rows and rows[0][0] != FORMAT:
        found, database = rows[0]
        raise Refused(
            "SW8211",
            f"the ledger in {database} has format {found}, and this version writes format {FORMAT}: finish the "
            "migration with the version that began it",
        )
    return bool(rows)


def _exists(connection: Connection[Any], table: str) -> bool:
    sql = "SELECT 1 FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = %s"
    return bool(query(connection, sql, (table,)))
