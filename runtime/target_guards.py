"""What acts on the target tables by itself: triggers, and foreign keys (hazard G5). Both change or refuse what a run
writes, out of its sight, so they are told before the first write."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Final

from pymysql.connections import Connection

from shardwright.compiler.plan import Plan
from shardwright.runtime.connections import Servers
from shardwright.runtime.transactions import query

TRIGGERS: Final = "SW8141"
FOREIGN_KEYS: Final = "SW8142"

_TRIGGERS = (
    "SELECT trigger_name, event_object_table FROM information_schema.triggers WHERE event_object_schema = DATABASE()"
)
_FOREIGN_KEYS = (
    "SELECT constraint_schema, table_name, constraint_name, unique_constraint_schema, referenced_table_name "
    "FROM information_schema.referential_constraints "
    "WHERE constraint_schema = DATABASE() OR unique_constraint_schema = DATABASE()"
)


def acting_by_themselves(plan: Plan, servers: Servers, *, allowed: Collection[str]) -> Iterator[tuple[str, str]]:
    """Code and message of each trigger and foreign key on a physical table, but for the codes `allowed`."""
    for shard, connection in servers.each_shard():
        ours = {
            table.logical.lower() + suffix.lower()
            for table in plan.tables
            if shard in plan.shards(table)
            for suffix in plan.parts(table)
        }
        if TRIGGERS not in allowed:
            yield from _triggers(connection, servers.databases[shard], ours)
        if FOREIGN_KEYS not in allowed:
            yield from _foreign_keys(connection, servers.databases[shard], ours)


def _triggers(connection: Connection[Any], database: str, ours: Collection[str]) -> Iterator[tuple[str, str]]:
    for name, table in query(connection, _TRIGGERS):
        if str(table).lower() in ours:
            yield (
                TRIGGERS,
                f"trigger {name} on {database}.{table} would act on every row that is written: drop it until the "
                f"applications move over, or run with --allow {TRIGGERS}",
            )


def _foreign_keys(connection: Connection[Any], database: str, ours: Collection[str]) -> Iterator[tuple[str, str]]:
    for schema, table, name, other_schema, other in query(connection, _FOREIGN_KEYS):
        mine = schema == database and str(table).lower() in ours
        of_mine = other_schema == database and str(other).lower() in ours
        if mine or of_mine:
            yield (
                FOREIGN_KEYS,
                f"foreign key {name} from {schema}.{table} to {other_schema}.{other}: rows come in the order of weights, not "
                f"parents first, and a cascade would change rows unseen: drop it until the applications move over, or run "
                f"with --allow {FOREIGN_KEYS}",
            )
