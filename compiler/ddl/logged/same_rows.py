"""The question by which a swap of two tables is proved to have changed no row: asked of the source, which holds both
(E17).
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from shardwright.compiler.ddl.logged.swap import Swap
from shardwright.compiler.ddl.source.logged_change import CannotFollow
from shardwright.compiler.plan.catalogue import INTEGERS, SourceTable
from shardwright.compiler.sql import sql_text as sql

_BY_VALUE = INTEGERS | {"decimal", "float", "double", "date", "datetime", "timestamp", "time", "year"}
_OLD, _NEW = "o", "n"


def same_rows_query(swap: Swap, live: SourceTable) -> str:
    """Three counts: rows of the table that went away, rows of the one that came, and pairs of them with the same key
    whose common columns are equal to the byte, while columns that only the new one has hold their DEFAULT. Equal
    counts: the same rows. Raises CannotFollow."""
    if not live.primary_key:
        raise CannotFollow("SW8552", "it has no primary key by which rows could be compared")
    old = sql.table(swap.aside.table, database=swap.aside.database)
    new = sql.table(live.name, database=swap.source.partition(".")[0])
    join = sql.all_of(sql.same_column(name, _OLD, _NEW) for name in live.primary_key)
    pairs = (
        exp.select(exp.Count(this=exp.Star()))
        .from_(exp.alias_(old.copy(), _OLD, table=True))
        .join(exp.alias_(new.copy(), _NEW, table=True), on=join)
        .where(sql.all_of(_conditions(swap, live)))
    )
    counts = [exp.select(exp.Count(this=exp.Star())).from_(table) for table in (old, new)]
    return sql.to_sql(exp.select(*(exp.Subquery(this=query) for query in (*counts, pairs))), "mysql")


def _conditions(swap: Swap, live: SourceTable) -> Iterator[exp.Expr]:
    before = {column.name.lower(): column.name for column in swap.plan.source.columns}
    for column in live.columns:
        here = sql.column(column.name, _NEW)
        old = before.get(column.name.lower())
        there = exp.Anonymous(this="DEFAULT", expressions=[here.copy()]) if old is None else sql.column(old, _OLD)
        if column.type.name in _BY_VALUE:
            yield exp.NullSafeEQ(this=there, expression=here)
        else:
            yield exp.NullSafeEQ(this=_bytes(there), expression=_bytes(here))


def _bytes(value: exp.Expr) -> exp.Expr:
    return exp.Cast(this=value, to=exp.DataType(this=exp.DataType.Type.BINARY))
