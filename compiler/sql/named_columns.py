"""Which columns does a piece of a MySQL table definition name? Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sqlglot import exp


def columns_in(node: exp.Expr) -> Iterator[exp.Identifier]:
    """The identifiers in `node` that name columns: of expressions, of key parts, of key parts with a length."""
    if isinstance(node, exp.Identifier):
        yield node
        return
    for found in node.find_all(exp.Column, exp.ColumnPrefix):
        name = found.this
        if isinstance(name, exp.Identifier) and not _names_collation(found):
            yield name


def key_parts(parts: Iterable[exp.Expr]) -> tuple[tuple[str, int], ...] | None:
    """Column and length of each part of a key; 0 where it has none. None when a part is an expression."""
    found = []
    for part in parts:
        plain = part.this if isinstance(part, exp.Ordered) else part
        if isinstance(plain, exp.ColumnPrefix):
            found.append((plain.this.name, int(plain.expression.name)))
        elif isinstance(plain, (exp.Identifier, exp.Column)):
            found.append((plain.name, 0))
        else:
            return None
    return tuple(found)


def _names_collation(column: exp.Expr) -> bool:
    """sqlglot reads the name after COLLATE as a column."""
    parent = column.parent
    return isinstance(parent, exp.CollateColumnConstraint) or (
        isinstance(parent, exp.Collate) and column.arg_key == "expression"
    )
