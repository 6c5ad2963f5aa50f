"""What the ledgers say of chunks: rows on each shard, and how fast they came lately. Read by `status` while another process runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pymysql.connections import Connection

from shardwright.runtime.mysql.transactions import query

RECENT_CHUNKS: Final = 200
"""Rates are estimated from so many chunks, here and in the run itself."""
Finish = tuple[float, int]
"""When a chunk was done, and its rows."""

_COPIED = (
    "SELECT logical, COUNT(*), COALESCE(SUM(rows_inserted), 0) FROM `_shardwright_chunk_done` "
    "WHERE migration = %s GROUP BY logical"
)
_RECENT = (
    "SELECT logical, UNIX_TIMESTAMP(applied_at) - UNIX_TIMESTAMP(NOW(6)), rows_read FROM `_shardwright_chunk_done` "
    f"WHERE migration = %s ORDER BY applied_at DESC LIMIT {RECENT_CHUNKS}"
)


@dataclass(frozen=True, slots=True)
class CopiedOnShard:
    """`rows` by logical table, as they were inserted; `recent`: the last chunks by logical table, their times counted from now on the shard's own
    clock (so below 0)."""

    chunks: int
    rows: Mapping[str, int]
    recent: Mapping[str, tuple[Finish, ...]]
    begin: float
    """Before that nothing is told."""


def copied_on_shard(connection: Connection[Any], migration: str) -> CopiedOnShard:
    if not query(connection, "SHOW TABLES LIKE '\\_shardwright\\_chunk\\_done'"):
        return CopiedOnShard(0, {}, {}, float("-inf"))  # the ledger is lost
    copied = query(connection, _COPIED, (migration,))
    rows = query(connection, _RECENT, (migration,))
    recent: dict[str, list[Finish]] = {}
    for logical, at, count in rows:
        recent.setdefault(str(logical), []).append((float(at), int(count)))
    return CopiedOnShard(
        sum(int(row[1]) for row in copied),
        {str(row[0]): int(row[2]) for row in copied},
        {logical: tuple(finishes) for logical, finishes in recent.items()},
        min((float(row[1]) for row in rows), default=0.0) if len(rows) == RECENT_CHUNKS else float("-inf"),
    )


def finishes(shards: Sequence[CopiedOnShard], logical: str, *, broadcast: bool) -> list[Finish]:
    """The recent chunks of a table over all shards, from where every shard tells them. A broadcast row was read once, though every shard has it."""
    begin = max(shard.begin for shard in shards)
    asked = shards[:1] if broadcast else shards
    return [found for shard in asked for found in shard.recent.get(logical, ()) if found[0] >= begin]
