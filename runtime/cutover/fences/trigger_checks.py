"""Would the triggers of a fence work on a server, and what would change the tables in spite of them?

Runs in the driver; reads one server.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any, Final

from pymysql.connections import Connection

from shardwright.runtime.cutover.fences.fence import NOT_ALL_WRITES, WOULD_NOT_WORK, FencedServer
from shardwright.runtime.cutover.fences.server_checks import server_checks
from shardwright.runtime.cutover.fences.sessions import own_user
from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.mysql.check import Check, Fault, Verdict, has_refusal, judge_faults, warn
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.read_grants import read_granted
from shardwright.runtime.mysql.servers import connect, is_mariadb
from shardwright.runtime.mysql.transactions import decode_text, query
from shardwright.runtime.run.preflight.grants import SUPER, fence_grants

_TAKES_TRIGGERS: Final = "SELECT @@global.log_bin = 0 OR @@global.log_bin_trust_function_creators = 1"
_CASCADES: Final = (
    "SELECT r.constraint_name, r.constraint_schema, r.table_name, r.unique_constraint_schema, r.referenced_table_name "
    "FROM information_schema.referential_constraints AS r WHERE r.constraint_schema = %s AND "
    "(r.delete_rule NOT IN ('RESTRICT', 'NO ACTION') OR r.update_rule NOT IN ('RESTRICT', 'NO ACTION'))"
)


_NO_NAME: Final = "SELECT 1 FROM information_schema.user_privileges WHERE grantee LIKE '''@%' LIMIT 1"
_READERS: Final = "SELECT user FROM information_schema.processlist WHERE command IN ('Binlog Dump', 'Binlog Dump GTID')"
_RUNS: Final = "SELECT @@global.slave_run_triggers_for_rbr"


def trigger_checks(connection: Connection[Any], server: FencedServer, *, left_over: Sequence[str]) -> Iterator[Check]:
    """`left_over`: triggers of this fence that are there although it was not set."""
    where = server.name
    faults = fence_grants(connection, server.tables, where, kind="triggers")
    grants = list(judge_faults("grants of the fence", where, faults, otherwise="all required grants present"))
    yield from grants
    creators = may_create(connection)
    yield from judge_faults("triggers of the fence", where, creators, otherwise="may be created")
    cascades = _cascades(connection, server)
    yield from judge_faults("cascades", where, cascades, otherwise="none from tables outside of the fence")
    names = ", ".join(left_over[:3])
    yield warn(
        "fence", where, warning=f"an earlier one is still there: {names}" if left_over else None,
        way_out="lift it, or DROP TRIGGER", otherwise="not set",
    )  # fmt: skip
    yield from judge_faults("anonymous accounts", where, _anonymous(connection, server), otherwise="none was found")
    if not has_refusal(grants):
        yield _replicas(connection, where)
        yield from server_checks(connection, where)


def replica_checks(replicas: Mapping[str, Endpoint]) -> Iterator[Check]:
    """Of those that the environment names. A MariaDB replica may execute triggers for the rows that it applies. There
    USER() is empty, so that the triggers of the fence would refuse what our account writes, and replication would
    stop."""
    for name, endpoint in replicas.items():
        try:
            with closing(connect(endpoint)) as connection:
                executes = is_mariadb(connection) and str(query(connection, _RUNS)[0][0]).upper() != "NO"
        except RuntimeFailure as failure:
            yield Check("triggers of replicas", str(endpoint), Verdict.WARNING, f"not known: {failure.message}")
            continue
        fault = Fault(
            NOT_ALL_WRITES,
            f"replica {name} ({endpoint}) executes triggers for rows that it applies, and the fence's would stop it",
            "SET GLOBAL slave_run_triggers_for_rbr = NO there, until the fence is lifted",
        )
        yield from judge_faults(
            "triggers of replicas", str(endpoint), [fault] if executes else [], otherwise="not executed"
        )


def _replicas(connection: Connection[Any], where: str) -> Check:
    """Of those that the environment does not name, only the readers of the log are seen."""
    ours = own_user(connection)
    readers = [user for (user,) in query(connection, _READERS) if decode_text(user) != ours]
    found = f"{len(readers)} other clients read the log" if readers and is_mariadb(connection) else None
    return warn(
        "readers of the log", where, warning=found, otherwise="no replica of MariaDB that may execute triggers",
        way_out="where one is a replica, slave_run_triggers_for_rbr has to be NO there, as by default",
    )  # fmt: skip


def _anonymous(connection: Connection[Any], server: FencedServer) -> Iterator[Fault]:
    """With an anonymous account, a client has the user name that it gives, ours too, and passes. Other accounts are
    listed for few; so one login is tried, with a name that no account has."""
    listed = query(connection, _NO_NAME)
    if listed or _may_log_in(replace(server.endpoint, account=f"sw_{secrets.token_hex(8)}", password="")):
        yield Fault(
            NOT_ALL_WRITES,
            "an anonymous account lets clients in under any user name, ours too, and the fence goes by that name",
            "drop it (DROP USER ''@HOST), or take the fence read_only or lock_accounts",
        )


def _may_log_in(endpoint: Endpoint) -> bool:
    try:
        connect(endpoint).close()
    except RuntimeFailure:
        return False
    return True


def may_create(connection: Connection[Any]) -> Iterator[Fault]:
    """A server with a binary log is careful with triggers: neither kind takes any other privilege for SUPER."""
    if not query(connection, _TAKES_TRIGGERS)[0][0] and read_granted(connection).find_lacking((SUPER,)):
        yield Fault(
            WOULD_NOT_WORK,
            "the server takes triggers only from accounts with the privilege SUPER. On a managed server no "
            "account has it: set the same parameter in the server's settings (no restart)",
            "SET GLOBAL log_bin_trust_function_creators = ON until the cutover has ended",
        )


def _cascades(connection: Connection[Any], server: FencedServer) -> Iterator[Fault]:
    """A cascade changes rows without firing triggers; where its parent table is fenced, it cannot begin."""
    fenced = {(database.lower(), table.lower()) for database, tables in server.tables.items() for table in tables}
    for database in server.tables:
        for row in query(connection, _CASCADES, (database,)):
            name, schema, table, other_schema, other = (str(decode_text(value)) for value in row)
            child, parent = (schema.lower(), table.lower()), (other_schema.lower(), other.lower())
            if child in fenced and parent not in fenced:
                yield Fault(
                    NOT_ALL_WRITES,
                    f"foreign key {name} changes rows of {schema}.{table} when {other_schema}.{other} is changed, and "
                    "fires no trigger",
                    "drop it for the cutover, or take the fence read_only or lock_accounts",
                )
