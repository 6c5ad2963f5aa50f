"""What brings rows to a fenced server without a client there: another server's log, and the server's own events?

Runs in the driver; reads one server.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.sql.sql_text import quote
from shardwright.runtime.cutover.fences.fence import FencedServer
from shardwright.runtime.mysql.check import Check, Fault, Verdict, judge_faults
from shardwright.runtime.mysql.errors import STATEMENT_DENIED
from shardwright.runtime.mysql.grants import quote_account
from shardwright.runtime.mysql.servers import current_account, is_mariadb
from shardwright.runtime.mysql.transactions import decode_text, query

REPLICATES: Final = "SW8943"
EVENTS: Final = "SW8944"
ALLOWABLE: Final = frozenset({REPLICATES, EVENTS})
_EVENTS: Final = (
    "SELECT event_schema, event_name, event_definition FROM information_schema.events WHERE status = 'ENABLED' "
    "ORDER BY event_schema, event_name"
)
_WRITES: Final = re.compile(r"\b(insert|update|delete|replace|truncate|load)\b", re.IGNORECASE)
_MAY_DO_ANYTHING: Final = re.compile(r"\b(call|execute|prepare)\b", re.IGNORECASE)


def outside_writers(
    connection: Connection[Any], server: FencedServer, *, kind: str, allowed: Collection[str]
) -> Iterator[Check]:
    """`allowed`: the codes that an operator answers for."""
    where = server.name
    for name, code, faults, otherwise in (
        ("replication", REPLICATES, _replication(connection, where), "no rows from another server"),
        ("events", EVENTS, _events(connection, server, kind), _without_events(kind)),
    ):
        found = list(judge_faults(name, where, faults, otherwise=otherwise))
        yield from (_allow(check) if code in allowed and check.code == code else check for check in found)


def replication_sources(connection: Connection[Any]) -> Sequence[str]:
    """The servers whose rows are applied now, as far as the account may ask."""
    try:
        return [_origin(row) for row in _channels(connection) if "Yes" in _sql_threads(row)]
    except pymysql.err.MySQLError:
        return ()


def _allow(check: Check) -> Check:
    return Check(check.name, check.where, Verdict.WARNING, f"{check.found} (allowed)", "")


def _replication(connection: Connection[Any], where: str) -> Iterator[Fault]:
    """Of a replica that is stopped, too: it may start while writers wait, or after the switch."""
    try:
        channels = _channels(connection)
    except pymysql.err.MySQLError as error:
        if error.args[0] not in STATEMENT_DENIED:
            raise
        privilege = "SLAVE MONITOR" if is_mariadb(connection) else "REPLICATION CLIENT"
        wanted = f"GRANT {privilege} ON *.* TO {quote_account(current_account(connection))}"
        yield Fault(REPLICATES, f"our account may not ask whether {where} is a replica", wanted)
        return
    for row in channels:
        runs = "applies" if "Yes" in _sql_threads(row) else "may apply again, once its replication is started,"
        yield Fault(
            REPLICATES,
            f"{where} {runs} the rows of {_origin(row)}, and writers there pass the fence",
            f"cut over at that server, or end the replication (RESET REPLICA ALL); --allow {REPLICATES} when no "
            "client writes the migration's tables there",
        )


def _channels(connection: Connection[Any]) -> Sequence[Mapping[str, Any]]:
    """One row for each server whose log this one reads, by names in lower case."""
    with connection.cursor() as cursor:
        cursor.execute("SHOW ALL SLAVES STATUS" if is_mariadb(connection) else "SHOW REPLICA STATUS")
        names = [str(item[0]).lower() for item in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def _sql_threads(row: Mapping[str, Any]) -> tuple[Any, Any]:
    return row.get("slave_sql_running"), row.get("replica_sql_running")


def _origin(row: Mapping[str, Any]) -> str:
    host = row.get("master_host") or row.get("source_host") or "another server"
    port = row.get("master_port") or row.get("source_port")
    return f"{host}:{port}" if port else str(host)


def _without_events(kind: str) -> str:
    return "stopped by the triggers" if kind == "triggers" else "none that may write the tables"


def _events(connection: Connection[Any], server: FencedServer, kind: str) -> Iterator[Fault]:
    """Triggers stop events, too. An account sees the events of databases in which it has the privilege EVENT."""
    if kind == "triggers" or str(query(connection, "SELECT @@global.event_scheduler")[0][0]).upper() != "ON":
        return
    tables = {table.lower() for names in server.tables.values() for table in names}
    for database, name, text in ((decode_text(value) or "" for value in row) for row in query(connection, _EVENTS)):
        words = set(re.findall(r"\w+", text.lower()))
        if (_WRITES.search(text) and not words.isdisjoint(tables)) or _MAY_DO_ANYTHING.search(text):
            yield Fault(
                EVENTS,
                f"event {database}.{name} may write the migration's tables on {server.name} in spite of the fence",
                f"ALTER EVENT {quote(database)}.{quote(name)} DISABLE, take the fence triggers, or give --allow "
                f"{EVENTS}",
            )
