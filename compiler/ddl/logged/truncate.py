"""TRUNCATE of a followed table: what the targets do about it (hazard E17). The log has one statement and no row.

It is read by words, to the last one: sqlglot does not know how long MariaDB's waits for locks (NOWAIT, WAIT n).
"""

from __future__ import annotations

from shardwright.compiler.ddl.source.logged_change import LoggedChange, Truncation
from shardwright.compiler.plan.plan import Plan, TablePlan
from shardwright.compiler.plan.removable import why_its_family_stays, why_rows_must_stay
from shardwright.compiler.plan.table_parts import SourceName
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.template import fill
from shardwright.compiler.sql.word_reader import NotRead, WordReader, plain_words

AT_ONCE = 10_000
"""Rows that one transaction deletes: a small one for the shard, its locks and its replicas."""

_DELETE = "DELETE FROM hole_target ORDER BY hole_key LIMIT hole_most"
"""In the order of the key, so that servers which replicate statements delete the same rows."""


def read_truncate(text: str, database: str) -> SourceName | None:
    """The table that the statement empties as a whole, with the session's `database` where it names none. None for any
    other statement, and for one that is not understood to its last word."""
    try:
        reader = WordReader(plain_words(text.rstrip().removesuffix(";")))
        reader.need("TRUNCATE")
        reader.took("TABLE")
        table = SourceName(*reader.table(database))
        if reader.took("WAIT"):
            reader.number()
        else:
            reader.took("NOWAIT")
        reader.end()
    except NotRead:
        return None
    return table


def describe_truncate(source: str, table: TablePlan, plan: Plan) -> LoggedChange:
    """What it means that all rows of `source` ("database.table") are gone."""
    words = f"{source} is emptied (TRUNCATE)"
    if table.deletes.are_ignored and table.logical not in plan.parents:
        found, words = Truncation(), f"{words}, and `deletes: ignore` keeps its rows on the targets"
    elif len(table.sources) > 1:
        found = Truncation(objection=f"{table.logical} has {len(table.sources)} source tables, whose other rows stay")
    else:
        objections = (*why_its_family_stays(plan, table), *why_rows_must_stay(plan, table))
        found = Truncation(_delete(table), "; ".join(objections))
    return LoggedChange(source, table.logical, table.source.columns, False, None, words, emptied=found)


def _delete(table: TablePlan) -> str:
    key = [sql.column(name) for name in table.key]
    target = sql.table(table.physical, database="${database}" if table.names_database else None)
    statement = fill(_DELETE, "mysql", target=target, key=key, most=sql.number(AT_ONCE))
    return sql.to_sql(statement, "mysql")
