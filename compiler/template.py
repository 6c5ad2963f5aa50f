"""Fixed SQL with holes, filled with nodes.

A template is constant text in our own source, so it is as readable as the SQL it becomes; everything that comes from a
spec or a schema enters as a sqlglot node through a hole (an identifier `hole_name`), never as text. A hole filled with
several nodes widens the list it stands in.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import sqlglot
from sqlglot import exp

from shardwright.compiler.plan import SqlDialect

Filling = exp.Expr | Sequence[exp.Expr]
_MARK = "hole_"


def fill(template: str, dialect: SqlDialect, **holes: Filling) -> exp.Expr:
    """The template's tree with every `hole_name` replaced. Raises KeyError when holes and fillings do not match."""
    tree = _parsed(template, dialect).copy()
    nodes = [node for node in tree.find_all(exp.Identifier) if node.name.startswith(_MARK)]
    names = {node.name.removeprefix(_MARK) for node in nodes}
    if names != set(holes):
        raise KeyError(f"holes {sorted(names)} but fillings {sorted(holes)}")
    for node in nodes:
        if node.root() is not tree:  # STRUCT(hole) is parsed with the hole as its own field name: gone with the first
            continue
        _replace(node, holes[node.name.removeprefix(_MARK)])
    return tree


def _replace(hole: exp.Identifier, filling: Filling) -> None:
    parent = hole.parent
    if isinstance(parent, exp.Table) and isinstance(filling, exp.Table):
        parent.set("this", filling.this.copy())  # the table's alias stays
        if filling.args.get("db"):
            parent.set("db", filling.args["db"].copy())
        return
    target: exp.Expr = parent if isinstance(parent, exp.Column | exp.Table | exp.ColumnDef) else hole
    if isinstance(filling, exp.Expr):
        target.replace(filling.copy())
        return
    # What the parser wraps around a list's only element has to give way to the list.
    while target.index is None and isinstance(target.parent, exp.Ordered | exp.PropertyEQ):
        target = target.parent
    if target.index is None:
        raise TypeError(f"{hole.name} stands where one node belongs, but got a list")
    target.replace([item.copy() for item in filling])


@cache
def _parsed(template: str, dialect: SqlDialect) -> exp.Expr:
    tree = sqlglot.parse_one(template, dialect=dialect)
    for node in tree.walk():
        node._meta = None  # token positions within the template: of no use, and copied with every copy
    return tree
