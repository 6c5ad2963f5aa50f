"""What a table of the shards looks like after the plan's DDL, and which of its columns go back to which of the
source's. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlglot import exp

from shardwright.compiler.columns.mapping import FromColumn, MappedColumn
from shardwright.compiler.columns.transform import Transform
from shardwright.compiler.columns.way_back import steps_back
from shardwright.compiler.ddl.after_changes import NotReckoned, after_changes
from shardwright.compiler.ddl.table_shape import read_create
from shardwright.compiler.plan.catalogue import Column, SourceTable
from shardwright.compiler.plan.plan import CopiedColumn, DdlChange, TablePlan, WayBack, with_suffix
from shardwright.compiler.schema.column_type import type_words
from shardwright.compiler.schema.file import read_schema
from shardwright.compiler.sql.mysql_parser import parse_sql
from shardwright.compiler.tables.choose import ResolvedTable
from shardwright.specs.findings.diagnostics import Findings


def shard_table(table: TablePlan, create: str, changes: Iterable[DdlChange]) -> SourceTable:
    """The physical tables as they are after `create` (the plan's CREATE TABLE) and the changes of this table. Raises
    NotReckoned (with the clause) when the outcome of one is not known."""
    ours = (change.template for change in changes if change.logical == table.logical and not change.own)
    templates = [template for template in ours if not isinstance(parse_sql(template), exp.Create)]  # CREATE INDEX
    tree = read_create(with_suffix(create, ""))
    if tree is None:
        raise NotReckoned(create)
    if templates:
        tree = after_changes(tree, templates)
    findings = Findings()
    found = read_schema(tree.sql("mysql"), file="plan", findings=findings).get(table.logical)
    if found is None or findings.has_errors:
        raise NotReckoned("; ".join(item.message for item in findings.items))
    return found


@dataclass(frozen=True, slots=True)
class ColumnsBack:
    """`mapped` are the source's columns that come back, in its order: `source` of each is the shards' column. `lost`
    are those that would come back but for DDL of the shards' tables."""

    mapped: tuple[MappedColumn, ...]
    lost: tuple[WayBack, ...]


def columns_back(table: ResolvedTable, shard: SourceTable) -> ColumnsBack:
    by_name = {item.column.source: item for item in table.mapped if item.column.source}
    positions = {column.name: position for position, column in enumerate(shard.columns)}
    mapped, lost = list[MappedColumn](), list[WayBack]()
    for column in table.source.columns:
        item = by_name.get(column.name)
        if item is None or column.generated or column.name in table.entry.backward.one_way:
            continue
        steps: Sequence[Transform] | None = steps_back(item, column)
        if steps is None:
            continue
        there = shard.column(item.column.target)
        if there is not None and there.type != item.column.type:
            steps = _after_ddl(item, column, there)
        if there is None or steps is None:
            done = "removes or renames" if there is None else "gives another type to"
            lost.append(WayBack(column.name, "lost", f"DDL of the shards {done} column {item.column.target}"))
            continue
        words = f"back from {type_words(there.type)}" if steps else "copied"
        back = CopiedColumn(there.name, column.name, column.type, column.nullable, positions[there.name], words)
        mapped.append(MappedColumn(back, FromColumn(there.name, tuple(steps))))
    return ColumnsBack(tuple(mapped), tuple(lost))


def _after_ddl(item: MappedColumn, column: Column, there: Column) -> Sequence[Transform] | None:
    """The steps back from a type that DDL gave the column on the shards, as if the spec had cast it to that."""
    from shardwright.compiler.columns.cast_rules import cast
    from shardwright.compiler.columns.returned import returned

    if item.column.type != column.type:
        return None
    verdict = cast(column.type, there.type)
    return returned((verdict.transform,), column.type) if verdict.verdict == "lossless" else None
