"""Which source table a row is from (`Origin`), as SQL.

The source's own tables have no such column. A statement that asks one of them has it from a table of one row beside it,
which both kinds of servers read first and take for a constant: the key's index serves conditions over it, too.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from shardwright.compiler.plan.plan import CopiedColumn, TablePlan
from shardwright.compiler.plan.table_parts import Origin, OriginPart, SourceName
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.template import fill

SOURCE_TABLE = sql.table("${source_table}", database="${source_database}")

_SPARK: Mapping[OriginPart, str] = {
    "database": "SUBSTRING_INDEX(source_table, '.', 1)",
    "table": "SUBSTRING_INDEX(source_table, '.', -1)",
    "both": "source_table",
}


def origin_text(origin: Origin) -> exp.Expr:
    """MySQL, in a statement for one source table."""
    return sql.text(origin.of("${source_database}.${source_table}"))


def origin_in_spark(origin: Origin) -> exp.Expr:
    """Spark, where column `source_table` has the source table's full name."""
    return fill(_SPARK[origin.part], "spark")


def value_in_spark(table: TablePlan, column: CopiedColumn, image: str) -> exp.Expr:
    """Spark: a column of a key, of an image of the source's row. The row's source table has what the image lacks."""
    lacks = _lack_of(table, column)
    return sql.column(column.source, image) if lacks is None else origin_in_spark(lacks)


def value_at_source(table: TablePlan, column: CopiedColumn) -> exp.Expr:
    """MySQL, in a statement for one source table: a column of a key."""
    lacks = _lack_of(table, column)
    return sql.column(column.source) if lacks is None else origin_text(lacks)


def _lack_of(table: TablePlan, column: CopiedColumn) -> Origin | None:
    lacks = table.source_lacks
    return lacks if lacks is not None and column.target == lacks.column else None


def source_in_spark(origin: Origin, value: exp.Expr, *, source: SourceName) -> exp.Expr:
    """Spark: the full name of the source table whose rows have that value. `source` is one of them all."""
    match origin.part:
        case "database":
            return fill("CONCAT(hole_value, hole_rest)", "spark", value=value, rest=sql.text(f".{source.table}"))
        case "table":
            return fill("CONCAT(hole_rest, hole_value)", "spark", value=value, rest=sql.text(f"{source.database}."))
    return value


def source_table(table: TablePlan) -> exp.Expr:
    """MySQL: one of the tables that rows come from, with the column that it lacks."""
    return join_origin(SOURCE_TABLE, table.source_lacks, "${source_database}", "${source_table}")


def join_origin(table: exp.Expr, lacks: Origin | None, database: str, name: str) -> exp.Expr:
    """MySQL: the table of that name, with the column that it lacks."""
    if lacks is None:
        return table
    made = exp.select(sql.alias(sql.text(lacks.of(f"{database}.{name}")), lacks.column)).subquery(BESIDE)
    return exp.Table(this=table.this, db=table.args.get("db"), joins=[exp.Join(this=made, kind="CROSS")])


BESIDE = "sw_origin"
"""What the table of one row is called in a statement."""
