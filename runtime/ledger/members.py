"""Whether the shards' ledgers belong together: a ledger that was lost, exchanged or restored from a backup is noticed
before it does damage (hazard A13).

Used in the driver; writes to the shards and, about all of them, to the first shard.

Every ledger has a number of its own, made with it. The first shard keeps the numbers of all ledgers. For each shard it
also keeps the last batch with work for it, and how many chunks the shard was given. Each shard records, in the
transaction of a batch's last sub-step, that it has the batch. A shard whose ledger disagrees with the first shard has
lost something.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pymysql.connections import Connection

from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.steps import read_steps
from shardwright.runtime.ledger.switch_row import read_switch
from shardwright.runtime.mysql.transactions import execute, execute_later, query, query_if_there
from shardwright.runtime.sources.positions.stream_position import StreamPosition
from shardwright.specs.findings.remedies import START_OVER

SHARD_TABLE: Final = """CREATE TABLE IF NOT EXISTS `_shardwright_shard` (
      migration VARCHAR(64) NOT NULL PRIMARY KEY,
      batch BIGINT NOT NULL,
      position LONGTEXT NOT NULL,
      applied_at DATETIME(6) NOT NULL
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin"""
"""On every shard."""
MEMBER_TABLE: Final = """CREATE TABLE IF NOT EXISTS `_shardwright_member` (
      migration VARCHAR(64) NOT NULL,
      shard VARCHAR(64) NOT NULL,
      ledger CHAR(32) NOT NULL,
      batch BIGINT NOT NULL,
      chunks BIGINT NOT NULL,
      PRIMARY KEY (migration, shard)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin"""
"""On the first shard."""
_LEDGER = "SELECT ledger FROM `_shardwright_ledger`"
_HAS_LEDGER = (
    "SELECT 1 FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = '_shardwright_shard'"
)
_SHARD = "SELECT batch, position FROM `_shardwright_shard` WHERE migration = %s"
_CHUNKS = "SELECT COUNT(*) FROM `_shardwright_chunk_done` WHERE migration = %s"
_BEGIN = (
    "INSERT INTO `_shardwright_shard` (migration, batch, position, applied_at) VALUES (%s, 0, %s, NOW(6)) "
    "ON DUPLICATE KEY UPDATE batch = 0, position = %s, applied_at = NOW(6)"
)
_APPLIED = (
    "UPDATE `_shardwright_shard` SET batch = %s, position = %s, applied_at = NOW(6) WHERE migration = %s AND batch < %s"
)
_ENTER = "INSERT INTO `_shardwright_member` (migration, shard, ledger, batch, chunks) VALUES (%s, %s, %s, 0, 0)"
_LAST_WORK = "SELECT COALESCE(MAX(batch), 0) FROM `_shardwright_member` WHERE migration = %s"
_OWED = "UPDATE `_shardwright_member` SET batch = %s WHERE migration = %s AND shard IN %s"
_CHUNK = "UPDATE `_shardwright_member` SET chunks = chunks + 1 WHERE migration = %s AND shard IN %s"
_DEDUCT = "UPDATE `_shardwright_member` SET chunks = GREATEST(chunks, %s) - %s WHERE migration = %s AND shard = %s"
_MEMBERS = "SELECT shard, ledger, batch, chunks FROM `_shardwright_member` WHERE migration = %s"


@dataclass(frozen=True, slots=True)
class ShardLedger:
    """What a shard's own ledger says. `ledger` is its number, empty where it is lost. `batch` is the last one of which
    it has its whole share, and ended at `position`; None when the ledger does not know the migration."""

    database: str
    ledger: str
    batch: int | None
    position: StreamPosition | None
    chunks: int


@dataclass(frozen=True, slots=True)
class Member:
    """What the first shard says of a shard: its ledger, the last closed batch with work for it, the chunks it was
    given."""

    ledger: str
    batch: int
    chunks: int


def read_shard_ledger(connection: Connection[Any], database: str, migration: str) -> ShardLedger:
    """`connection` has `database` as its default database. What is lost of the ledger counts as empty."""
    numbered = query_if_there(connection, _LEDGER)
    counted = query_if_there(connection, _CHUNKS, (migration,))
    rows = query_if_there(connection, _SHARD, (migration,))
    ledger, chunks = str(numbered[0][0]) if numbered else "", int(counted[0][0]) if counted else 0
    if not rows:
        return ShardLedger(database, ledger, None, None, chunks)
    return ShardLedger(database, ledger, int(rows[0][0]), StreamPosition.from_text(rows[0][1]), chunks)


def has_written(connection: Connection[Any], migration: str) -> bool:
    """Whether the migration has written to the shard of `connection`, whatever the first shard says. The shard may have
    no ledger."""
    there = query(connection, _HAS_LEDGER)
    if not there:
        return False
    found = query_if_there(connection, _CHUNKS, (migration,))
    return any(int(chunks) for (chunks,) in found) or any(
        int(batch) for batch, _ in query(connection, _SHARD, (migration,))
    )


def why_home_is_lost(connection: Connection[Any], database: str, migration: str) -> str | None:
    """Why the migration has begun although the first shard's ledger does not know it, by another shard's ledger, which
    `connection` is in. None where that one does not know it, either."""
    if not has_written(connection, migration):
        return None
    found = (
        f"{database} holds what migration {migration} wrote, but the first shard's ledger does not know it: that "
        "ledger was lost, or belongs to other shards"
    )
    if read_switch(connection, migration)[0] == "shards":
        return f"{found}. Applications write to the shards, whose rows are the only copy: restore that ledger"
    return f"{found}. Restore it, or {START_OVER}"


def read_members(control: Connection[Any], migration: str) -> dict[str, Member]:
    """By database."""
    rows = query(control, _MEMBERS, (migration,))
    return {shard: Member(ledger, int(batch), int(chunks)) for shard, ledger, batch, chunks in rows}


def begin_on_shard(connection: Connection[Any], migration: str, start: StreamPosition) -> None:
    execute_later(connection, _BEGIN, (migration, start.to_text(), start.to_text()), may_commit=True)


def enter_members(control: Connection[Any], migration: str, ledgers: Collection[ShardLedger]) -> None:
    for found in ledgers:
        execute_later(control, _ENTER, (migration, found.database, found.ledger), may_commit=True)


def record_batch(connection: Connection[Any], migration: str, batch: int, *, end: StreamPosition) -> None:
    """The shard has its whole share of the batch; call in the transaction of its last sub-step."""

    def judge(rows: int) -> None:
        if rows != 1:
            message = f"the shard's ledger does not know migration {migration}, or is ahead of batch {batch}"
            raise Refused("SW8207", message)

    execute_later(connection, _APPLIED, (batch, end.to_text(), migration, batch), judge=judge)


def last_batch_with_work(control: Connection[Any], migration: str) -> int:
    """The last closed batch that changed rows; 0 before the first."""
    return int(query(control, _LAST_WORK, (migration,))[0][0])


def batch_closed(control: Connection[Any], migration: str, batch: int, *, databases: Collection[str]) -> None:
    """All of `databases` had work in the batch, and have it; call in the transaction that closes it."""
    if databases:
        execute_later(control, _OWED, (batch, migration, tuple(databases)), may_commit=True)


def chunk_given(control: Connection[Any], migration: str, databases: Collection[str]) -> None:
    """`databases` have a chunk; call in the transaction that marks it as done."""
    if databases:
        execute_later(control, _CHUNK, (migration, tuple(databases)), may_commit=True)


def deduct_chunks(control: Connection[Any], migration: str, chunks: Mapping[str, int]) -> None:
    """`chunks`: database -> how many chunks it will be given again. Call before the shard forgets them."""
    for database, count in chunks.items():
        execute(control, _DEDUCT, (count, count, migration, database))


def require_unused(ledgers: Collection[ShardLedger], migration: str) -> None:
    """Call when the first shard does not know the migration: then no shard may know it. Raises Refused (SW8210)."""
    for found in ledgers:
        if found.batch or found.chunks:
            raise Refused(
                "SW8210",
                f"{found.database} holds what migration {migration} wrote, but the first shard's ledger does not "
                f"know it: that ledger was lost, or belongs to other shards. Restore it, or {START_OVER}",
            )


def require_whole(
    control: Connection[Any],
    ledgers: Collection[ShardLedger],
    migration: str,
    *,
    position: StreamPosition,
    staged: tuple[int, Collection[str]] | None,
) -> None:
    """Compare every shard's own ledger with the first shard's record of it. `position` is the stream's position.
    `staged` is the batch that is staged but not closed, with the databases that still have work in it. Raises Refused
    (SW8207 to SW8209) with all findings."""
    members = read_members(control, migration)
    findings = [
        finding
        for found in ledgers
        for finding in _differences(found, members.get(found.database), position=position, staged=staged)
    ]
    if findings:
        (code, message), *rest = findings
        raise Refused(code, message + "".join(f"\n{other}: {text}" for other, text in rest))


def _differences(
    found: ShardLedger,
    member: Member | None,
    *,
    position: StreamPosition,
    staged: tuple[int, Collection[str]] | None,
) -> Iterator[tuple[str, str]]:
    if member is None:
        yield "SW8207", f"{found.database} is no shard of this migration: its target databases were others"
    elif found.batch is None or found.position is None or not found.ledger:
        yield (
            "SW8207",
            f"{found.database} has lost its ledger: it had applied batch {member.batch}. Restore it with its ledger as "
            f"of {position}, or {START_OVER}",
        )
    elif found.ledger != member.ledger:
        yield (
            "SW8208",
            f"{found.database} has another ledger ({found.ledger}) than this migration began with ({member.ledger}): "
            "was a database exchanged with another one? Point the environment at the right servers",
        )
    else:
        yield from _progress(found, member, position=position, staged=staged)


def _progress(
    found: ShardLedger, member: Member, *, position: StreamPosition, staged: tuple[int, Collection[str]] | None
) -> Iterator[tuple[str, str]]:
    possible = {member.batch}
    if staged is not None and found.database in staged[1]:
        possible.add(staged[0])
    assert found.batch is not None
    if found.batch < min(possible) or found.chunks < member.chunks:
        missing = f"batches {found.batch + 1} to {member.batch}, from {found.position} on"
        if found.batch >= member.batch:
            missing = f"{member.chunks - found.chunks} of the {member.chunks} chunks it was given"
        yield (
            "SW8209",
            f"{found.database} was restored from a backup: its ledger lacks {missing}. Restore it as of {position}, or "
            f"{START_OVER}",
        )
    elif found.batch not in possible:
        yield (
            "SW8209",
            f"{found.database} has applied batch {found.batch}, but the first shard's ledger ends at batch "
            f"{member.batch} for it: the first shard was restored from a backup. Restore it, or {START_OVER}",
        )


def require_staged(connection: Connection[Any], database: str, migration: str, *, batch: int) -> None:
    """Check that a batch which is staged everywhere is staged on this shard. Raises Refused (SW8209) when the shard was
    restored from a backup since."""
    if "stage" not in read_steps(connection, migration, batch):
        raise Refused(
            "SW8209",
            f"{database} was restored from a backup: its ledger lacks the decisions of batch {batch}, which were "
            f"staged. Restore it as of then, or {START_OVER}",
        )
