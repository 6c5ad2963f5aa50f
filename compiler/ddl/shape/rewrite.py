"""Questions about, and small changes to, the pieces of a MySQL table definition as sqlglot parses it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from sqlglot import exp

from shardwright.compiler.sql.named_columns import columns_in
from shardwright.compiler.sql.printer import TAIL

MAX_NAME = 64
"""Characters in the name of a table, column, index or constraint, on both servers."""

SUFFIX = "${suffix}"

_LONG_WORD = re.compile(rf"\w{{{MAX_NAME + 1}}}")


def keeps_names(node: exp.Expr, name_of: Callable[[str], str]) -> bool:
    """Whether `rename_columns` would change nothing."""
    return all(name.args.get("quoted") and name_of(name.name) == name.name for name in columns_in(node))


def rename_columns(node: exp.Expr, name_of: Callable[[str], str]) -> None:
    """Put the new name, in place, wherever `node` names a column."""
    for name in list(columns_in(node)):
        name.set("this", name_of(name.name))
        name.set("quoted", True)


def own_nodes(table: exp.Create) -> Iterator[exp.Expr]:
    """The nodes of a CREATE TABLE, without what a column shares with others (`compiler/schema/known_tables.py`) where
    its text
    shows that no comment, placeholder or overlong name stands in it. That is most of a table."""
    schema = table.this
    yield from (table, schema)
    for part in (*schema.iter_expressions(), *(part for part in table.iter_expressions() if part is not schema)):
        if not _is_shared(part):
            yield from part.walk()
            continue
        yield from (part, part.this)
        for constraint in part.args.get("constraints") or ():
            if isinstance(constraint.kind, exp.CommentColumnConstraint):
                yield constraint.kind.this


def _is_shared(node: exp.Expr) -> bool:
    tail = node._meta.get(TAIL) if node._meta else None
    return isinstance(tail, str) and _holds_nothing(tail)


@lru_cache(maxsize=4096)
def _holds_nothing(tail: str) -> bool:
    return SUFFIX[0] not in tail and _LONG_WORD.search(tail) is None


def version_comments(nodes: Iterable[exp.Expr]) -> Iterator[str]:
    """Comments that a server executes (`/*!80023 INVISIBLE */`, `/*M! … */`): sqlglot keeps them as plain comments, so
    what they say would be lost (hazard E19)."""
    for node in nodes:
        for comment in node.comments or ():
            if comment.lstrip().startswith(("!", "M!")):
                yield comment.strip()


def without_comments(nodes: Iterable[exp.Expr]) -> None:
    """Drop the comments of a hand-written statement, in place: they belong to the file, not to the plan."""
    for node in nodes:
        node.comments = None


def table_node(logical: str) -> exp.Table:
    return exp.Table(this=exp.to_identifier(logical + SUFFIX, quoted=True))


def add_suffix(name: exp.Identifier) -> exp.Identifier:
    """A constraint's name made unique per physical table: MySQL keeps the names of checks per schema."""
    return exp.to_identifier(name.name + SUFFIX, quoted=True)


def too_long(name: str, suffixes: tuple[str, ...]) -> str | None:
    """The first physical form of `name` (with or without the placeholder) that no server accepts."""
    return next((full for s in suffixes if len(full := name.replace(SUFFIX, s)) > MAX_NAME), None)
