"""Questions about, and small changes to, the pieces of a MySQL table definition as sqlglot parses it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sqlglot import exp

MAX_NAME = 64
"""Characters in the name of a table, column, index or constraint, on both servers."""

SUFFIX = "${suffix}"


def columns_in(node: exp.Expr) -> Iterator[exp.Identifier]:
    """The identifiers in `node` that name columns: of expressions, of key parts, of key parts with a length."""
    if isinstance(node, exp.Identifier):
        yield node
        return
    for found in node.find_all(exp.Column, exp.ColumnPrefix):
        name = found.this
        if isinstance(name, exp.Identifier) and not _names_collation(found):
            yield name


def _names_collation(column: exp.Expr) -> bool:
    """sqlglot reads the name after COLLATE as a column."""
    parent = column.parent
    return isinstance(parent, exp.CollateColumnConstraint) or (
        isinstance(parent, exp.Collate) and column.arg_key == "expression"
    )


def rename_columns(node: exp.Expr, name_of: Callable[[str], str]) -> None:
    """Put the new name, in place, wherever `node` names a column."""
    for name in list(columns_in(node)):
        name.set("this", name_of(name.name))
        name.set("quoted", True)


def version_comments(node: exp.Expr) -> Iterator[str]:
    """Comments that a server executes (`/*!80023 INVISIBLE */`, `/*M! … */`): sqlglot keeps them as plain comments, so
    what they say would be lost (hazard E19)."""
    for part in node.walk():
        for comment in part.comments or ():
            if comment.lstrip().startswith(("!", "M!")):
                yield comment.strip()


def without_comments(node: exp.Expr) -> None:
    """Drop the comments of a hand-written statement, in place: they belong to the file, not to the plan."""
    for part in node.walk():
        part.comments = None


def table_node(logical: str) -> exp.Table:
    return exp.Table(this=exp.to_identifier(logical + SUFFIX, quoted=True))


def suffixed(name: exp.Identifier) -> exp.Identifier:
    """A constraint's name made unique per physical table: MySQL keeps the names of checks per schema."""
    return exp.to_identifier(name.name + SUFFIX, quoted=True)


def too_long(name: str, suffixes: tuple[str, ...]) -> str | None:
    """The first physical form of `name` (with or without the placeholder) that no server accepts."""
    return next((full for s in suffixes if len(full := name.replace(SUFFIX, s)) > MAX_NAME), None)
