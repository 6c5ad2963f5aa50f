"""The workload that a schema suggests where none is given: each table read by its key, and joined with what it refers
to. Where the server has counted rows by table and index, each statement has its count. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from sqlglot import exp

from shardwright.compiler.advise.references import Ground, Reference
from shardwright.compiler.advise.source import SourceDatabase
from shardwright.compiler.plan.catalogue import SourceTable
from shardwright.compiler.sql.sql_text import to_sql
from shardwright.compiler.workload.statement import WorkloadStatement

_JOIN: Final = {Ground.FOREIGN_KEY: 10, Ground.JOINS: 10, Ground.NAME: 5}
"""How often a join is executed where a row is read by its key once."""


def suggest_statements(source: SourceDatabase, references: Sequence[Reference]) -> tuple[WorkloadStatement, ...]:
    """A statement's file is the schema's, and its line that of its table. Where the server counts rows, a statement is
    executed as often as it has counted rows for it."""
    made = _find_counted(source, references) if source.has_row_counts else _guess(source, references)
    return tuple(made)


def _guess(source: SourceDatabase, references: Sequence[Reference]) -> Iterator[WorkloadStatement]:
    for table in source.tables.values():
        if table.row_key:
            yield _statement(source, table, _read_by(table, table.row_key), 1)
    for one in references:
        if not one.is_own:
            yield _statement(source, source.tables[one.child], _join(source, one), _JOIN[one.ground])


def _find_counted(source: SourceDatabase, references: Sequence[Reference]) -> Iterator[WorkloadStatement]:
    """Rows that an index was read for are asked by its first column, or by a join where that is a reference. Other rows
    that were read are scans of the table, and each row that was changed is one that is inserted."""
    joins = {(one.child, one.columns[0]): one for one in reversed(references) if not one.is_own}
    for name, table in source.tables.items():
        counts = source.row_counts(name)
        if counts is None:
            continue
        for index in source.facts[name].indexes:
            read = counts.by_index.get(index.name.lower(), 0)
            columns = index.columns if index.unique else index.columns[:1]
            finds_one = index.unique and len(index.columns) == 1
            join = None if finds_one else joins.get((name, index.columns[0].lower()))
            query = _read_by(table, columns) if join is None else _join(source, join)
            if read:
                yield _statement(source, table, query, read)
        scanned = counts.read - sum(counts.by_index.values())
        if scanned > 0:
            query = exp.select("*").from_(_table(table.name))
            yield _statement(source, table, query, max(1, scanned // max(1, source.rows(name))))
        if counts.changed:
            yield _statement(source, table, _insert(table), counts.changed)


def _statement(source: SourceDatabase, table: SourceTable, query: exp.Expr, calls: int) -> WorkloadStatement:
    return WorkloadStatement(to_sql(query, "mysql"), calls, None, source.file, table.span.line)


def _read_by(table: SourceTable, columns: Sequence[str]) -> exp.Expr:
    return exp.select("*").from_(_table(table.name)).where(*(_is_given(name) for name in columns))


def _join(source: SourceDatabase, one: Reference) -> exp.Expr:
    child, parent = source.tables[one.child], source.tables[one.parent]
    pairs = zip(one.columns, one.parent_columns, strict=False)
    on = exp.and_(*(exp.EQ(this=_column(mine, "c"), expression=_column(theirs, "p")) for mine, theirs in pairs))
    return (
        exp.select("*")
        .from_(_table(child.name, "c"))
        .join(_table(parent.name, "p"), on=on)
        .where(*(_is_given(name, "p") for name in one.parent_columns))
    )


def _insert(table: SourceTable) -> exp.Expr:
    names = [exp.to_identifier(one.name, quoted=True) for one in table.columns if not one.generated]
    values = exp.Tuple(expressions=[exp.Placeholder() for _ in names])
    into = exp.Schema(this=_table(table.name), expressions=names)
    return exp.Insert(this=into, expression=exp.Values(expressions=[values]))


def _table(name: str, alias: str | None = None) -> exp.Expr:
    node = exp.Table(this=exp.to_identifier(name, quoted=True))
    return exp.alias_(node, alias, table=True) if alias else node


def _column(name: str, alias: str = "") -> exp.Column:
    return exp.column(exp.to_identifier(name, quoted=True), table=alias or None)


def _is_given(name: str, alias: str = "") -> exp.Expr:
    return exp.EQ(this=_column(name, alias), expression=exp.Placeholder())
