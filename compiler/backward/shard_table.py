"""What a table of the shards looks like after the plan's DDL, and which of its columns go back to which of the
source's. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlglot import exp

from shardwright.compiler.columns.mapping import FromColumn, MappedColumn
from shardwright.compiler.columns.way_back import steps_back
from shardwright.compiler.plan.catalogue import Column
from shardwright.compiler.plan.plan import CopiedColumn, DdlChange, TablePlan, WayBack, with_suffix
from shardwright.compiler.schema.column_type import type_words
from shardwright.compiler.schema.file import read_schema
from shardwright.compiler.sql.mysql_parser import parse_sql
from shardwright.compiler.tables.choose import ResolvedTable
from shardwright.specs.findings.diagnostics import Findings

if TYPE_CHECKING:
    from shardwright.compiler.columns.transform import Transform


class UnknownShape(Exception):
    """What DDL makes of a table is not known."""


def shard_columns(
    table: TablePlan, columns: tuple[Column, ...], create: str, changes: Iterable[DdlChange]
) -> tuple[Column, ...]:
    """The columns of the physical tables after the changes of this table, in their order. `columns` are those of
    `create`, the plan's CREATE TABLE. Raises UnknownShape (with the clause) when the outcome of a change is not
    known."""
    templates = [change.template for change in changes if change.logical == table.logical and not change.own]
    trees = [parse_sql(template) for template in templates]
    if all(isinstance(tree, exp.Create) for tree in trees):  # CREATE INDEX
        return columns
    from shardwright.compiler.ddl.after_changes import NotReckoned, after_changes

    about_columns = [text for text, tree in zip(templates, trees, strict=True) if not isinstance(tree, exp.Create)]
    made = parse_sql(with_suffix(create, ""))
    assert isinstance(made, exp.Create)
    findings = Findings()
    try:
        changed = after_changes(made, about_columns).sql("mysql")
    except NotReckoned as clause:
        raise UnknownShape(str(clause)) from None
    found = read_schema(changed, file="plan", findings=findings).get(table.logical)
    if found is None or findings.has_errors:
        raise UnknownShape("; ".join(item.message for item in findings.items))
    return found.columns


@dataclass(frozen=True, slots=True)
class ColumnsBack:
    """`mapped` are the source's columns that come back, in its order: `source` of each is the shards' column. `lost`
    are those that would come back but for DDL of the shards' tables."""

    mapped: tuple[MappedColumn, ...]
    lost: tuple[WayBack, ...]


def columns_back(table: ResolvedTable, shard: Sequence[Column]) -> ColumnsBack:
    by_name = {item.column.source: item for item in table.mapped if item.column.source}
    there_by_name = {column.name.lower(): (position, column) for position, column in enumerate(shard)}
    mapped, lost = list[MappedColumn](), list[WayBack]()
    for column in table.source.columns:
        item = by_name.get(column.name)
        if item is None or column.generated or column.name in table.entry.backward.one_way:
            continue
        steps: Sequence[Transform] | None = steps_back(item, column)
        if steps is None:
            continue
        position, there = there_by_name.get(item.column.target.lower(), (-1, None))
        if there is not None and there.type != item.column.type:
            steps = _after_ddl(item, column, there)
        if there is None or steps is None:
            done = "removes or renames" if there is None else "gives another type to"
            lost.append(WayBack(column.name, "lost", f"DDL of the shards {done} column {item.column.target}"))
            continue
        words = f"back from {type_words(there.type)}" if steps else "copied"
        back = CopiedColumn(there.name, column.name, column.type, column.nullable, position, words)
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
