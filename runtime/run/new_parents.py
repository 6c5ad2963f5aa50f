"""Was a source table empty where the stream is, which a newer plan takes and whose rows are parents?

Only then is its part of the lookup table complete: it is empty there as well, and every row of it has an event behind.
The log says so where the next thing that it has of that table is the statement that makes it.

Runs in the driver; reads the source's log from the stream's position on, as far as that statement, and writes nothing.
"""

from __future__ import annotations

import re
from typing import Final

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.servers import Servers, is_mariadb
from shardwright.runtime.mysql.transactions import query
from shardwright.runtime.run.adopt_plan import Adoption
from shardwright.runtime.sources.binlog.connection import connect_dump, log_head
from shardwright.runtime.sources.binlog.dump import dump
from shardwright.runtime.sources.binlog.events import Kind, LogEvent, Statement, statement_of, with_effect
from shardwright.runtime.sources.binlog.gtid_event import GTID_EVENTS
from shardwright.runtime.sources.binlog.statements import Effect, Statements
from shardwright.runtime.sources.binlog.table_map import name_of
from shardwright.runtime.sources.positions.log_position import LogPosition
from shardwright.runtime.sources.positions.stream_position import StreamPosition
from shardwright.specs.findings.remedies import START_OVER

NOT_EMPTY: Final = "SW8224"
_EXISTS: Final = re.compile(rb"\bEXISTS\b", re.IGNORECASE)
_CHANGED_DICTIONARY: Final = re.compile(r"/\* xid=\d+ \*/\Z")
"""MySQL shows it behind a DDL statement that has changed its data dictionary."""


def require_empty_parents(plan: Plan, servers: Servers, adoption: Adoption, position: StreamPosition) -> None:
    """Raises Refused (SW8224). `position` is where the stream is. Lookup tables that only begin are read later."""
    for logical in sorted((plan.parents.keys() & adoption.steps.more_sources.keys()) - {*adoption.steps.new_parents}):
        for table in adoption.steps.more_sources[logical]:
            name = servers.source_databases[table.partition(".")[0]]
            start = position.logs[name]
            if not _is_made_empty(servers.sources[name], table, start=start):
                raise Refused(
                    NOT_EMPTY,
                    f"{table} is new in this plan, and rows of other tables are placed through those of {logical}: the "
                    f"stream must have every row of {table}. The first statement about it behind {start} is no CREATE "
                    "TABLE that makes it without rows, so there may be rows that the stream does not have. Leave the "
                    f"table out (`except`), or {START_OVER}",
                )


def _is_made_empty(log: Endpoint, table: str, *, start: LogPosition) -> bool:
    """Whether the first thing that the log has of `table` behind `start` is a statement that makes it. One that fills
    it, too, does not count: the stream passes over its whole transaction."""
    statements, name = Statements([table]), table.lower()
    is_made = False
    for event in with_effect(dump(log, start, log_head(log))):
        if is_made and event.kind in GTID_EVENTS:
            return True
        if event.kind == Kind.TABLE_MAP and name_of(event).lower() == name:
            return False
        if event.kind == Kind.QUERY and not is_made:
            statement = statement_of(event)
            if statements.effect(statement.database, statement.text) in (Effect.CHANGES_TABLE, Effect.CHANGES_ROWS):
                made = statements.table_of_create(statement.database, statement.text)
                if made is None or made.lower() != name or not _has_made(log, event, statement):
                    return False
                is_made = True
    return is_made


def _has_made(log: Endpoint, event: LogEvent, statement: Statement) -> bool:
    """MariaDB does not log an IF NOT EXISTS that finds the table. MySQL does, and gives it no transaction number."""
    if not _EXISTS.search(statement.text):
        return True
    with connect_dump(log) as connection:
        if is_mariadb(connection):
            return True
        shown = query(connection, f"SHOW BINLOG EVENTS IN %s FROM {event.start} LIMIT 1", (event.file,))
    return _CHANGED_DICTIONARY.search(shown[0][-1]) is not None
