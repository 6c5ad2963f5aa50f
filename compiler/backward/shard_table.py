"""Which columns a table of the shards has after the plan's DDL, and which of them go back to which of the source's.
Pure.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from shardwright.compiler.columns.mapping import FromColumn, MappedColumn
from shardwright.compiler.columns.way_back import steps_back
from shardwright.compiler.plan.catalogue import Column, SourceTable
from shardwright.compiler.plan.plan import CopiedColumn, DdlChange, TablePlan, with_suffix
from shardwright.compiler.schema.column_type import type_words
from shardwright.compiler.schema.file import read_schema
from shardwright.compiler.sql.mysql_parser import parse_sql
from shardwright.compiler.sql.sql_text import to_sql
from shardwright.compiler.tables.choose import ResolvedTable
from shardwright.specs.findings.diagnostics import Findings


class UnknownShape(Exception):
    """What DDL makes of a table is not known."""


def shard_columns(
    table: TablePlan, columns: tuple[Column, ...], create: str, changes: Sequence[DdlChange]
) -> tuple[Column, ...]:
    """The columns of the physical tables after the changes of this table, in their order. `columns` are those of
    `create`, the plan's CREATE TABLE. Raises UnknownShape (with the clause) when the outcome of a change is not
    known."""
    return shard_table(table, create, changes).columns if templates_of(table, changes) else columns


def shard_table(table: TablePlan, create: str, changes: Sequence[DdlChange]) -> SourceTable:
    """The same, as if the physical tables stood in a schema file."""
    text = with_suffix(shard_create(create, templates_of(table, changes)), "")
    findings = Findings()
    found = read_schema(text, file="plan", findings=findings).get(table.logical)
    if found is None or findings.has_errors:
        raise UnknownShape("; ".join(item.message for item in findings.items))
    return found


def shard_create(create: str, changes: Sequence[str]) -> str:
    """The plan's CREATE TABLE after `changes`, which are templates as it is. Raises UnknownShape."""
    if not changes:
        return create
    from shardwright.compiler.ddl.alter.after_changes import after_changes
    from shardwright.compiler.ddl.shape.table_edit import NotCalculable

    made = parse_sql(create)
    assert isinstance(made, exp.Create)
    try:
        return to_sql(after_changes(made, changes), "mysql")
    except NotCalculable as clause:
        raise UnknownShape(str(clause)) from None


def templates_of(table: TablePlan, changes: Sequence[DdlChange]) -> list[str]:
    """Those changes of the table that its CREATE TABLE does not have."""
    return [
        change.template
        for change in changes
        if change.logical == table.logical and not (change.own or change.catches_up)
    ]


def columns_back(table: ResolvedTable, shard: Sequence[Column]) -> tuple[MappedColumn, ...]:
    """The source's columns that come back, in its order: `source` of each is the shards' column. DDL of the shards
    leaves the copied columns as they are (SW4210), and may add others."""
    by_name = {item.column.source: item for item in table.mapped if item.column.source}
    positions = {column.name: position for position, column in enumerate(shard)}
    mapped: list[MappedColumn] = []
    for column in table.source.columns:
        item = by_name.get(column.name)
        if item is None or column.generated or column.name in table.entry.backward.one_way:
            continue
        steps = steps_back(item, column)
        if steps is None:
            continue
        there = item.column.target
        words = f"back from {type_words(item.column.type)}" if steps else "copied"
        back = CopiedColumn(there, column.name, column.type, column.nullable, positions[there], words)
        mapped.append(MappedColumn(back, FromColumn(there, steps)))
    if table.origin is not None:  # no column of the source's, but of the row's key
        name = table.origin.column
        known = next(item.column for item in table.mapped if item.column.target == name)
        back = CopiedColumn(name, name, known.type, known.nullable, positions[name])
        mapped.append(MappedColumn(back, FromColumn(name)))
    return tuple(mapped)
