"""The keys of a target table whose rows come from several source tables, with equal keys in them: a column that says
which source table a row is from is the last one of every unique key.

What is unique at one source is unique on the target among the rows of that source, and no more than that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from shardwright.compiler.ddl.target.keys import TableKeys
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.table_keys import read_key
from shardwright.compiler.sql.template import fill

_CHECK = "CAST(hole_column AS BINARY) IN (hole_values)"
_UNIQUE = (exp.PrimaryKeyColumnConstraint, exp.UniqueColumnConstraint)


@dataclass(frozen=True, slots=True)
class OriginKey:
    """The column, and the values that it takes. An application that inserts a row says by it which source table the
    row would be in."""

    column: str
    values: tuple[str, ...]


def with_origin(
    definitions: Sequence[exp.ColumnDef], keys: TableKeys, origin: OriginKey
) -> tuple[tuple[exp.ColumnDef, ...], TableKeys]:
    """The column definitions, and the keys with the column. A key that stood at its column stands by itself."""
    column = origin.column
    own = [_key(part, definition, column) for definition in definitions for part in _unique(definition)]
    primary = {column, *keys.primary} if keys.primary is not None else None
    for definition in definitions:
        if any(isinstance(part.kind, exp.PrimaryKeyColumnConstraint) for part in _unique(definition)):
            primary = {column, definition.name}
    unique = [*keys.unique, *(frozenset([d.name]) for d in definitions for _ in _unique(d))]
    made = replace(
        keys,
        nodes=(*own, *(_extend_key(node, column) for node in keys.nodes)),
        unique=tuple(names | {column} for names in unique),
        primary=frozenset(primary) if primary is not None else None,
    )
    return tuple(_add_check(_without_keys(definition), origin) for definition in definitions), made


def _add_check(definition: exp.ColumnDef, origin: OriginKey) -> exp.ColumnDef:
    if definition.name != origin.column:
        return definition
    values = [sql.text(value) for value in origin.values]
    condition = fill(_CHECK, "mysql", column=sql.column(origin.column), values=values)
    checked = definition.copy()
    checked.append("constraints", exp.ColumnConstraint(kind=exp.CheckColumnConstraint(this=condition)))
    return checked


def _unique(definition: exp.ColumnDef) -> list[exp.ColumnConstraint]:
    return [part for part in definition.args.get("constraints") or () if isinstance(part.kind, _UNIQUE)]


def _without_keys(definition: exp.ColumnDef) -> exp.ColumnDef:
    unique = _unique(definition)
    if not unique:
        return definition
    left = definition.copy()
    left._meta = None  # what it held is the text with the key
    left.set("constraints", [part for part in left.args["constraints"] if not isinstance(part.kind, _UNIQUE)])
    return left


def _key(part: exp.ColumnConstraint, definition: exp.ColumnDef, column: str) -> exp.Expr:
    names: list[exp.Expr] = [sql.identifier(definition.name), sql.identifier(column)]
    if isinstance(part.kind, exp.PrimaryKeyColumnConstraint):
        return exp.PrimaryKey(expressions=names)
    return exp.UniqueColumnConstraint(this=exp.Schema(expressions=names))


def _extend_key(node: exp.Expr, column: str) -> exp.Expr:
    key = read_key(node.copy())
    if key is None or not key.is_unique:
        return node
    key.holder.append("expressions", sql.identifier(column))
    return key.element
