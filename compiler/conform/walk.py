"""The nodes of a statement, query by query: what belongs to one query, and which queries are inside of it. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sqlglot import exp

QUERIES: Final = (exp.Subquery, exp.Select, exp.SetOperation)


def walk_block(query: exp.Expr) -> Iterator[exp.Expr]:
    """Every node of the query but those inside of other queries; of these the query itself, and of FROM nothing but its
    conditions."""
    for name, value in query.args.items():
        if name in ("with_", "this", "expression") and isinstance(query, exp.SetOperation):
            continue
        if name == "with_":
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, exp.From):
                yield from _walk_brackets(child.this)
                continue
            if isinstance(child, exp.Join):
                if child.args.get("on") is not None:
                    yield from _walk(child.args["on"])
                continue
            if isinstance(child, exp.Table) and isinstance(query, (exp.Update, exp.Delete, exp.Insert)):
                for join in child.args.get("joins") or ():
                    if join.args.get("on") is not None:
                        yield from _walk(join.args["on"])
                continue
            if isinstance(child, exp.Expr):
                yield from _walk(child)


def _walk_brackets(first: exp.Expr) -> Iterator[exp.Expr]:
    """The conditions of joins in brackets at the beginning of FROM."""
    while isinstance(first, exp.Subquery) and isinstance(first.this, exp.Table):
        for join in (*(first.this.args.get("joins") or ()), *(first.args.get("joins") or ())):
            if join.args.get("on") is not None:
                yield from _walk(join.args["on"])
        first = first.this


def _walk(node: exp.Expr) -> Iterator[exp.Expr]:
    yield node
    if subquery_of(node) is not None:
        if isinstance(node, exp.In):
            yield from _walk(node.this)
        return
    for child in node.iter_expressions():
        yield from _walk(child)


def subquery_of(node: exp.Expr) -> exp.Expr | None:
    """The query in an expression: of IN, EXISTS and ALL, or in brackets."""
    if isinstance(node, exp.In):
        query: exp.Expr | None = node.args.get("query")
        return query
    if isinstance(node, exp.Exists) and isinstance(node.this, QUERIES):
        return node.this
    if isinstance(node, QUERIES):
        return node
    return None
