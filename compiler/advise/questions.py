"""What is a server asked about the rows of a database that is not sharded yet? The statements, and which columns they
are about. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from sqlglot import exp

from shardwright.compiler.advise.candidates import find_candidates
from shardwright.compiler.advise.design import Way, make_design
from shardwright.compiler.advise.references import Reference
from shardwright.compiler.advise.source import SourceDatabase
from shardwright.compiler.sql import sql_text as sql

MOST_HEAVY: Final = 5
"""So many of the heaviest values of a column are looked at."""


def columns_to_measure(source: SourceDatabase, references: Sequence[Reference]) -> Mapping[str, list[str]]:
    """The columns that may be keys, by table, all as they are written in the schema."""
    found: dict[str, set[str]] = {}
    for key in find_candidates(source, references):
        for placement in make_design(key, source, references).of_way(Way.KEY):
            found.setdefault(placement.table, set()).update((*placement.columns, *placement.others))
    for one in references:
        if len(one.columns) == 1:
            found.setdefault(one.child, set()).update(one.columns)
    return {
        source.tables[table].name: [source.column(table, column).name for column in sorted(columns)]
        for table, columns in sorted(found.items())
    }


def count_rows(database: str, table: str) -> str:
    return _text(exp.select(exp.Count(this=exp.Star())).from_(sql.table(table, database=database)))


def count_values(database: str, table: str, column: str) -> str:
    """One row: how many values the column has, and how many rows have none."""
    name = exp.column(sql.identifier(column))
    missing = exp.Sum(this=exp.Is(this=name.copy(), expression=exp.null()))
    distinct = exp.Count(this=exp.Distinct(expressions=[name.copy()]))
    return _text(exp.select(distinct, missing).from_(sql.table(table, database=database)))


def find_heaviest(database: str, table: str, column: str) -> str:
    """A row for each of the heaviest values: the value, and how many rows have it."""
    name = exp.column(sql.identifier(column))
    query = (
        exp.select(name.copy(), exp.alias_(exp.Count(this=exp.Star()), "n"))
        .from_(sql.table(table, database=database))
        .where(exp.Not(this=exp.Is(this=name.copy(), expression=exp.null())))
        .group_by(name.copy())
        .order_by(exp.Ordered(this=exp.column("n"), desc=True), exp.Ordered(this=name.copy()))
        .limit(MOST_HEAVY)
    )
    return _text(query)


def _text(query: exp.Select) -> str:
    return sql.to_sql(query, "mysql")
