"""The proof that a swap of two tables changed no row: both are read at the source, in one statement, and the log shows that neither
was written between the swap and the end of that reading. What was read is then how both stood at the swap."""

from __future__ import annotations

import pymysql

from shardwright.compiler.ddl.logged.logged_change import CannotFollow
from shardwright.compiler.ddl.logged.same_rows import same_rows_query
from shardwright.compiler.ddl.logged.swap import Swap
from shardwright.compiler.plan.catalogue import SourceTable
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.mysql.transactions import query
from shardwright.runtime.sources.binlog.connection import log_connection, log_head
from shardwright.runtime.sources.binlog.position import LogPosition
from shardwright.runtime.stream.schema_change.logged import is_touched

CODE = "SW8552"


def require_same_rows(servers: Servers, swap: Swap, live: SourceTable, *, after: LogPosition) -> None:
    """Raises CannotFollow (SW8552) when the rows differ, or when it cannot be proved that they do not."""
    database = swap.source.partition(".")[0]
    question = same_rows_query(swap, live)
    log = log_connection(servers.source_of(database))
    both = (swap.source, str(swap.aside))
    if is_touched(log, both, start=after, end=log_head(log)):
        raise CannotFollow(CODE, _unproved(swap, "one of the two was written or changed since"))
    connection = servers.connect_source(database)
    try:
        ((old, new, alike),) = query(connection, question)
    except pymysql.err.MySQLError as error:
        reason = error.args[1] if len(error.args) > 1 else error
        raise CannotFollow(CODE, _unproved(swap, f"they cannot be compared: {reason}")) from error
    finally:
        connection.close()
    if is_touched(log, both, start=after, end=log_head(log)):
        raise CannotFollow(CODE, _unproved(swap, "one of the two was written or changed since"))
    if not old == new == alike:
        raise CannotFollow(
            CODE,
            f"{swap.source} was replaced by {swap.new}, whose rows are others: {old} rows went away as {swap.aside}, {new} came, "
            f"{alike} of them are the same",
        )


def _unproved(swap: Swap, why: str) -> str:
    return (
        f"{swap.source} was replaced by {swap.new}, and that the rows of both are the same cannot be proved (the other one is "
        f"{swap.aside} now): {why}"
    )
