"""The one way from sqlglot nodes to text, and the one place that quotes identifiers."""

from __future__ import annotations

from collections.abc import Iterable

import sqlglot
from sqlglot import exp

from shardwright.compiler.plan import SqlDialect


def to_sql(node: exp.Expr, dialect: SqlDialect) -> str:
    """Readable SQL that parses back to the same tree. Raises ValueError when it does not (a bug: SW9001)."""
    text = _print(node, dialect, copy=False)
    again = _print(sqlglot.parse_one(text, dialect=dialect), dialect, copy=False)
    if again != text:
        raise ValueError(f"SW9001: generated SQL does not parse back to itself:\n{text}\n--\n{again}")
    return text


def _print(node: exp.Expr, dialect: SqlDialect, *, copy: bool) -> str:
    return node.sql(dialect=dialect, pretty=True, identify=True, max_text_width=110, copy=copy)


def identifier(name: str) -> exp.Identifier:
    return exp.to_identifier(name, quoted=True)


def column(name: str, table: str | None = None) -> exp.Column:
    return exp.column(identifier(name), table=identifier(table) if table else None)


def table(name: str, *, alias: str | None = None, database: str | None = None) -> exp.Expr:
    node = exp.Table(this=identifier(name), db=identifier(database) if database else None)
    return exp.alias_(node, identifier(alias), table=True) if alias else node


def variable(name: str) -> exp.Parameter:
    """A MySQL user variable: the runtime sets it, so that the SQL of the plan is executed as it stands."""
    return exp.Parameter(this=exp.Var(this=name))


def text(value: str) -> exp.Literal:
    return exp.Literal.string(value)


def number(value: int) -> exp.Expr:
    return exp.Literal.number(value) if value >= 0 else exp.Neg(this=exp.Literal.number(-value))


def all_of(conditions: Iterable[exp.Expr]) -> exp.Expr:
    return exp.and_(*conditions)


def any_of(conditions: Iterable[exp.Expr]) -> exp.Expr:
    return exp.or_(*conditions)
