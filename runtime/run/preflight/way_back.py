"""Which checks does the way back make: can the shards' logs be followed, and can the source's own tables be written?

Runs in the driver; reads shards and source servers, writes nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import TablePlan, with_suffix
from shardwright.compiler.plan.table_parts import SourceName
from shardwright.runtime.ddl.fence_names import is_fence
from shardwright.runtime.ddl.guards import TRIGGERS
from shardwright.runtime.mysql.check import Check, Fault, has_refusal, judge_faults
from shardwright.runtime.mysql.grants import ROWS
from shardwright.runtime.mysql.transactions import decode_text, query
from shardwright.runtime.run.preflight.any_server import connection_room, server_kind, session_variables
from shardwright.runtime.run.preflight.context import Context
from shardwright.runtime.run.preflight.grants import source_grants, target_grants
from shardwright.runtime.run.preflight.ledger_writers import ledger_writers
from shardwright.runtime.run.preflight.log_settings import check_log_filters, log_settings
from shardwright.runtime.run.preflight.target_server import local_infile
from shardwright.runtime.sources.shard_columns import find_lacking_columns

_COLUMNS: Final = "SELECT column_name FROM information_schema.columns WHERE table_schema = %s AND table_name = %s"
_TRIGGERS: Final = (
    "SELECT trigger_name FROM information_schema.triggers WHERE event_object_schema = %s AND event_object_table = %s"
)
_BESIDE_THE_TASKS: Final = 6


def shard_log_checks(
    context: Context, connection: Connection[Any], held: Sequence[SourceName], where: str
) -> Iterator[Check]:
    """Of a server of shards, whose log is followed."""
    yield server_kind(connection, where)
    yield session_variables(where)
    yield from judge_faults("binary log", where, log_settings(connection), otherwise="ROW, FULL image, uncompressed")
    yield from judge_faults("grants", where, source_grants(connection, where), otherwise="all required grants present")
    left_out = check_log_filters(connection, {name.database for name in held})
    yield from judge_faults("left out of the log", where, left_out, otherwise="nothing")
    lacking = find_lacking_columns(connection, context.plan, held)
    yield from judge_faults("shard tables", where, lacking, otherwise="have what the way back reads")


def own_table_checks(
    context: Context, connection: Connection[Any], databases: Sequence[str], where: str
) -> Iterator[Check]:
    """Of a server of the source, whose own tables are written. `databases` are those of the ledgers on it."""
    servers, plan = context.servers, context.plan
    own = [plan.databases[servers.databases.index(name)] for name in databases]
    yield server_kind(connection, where)
    yield session_variables(where)
    faults = [*target_grants(connection, databases, where), *target_grants(connection, own, where, needed=ROWS)]
    grants = list(judge_faults("grants", where, faults, otherwise="all required grants present"))
    yield from grants
    if has_refusal(grants):
        return
    yield ledger_writers(connection, databases, where)
    yield from judge_faults("local_infile", where, local_infile(connection), otherwise="ON")
    tables = [(database, table) for database in own for table in plan.tables]
    columns = [fault for place in tables for fault in _check_columns(context, connection, *place)]
    yield from judge_faults("source tables", where, columns, otherwise="as the plan knows them")
    acting = [fault for place in tables for fault in _triggers(context, connection, *place)]
    yield from judge_faults("triggers", where, acting, otherwise="none")
    yield from connection_room(connection, where, context.demands.connections_to(shards=len(own)) + _BESIDE_THE_TASKS)


def _names(context: Context, database: str, table: TablePlan) -> Collection[str]:
    plan = context.plan
    there = plan.databases.index(database) in plan.shards(table)
    return [with_suffix(table.physical, suffix) for suffix in plan.parts(table)] if there else []


def _check_columns(context: Context, connection: Connection[Any], database: str, table: TablePlan) -> Iterator[Fault]:
    assert table.own is not None
    for name in _names(context, database, table):
        found = {str(decode_text(column)).lower() for (column,) in query(connection, _COLUMNS, (database, name))}
        gone = [column for column in table.own.whole_row if column.lower() not in found]
        if gone:
            what = f"lacks column {gone[0]}" if found else "does not exist"
            yield Fault("SW8128", f"table {database}.{name} {what}, and the way back writes it", "bring it back")


def _triggers(context: Context, connection: Connection[Any], database: str, table: TablePlan) -> Iterator[Fault]:
    if context.demands.drops_triggers and table.logical in context.plan.drops_triggers:
        return
    for name in _names(context, database, table):
        for (trigger,) in query(connection, _TRIGGERS, (database, name)):
            if is_fence(str(decode_text(trigger))):
                continue
            yield Fault(
                TRIGGERS,
                f"trigger {decode_text(trigger)} on {database}.{name} would act on every row that comes back",
                "drop it, and create it again after a rollback; `backward: {triggers: drop}` of the table in the spec "
                "has a cutover do both",
            )
