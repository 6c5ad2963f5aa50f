"""A followed table as it stands at the source now, and the proof that this is how it stood at a place of the log (E16, E17)."""

from __future__ import annotations

import pymysql

from shardwright.compiler.ddl.logged.logged_change import CannotFollow
from shardwright.compiler.plan.catalogue import SourceTable
from shardwright.compiler.schema.file import read_schema
from shardwright.compiler.sql import sql_text as sql
from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.mysql.transactions import query
from shardwright.runtime.sources.binlog.connection import log_connection, log_head
from shardwright.runtime.sources.binlog.position import LogPosition
from shardwright.runtime.stream.schema_change.logged import is_changed_again
from shardwright.specs.findings.diagnostics import Findings


def table_behind(servers: Servers, source: str, *, after: LogPosition) -> SourceTable:
    """The definition of `source` ("database.table") right after `after`: the live one, when the log shows no change of it since.
    Raises CannotFollow when there was one, Refused when it cannot be read."""
    database, _, name = source.partition(".")
    live = read_live_table(servers, database, name)
    log = log_connection(servers.source_of(database))
    if is_changed_again(log, source, start=after, end=log_head(log)):
        raise CannotFollow("SW8551", f"{source} was changed again since, so what this swap changed cannot be told")
    return live


def read_live_table(servers: Servers, database: str, name: str) -> SourceTable:
    connection = servers.connect_source(database)
    try:
        place = sql.table(name, database=database).sql(dialect="mysql", identify=True)
        text = str(query(connection, f"SHOW CREATE TABLE {place}")[0][1])
    except pymysql.err.MySQLError as error:
        reason = error.args[1] if len(error.args) > 1 else error
        raise Refused(
            "SW8551", f"the definition of {database}.{name} cannot be read from the source: {reason}"
        ) from error
    finally:
        connection.close()
    findings = Findings()
    live = read_schema(text, file=f"{database}.{name}", findings=findings).get(name)
    if live is None:
        why = findings.items[0].message if findings.items else "it is not understood"
        raise Refused("SW8551", f"the definition of {database}.{name} at the source: {why}")
    return live
