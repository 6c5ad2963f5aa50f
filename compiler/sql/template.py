"""Fixed SQL with holes, filled with nodes.

A template is constant text in our own source, so it is as readable as the SQL it becomes; everything that comes from
a spec or a schema enters as a sqlglot node through a hole (an identifier `hole_name`), never as text. A hole filled
with several nodes widens the list it is in.

A filled template is not built as a tree: it is a leaf (`FilledNode`) that knows its fillings and prints from the
template's layout (`compiler/sql/layout.py`), in the very form sqlglot gives the tree; `expand` makes that tree.
Only templates that are operators (`a AND b`, `NOT a`) are trees at once: what is around them has to see what they
are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Any

import sqlglot
from sqlglot import exp

from shardwright.compiler.plan.plan import SqlDialect
from shardwright.compiler.sql.layout import HoleKind, Layout, Pieces, marker
from shardwright.compiler.sql.printer import DERIVES, FilledNode, operands, raw_text

Filling = exp.Expr | Sequence[exp.Expr]
_MARK = "hole_"
_OPERATORS = (exp.Binary, exp.Unary, exp.Between, exp.In)
_SEEN_FROM_AROUND = (exp.Query, exp.PropertyEQ)
"""What the text around such a filling depends on."""


def fill(template: str, dialect: SqlDialect, **holes: Filling) -> exp.Expr:
    """The template with every `hole_name` replaced. Raises KeyError when holes and fillings do not match. The fillings
    must not be changed afterwards."""
    parsed = _parse(template, dialect)
    if parsed.names != holes.keys():
        raise KeyError(f"holes {sorted(parsed.names)} but fillings {sorted(holes)}")
    if parsed.is_operator or not DERIVES:
        return _tree(parsed, holes)
    return FilledNode(this=FilledTemplate(parsed, holes))


def outermost(node: exp.Expr) -> exp.Expr:
    """The node itself; of a filled template the template's outermost node, to look at and not to put anywhere."""
    if not isinstance(node, FilledNode):
        return node
    filled: FilledTemplate = node.args["this"]
    return filled.parsed.tree


def expand(node: exp.Expr) -> exp.Expr:
    """The node as a tree of sqlglot's own nodes only."""
    tree = node.copy()
    while filled := tree.find(FilledNode):
        whole = filled.args["this"].tree()
        if filled is tree:
            tree = whole
        else:
            filled.replace(whole)
    return tree


@dataclass(frozen=True, slots=True)
class _ParsedTemplate:
    """A template's tree, never changed. `layouts` by the kinds of the holes in the order of `names`; None: no layout,
    such fillings are printed as a tree."""

    tree: exp.Expr
    dialect: SqlDialect
    names: frozenset[str]
    is_operator: bool
    parents: Mapping[str, tuple[type[exp.Expr], ...]]
    layouts: dict[tuple[tuple[str, HoleKind], ...], Layout] = field(default_factory=dict)


@dataclass(slots=True)
class FilledTemplate:
    """A template and its fillings. The text is made when it is first asked for."""

    parsed: _ParsedTemplate
    holes: Mapping[str, Filling]
    _text: str | None = None

    def raw_text(self) -> str:
        if self._text is None:
            self._text = self._print()
        return self._text

    def tree(self) -> exp.Expr:
        return _tree(self.parsed, self.holes)

    def _print(self) -> str:
        parsed = self.parsed
        kinds: dict[str, HoleKind] = {}
        pieces: dict[str, Pieces] = {}
        for name, filling in self.holes.items():
            made = _pieces(filling, parsed.parents[name], parsed.dialect)
            if made is None:
                return raw_text(self.tree(), parsed.dialect)
            kinds[name], pieces[name] = made
        key = tuple(kinds.items())
        layout = parsed.layouts.get(key)
        if layout is None:
            layout = parsed.layouts[key] = Layout(_mark_holes(parsed, kinds), parsed.dialect, MappingProxyType(kinds))
        return layout.text(pieces)


def _pieces(
    filling: Filling, parents: tuple[type[exp.Expr], ...], dialect: SqlDialect
) -> tuple[HoleKind, Pieces] | None:
    """How the filling is put into its hole; None when the text around it may depend on what it is."""
    if not isinstance(filling, exp.Expr):
        if not filling or any(issubclass(kind, _SEEN_FROM_AROUND) for kind in set(map(type, filling))):
            return None
        return "list", Pieces.of(*[raw_text(item, dialect) for item in filling])
    if isinstance(filling, _SEEN_FROM_AROUND):
        return None
    if isinstance(filling, exp.Table):
        if filling.args.get("joins"):
            return None
        if filling.args.get("alias"):
            filling = exp.Table(this=filling.this, db=filling.args.get("db"))
        return "one", Pieces.of(raw_text(filling, dialect))
    if exp.Table in parents:
        return None
    if isinstance(filling, exp.Connector) and any(issubclass(parent, exp.Connector) for parent in parents):
        if not all(issubclass(parent, exp.Connector) for parent in parents):
            return None
        return "chain", Pieces.of(*operands(filling, dialect))
    return "one", Pieces.of(raw_text(filling, dialect))


def _tree(parsed: _ParsedTemplate, holes: Mapping[str, Filling]) -> exp.Expr:
    tree = parsed.tree.copy()
    for node in _holes(tree):
        if node.root() is not tree:  # STRUCT(hole) is parsed with the hole as its own field name: gone with the first
            continue
        _replace(node, holes[node.name.removeprefix(_MARK)])
    return tree


def _mark_holes(parsed: _ParsedTemplate, kinds: Mapping[str, HoleKind]) -> exp.Expr:
    """The tree with markers where the holes are."""
    tree = parsed.tree.copy()
    for node in _holes(tree):
        if node.root() is not tree:
            continue
        name = node.name.removeprefix(_MARK)
        match kinds[name]:
            case "one" if isinstance(node.parent, exp.Table):
                node.parent.set("this", marker(name))
            case "one":
                _replace(node, marker(name))
            case "list":
                _replace(node, [marker(name), marker(name)])
            case "chain":
                _replace(node, exp.And(this=marker(name), expression=marker(name)))
    return tree


def _holes(tree: exp.Expr) -> list[exp.Identifier]:
    """In the order of sqlglot's `find_all`, in half its time: every template is searched a few times."""
    nodes: list[Any] = [tree]
    for node in nodes:  # grows while it is walked
        for value in node.args.values():
            if isinstance(value, exp.Expr):
                nodes.append(value)
            elif isinstance(value, list):
                nodes += [item for item in value if isinstance(item, exp.Expr)]
    return [node for node in nodes if type(node) is exp.Identifier and node.name.startswith(_MARK)]


def _replace(hole: exp.Identifier, filling: Filling) -> None:
    parent = hole.parent
    if isinstance(parent, exp.Table) and isinstance(filling, exp.Table):
        parent.set("this", filling.this.copy())  # the table's alias stays
        if filling.args.get("db"):
            parent.set("db", filling.args["db"].copy())
        if joins := filling.args.get("joins"):  # the parser has them in the statement
            query = parent.find_ancestor(exp.Select)
            assert query is not None
            query.set("joins", [*(join.copy() for join in joins), *query.args.get("joins", ())])
        return
    target = _target(hole)
    if isinstance(filling, exp.Expr):
        target.replace(filling.copy())
        return
    # What the parser wraps around a list's only element has to give way to the list.
    while target.index is None and isinstance(target.parent, exp.Ordered | exp.PropertyEQ):
        target = target.parent
    if target.index is None:
        raise TypeError(f"{hole.name} is where one node belongs, but got a list")
    target.replace([item.copy() for item in filling])


def _target(hole: exp.Identifier) -> exp.Expr:
    """The node that gives way to a filling: the parser wraps names."""
    parent = hole.parent
    return parent if isinstance(parent, exp.Column | exp.Table | exp.ColumnDef) else hole


@cache
def _parse(template: str, dialect: SqlDialect) -> _ParsedTemplate:
    tree = sqlglot.parse_one(template, dialect=dialect)
    for node in tree.walk():
        node._meta = None  # token positions within the template: of no use, and copied with every copy
    parents: dict[str, tuple[type[exp.Expr], ...]] = {}
    for hole in _holes(tree):
        name = hole.name.removeprefix(_MARK)
        around = hole.parent if isinstance(hole.parent, exp.Table) else _target(hole).parent
        parents[name] = (*parents.get(name, ()), type(around or tree))
    return _ParsedTemplate(tree, dialect, frozenset(parents), isinstance(tree, _OPERATORS), parents)
