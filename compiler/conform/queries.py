"""Where do the rows come from that a query gives? A SELECT, or several that a UNION connects, with all that is in them.

What is said here is proved piece by piece. A query is on one shard when every table in it can be cut down to the rows
of one key without a change of its answer. Its shards' answers together are its answer when each row of it is made of
rows of one shard. Whatever is in doubt is refused. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from sqlglot import exp

from shardwright.compiler.conform.block import Block, Sub
from shardwright.compiler.conform.conditions import Values, equalities
from shardwright.compiler.conform.facts import Equality, Facts
from shardwright.compiler.conform.functions import check_function
from shardwright.compiler.conform.layout import Key, Layout
from shardwright.compiler.conform.relation import Item, Relation, Scope, relation_of
from shardwright.compiler.conform.verdict import BadStatement, not_understood, other_answer
from shardwright.compiler.conform.walk import subquery_of, walk_block

_ODD_PARTS: Final = (
    "laterals",
    "pivots",
    "match",
    "sample",
    "connect",
    "into",
    "prewhere",
    "qualify",
    "distribute",
    "sort",
    "cluster",
)


@dataclass(frozen=True, slots=True)
class Around:
    """What surrounds a query: `facts` hold in the rows of `scope` that count, `queries` are those that WITH names."""

    scope: Scope | None = None
    facts: Facts = field(default_factory=Facts)
    queries: Mapping[str, exp.Expr] = field(default_factory=dict)
    is_top: bool = False


class QueryReader:
    """Reads the queries of one statement."""

    def __init__(self, layout: Layout, tree: exp.Expr) -> None:
        self._layout = layout
        self.values = Values(tree)
        self._mentions = 0

    def read(self, query: exp.Expr, around: Around) -> Relation:
        """Raises BadStatement where the query is not on one shard, and its shards' answers together are not its answer,
        whatever is around it."""
        if isinstance(query, exp.Subquery):
            return self._read_bracket(query, around)
        around = self._with_named(query, around)
        if isinstance(query, exp.SetOperation):
            return self._read_union(query, around)
        if isinstance(query, exp.Select):
            return self._read_select(query, around)
        raise not_understood(f"{query.key.upper()} in the place of a query")

    def _read_bracket(self, query: exp.Subquery, around: Around) -> Relation:
        if any(query.args.get(part) for part in ("joins", "order", "limit", "offset", "where", *_ODD_PARTS)):
            if query.args.get("joins") or query.args.get("where"):
                raise not_understood("a join in brackets")
            return _cut(self.read(query.this, replace(around, is_top=False)), query, around)
        return self.read(query.this, around)

    def _with_named(self, query: exp.Expr, around: Around) -> Around:
        named = query.args.get("with_")
        if named is None:
            return around
        if named.args.get("recursive"):
            raise not_understood("WITH RECURSIVE")
        queries = dict(around.queries)
        for one in named.expressions:
            if one.args["alias"].columns:
                raise not_understood("column names behind the name of a WITH query")
            queries[one.alias.lower()] = one.this
        return replace(around, queries=queries)

    # -- UNION ---------------------------------------------------------------------------------------------------------

    def _read_union(self, query: exp.SetOperation, around: Around) -> Relation:
        inner = replace(around, is_top=False)
        arms = [self.read(one, inner) for one in (query.left, query.right)]
        word = query.key.upper()
        made = replace(
            arms[0],
            words=f"the {word}",
            keys=_common_keys(arms),
            tables=arms[0].tables | arms[1].tables,
            has_one_row=False,
        )
        if all(arm.is_everywhere for arm in arms):
            return _cut(made, query, around)
        placed = [arm.places for arm in arms if not arm.is_everywhere]
        problem = next((arm.problem for arm in arms if arm.problem is not None), None)
        if problem is None and any(arm.is_everywhere for arm in arms):
            problem = other_answer(f"every shard would give the rows of {_everywhere(arms)} once more")
        needs_key = query.args.get("distinct") is not False or not isinstance(query, exp.Union)
        if problem is None and needs_key and not made.keys:
            problem = other_answer(f"{word} removes rows that are equal, and two shards may have equal ones")
        return _cut(
            replace(made, is_everywhere=False, places=frozenset.intersection(*placed), problem=problem), query, around
        )

    # -- SELECT --------------------------------------------------------------------------------------------------------

    def _read_select(self, query: exp.Select, around: Around) -> Relation:
        for part in _ODD_PARTS:
            if query.args.get(part):
                raise not_understood(f"{part.upper()} in a query")
        if any(one.name.upper() == "SQL_CALC_FOUND_ROWS" for one in query.args.get("operation_modifiers") or ()):
            raise other_answer("SQL_CALC_FOUND_ROWS counts the rows of one shard")
        scope, conditions = self._read_from(query, around)
        facts = around.facts.extend(conditions)
        if query.args.get("where") is not None:
            facts = facts.extend(equalities(query.args["where"].this, scope, self.values))
        block = Block(query, scope, facts, tuple(self._read_subs(query, scope, facts, around)))
        return _cut(block.relation(is_top=around.is_top), query, around)

    def _read_from(self, query: exp.Expr, around: Around) -> tuple[Scope, list[Equality]]:
        """The scope of the FROM clause, and what its inner joins state."""
        scope = Scope([], around.scope)
        start = query.args.get("from_")
        if start is None:
            return scope, []
        return self.read_tables(start.this, query.args.get("joins") or [], scope, around)

    def read_tables(
        self, first: exp.Expr, joins: list[exp.Join], scope: Scope, around: Around
    ) -> tuple[Scope, list[Equality]]:
        """Adds the items to the scope. Also says what the inner joins state."""
        stated: list[Equality] = []
        while isinstance(first, exp.Subquery) and isinstance(first.this, exp.Table) and not first.alias:
            # `(a, b) LEFT JOIN c`: tables in brackets at the beginning are joined first anyway.
            joins = [*(first.args.get("joins") or ()), *joins]
            first = first.this
        joins = [*(first.args.get("joins") or ()), *joins]
        self._add(first, scope, around)
        for number, join in enumerate(joins):
            if join.method or (join.kind or "").upper() not in (
                "",
                "INNER",
                "CROSS",
                "OUTER",
                "STRAIGHT_JOIN",
                "STRAIGHT",
            ):
                raise not_understood(f"{join.method or join.kind} JOIN")
            side = (join.side or "").upper()
            item = self._add(join.this, scope, around)
            if item is None:
                raise not_understood("a join with DUAL")
            if side not in ("", "LEFT", "RIGHT") or (side == "RIGHT" and (number or len(scope.items) != 2)):
                raise not_understood(f"{side} JOIN behind another join")
            pairs = [*self._using(join, scope, item), *equalities(join.args.get("on"), scope, self.values)]
            if side == "":
                stated += pairs
                continue
            optional = item if side == "LEFT" else scope.items[0]
            optional.may_be_missing, optional.on = True, tuple(pairs)
            if side == "RIGHT":
                scope.items.reverse()
        return scope, stated

    def _using(self, join: exp.Join, scope: Scope, item: Item) -> Iterator[Equality]:
        for name in join.args.get("using") or ():
            before = [one for one in scope.items if one is not item and name.name.lower() in one.relation.columns]
            if len(before) != 1 or name.name.lower() not in item.relation.columns:
                raise not_understood(f"USING ({name.name}) with several tables")
            if item.may_be_missing or (join.side or ""):
                raise not_understood("USING in an outer join")
            sides = [exp.column(name.name, table=one.alias) for one in (before[0], item)]
            yield from equalities(exp.EQ(this=sides[0], expression=sides[1]), scope, self.values)
            scope.shared = scope.shared | {name.name.lower()}

    def _add(self, node: exp.Expr, scope: Scope, around: Around) -> Item | None:
        relation = self._source(node, around)
        if relation is None:
            return None
        self._mentions += 1
        alias = node.alias or node.name
        if any(item.alias == alias for item in scope.items):
            raise not_understood(f"two tables with the name {alias}")
        item = Item(self._mentions, alias, relation)
        scope.items.append(item)
        return item

    def _source(self, node: exp.Expr, around: Around) -> Relation | None:
        """The relation that a FROM clause names; None for DUAL."""
        if isinstance(node, exp.Subquery):
            if isinstance(node.this, exp.Table):
                raise not_understood("a join in brackets")
            return self.read(node, Around(queries=around.queries))
        if not isinstance(node, exp.Table) or not isinstance(node.this, exp.Identifier):
            raise not_understood(f"{node.sql(dialect='mysql')} in the place of a table")
        if node.args.get("partition") or node.args.get("sample") or node.args.get("version"):
            raise not_understood("a part of a table, or its history")
        named = around.queries.get(node.name.lower()) if not node.db else None
        if named is not None:
            left = {name: one for name, one in around.queries.items() if name != node.name.lower()}
            return replace(self.read(named, Around(queries=left)), words=node.name)
        table = self._layout.find(node.db, node.name)
        if table is None:
            return None if node.name.lower() == "dual" else _unknown(node.name)
        if table.fault:
            raise other_answer(table.fault)
        if node.name.lower() in table.members and node.name.lower() != table.logical.lower():
            raise other_answer(
                f"the rows of {node.name} and {len(table.members) - 1} other tables are together in {table.logical} on "
                "the shards: name that"
            )
        return relation_of(table)

    # -- what is inside ------------------------------------------------------------------------------------------------

    def _read_subs(self, query: exp.Expr, scope: Scope, facts: Facts, around: Around) -> Iterator[Sub]:
        for node in walk_block(query):
            check_function(node)
            if isinstance(node, exp.Column) and not isinstance(node.this, exp.Star):
                self._check_column(node, scope, query)
            if isinstance(node, exp.Star) and not isinstance(node.parent, exp.Count):
                _check_star(node, scope)
            inner = subquery_of(node)
            if inner is not None:
                relation = self.read(inner, Around(scope, facts, around.queries))
                yield Sub(node, relation)

    def _check_column(self, node: exp.Column, scope: Scope, query: exp.Expr) -> None:
        named = {one.alias.lower() for one in query.args.get("expressions") or () if isinstance(one, exp.Alias)}
        if not node.table and node.name.lower() in named and node.find_ancestor(exp.Order, exp.Having, exp.Group):
            return
        found = scope.find(node.table, node.name)
        if found is None:
            raise not_understood(f"column {node.name} is in none of the tables")
        if found[1].fault:
            raise other_answer(found[1].fault)

    def subqueries(self, tree: exp.Expr, scope: Scope, facts: Facts) -> tuple[Sub, ...]:
        """What the queries inside of a statement give that is no query itself. Raises BadStatement."""
        return tuple(self._read_subs(tree, scope, facts, Around()))


def _unknown(name: str) -> Relation:
    return Relation(name, {}, (), problem=not_understood(f"{name} is in no spec"))


def _check_star(node: exp.Star, scope: Scope) -> None:
    for item in scope.items_called(node.parent.table if isinstance(node.parent, exp.Column) else ""):
        for name in item.relation.order:
            if fault := item.relation.columns[name].fault:
                raise other_answer(f"`*`: {fault}")


def _common_keys(arms: list[Relation]) -> tuple[Key, ...]:
    """The keys that all arms have in the same places, by the names of the first."""
    found = []
    for key in arms[0].keys:
        places = tuple(arms[0].order.index(name) for name in key.columns)
        if all(_has_key(arm, key.group, places) for arm in arms[1:]):
            found.append(key)
    return tuple(found)


def _has_key(arm: Relation, group: str, places: tuple[int, ...]) -> bool:
    if max(places) >= len(arm.order):
        return False
    return any(key.group == group and key.columns == tuple(arm.order[place] for place in places) for key in arm.keys)


def _everywhere(arms: list[Relation]) -> str:
    return next(arm.words for arm in arms if arm.is_everywhere)


def _cut(relation: Relation, query: exp.Expr, around: Around) -> Relation:
    """The relation with the query's LIMIT and ORDER BY."""
    if relation.is_everywhere or relation.problem is not None:
        return relation
    problem: BadStatement | None = None
    order = query.args.get("order")
    sorts = order is not None and not all(isinstance(one.this, exp.Null) for one in order.expressions)
    if query.args.get("offset") or (query.args.get("limit") and not relation.has_one_row):
        problem = other_answer("LIMIT takes that many rows of each shard; merge them and cut again")
    elif sorts and around.is_top and not relation.has_one_row:
        problem = other_answer("ORDER BY sorts each shard by itself; merge the answers")
    return relation if problem is None else replace(relation, problem=problem, keys=())
