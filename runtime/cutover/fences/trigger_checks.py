"""Would the triggers of a fence work on a server, and what would change the tables in spite of them?

Runs in the driver; reads one server.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from pymysql.connections import Connection

from shardwright.runtime.cutover.fences.fence import NOT_ALL_WRITES, WOULD_NOT_WORK, FencedServer
from shardwright.runtime.cutover.fences.server_checks import server_checks
from shardwright.runtime.mysql.check import Check, Fault, has_refusal, judged, warned
from shardwright.runtime.mysql.transactions import listed_text, query
from shardwright.runtime.run.preflight.grants import fence_grants

_MAY_CREATE: Final = (
    "SELECT @@global.log_bin = 0 OR @@global.log_bin_trust_function_creators = 1 OR EXISTS (SELECT 1 FROM "
    "information_schema.user_privileges WHERE privilege_type = 'SUPER' AND grantee = CONCAT('''', "
    "SUBSTRING_INDEX(CURRENT_USER(), '@', 1), '''@''', SUBSTRING_INDEX(CURRENT_USER(), '@', -1), ''''))"
)
_CASCADES: Final = (
    "SELECT r.constraint_name, r.constraint_schema, r.table_name, r.unique_constraint_schema, r.referenced_table_name "
    "FROM information_schema.referential_constraints AS r WHERE r.constraint_schema = %s AND "
    "(r.delete_rule NOT IN ('RESTRICT', 'NO ACTION') OR r.update_rule NOT IN ('RESTRICT', 'NO ACTION'))"
)


def trigger_checks(connection: Connection[Any], server: FencedServer, *, left_over: Sequence[str]) -> Iterator[Check]:
    """`left_over`: triggers of this fence that are there although it was not set."""
    where = server.name
    faults = fence_grants(connection, server.tables, where, kind="triggers")
    grants = list(judged("grants of the fence", where, faults, otherwise="all required grants present"))
    yield from grants
    creators = may_create(connection)
    yield from judged("triggers of the fence", where, creators, otherwise="may be created")
    cascades = _cascades(connection, server)
    yield from judged("cascades", where, cascades, otherwise="none from tables outside of the fence")
    names = ", ".join(left_over[:3])
    yield warned(
        "fence", where, warning=f"an earlier one is still there: {names}" if left_over else None,
        way_out="lift it, or DROP TRIGGER", otherwise="not set",
    )  # fmt: skip
    if not has_refusal(grants):
        yield from server_checks(connection, where)


def may_create(connection: Connection[Any]) -> Iterator[Fault]:
    """A server with a binary log is careful with triggers."""
    if not query(connection, _MAY_CREATE)[0][0]:
        yield Fault(
            WOULD_NOT_WORK,
            "the server takes triggers only from accounts with the privilege SUPER",
            "SET GLOBAL log_bin_trust_function_creators = ON until the cutover has ended",
        )


def _cascades(connection: Connection[Any], server: FencedServer) -> Iterator[Fault]:
    """A cascade changes rows without firing triggers; where its parent table is fenced, it cannot begin."""
    fenced = {(database.lower(), table.lower()) for database, tables in server.tables.items() for table in tables}
    for database in server.tables:
        for row in query(connection, _CASCADES, (database,)):
            name, schema, table, other_schema, other = (str(listed_text(value)) for value in row)
            child, parent = (schema.lower(), table.lower()), (other_schema.lower(), other.lower())
            if child in fenced and parent not in fenced:
                yield Fault(
                    NOT_ALL_WRITES,
                    f"foreign key {name} changes rows of {schema}.{table} when {other_schema}.{other} is changed, and "
                    "fires no trigger",
                    "drop it for the cutover, or take the fence read_only or lock_accounts",
                )
