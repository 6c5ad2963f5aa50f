"""The workload that a schema suggests where none is given: each table read by its key, and joined with what it refers
to. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from sqlglot import exp

from shardwright.compiler.advise.references import Ground, Reference
from shardwright.compiler.plan.catalogue import SourceTable
from shardwright.compiler.sql.sql_text import to_sql
from shardwright.compiler.workload.statement import WorkloadStatement

_JOIN: Final = {Ground.FOREIGN_KEY: 10, Ground.JOINS: 10, Ground.NAME: 5}
"""How often a join is executed where a row is read by its key once."""


def suggest_statements(
    tables: Mapping[str, SourceTable], references: Sequence[Reference], *, file: str
) -> tuple[WorkloadStatement, ...]:
    """`file` is the schema's: a statement's line is that of its table."""
    return tuple(_statements(tables, references, file))


def _statements(
    tables: Mapping[str, SourceTable], references: Sequence[Reference], file: str
) -> Iterator[WorkloadStatement]:
    for table in tables.values():
        if table.row_key:
            query = exp.select("*").from_(_table(table.name)).where(*(_is_given(name) for name in table.row_key))
            yield WorkloadStatement(to_sql(query, "mysql"), 1, None, file, table.span.line)
    for one in references:
        child, parent = tables[one.child], tables[one.parent]
        if one.is_own:
            continue
        pairs = zip(one.columns, one.parent_columns, strict=False)
        on = exp.and_(*(exp.EQ(this=_column(mine, "c"), expression=_column(theirs, "p")) for mine, theirs in pairs))
        query = (
            exp.select("*")
            .from_(_table(child.name, "c"))
            .join(_table(parent.name, "p"), on=on)
            .where(*(_is_given(name, "p") for name in one.parent_columns))
        )
        yield WorkloadStatement(to_sql(query, "mysql"), _JOIN[one.ground], None, file, child.span.line)


def _table(name: str, alias: str | None = None) -> exp.Expr:
    node = exp.Table(this=exp.to_identifier(name, quoted=True))
    return exp.alias_(node, alias, table=True) if alias else node


def _column(name: str, alias: str = "") -> exp.Column:
    return exp.column(exp.to_identifier(name, quoted=True), table=alias or None)


def _is_given(name: str, alias: str = "") -> exp.Expr:
    return exp.EQ(this=_column(name, alias), expression=exp.Placeholder())
