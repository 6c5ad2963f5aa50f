"""Small changes to a CREATE TABLE as sqlglot parses it, in place: what the clauses of an ALTER TABLE are made of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from sqlglot import exp

from shardwright.compiler.ddl.rewrite import rename_columns

_Part = TypeVar("_Part", bound=exp.Expr)
_OWN_KEYS = (exp.PrimaryKeyColumnConstraint, exp.UniqueColumnConstraint)


def parts_of(column: exp.ColumnDef) -> list[exp.Expr]:
    """What the definition of a column says behind its type."""
    return [part.kind for part in column.args.get("constraints") or ()]


def part_of(column: exp.ColumnDef, kind: type[_Part]) -> _Part | None:
    return next((part for part in parts_of(column) if isinstance(part, kind)), None)


def find_column(table: exp.Create, name: str) -> exp.ColumnDef | None:
    columns = (part for part in table.this.expressions if isinstance(part, exp.ColumnDef))
    return next((column for column in columns if column.name.lower() == name.lower()), None)


def replace_column(table: exp.Create, definition: exp.ColumnDef) -> bool:
    """The column of that name becomes as `definition`, in its place; False where there is none. A key that stands at
    the column stays: it is no part of what a definition changes."""
    there = find_column(table, definition.name)
    if there is None:
        return False
    keys = [part.copy() for part in there.args.get("constraints") or () if isinstance(part.kind, _OWN_KEYS)]
    new = without_place(definition)
    new.set("constraints", [*(new.args.get("constraints") or ()), *keys])
    there.replace(new)
    return True


def without_place(definition: exp.ColumnDef) -> exp.ColumnDef:
    copied = definition.copy()
    copied.set("position", None)
    return copied


def place_column(table: exp.Create, definition: exp.ColumnDef) -> bool:
    """Moves the column of that name where `definition` says: FIRST, or AFTER another one; without a word it stays.
    False where a name is unknown."""
    position, column = definition.args.get("position"), find_column(table, definition.name)
    after = position and position.this and find_column(table, position.this.name)
    if position is None or column is None or (position.this and after is None):
        return position is None
    others = [part for part in table.this.expressions if part is not column]
    before = 0 if after is None else others.index(after) + 1
    table.this.set("expressions", [*others[:before], column, *others[before:]])
    return True


def rename_column(table: exp.Create, old: str, new: str) -> None:
    """Of the column, and in keys, checks and expressions that name it."""
    if old == new:
        return
    column = find_column(table, old)
    if column is not None:
        column.set("this", exp.to_identifier(new, quoted=True))
    for part in table.this.expressions:
        if not isinstance(part, exp.ColumnDef):
            for element in [*_holder(part).expressions]:
                rename_columns(element, lambda name: new if name.lower() == old.lower() else name)


def keys_in(table: exp.Create) -> Iterator[exp.Expr]:
    """Its secondary keys; each has its name as `this` and its parts as `expressions`."""
    for part in table.this.expressions:
        if isinstance(part, (exp.UniqueColumnConstraint, exp.IndexColumnConstraint)):
            yield _holder(part)


def _holder(key: exp.Expr) -> exp.Expr:
    held = key.this if isinstance(key, exp.UniqueColumnConstraint) else key
    assert isinstance(held, exp.Expr)
    return held


def keys_named(table: exp.Create, name: str) -> list[exp.Expr]:
    named = (key for key in keys_in(table) if isinstance(key.this, exp.Identifier))
    return [key for key in named if key.this.name.lower() == name.lower()]


def drop_key(key: exp.Expr) -> None:
    """Takes one of `keys_in` out of its table."""
    part = key.parent if isinstance(key, exp.Schema) else key
    assert part is not None
    part.pop()


def plain_part(part: exp.Expr) -> exp.Expr:
    """A part of a key without its direction."""
    return part.this if isinstance(part, exp.Ordered) else part
