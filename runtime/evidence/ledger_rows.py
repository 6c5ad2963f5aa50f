"""Which rows of the ledgers are evidence? What names or holds rows of users stays where it is: keys, images, reasons.

Used in the process of the command; reads one ledger at a time, in one consistent read.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from pymysql.connections import Connection
from pymysql.cursors import SSCursor

from shardwright.compiler.sql.sql_text import quote
from shardwright.runtime.evidence.chain import Record
from shardwright.runtime.mysql.transactions import execute, query


@dataclass(frozen=True, slots=True)
class LedgerTable:
    """A table of the ledger that is evidence."""

    name: str
    columns: tuple[str, ...]
    """What is taken of each row, beside `migration`."""
    order: tuple[str, ...] = ()
    """The columns that order its rows; empty: it has one row for each migration."""


EVIDENCE: Final = (
    LedgerTable("_shardwright_migration", (
        "fingerprint", "sources", "start", "position", "batch", "snapshot_end", "snapshot_done_at", "updated_at")),
    LedgerTable("_shardwright_plan", ("fingerprint", "at")),
    LedgerTable("_shardwright_weight", ("weight", "position"), ("weight",)),
    LedgerTable("_shardwright_member", ("shard", "ledger", "batch", "chunks"), ("shard",)),
    LedgerTable("_shardwright_open", ("batch", "fingerprint", "state", "from_position", "to_position")),
    LedgerTable("_shardwright_chunk", (
        "logical", "source_table", "chunk", "state", "high_position", "rows_read"),
        ("logical", "source_table", "chunk")),
    LedgerTable("_shardwright_dead", (
        "logical", "source_table", "state", "code", "batch", "events", "last_op", "first_seen", "last_seen"),
        ("logical", "source_table", "key_sha256")),
    LedgerTable("_shardwright_conflict", (
        "id", "logical", "kind", "decision", "state", "round", "version", "take", "taken_by", "first_seen",
        "last_seen"),
        ("id",)),
    LedgerTable("_shardwright_round", ("round", "state", "forward_end", "backward_end")),
    LedgerTable("_shardwright_left_out", ("batch", "piece", "transactions", "changed_rows"), ("batch", "piece")),
    LedgerTable("_shardwright_stream_ddl", (
        "place", "source_table", "logical", "statement", "decision", "state", "at"), ("at", "place")),
    LedgerTable("_shardwright_cutover", ("direction", "updated_at")),
    LedgerTable("_shardwright_cutover_state", ("state", "writes_to", "generation", "version", "since")),
    LedgerTable("_shardwright_bucket", ("bucket", "writer", "generation"), ("bucket",)),
    LedgerTable("_shardwright_verified", (
        "comparison", "fingerprint", "first_batch", "last_batch", "changed_rows", "began_at", "finished_at",
        "compared_rows", "void"), ("began_at", "comparison")),
    LedgerTable("_shardwright_control", (
        "paused", "paused_by", "paused_at", "reason", "rows_per_second", "rows_by", "rows_at", "bytes_per_second")),
    LedgerTable("_shardwright_audit", (
        "id", "at", "what", "detail", "who", "account", "version", "plan", "command"), ("id",)),
    LedgerTable("_shardwright_shard", ("batch", "position", "applied_at")),
    LedgerTable("_shardwright_epoch", ("role", "epoch", "owner", "taken_at"), ("role",)),
    LedgerTable("_shardwright_chunk_done", (
        "logical", "source_table", "chunk", "rows_read", "rows_inserted", "applied_at"),
        ("logical", "source_table", "chunk")),
    LedgerTable("_shardwright_step", ("batch", "step", "applied_at"), ("batch", "step")),
    LedgerTable("_shardwright_ddl", (
        "file", "ordinal", "physical_table", "statement_sha256", "state", "started_at", "finished_at"),
        ("file", "ordinal", "physical_table")),
    LedgerTable("_shardwright_switch", ("writes_to", "generation", "at")),
)  # fmt: skip
NO_EVIDENCE: Final = {
    "_shardwright_connection": "connections of a run that lives",
    "_shardwright_recent_keys": "keys of rows, until the next comparison",
    "_shardwright_decision": "the last decisions about each key, for explain-row",
    "_shardwright_recent": "keys of rows, for a failover",
}
_THERE = "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()"


def read_rows(connection: Connection[Any], migration: str, *, ledger: str) -> Iterator[Record]:
    """The rows of the connection's ledger, which `ledger` names. All are of one moment: nothing is locked. A ledger
    that is not there, or lacks a table, gives fewer rows."""
    there = {str(name) for (name,) in query(connection, _THERE)}
    execute(connection, "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY")
    try:
        for table in EVIDENCE:
            if table.name in there:
                yield from _rows(connection, migration, table, ledger)
    finally:
        execute(connection, "COMMIT")


def _rows(connection: Connection[Any], migration: str, table: LedgerTable, ledger: str) -> Iterator[Record]:
    columns, order = ", ".join(map(quote, table.columns)), ", ".join(map(quote, table.order))
    sql = f"SELECT {columns} FROM {quote(table.name)} WHERE migration = %s{f' ORDER BY {order}' if order else ''}"
    with closing(connection.cursor(SSCursor)) as cursor:
        cursor.execute(sql, (migration,))
        for row in cursor:
            values = {column: _plain(value) for column, value in zip(table.columns, row, strict=True)}
            yield Record("ledger", {"ledger": ledger, "table": table.name, "row": values})


def _plain(value: Any) -> str | int | None:
    if isinstance(value, datetime):
        return value.isoformat(timespec="microseconds")
    if value is None or isinstance(value, int):
        return value
    return value.decode("utf-8") if isinstance(value, bytes) else str(value)
