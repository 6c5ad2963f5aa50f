"""How does a migration end? The way back ends with it, and what we keep for it on both sides is removed.

Runs in the driver; writes ledgers, and drops tables of ours on the shards and beside the source.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Final

from sqlglot import exp

from shardwright.compiler.plan.plan import Plan, StepName
from shardwright.compiler.sql.mysql_parser import parse_sql
from shardwright.compiler.sql.sql_text import quote
from shardwright.runtime.cutover.cutover import Cutover
from shardwright.runtime.cutover.late_writes import late_writes
from shardwright.runtime.cutover.old_views import drop_old_views
from shardwright.runtime.cutover.procedure import Step, Steps, execute_steps
from shardwright.runtime.cutover.ways import Way
from shardwright.runtime.events.cutover import LedgerDropped
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.cutover import end_for_good
from shardwright.runtime.ledger.tables import forget_migration
from shardwright.runtime.ledger.takeover import cutover_name, take_over_everywhere
from shardwright.runtime.mysql.transactions import execute, in_transaction
from shardwright.runtime.sources.positions.stream_position import StreamPosition

_KEPT_BESIDE_THE_SOURCE: Final = frozenset({"_shardwright_switch"})
"""Applications read it."""
_KEPT_ON_SHARDS: Final = _KEPT_BESIDE_THE_SOURCE | {
    "_shardwright_audit",
    "_shardwright_connection",
    "_shardwright_cutover",
    "_shardwright_cutover_state",
    "_shardwright_ddl",
    "_shardwright_epoch",
    "_shardwright_ledger",
}
"""And what says that the migration is finished, and what routed DDL works with."""


def finish(cutover: Cutover) -> None:
    """Of a migration whose writes go to the shards. Within `Cutover.begun`; may be repeated. The fence of the source
    stays, and so does the switch row, which applications go on reading; the first shard keeps the audit.

    Raises Refused (SW8926) while the source still gets writes, and (SW8915) while no cutover has been made.
    """
    state = cutover.state
    if state.state not in ("reversing", "finishing", "finished"):
        raise Refused(
            "SW8915",
            f"writes of {cutover.ways.migration} go to the {state.writes_to} (state {state.state}): only what has been "
            "cut over to the shards can be finished",
        )
    execute_steps(FINISH, cutover)


def _require_quiet(cutover: Cutover) -> None:
    """What was written behind the fence is named once: a second `finish` asks for what came after it."""
    ways, cut = cutover.ways, cutover.state.detail.cut
    assert cut is not None
    found = late_writes(ways.forward, StreamPosition.from_text(cut))
    cutover.remember(cut=found.until.to_text())
    if found.events:
        raise Refused(
            "SW8926",
            f"the source still gets writes of {ways.migration}: {found}. They are not on the shards: find the "
            "client that passes the fence, see with `verify` which rows differ, and finish again",
        )


def _end_way_back(cutover: Cutover) -> None:
    """No run of the migration begins any more."""
    backward = cutover.ways.backward
    with closing(cutover.ways.home()) as home:
        in_transaction(home, lambda c: end_for_good(c, cutover.ways.migration))
    failpoint("after-end-for-good")
    if _has_database(backward):
        take_over_everywhere(backward.servers, role="data", owner=cutover_name())


def _drop_ledgers(cutover: Cutover) -> None:
    for way in (cutover.ways.backward, cutover.ways.forward):
        for dropped in _drop_tables(way):
            cutover.emit(LedgerDropped(dropped))
            failpoint("after-ledger-dropped")
    for source in cutover.ways.forward.sources:
        if source.unmark():
            cutover.emit(LedgerDropped(f"{source.name}: the table of markers is dropped"))


def _drop_views(cutover: Cutover) -> None:
    """Those with the old tables' names, which `shardwright router --views` has printed."""
    for event in drop_old_views(cutover.ways.forward):
        cutover.emit(event)


FINISH: Final[Steps] = (
    Step("require-quiet", _require_quiet, enters="finishing", holds=lambda cutover: cutover.state.state != "reversing"),
    Step("end-way-back", _end_way_back, within=("after-end-for-good",)),
    Step("drop-views", _drop_views),
    Step("drop-ledgers", _drop_ledgers, enters="finished", within=("after-ledger-dropped",)),
)


def _has_database(backward: Way) -> bool:
    try:
        backward.control().close()
    except Refused as failure:
        if failure.code != "SW8103":
            raise
        return False
    return True


def _drop_tables(way: Way) -> Iterator[str]:
    """Removes what the direction keeps in its databases, one line for each."""
    if way.plan.direction.writes_source and not _has_database(way):
        return
    for shard, connection in way.servers.each_shard():
        kept = _KEPT_BESIDE_THE_SOURCE if way.plan.direction.writes_source else _KEPT_ON_SHARDS
        ledger = forget_migration(connection, way.plan.migration, first=shard == 0, kept=kept)
        tables = [*_bookkeeping(way.plan), *ledger]
        for table in tables:
            execute(connection, f"DROP TABLE IF EXISTS {quote(table)}")
        yield f"{way.servers.databases[shard]}: {len(tables)} tables of ours dropped"


def _bookkeeping(plan: Plan) -> Iterator[str]:
    """Stages and tombstones."""
    for table in plan.target_tables:
        for statement in plan.step(table.logical, StepName.BOOKKEEPING).statements:
            created = parse_sql(statement.sql)
            assert isinstance(created, exp.Create)
            yield created.find(exp.Table).name  # type: ignore[union-attr]
