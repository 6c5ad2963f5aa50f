"""What acts on the target tables by itself? Triggers and foreign keys (hazard G5): both change or refuse what a run
writes, without the run's knowledge. So they are reported before the first write.

Runs in the driver (preflight, `ddl apply`, the begin of a run); reads one shard.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Final

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.ddl.fence_names import is_fence
from shardwright.runtime.mysql.check import Fault
from shardwright.runtime.mysql.transactions import query

TRIGGERS: Final = "SW8141"
FOREIGN_KEYS: Final = "SW8142"

_TRIGGERS = "SELECT trigger_name, event_object_table FROM information_schema.triggers WHERE event_object_schema = %s"
_FOREIGN_KEYS = (
    "SELECT constraint_schema, table_name, constraint_name, unique_constraint_schema, referenced_table_name "
    "FROM information_schema.referential_constraints "
    "WHERE constraint_schema = %s OR unique_constraint_schema = %s"
)


_EVENTS = "SELECT event_name FROM information_schema.events WHERE event_schema = %s AND status = 'ENABLED'"


def physical_names(plan: Plan, shard: int) -> frozenset[str]:
    """The tables that a run writes in one database, in lower case."""
    return frozenset(
        table.logical.lower() + suffix.lower()
        for table in plan.tables
        if shard in plan.shards(table)
        for suffix in plan.parts(table)
    )


def triggers(connection: Connection[Any], database: str, ours: Collection[str]) -> Iterator[Fault]:
    """Triggers on our physical tables, without those of a cutover's fence."""
    for name, table in query(connection, _TRIGGERS, (database,)):
        if str(table).lower() in ours and not is_fence(str(name)):
            yield Fault(
                TRIGGERS,
                f"trigger {name} on {database}.{table} would act on every row that is written",
                f"drop it until cut-over, or run with --allow {TRIGGERS}",
            )


def events(connection: Connection[Any], database: str) -> list[str]:
    """Names of the database's events that the server would run. The server shows them only to an account with the
    privilege EVENT."""
    return [str(row[0]) for row in query(connection, _EVENTS, (database,))]


def foreign_keys(connection: Connection[Any], database: str, ours: Collection[str]) -> Iterator[Fault]:
    """Foreign keys from and to our physical tables."""
    for schema, table, name, other_schema, other in query(connection, _FOREIGN_KEYS, (database, database)):
        mine = schema == database and str(table).lower() in ours
        of_mine = other_schema == database and str(other).lower() in ours
        if mine or of_mine:
            yield Fault(
                FOREIGN_KEYS,
                f"foreign key {name} from {schema}.{table} to {other_schema}.{other}: rows are written in the order "
                "of weights, not parents first, and a cascade would change rows without a trace",
                f"drop it until cut-over, or run with --allow {FOREIGN_KEYS}",
            )
