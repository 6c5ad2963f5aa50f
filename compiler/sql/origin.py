"""Which source table a row is from (`Origin`), as SQL.

The source's own tables have no such column. A statement that asks one of them has it from a table of one row beside it,
which both kinds of servers read first and take for a constant: the key's index serves conditions over it, too.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from shardwright.compiler.plan.plan import Origin, OriginPart, SourceName, TablePlan
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.template import fill

SOURCE_TABLE = sql.table("${source_table}", database="${source_database}")

_TEXTS: Mapping[OriginPart, str] = {
    "database": "${source_database}",
    "table": "${source_table}",
    "both": "${source_database}.${source_table}",
}
_SPARK: Mapping[OriginPart, str] = {
    "database": "SUBSTRING_INDEX(source_table, '.', 1)",
    "table": "SUBSTRING_INDEX(source_table, '.', -1)",
    "both": "source_table",
}


def origin_text(origin: Origin) -> exp.Expr:
    """MySQL, in a statement for one source table."""
    return sql.text(_TEXTS[origin.part])


def origin_in_spark(origin: Origin) -> exp.Expr:
    """Spark, where column `source_table` has the source table's full name."""
    return fill(_SPARK[origin.part], "spark")


def source_table(table: TablePlan) -> exp.Expr:
    """MySQL: one source table, with the column that its rows have on the target besides."""
    return SOURCE_TABLE if table.origin is None else beside_origin(SOURCE_TABLE, table.origin)


def beside_origin(table: exp.Expr, origin: Origin, source: SourceName | None = None) -> exp.Expr:
    """MySQL: the table with that column. Without `source` the statement is for any source table."""
    text = origin_text(origin) if source is None else sql.text(origin.of(str(source)))
    made = exp.select(sql.named(text, origin.column)).subquery("sw_origin")
    return exp.Table(this=table.this, db=table.args["db"], joins=[exp.Join(this=made, kind="CROSS")])
