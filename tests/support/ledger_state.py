"""The ledgers as a person reads them, and what must be true of them whenever a run has died."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

import pymysql
from pymysql.connections import Connection
from pymysql.cursors import Cursor

from tests.servers.testbed import Arena

_UNKNOWN = {1146, 1049}
# What may stand at a place of the log where no transaction is under way.
_BOUNDARIES = {
    "gtid",
    "anonymous_gtid",
    "gtid_list",
    "format_desc",
    "rotate",
    "binlog_checkpoint",
    "stop",
    "start_encryption",
}


@dataclass(frozen=True)
class LedgerState:
    """`steps` are the sub-steps each shard has recorded, as (batch, step)."""

    file: str = ""
    position: tuple[int, int] | None = None
    batch: int = 0
    snapshot_done: bool = False
    open_batch: int | None = None
    open_state: str = ""
    open_from: tuple[int, int] | None = None
    owed: tuple[str, ...] = ()
    steps: dict[str, set[tuple[int, str]]] = field(default_factory=dict)
    tombstones: int = 0


def read_ledger_state(arena: Arena, shards: Sequence[str]) -> LedgerState:
    """Empty books while the migration has not begun."""
    with ExitStack() as stack:
        return _read(stack, arena, shards)


def _read(stack: ExitStack, arena: Arena, shards: Sequence[str]) -> LedgerState:
    first = shards[0]
    connections: dict[str, Connection[Cursor]] = {}

    def ask(database: str, sql: str) -> list[tuple[object, ...]]:
        try:
            if database not in connections:
                connections[database] = stack.enter_context(arena.shard(database))
            with connections[database].cursor() as cursor:
                cursor.execute(sql)
                return list(cursor.fetchall())
        except pymysql.err.ProgrammingError as error:
            if error.args[0] in _UNKNOWN:
                return []
            raise

    migration = ask(first, "SELECT position, batch, snapshot_end FROM _shardwright_migration")
    if not migration:
        return LedgerState()
    position, batch, snapshot_end = migration[0]
    file, offset = _place(position)
    opened = ask(first, "SELECT batch, state, from_position, shards FROM _shardwright_open")
    steps = {
        shard: {(int(str(b)), str(step)) for b, step in ask(shard, "SELECT batch, step FROM _shardwright_step")}
        for shard in shards
    }
    tombstones = 0
    for shard in shards:
        for (name,) in ask(shard, "SHOW TABLES LIKE '\\_sw\\_gone\\_%'"):
            tombstones += int(str(ask(shard, f"SELECT COUNT(*) FROM `{name}`")[0][0]))
    more: dict[str, object] = {}
    if opened:
        number, state, from_position, work = opened[0]
        more = {
            "open_batch": int(str(number)),
            "open_state": str(state),
            "open_from": _position(*_place(from_position)),
            "owed": tuple(json.loads(str(work))),
        }
    return LedgerState(
        file=file,
        position=_position(file, offset),
        batch=int(str(batch)),
        snapshot_done=snapshot_end is not None,
        steps=steps,
        tombstones=tombstones,
        **more,  # type: ignore[arg-type]
    )


def read_position(arena: Arena, shards: Sequence[str]) -> tuple[int, int] | None:
    """Where the stream stands, for those who ask all the time; None while the migration has not begun."""
    try:
        asked = arena.placement[shards[0]].query("SELECT position FROM _shardwright_migration", database=shards[0])
    except pymysql.err.ProgrammingError as error:
        if error.args[0] in _UNKNOWN:
            return None
        raise
    return _position(*_place(asked[0][0])) if asked else None


def require_sound(arena: Arena, ledger_state: LedgerState) -> None:
    """The position is a transaction boundary, and an open batch begins exactly there (C1, C3)."""
    if ledger_state.position is None:
        return
    _require_boundary(arena, ledger_state.file, ledger_state.position[1])
    latest = ledger_state.batch if ledger_state.open_batch is None else ledger_state.open_batch
    for shard, steps in ledger_state.steps.items():
        later = {step for step in steps if step[0] > latest}
        assert not later, f"{shard} has recorded {later}, and batch {latest} is the last one that was opened"
    if ledger_state.open_batch is None:
        return
    assert ledger_state.open_batch == ledger_state.batch + 1
    assert ledger_state.open_from == ledger_state.position
    if ledger_state.open_state == "open":
        effects = {
            (shard, step)
            for shard, steps in ledger_state.steps.items()
            for b, step in steps
            if b == latest and step != "stage"
        }
        assert not effects, f"{effects} took effect before the batch was staged everywhere"


def _require_boundary(arena: Arena, file: str, offset: int) -> None:
    events = arena.source.query(f"SHOW BINLOG EVENTS IN '{file}' FROM {offset} LIMIT 1")
    # None: the log ends here. Its writer ends it only between transactions.
    if events:
        kind = str(events[0][2]).lower()
        assert kind in _BOUNDARIES, f"{file}:{offset} stands before an event '{kind}'"


def _place(position: object) -> tuple[str, int]:
    """File and offset of a position with one source."""
    [part] = json.loads(str(position)).values()
    return part["file"], int(part["pos"])


def _position(file: object, offset: object) -> tuple[int, int]:
    return int(str(file).rpartition(".")[2]), int(str(offset))
