"""A key or check as it is written in a CREATE TABLE, or behind ADD in an ALTER TABLE. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sqlglot import exp

from shardwright.compiler.sql.named_columns import columns_in

KeyKind = Literal["primary key", "unique key", "index", "check", "foreign key"]
_NAMES = (exp.Identifier, exp.Column, exp.ColumnPrefix)


@dataclass(frozen=True, slots=True)
class TableKey:
    """`name` is '' where none is written. `parts` are the key's parts, or the condition of a check."""

    kind: KeyKind
    name: str
    element: exp.Expr
    """As it stands, with the CONSTRAINT around it."""
    inner: exp.Expr
    """Without it."""
    parts: tuple[exp.Expr, ...]

    @property
    def is_unique(self) -> bool:
        return self.kind in ("primary key", "unique key")

    @property
    def holder(self) -> exp.Expr:
        """What has the parts as its expressions, and the own name of a key."""
        return self.inner.this if isinstance(self.inner.this, exp.Schema) else self.inner

    @property
    def columns(self) -> tuple[str, ...]:
        """Of each part of a key its column; '' for an expression."""
        return tuple(column.name if (column := column_of_part(part)) is not None else "" for part in self.parts)

    @property
    def whole_columns(self) -> tuple[str, ...]:
        """Its columns where no part is a prefix or an expression; none otherwise."""
        is_whole = all(self.columns) and not any(map(length_of_part, self.parts))
        return self.columns if is_whole else ()


def read_key(element: exp.Expr) -> TableKey | None:
    """None where it is no key or check that is understood."""
    is_named = isinstance(element, exp.Constraint)
    inner = element.expressions[0] if is_named else element
    constraint = element.name if is_named else ""
    match inner:
        case exp.PrimaryKey():
            return TableKey("primary key", constraint, element, inner, tuple(inner.expressions))
        case exp.UniqueColumnConstraint():
            if not isinstance(inner.this, exp.Schema):  # its columns are behind the `--` of a comment
                return TableKey("unique key", constraint, element, inner, ())
            name = inner.this.this.name if inner.this.this else constraint
            return TableKey("unique key", name, element, inner, tuple(inner.this.expressions))
        case exp.IndexColumnConstraint():
            return TableKey("index", inner.name or constraint, element, inner, tuple(inner.expressions))
        case exp.CheckColumnConstraint():
            return TableKey("check", constraint, element, inner, (inner.this,))
        case exp.ForeignKey():
            return TableKey("foreign key", constraint, element, inner, ())
        case _:
            return None


def column_of_part(part: exp.Expr) -> exp.Identifier | None:
    """The column of a part of a key, with or without a length; None for an expression."""
    plain = part.this if isinstance(part, exp.Ordered) else part
    return next(columns_in(plain), None) if isinstance(plain, _NAMES) else None


def length_of_part(part: exp.Expr) -> int | None:
    """How much of the column's value the key has; None where it has all of it."""
    plain = part.this if isinstance(part, exp.Ordered) else part
    return int(plain.expression.name) if isinstance(plain, exp.ColumnPrefix) else None
