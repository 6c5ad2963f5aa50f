"""How many transactions has the stream left out as our own that changed rows of followed tables, and which rows?

Used in the driver; writes to the first shard. A transaction is ours by a row of the ledger. Who may write the ledger
can imitate that, so a cutover compares these rows, too.

There is a row for each batch that left any out, while a comparison needs its keys; batch 0 counts the earlier ones.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.ledger.comparison import KEPT_ROWS, void_verified
from shardwright.runtime.mysql.transactions import execute, execute_later, query
from shardwright.runtime.sources.left_out import LeftOutRange

TABLE: Final = """CREATE TABLE IF NOT EXISTS `_shardwright_left_out` (
      migration VARCHAR(64) NOT NULL,
      batch BIGINT NOT NULL,
      piece INT NOT NULL,
      transactions BIGINT NOT NULL,
      changed_rows BIGINT NOT NULL,
      changed LONGTEXT NOT NULL,
      PRIMARY KEY (migration, batch, piece)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin"""
"""On the first shard. `changed` has pairs of a logical table and a key; the first piece of a batch has its counts."""
_CHARACTERS_IN_A_PIECE: Final = 100_000
"""A shard may take packets of 1 MiB only."""
_FORGET = "DELETE FROM `_shardwright_left_out` WHERE migration = %s AND batch = %s"
_ADD = (
    "INSERT INTO `_shardwright_left_out` (migration, batch, piece, transactions, changed_rows, changed) VALUES (%s, "
    "%s, %s, %s, %s, %s)"
)
_BEFORE = (
    "SELECT COALESCE(SUM(transactions), 0), COALESCE(SUM(changed_rows), 0) FROM `_shardwright_left_out` "
    "WHERE migration = %s AND batch < %s"
)
_FORGET_BEFORE = "DELETE FROM `_shardwright_left_out` WHERE migration = %s AND batch < %s"
_SINCE = "SELECT COALESCE(SUM(changed_rows), 0) FROM `_shardwright_left_out` WHERE migration = %s AND batch > 0"
_COUNT = (
    "SELECT COALESCE(SUM(transactions), 0), COALESCE(SUM(changed_rows), 0) FROM `_shardwright_left_out` "
    "WHERE migration = %s AND batch BETWEEN %s AND %s"
)
_KEYS = (
    "SELECT changed FROM `_shardwright_left_out` WHERE migration = %s AND batch BETWEEN %s AND %s ORDER BY batch, piece"
)
_NO_END: Final = (1 << 63) - 1


@dataclass(frozen=True, slots=True)
class LeftOutCount:
    """Transactions that were left out as our own, and the rows of followed tables that they changed."""

    transactions: int = 0
    rows: int = 0

    def __str__(self) -> str:
        return f"{self.transactions:,} transactions with {self.rows:,} rows of followed tables"


NONE: Final = LeftOutCount()


def record_left_out(connection: Connection[Any], plan: Plan, batch: int, found: LeftOutRange, *, oldest: int) -> None:
    """Call in a transaction after which the batch takes effect, or before; may be repeated. Keys of batches before
    `oldest` are forgotten. Where not all keys are known, what was compared so far proves nothing any more."""
    migration = plan.migration
    keys, unknown = _by_logical(plan, found)
    execute_later(connection, _FORGET, (migration, batch), may_commit=True)
    counts = (found.transactions, found.rows)
    for piece, pairs in enumerate(_pieces(keys)):
        execute(connection, _ADD, (migration, batch, piece, *counts, json.dumps(pairs, ensure_ascii=False)))
        counts = (0, 0)
    [earlier] = query(connection, _BEFORE, (migration, oldest))
    if any(earlier):
        execute(connection, _FORGET_BEFORE, (migration, oldest))
        execute(connection, _ADD, (migration, 0, 0, *map(int, earlier), "[]"))
    [(since,)] = query(connection, _SINCE, (migration,))
    if not unknown and since > KEPT_ROWS:
        unknown = f"no more than {KEPT_ROWS:,} are remembered"
    if unknown:
        why = f"batch {batch} left rows out as our own, and not all of their keys are known: {unknown}"
        void_verified(connection, migration, why=why)


def count_left_out(
    connection: Connection[Any], migration: str, *, after: int = -1, last: int = _NO_END
) -> LeftOutCount:
    """By the batches after `after` up to `last`; without them by all."""
    [counts] = query(connection, _COUNT, (migration, after + 1, last))
    return LeftOutCount(*map(int, counts))


def read_left_out_keys(
    connection: Connection[Any], migration: str, *, after: int, last: int
) -> Mapping[str, list[tuple[str, ...]]]:
    """Logical table -> keys of the rows that the batches after `after` up to `last` have left out."""
    found: dict[str, dict[tuple[str, ...], None]] = defaultdict(dict)
    for (changed,) in query(connection, _KEYS, (migration, after + 1, last)):
        for logical, key in json.loads(changed):
            found[logical][tuple(key)] = None
    return {logical: list(keys) for logical, keys in found.items()}


def _by_logical(plan: Plan, found: LeftOutRange) -> tuple[list[tuple[str, tuple[str, ...]]], str]:
    """The keys as `verify` asks for them, and why some are not known."""
    keys: dict[tuple[str, tuple[str, ...]], None] = {}
    unknown = found.unknown
    for table in plan.tables:
        for source in map(str, table.sources):
            some = found.keys.get(source, ())
            if some and table.identity.counts_rows:
                unknown = unknown or f"{table.logical} has no key"
            lacks = () if table.source_lacks is None else (table.source_lacks.of(source),)
            keys.update(((table.logical, (*key, *lacks)), None) for key in some if not table.identity.counts_rows)
    return list(keys), unknown


def _pieces(keys: list[tuple[str, tuple[str, ...]]]) -> Iterator[list[tuple[str, tuple[str, ...]]]]:
    """At least one."""
    piece: list[tuple[str, tuple[str, ...]]] = []
    size = 0
    for logical, key in keys:
        if size > _CHARACTERS_IN_A_PIECE:
            yield piece
            piece, size = [], 0
        piece.append((logical, key))
        size += len(logical) + sum(map(len, key)) + 10
    yield piece
