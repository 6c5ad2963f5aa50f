"""Is a DDL statement about a table without a key that was read behind it? Then it is no news: the rows were read as
they are since, and the plan has the table as it is since.

Runs in the driver; reads the first shard's ledger and the source.
"""

from __future__ import annotations

from shardwright.compiler.ddl.logged.replacement import find_followed_names
from shardwright.compiler.ddl.source.logged_change import LoggedChange
from shardwright.compiler.plan.table_parts import SourceColumn
from shardwright.runtime.ledger.chunks import read_positions
from shardwright.runtime.ledger.context import RunContext
from shardwright.runtime.sources.logged_statement import LoggedStatement
from shardwright.runtime.sources.positions.stream_position import StreamPosition
from shardwright.runtime.sources.source import Sources
from shardwright.runtime.stream.schema_change.live_table import read_live_table


def change_before_the_read(context: RunContext, sources: Sources, found: LoggedStatement) -> LoggedChange | None:
    """What the statement is to the stream, where it is about one such table and the plan has that table's columns. None
    for every other statement."""
    plan = context.plan
    if not plan.keyless_tables or len(names := find_followed_names(found.text, found.database, plan)) != 1:
        return None
    table = next(table for table in plan.tables if names[0] in map(str, table.sources))
    if not table.identity.counts_rows:
        return None
    position = read_positions(context.control, plan.migration, [table.logical]).get(names[0])
    source = next((source.name for source in sources if names[0] in source.tables), None)
    if position is None or source is None:
        return None
    if not position.has_reached(position.advance(StreamPosition({source: found.after}))):
        return None
    database, _, name = names[0].partition(".")
    live = read_live_table(context.servers, database, name)
    if (
        tuple(SourceColumn(column.name, column.type, column.nullable) for column in live.columns)
        != table.source.columns
    ):
        return None
    words = f"{names[0]} was read behind it, with what it did"
    return LoggedChange(names[0], table.logical, table.source.columns, False, None, words)
