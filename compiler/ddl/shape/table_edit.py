"""Small changes to a CREATE TABLE as sqlglot parses it, in place: what the clauses of an ALTER TABLE are made of."""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeVar

from sqlglot import exp

from shardwright.compiler.ddl.shape.rewrite import rename_columns
from shardwright.compiler.sql.named_columns import columns_in
from shardwright.compiler.sql.table_keys import TableKey, read_key


class NotCalculable(Exception):
    """What a clause makes of a table is not known here. The text is the clause."""


_Part = TypeVar("_Part", bound=exp.Expr)
_OWN_KEYS = (exp.PrimaryKeyColumnConstraint, exp.UniqueColumnConstraint)


def parts_of(column: exp.ColumnDef) -> list[exp.Expr]:
    """What the definition of a column says behind its type."""
    return [part.kind for part in column.args.get("constraints") or ()]


def part_of(column: exp.ColumnDef, kind: type[_Part]) -> _Part | None:
    return next((part for part in parts_of(column) if isinstance(part, kind)), None)


def find_column(table: exp.Create, name: str) -> exp.ColumnDef:
    """Raises NotReckoned where there is none."""
    for part in table.this.expressions:
        if isinstance(part, exp.ColumnDef) and part.name.lower() == name.lower():
            return part
    raise NotCalculable


def replace_column(table: exp.Create, definition: exp.ColumnDef) -> None:
    """The column of that name becomes as `definition`, in its place. A key that stands at the column stays: it is no
    part of what a definition changes. Raises NotReckoned."""
    there = find_column(table, definition.name)
    keys = [part.copy() for part in there.args.get("constraints") or () if isinstance(part.kind, _OWN_KEYS)]
    new = without_place(definition)
    new.set("constraints", [*(new.args.get("constraints") or ()), *keys])
    there.replace(new)


def without_place(definition: exp.ColumnDef) -> exp.ColumnDef:
    copied = definition.copy()
    copied.set("position", None)
    return copied


def place_column(table: exp.Create, definition: exp.ColumnDef) -> None:
    """Moves the column of that name where `definition` says: FIRST, or AFTER another one; without a word it stays.
    Raises NotReckoned."""
    position = definition.args.get("position")
    if position is None:
        return
    column = find_column(table, definition.name)
    others = [part for part in table.this.expressions if part is not column]
    before = 0 if position.this is None else others.index(find_column(table, position.this.name)) + 1
    table.this.set("expressions", [*others[:before], column, *others[before:]])


def rename_column(table: exp.Create, old: str, new: str) -> None:
    """Of the column, and in the keys, checks and expressions that name it."""
    if old == new:
        return
    for part in table.this.expressions:
        if isinstance(part, exp.ColumnDef) and part.name.lower() == old.lower():
            part.set("this", exp.to_identifier(new, quoted=True))
        key = read_key(part)
        for named in parts_of(part) if key is None else key.parts:
            if any(name.name.lower() == old.lower() for name in columns_in(named)):
                rename_columns(named, lambda name: new if name.lower() == old.lower() else name)


def drop_column(table: exp.Create, name: str) -> None:
    """Servers take it out of the indexes, too, and drop an index of which nothing is left. Raises NotReckoned."""
    find_column(table, name).pop()
    for key in filter(None, map(read_key, list(table.this.expressions))):
        if key.kind in ("unique key", "index"):
            named = zip(key.columns, key.parts, strict=True)
            key.holder.set("expressions", [part for own, part in named if own.lower() != name.lower()])
            if not key.holder.expressions:
                key.element.pop()


def set_default(column: exp.ColumnDef, value: exp.Expr | None) -> None:
    """Also to none."""
    parts = column.args.get("constraints") or ()
    kept = [part for part in parts if not isinstance(part.kind, exp.DefaultColumnConstraint)]
    if value is not None:
        kept.append(exp.ColumnConstraint(kind=exp.DefaultColumnConstraint(this=value.copy())))
    column.set("constraints", kept)


def keys_named(table: exp.Create, name: str) -> list[TableKey]:
    """No checks; the primary key is called PRIMARY."""
    keys = (key for part in table.this.expressions if (key := read_key(part)) is not None)
    wanted = name.upper()
    return [
        key
        for key in keys
        if (key.kind == "primary key" and wanted == "PRIMARY")
        or (key.kind in ("unique key", "index") and key.name.upper() == wanted)
    ]


def drop_elements(elements: Collection[exp.Expr]) -> None:
    """Takes keys and checks out of their table. Raises NotReckoned where there are none."""
    if not elements:
        raise NotCalculable
    for element in elements:
        element.pop()
