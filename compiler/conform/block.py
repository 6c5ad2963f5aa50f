"""One SELECT without what is inside of it: where are its rows, and are they the shards' rows together? Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice, product
from typing import Final

from sqlglot import exp

from shardwright.compiler.conform.conditions import column_node
from shardwright.compiler.conform.facts import ColumnNode, Facts, Node, ValueNode
from shardwright.compiler.conform.functions import differs_by_server, is_aggregate, name_of
from shardwright.compiler.conform.layout import ColumnLayout, Key
from shardwright.compiler.conform.relation import Item, Place, Relation, Scope
from shardwright.compiler.conform.verdict import BadStatement, Verdict, not_understood, other_answer
from shardwright.compiler.conform.walk import walk_block

_MOST_PLACES: Final = 16
"""That one key is known by. More of them say the same again."""


@dataclass(frozen=True, slots=True)
class Sub:
    """A query inside of an expression: the node that it belongs to, and what it gives."""

    node: exp.Expr
    relation: Relation


@dataclass(frozen=True, slots=True)
class _Output:
    name: str
    column: ColumnLayout
    node: ColumnNode | None


class Block:
    """`facts` hold in every row that counts."""

    def __init__(self, query: exp.Expr, scope: Scope, facts: Facts, subs: tuple[Sub, ...]) -> None:
        self._query = query
        self._scope = scope
        self._facts = facts
        self._own = {item.number for item in scope.items}
        self._sharded = [item for item in scope.items if not item.relation.is_everywhere]
        self._inner = [item for item in self._sharded if not item.may_be_missing]
        self._subs = [sub for sub in subs if not sub.relation.is_everywhere]
        self._tables = frozenset().union(
            *(item.relation.tables for item in scope.items), *(sub.relation.tables for sub in subs)
        )
        self._known = self.facts_with(())

    def relation(self, *, is_top: bool) -> Relation:
        """What the SELECT gives. Raises BadStatement where an aggregate belongs to another query."""
        for node in walk_block(self._query):
            if is_aggregate(node):
                self._check_owner(node)
        outputs = tuple(self._outputs(is_top=is_top))
        columns: dict[str, ColumnLayout] = {}
        for output in outputs:
            columns.setdefault(output.name, output.column)
        order = tuple(output.name for output in outputs)
        if not self._sharded and not self._subs:
            return Relation("a query", columns, order, is_everywhere=True, tables=self._tables)
        problem = self.problem(outputs)
        keys = () if problem is not None else tuple(self._keys(outputs))
        one_row = self._has_one_row()
        return Relation(
            "a query", columns, order, keys, self.places(), problem, has_one_row=one_row, tables=self._tables
        )

    def _has_one_row(self) -> bool:
        """Whether the only table is asked for one row by a unique key."""
        if len(self._scope.items) != 1 or not self._inner:
            return False
        [item] = self._inner
        unique = [key for key in item.relation.keys if key.is_unique]
        return any(
            all(
                any(isinstance(node, ValueNode) for node in self._known.equal_to(ColumnNode(item.number, name)))
                for name in key.columns
            )
            for key in unique
        )

    def facts_with(self, present: Iterable[int]) -> Facts:
        """What holds in rows where the items with these numbers are not missing."""
        facts, wanted, added = self._facts, set(present), set[int]()
        while True:
            wanted |= {node.item for pair in facts.equalities for node in pair if isinstance(node, ColumnNode)}
            new = [
                item
                for item in self._scope.items
                if item.may_be_missing and item.number in wanted and item.number not in added
            ]
            if not new:
                return facts
            added |= {item.number for item in new}
            facts = facts.extend(pair for item in new for pair in item.on)

    # -- one shard -----------------------------------------------------------------------------------------------------

    def places(self) -> frozenset[Place]:
        """The shards by which all that is read can be had, by nodes that do not belong to this query."""
        found: set[Place] = set()
        candidates = {place for item in self._sharded for place in self._places_of(item)}
        if not self._sharded:
            candidates = {self._root_place(place) for sub in self._subs for place in sub.relation.places}
        for place in candidates:
            start = [item for item in self._sharded if place in self._places_of(item)]
            reached = self._reach(start)
            if len(reached) < len(self._sharded):
                continue
            allowed = {place, *(key for item in reached for key in item.keys_in(self._known))}
            if all(self._places_of_sub(sub) & allowed for sub in self._subs):
                found.update(self._spelt(place))
        return frozenset(found)

    def _places_of(self, item: Item) -> frozenset[Place]:
        facts = self.facts_with((item.number,))
        given = {(group, facts.roots(nodes)) for group, nodes in item.relation.places}
        by_key = {
            (group, roots)
            for group, roots in item.keys_in(facts)
            if all(any(self._is_external(node) for node in facts.equal_to(root)) for root in roots)
        }
        return frozenset(self._root_place(place) for place in given | self._spelt_all(by_key, facts))

    def _spelt_all(self, places: Iterable[Place], facts: Facts) -> set[Place]:
        made: set[Place] = set()
        for group, roots in places:
            choices = [[node for node in facts.equal_to(root) if self._is_external(node)] for root in roots]
            made.update((group, nodes) for nodes in islice(product(*choices), _MOST_PLACES))
        return made

    def _spelt(self, place: Place) -> set[Place]:
        """The place by each external node that it is known by."""
        if not place[1]:
            return {place}
        known = self._spelt_all([place], self._known)
        return known or {place}

    def _is_external(self, node: Node) -> bool:
        return isinstance(node, ValueNode) or node.item not in self._own

    def _root_place(self, place: Place) -> Place:
        return place[0], self._known.roots(place[1])

    def _reach(self, start: Iterable[Item]) -> list[Item]:
        """The sharded items whose rows are where those of `start` are."""
        reached = list(start)
        grows = True
        while grows:
            grows = False
            for item in self._sharded:
                if item in reached:
                    continue
                facts = self.facts_with((item.number,))
                if any(item.keys_in(facts) & other.keys_in(facts) for other in reached):
                    reached.append(item)
                    grows = True
        return reached

    def _places_of_sub(self, sub: Sub) -> frozenset[Place]:
        found = {self._root_place(place) for place in sub.relation.places}
        if (place := self._place_of_membership(sub)) is not None:
            found.add(self._root_place(place))
        return frozenset(found)

    def _place_of_membership(self, sub: Sub) -> Place | None:
        """Of `column IN (SELECT key ...)`: only rows with this key can be equal."""
        if not isinstance(sub.node, exp.In) or sub.relation.problem is not None or len(sub.relation.order) != 1:
            return None
        found = column_node(sub.node.this, self._scope)
        if found is None:
            return None
        node, kind = found
        item = next((one for one in self._scope.items if one.number == node.item), None)
        name = sub.relation.order[0]
        if item is None or item.may_be_missing or item.relation.columns[node.name].nullable:
            return None
        if sub.relation.columns[name].kind != kind:
            return None
        group = next((key.group for key in sub.relation.keys if key.columns == (name,)), None)
        return None if group is None else (group, (node,))

    # -- all shards together -------------------------------------------------------------------------------------------

    def problem(self, outputs: tuple[_Output, ...] = ()) -> BadStatement | None:
        """Why the shards' rows together are not the rows; None where they are."""
        return (
            self._problem_of_joins()
            or self._problem_of_subs()
            or self._problem_of_groups()
            or self._problem_of_rest(outputs)
        )

    def _problem_of_joins(self) -> BadStatement | None:
        for item in self._sharded:
            if item.relation.problem is not None:
                return item.relation.problem
        if not self._sharded:
            return None
        if not self._inner:
            kept = next(item.alias for item in self._scope.items if item.relation.is_everywhere)
            lost = self._sharded[0].alias
            return BadStatement(
                Verdict.CROSS_SHARD_JOIN,
                f"an outer join keeps each row of {kept} on every shard, also where its rows of {lost} are elsewhere",
            )
        reached = self._reach(self._inner[:1])
        lost_items = [item for item in self._sharded if item not in reached]
        if not lost_items:
            return None
        return BadStatement(Verdict.CROSS_SHARD_JOIN, _without_keys(reached[0], lost_items[0]))

    def _problem_of_subs(self) -> BadStatement | None:
        allowed = self._local_keys()
        for sub in self._subs:
            if self._places_of_sub(sub) & allowed:
                continue
            if not self._sharded:
                return sub.relation.problem or other_answer("every shard answers the subquery from its own rows")
            if isinstance(sub.node, (exp.In, exp.Exists)):
                return BadStatement(Verdict.CROSS_SHARD_JOIN, _of_subquery(sub))
            return other_answer("the subquery needs rows of all shards, and each shard has its own")
        return None

    def _local_keys(self) -> frozenset[Place]:
        """Rows with equal values in one of these are on one shard."""
        return frozenset(key for item in self._inner for key in item.keys_in(self._known))

    def _covers(self, roots: set[Node]) -> bool:
        return any(set(wanted) <= roots for _, wanted in self._local_keys())

    def _problem_of_groups(self) -> BadStatement | None:
        group = self._query.args.get("group")
        aggregate = next((node for node in walk_block(self._query) if is_aggregate(node)), None)
        if group is None:
            return None if aggregate is None else _of_aggregate(aggregate)
        if any(group.args.get(part) for part in ("rollup", "cube", "grouping_sets", "totals")):
            return other_answer("WITH ROLLUP adds rows about all groups, and each shard has its own")
        if self._covers({self._known.root(node) for node in self._group_nodes(group)}):
            return None
        if aggregate is not None:
            return _of_aggregate(aggregate)
        return other_answer("GROUP BY without the shard key makes the same group on several shards")

    def _check_owner(self, aggregate: exp.Expr) -> None:
        found = [self._scope.find(node.table, node.name) for node in aggregate.find_all(exp.Column)]
        known = [one[0] for one in found if one is not None]
        if known and not any(self._scope.is_local(item) for item in known):
            raise not_understood(f"{aggregate.sql(dialect='mysql')} belongs to a query around it")

    def _group_nodes(self, group: exp.Expr) -> Iterator[Node]:
        for one in group.expressions:
            wanted = one
            if isinstance(one, exp.Literal) and not one.is_string:
                place = int(one.name) - 1
                chosen = self._query.expressions
                wanted = chosen[place].unalias() if place < len(chosen) else one
            found = self._own_column(wanted)
            if found is not None and not self._is_hidden(one, found):
                yield found

    def _is_hidden(self, node: exp.Expr, found: ColumnNode) -> bool:
        """Whether a name without a table may mean an alias of another value, of which servers say different things."""
        if not isinstance(node, exp.Column) or node.table:
            return False
        named = [
            one.this
            for one in self._query.expressions
            if isinstance(one, exp.Alias) and one.alias.lower() == node.name.lower()
        ]
        return any(self._own_column(one) != found for one in named)

    def _own_column(self, node: exp.Expr) -> ColumnNode | None:
        found = column_node(node, self._scope)
        return found[0] if found is not None else None

    def _problem_of_rest(self, outputs: tuple[_Output, ...]) -> BadStatement | None:
        if self._query.args.get("distinct"):
            shown = {self._known.root(output.node) for output in outputs if output.node is not None}
            if not self._covers(shown):
                return other_answer("DISTINCT without the shard key keeps the same row on several shards")
        for node in walk_block(self._query):
            if isinstance(node, exp.Window):
                parts = {self._own_column(one) for one in node.args.get("partition_by") or ()}
                if not self._covers({self._known.root(one) for one in parts if one is not None}):
                    return other_answer("a window function looks at the rows of one shard only")
            if (reason := differs_by_server(node)) is not None:
                return other_answer(reason)
        return None if self._sharded else other_answer("every shard gives the row once more")

    # -- what comes out ------------------------------------------------------------------------------------------------

    def _outputs(self, *, is_top: bool) -> Iterator[_Output]:
        for number, one in enumerate(self._query.expressions):
            inner = one.unalias()
            if isinstance(inner, exp.Star) or (isinstance(inner, exp.Column) and isinstance(inner.this, exp.Star)):
                if self._scope.shared and not is_top:
                    raise not_understood("`*` behind a join with USING")
                for item in self._scope.items_called(inner.table if isinstance(inner, exp.Column) else ""):
                    for name in item.relation.order:
                        yield self._output(item, name, name)
                continue
            name = (one.alias or (inner.name if isinstance(inner, exp.Column) else "") or f"#{number}").lower()
            found = self._scope.find(inner.table, inner.name) if isinstance(inner, exp.Column) else None
            if found is not None and self._scope.is_local(found[0]):
                yield self._output(found[0], found[1].name, name)
            else:
                yield _Output(name, ColumnLayout(name, None, True), None)

    def _output(self, item: Item, column: str, name: str) -> _Output:
        known = item.relation.columns[column]
        layout = ColumnLayout(name, known.kind, known.nullable or item.may_be_missing, known.fault)
        return _Output(name, layout, None if known.kind is None else ColumnNode(item.number, known.name))

    def _keys(self, outputs: tuple[_Output, ...]) -> Iterator[Key]:
        names = [output.name for output in outputs]
        by_root = {
            self._known.root(output.node): output.name
            for output in outputs
            if output.node is not None and names.count(output.name) == 1 and not output.column.nullable
        }
        routing = {key.group for item in self._inner for key in item.relation.keys if key.routes}
        for group, roots in sorted(self._local_keys(), key=str):
            if all(root in by_root for root in roots):
                yield Key(group, tuple(by_root[root] for root in roots), group in routing)


def _without_keys(one: Item, other: Item) -> str:
    for item in (one, other):
        if item.relation.no_route:
            return item.relation.no_route
    sides = [[f"{item.alias}.{name}" for name in _key_names(item)] for item in (one, other)]
    if all(sides):
        wanted = " and ".join(f"{left} = {right}" for left, right in zip(*sides, strict=False))
        return f"{one.alias} and {other.alias} are joined without their shard keys ({wanted})"
    return f"{one.alias} and {other.alias} are joined, and their rows may be on different shards"


def _of_subquery(sub: Sub) -> str:
    shown = sorted(node.shown for _, nodes in sub.relation.places for node in nodes if isinstance(node, ValueNode))
    if shown:
        return f"the subquery is on the shard of {shown[0]}, which may be another one than that of a row outside"
    return "the subquery reads rows of all shards: it is not tied to the shard key of a row outside"


def _key_names(item: Item) -> tuple[str, ...]:
    return item.relation.route_columns or next((key.columns for key in item.relation.keys), ())


def _of_aggregate(node: exp.Expr) -> BadStatement:
    assert isinstance(node, exp.Func)
    name = name_of(node)
    distinct = node.find(exp.Distinct) is not None
    if name in ("COUNT", "SUM") and not distinct:
        return other_answer(f"{name}() of each shard has to be added up")
    if name in ("MIN", "MAX"):
        return other_answer(f"{name}() has to be taken again of the shards' values")
    words = f"{name}(DISTINCT ...)" if distinct else f"{name}()"
    return other_answer(f"{words} of all rows does not follow from the values of the shards")
