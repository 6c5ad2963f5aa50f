"""How is a followed table defined at the source now, and what does that prove? That the table was like this at a
position of the log (E16, E17), and that a swap of two tables changed no row.

Runs in the driver; reads the source server and the shards.
"""

from __future__ import annotations

import pymysql

from shardwright.compiler.ddl.logged.same_rows import same_rows_query
from shardwright.compiler.ddl.logged.swap import Swap
from shardwright.compiler.ddl.source.logged_change import CannotFollow
from shardwright.compiler.plan.catalogue import SourceTable
from shardwright.compiler.plan.plan import Plan
from shardwright.compiler.schema.file import read_schema
from shardwright.compiler.sql import sql_text as sql
from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.mysql.transactions import query
from shardwright.runtime.sources.binlog.connection import log_head
from shardwright.runtime.sources.binlog.ddl_statements import is_changed_again, is_touched
from shardwright.runtime.sources.positions.log_position import LogPosition
from shardwright.runtime.verify.result import Verdict
from shardwright.runtime.verify.verify import CompareRequest, verify
from shardwright.specs.findings.diagnostics import Findings


def table_after(servers: Servers, source: str, *, after: LogPosition) -> SourceTable:
    """The definition of `source` ("database.table") right after `after`: the live one, when the log shows no change of
    it since. Raises CannotFollow when there was one, Refused when it cannot be read."""
    database, _, name = source.partition(".")
    live = read_live_table(servers, database, name)
    log = servers.source_of(database)
    if is_changed_again(log, source, start=after, end=log_head(log)):
        raise CannotFollow("SW8551", f"{source} was changed again since, so the effect of this statement is not known")
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


CODE = "SW8552"


def require_same_rows(servers: Servers, swap: Swap, live: SourceTable, *, after: LogPosition) -> None:
    """Raises CannotFollow (SW8552) when the rows differ, or when it cannot be proved that they do not."""
    database = swap.source.partition(".")[0]
    question = same_rows_query(swap, live)
    log = servers.source_of(database)
    both = (swap.source, str(swap.aside))
    if is_touched(log, both, start=after, end=log_head(log)):
        raise CannotFollow(CODE, _proof_failure(swap, "one of the two was written or changed since"))
    connection = servers.connect_source(database)
    try:
        ((old, new, alike),) = query(connection, question)
    except pymysql.err.MySQLError as error:
        reason = error.args[1] if len(error.args) > 1 else error
        raise CannotFollow(CODE, _proof_failure(swap, f"they cannot be compared: {reason}")) from error
    finally:
        connection.close()
    if is_touched(log, both, start=after, end=log_head(log)):
        raise CannotFollow(CODE, _proof_failure(swap, "one of the two was written or changed since"))
    if not old == new == alike:
        raise CannotFollow(
            CODE,
            f"{swap.source} was replaced by {swap.new}, whose rows are others: {old} rows went away as {swap.aside}, "
            f"{new} came, {alike} of them are the same",
        )


def _proof_failure(swap: Swap, why: str) -> str:
    return (
        f"{swap.source} was replaced by {swap.new}, and that the rows of both are the same cannot be proved (the other "
        f"one is {swap.aside} now): {why}"
    )


def has_the_rows_of_the_shards(plan: Plan, servers: Servers, logical: str) -> bool:
    """False also where it cannot be proved, as while the table is written to."""
    patient = servers.patient()
    request = CompareRequest(tables=[logical])
    (found,) = verify(plan, request, source=patient.connect_source, shard=patient.connect_shard).tables
    return found.verdict is Verdict.EQUAL
