"""How does a migration end? The way back ends with it, and what we keep for it on both sides is removed.

Runs in the driver; writes ledgers, and drops tables of ours on the shards and beside the source.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Final

from sqlglot import exp

from shardwright.compiler.plan.plan import Plan, StepName
from shardwright.compiler.sql.mysql_parser import parse_sql
from shardwright.compiler.sql.sql_text import quoted
from shardwright.runtime.cutover.late_writes import late_writes
from shardwright.runtime.cutover.machine import Cutover
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


@dataclass
class Finish:
    """Of one migration, whose writes go to the shards. Within `Cutover.begun`. The fence of the source stays, and so
    does the switch row, which applications go on reading; the first shard keeps the audit."""

    cutover: Cutover

    def execute(self) -> None:
        """May be repeated. Raises Refused (SW8926) while the source still gets writes, and (SW8915) while no cutover
        has been made."""
        state = self.cutover.state
        if state.state == "reversing":
            self._require_quiet()
            self.cutover.enter("finishing")
        elif state.state not in ("finishing", "finished"):
            raise Refused(
                "SW8915",
                f"writes of {self.cutover.ways.migration} go to the {state.writes_to} (state {state.state}): only what "
                "has been cut over to the shards can be finished",
            )
        ways = self.cutover.ways
        self._end_way_back(ways.backward)
        for way in (ways.backward, ways.forward):
            for dropped in _dropped(way):
                self.cutover.emit(LedgerDropped(dropped))
                failpoint("after-ledger-dropped")
        for source in ways.forward.sources:
            if source.unmark():
                self.cutover.emit(LedgerDropped(f"{source.name}: the table of markers is dropped"))
        if self.cutover.state.state != "finished":
            self.cutover.enter("finished")

    def _require_quiet(self) -> None:
        """What was written behind the fence is named once: a second `finish` asks for what came after it."""
        state, ways = self.cutover.state, self.cutover.ways
        assert state.detail.cut is not None
        found = late_writes(ways.forward, StreamPosition.from_text(state.detail.cut))
        self.cutover.remember(cut=found.until.to_text())
        if found.events:
            raise Refused(
                "SW8926",
                f"the source still gets writes of {ways.migration}: {found}. They are not on the shards: find the "
                "client that passes the fence, see with `verify` which rows differ, and finish again",
            )

    def _end_way_back(self, backward: Way) -> None:
        """No run of the migration begins any more."""
        plan = backward.plan
        with closing(self.cutover.ways.home()) as home:
            in_transaction(home, lambda c: end_for_good(c, plan.migration))
        failpoint("after-end-for-good")
        if _has_database(backward):
            take_over_everywhere(backward.servers, role="data", owner=cutover_name())


def _has_database(backward: Way) -> bool:
    try:
        backward.control().close()
    except Refused as failure:
        if failure.code != "SW8103":
            raise
        return False
    return True


def _dropped(way: Way) -> Iterator[str]:
    """Removes what the direction keeps in its databases, one line for each."""
    if way.plan.direction.writes_source and not _has_database(way):
        return
    for shard, connection in way.servers.each_shard():
        kept = _KEPT_BESIDE_THE_SOURCE if way.plan.direction.writes_source else _KEPT_ON_SHARDS
        ledger = forget_migration(connection, way.plan.migration, first=shard == 0, kept=kept)
        tables = [*_bookkeeping(way.plan), *ledger]
        for table in tables:
            execute(connection, f"DROP TABLE IF EXISTS {quoted(table)}")
        yield f"{way.servers.databases[shard]}: {len(tables)} tables of ours dropped"


def _bookkeeping(plan: Plan) -> Iterator[str]:
    """Stages and tombstones."""
    for table in plan.applied:
        for statement in plan.step(table.logical, StepName.BOOKKEEPING).statements:
            created = parse_sql(statement.sql)
            assert isinstance(created, exp.Create)
            yield created.find(exp.Table).name  # type: ignore[union-attr]
