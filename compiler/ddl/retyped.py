"""The definitions of columns whose type is not the source's: cast, hashed and derived ones."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from shardwright.compiler.columns.mapping import MappedColumn
from shardwright.compiler.sql import sql_text as sql

_TEXT = (exp.CharacterSetColumnConstraint, exp.CollateColumnConstraint)
_NUMBERS_ONLY = (exp.ZeroFillColumnConstraint,)


def derived_definition(item: MappedColumn) -> exp.ColumnDef:
    column = item.column
    null = exp.ColumnConstraint(kind=exp.NotNullColumnConstraint(allow_null=column.nullable))
    return exp.ColumnDef(
        this=sql.identifier(column.target), kind=item.node, constraints=[*_text_constraints(item), null]
    )


def retyped_constraints(constraints: Sequence[exp.ColumnConstraint], item: MappedColumn) -> list[exp.ColumnConstraint]:
    """The source column's constraints for the new type: its own character set and collation, and of a masked column no
    default, which would be a value that no mask has seen."""
    masked = item.column.mapping.startswith("masked")
    kept: list[exp.ColumnConstraint] = []
    for part in constraints:
        if isinstance(part.kind, (*_TEXT, *_NUMBERS_ONLY)) or (
            masked and isinstance(part.kind, exp.DefaultColumnConstraint)
        ):
            continue
        for now in part.find_all(exp.CurrentTimestamp):
            precision = item.column.type.precision
            now.set("this", sql.number(precision) if precision else None)
        kept.append(part)
    return [*_text_constraints(item), *kept]


def _text_constraints(item: MappedColumn) -> list[exp.ColumnConstraint]:
    kind = item.column.type
    made: list[exp.ColumnConstraint] = []
    if kind.charset:
        made.append(exp.ColumnConstraint(kind=exp.CharacterSetColumnConstraint(this=exp.Var(this=kind.charset))))
    if kind.collation:
        made.append(exp.ColumnConstraint(kind=exp.CollateColumnConstraint(this=sql.column(kind.collation))))
    return made
