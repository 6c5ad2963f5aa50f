"""What batches decided about each key, and why: the last decisions, for `explain-row` (`flight_recorder` of the spec).

Written in Spark tasks, to the shard, in the transaction that stages the decisions. Read in the process of a command. It
holds no value of a row: a key is there as its digest.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.mysql.load_data import load_new_rows
from shardwright.runtime.mysql.transactions import execute, query_if_there

if TYPE_CHECKING:
    import pyarrow as pa

TABLE: Final = """CREATE TABLE IF NOT EXISTS `_shardwright_decision` (
      migration VARCHAR(64) NOT NULL,
      key_digest BINARY(16) NOT NULL,
      batch BIGINT NOT NULL,
      part INT NOT NULL,
      source_table VARCHAR(129) NOT NULL,
      action VARCHAR(8) NOT NULL,
      decision VARCHAR(16) NOT NULL,
      why VARCHAR(100) NOT NULL,
      log_file BIGINT NOT NULL,
      log_offset BIGINT NOT NULL,
      log_row INT NOT NULL,
      decided_at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
      PRIMARY KEY (migration, key_digest, batch, part, source_table),
      KEY by_batch (migration, batch)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin"""
"""On every shard."""
DECISION_COLUMNS: Final = (
    "table",
    "source_table",
    "part",
    "action",
    "decision",
    "why",
    "key",
    "file",
    "offset",
    "line",
)
"""What of a decided row is kept."""
_LOADED: Final = (
    "migration", "batch", "source_table", "part", "action", "decision", "why", "log_file", "log_offset", "log_row",
    "key_digest",
)  # fmt: skip
_FORGET = "DELETE FROM `_shardwright_decision` WHERE migration = %s AND batch = %s"
_TRIM = (
    "DELETE old FROM `_shardwright_decision` AS old JOIN (SELECT key_digest, batch, part, source_table FROM (SELECT "
    "every.key_digest, every.batch, every.part, every.source_table, ROW_NUMBER() OVER (PARTITION BY every.key_digest "
    "ORDER BY every.batch DESC, every.part, every.source_table) AS place FROM `_shardwright_decision` AS every JOIN "
    "(SELECT DISTINCT key_digest FROM `_shardwright_decision` WHERE migration = %s AND batch = %s) AS now "
    "ON every.key_digest = now.key_digest WHERE every.migration = %s) AS ranked WHERE place > %s) AS gone "
    "ON old.key_digest = gone.key_digest AND old.batch = gone.batch AND old.part = gone.part "
    "AND old.source_table = gone.source_table WHERE old.migration = %s"
)
_READ = (
    "SELECT batch, part, source_table, action, decision, why, log_file, log_offset, log_row, decided_at "
    "FROM `_shardwright_decision` WHERE migration = %s AND key_digest IN %s ORDER BY batch, decided_at"
)
_ROWS_AT_ONCE: Final = 50_000


@dataclass(frozen=True, slots=True)
class DecisionMemory:
    """Which decisions are kept: of each key of the tables `logicals`, the last `rows`."""

    rows: int
    logicals: frozenset[str]


def decision_memory(plan: Plan) -> DecisionMemory | None:
    """None where the spec has no `flight_recorder`. Tables without a key have none to ask about."""
    if not plan.flight_recorder:
        return None
    logicals = frozenset(table.logical for table in plan.tables if not table.identity.counts_rows)
    return DecisionMemory(plan.flight_recorder, logicals)


@dataclass(frozen=True, slots=True)
class KeptDecision:
    """What one batch decided about a key on one shard."""

    batch: int
    """Its number."""
    part: int
    """Index of the physical table on that shard."""
    source_table: str
    """Whose change it is, as "database.table"."""
    action: str
    """upsert, delete or move_out."""
    decision: str
    """insert, update, delete, skip or defer."""
    why: str
    """The words of the rule that decided."""
    file: int
    """The number of the log file that has the change."""
    offset: int
    """Where its event begins."""
    row: int
    """Its number among the rows of the event."""
    at: datetime
    """When it was staged, by the shard's clock (UTC)."""


def record_decisions(
    connection: Connection[Any], migration: str, batch: int, decided: Iterable[pa.Table], *, memory: DecisionMemory
) -> None:
    """Keep the decisions of the batch on this shard: those of an earlier attempt at it are replaced, and those of its
    keys that are too old are deleted. `decided` has the columns of DECISION_COLUMNS."""
    execute(connection, _FORGET, (migration, batch))
    for rows in decided:
        for start in range(0, len(rows), _ROWS_AT_ONCE):
            payload = _lines(migration, batch, rows.slice(start, _ROWS_AT_ONCE))
            load_new_rows(
                connection, "_shardwright_decision", _LOADED, hexadecimal=frozenset({"key_digest"}), payload=payload
            )
    execute(connection, _TRIM, (migration, batch, migration, memory.rows, migration))


def read_decisions(
    connection: Connection[Any], migration: str, logical: str, keys: Collection[Sequence[str]]
) -> list[KeptDecision]:
    """Of one key, in each of its spellings; from the oldest on. Empty where the ledger is from before the table."""
    digests = [bytes.fromhex(_digest(logical, key)) for key in keys]
    return [
        KeptDecision(int(b), int(p), str(s), str(a), str(d), str(w), int(f), int(o), int(r), at)
        for b, p, s, a, d, w, f, o, r, at in query_if_there(connection, _READ, (migration, digests))
    ]


def _digest(logical: str, key: Sequence[str]) -> str:
    return hashlib.blake2b(json.dumps([logical, *key]).encode(), digest_size=16).hexdigest()


def _lines(migration: str, batch: int, rows: pa.Table) -> bytes:
    import pyarrow as pa  # here: commands that only read do not load it

    from shardwright.runtime.mysql.load_lines import render_columns

    def same(value: str) -> pa.Array:
        return pa.array([value] * len(rows), pa.string())

    pairs = zip(rows.column("table").to_pylist(), rows.column("key").to_pylist(), strict=True)
    digests = pa.array([_digest(logical, key) for logical, key in pairs], pa.string())
    numbers = [rows.column(name).cast(pa.string()) for name in ("part", "file", "offset", "line")]
    part, *place = (column.combine_chunks() for column in numbers)
    texts = (rows.column(name).combine_chunks() for name in ("source_table", "action", "decision", "why"))
    source, *words = texts
    return render_columns([], [same(migration), same(str(batch)), source, part, *words, *place, digests])
