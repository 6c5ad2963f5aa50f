"""What keeps writers out of the buckets of the other side? Triggers on the tables of both sides, which look a row's
bucket up in the ledger.

Used in the driver; `writer_fence` writes triggers on the servers of a side.

A trigger takes a shared lock on the bucket's row until the writer's transaction ends. So the command that closes the
bucket, by an update of that row, waits for all transactions that have written in it, and no later one gets in, whatever
its snapshot shows. Servers release these locks when the transaction is in the binary log. Writers of other buckets
never wait.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from shardwright.compiler.plan.plan import BUCKET_OWNERS, StepName, TablePlan, bookkeeping_name
from shardwright.compiler.sql.sql_text import quote
from shardwright.compiler.steps.writers import SOURCE_NEW, SOURCE_OLD, TARGET_NEW, TARGET_OLD
from shardwright.runtime.cutover.fences.fence import FenceContext, FencedServer
from shardwright.runtime.cutover.fences.trigger_fence import TriggerFence
from shardwright.runtime.cutover.fences.trigger_text import EVENTS, FenceTrigger, as_text, signal, unless_ours
from shardwright.runtime.cutover.ways import Way, Ways
from shardwright.runtime.ddl.fence_names import PREFIX

_IMAGES: Final[Mapping[str, tuple[int, ...]]] = {"INSERT": (0,), "UPDATE": (0, 1), "DELETE": (1,)}
"""By event, which rows it has: 0 the new one, 1 the old one."""
_MOST_LETTERS: Final = 128
_LOOK: Final = (
    "NOT EXISTS(SELECT 1 FROM {ledger} AS b WHERE b.migration = {migration} AND b.bucket = ({bucket}) "
    "AND b.writer = {side} LOCK IN SHARE MODE)"
)


def writer_fence(ways: Ways, way: Way) -> TriggerFence:
    """Of the side that `way` reads."""
    side, migration = way.side, ways.migration
    other = ways.other(way)
    tables = _tables(way)

    def triggers_of(database: str, table: str, ours: str) -> Sequence[FenceTrigger]:
        step = ways.forward.plan.step(tables[database, table].logical, StepName.WRITERS)
        images = (SOURCE_NEW, SOURCE_OLD) if side == "source" else (TARGET_NEW, TARGET_OLD)
        buckets = [step.statement(name) for name in images]
        ledger = f"{quote(other.servers.ledger_of(database))}.{quote(BUCKET_OWNERS)}"
        holes = {"ledger": ledger, "migration": as_text(migration), "side": as_text(side)}
        return [
            FenceTrigger(
                bookkeeping_name(PREFIX, f"b{event[:3].lower()}_{migration}_{table}"),
                database,
                table,
                event,
                _body([_LOOK.format(bucket=buckets[at], **holes) for at in _IMAGES[event]], migration, ours),
            )
            for event in EVENTS
        ]

    servers = [FencedServer(way.servers.sources[name], found) for name, found in way.tables().items()]
    return TriggerFence(servers, FenceContext(migration, 0, side), triggers_of=triggers_of)


def undo_of(fence: TriggerFence) -> list[dict[str, Any]]:
    """What lifts it: the triggers have names of their own, so none of another one's is kept."""
    return [
        {
            "server": server.name,
            "kind": fence.kind,
            "tables": {database: list(names) for database, names in server.tables.items()},
            "there": [],
        }
        for server in fence.servers
    ]


def writer_message(migration: str) -> str:
    """What a writer gets who is on the wrong side of a bucket."""
    return f"bucket of the other side, or moving ({migration}): retry where {BUCKET_OWNERS} says"[:_MOST_LETTERS]


def _body(looks: Sequence[str], migration: str, ours: str) -> str:
    refused = f"IF {' OR '.join(looks)} THEN {signal(writer_message(migration))}; END IF"
    return unless_ours(ours, refused)


def _tables(way: Way) -> Mapping[tuple[str, str], TablePlan]:
    """By database and physical name, those that applications write to while `way` is live."""
    return {(source.database, source.table): table for table in way.plan.tables for source in table.sources}
