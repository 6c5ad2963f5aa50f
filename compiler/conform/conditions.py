"""Which equalities does a condition state? Only those that hold wherever it is true. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp

from shardwright.compiler.conform.facts import ColumnNode, Equality, ValueNode
from shardwright.compiler.conform.layout import Kind
from shardwright.compiler.conform.relation import Scope
from shardwright.compiler.workload.placeholders import LIST


class Values:
    """The placeholders of one statement, each with its number."""

    def __init__(self, tree: exp.Expr) -> None:
        found = [node for node in tree.find_all(exp.Placeholder, bfs=False) if not node.this]
        self._numbers = {id(node): number for number, node in enumerate(found, 1)}

    def value_of(self, node: exp.Expr, kind: Kind) -> ValueNode | None:
        """The value as a column of that kind is compared with it. None where it is none that stays, or where the server
        would compare in another way (a text column with a number)."""
        node = node.unnest()
        if isinstance(node, exp.Placeholder):
            return self._placeholder(node, kind)
        sign = "-" if isinstance(node, exp.Neg) else ""
        literal = node.this if sign else node
        if not isinstance(literal, exp.Literal):
            return None
        text = sign + literal.name
        if kind == ("int",):
            whole = re.fullmatch(r"-?[0-9]{1,20}", text)
            return ValueNode(f"int {int(text)}", text, True) if whole else None
        return ValueNode(f"{kind[0]} {text}", f"'{text}'", True) if literal.is_string and not sign else None

    def _placeholder(self, node: exp.Placeholder, kind: Kind) -> ValueNode:
        if node.this:
            return ValueNode(f"name {kind[0]} {node.name}", f":{node.name}", True)
        number = self._numbers.get(id(node), 0)
        return ValueNode(f"parameter {id(node)}", f"parameter {number}", False)


def conjuncts(condition: exp.Expr | None) -> Iterator[exp.Expr]:
    """The parts of which all have to be true."""
    if condition is None:
        return
    condition = condition.unnest() if isinstance(condition, exp.Paren) else condition
    if isinstance(condition, exp.And):
        yield from conjuncts(condition.left)
        yield from conjuncts(condition.right)
    else:
        yield condition


def equalities(condition: exp.Expr | None, scope: Scope, values: Values) -> Iterator[Equality]:
    """Raises BadStatement where a column is in no table, or in several."""
    for part in conjuncts(condition):
        if isinstance(part, exp.EQ):
            yield from _equality(part.left, part.right, scope, values)
        elif isinstance(part, exp.In) and _is_of_one_value(part):
            yield from _equality(part.this, part.expressions[0], scope, values)


def _is_of_one_value(node: exp.In) -> bool:
    return len(node.expressions) == 1 and node.args.get("query") is None and node.expressions[0].name != LIST


def _equality(one: exp.Expr, other: exp.Expr, scope: Scope, values: Values) -> Iterator[Equality]:
    left, right = column_node(one, scope), column_node(other, scope)
    if left is not None and right is not None:
        if left[1] == right[1]:
            yield left[0], right[0]
    elif left is not None and (value := values.value_of(other, left[1])) is not None:
        yield left[0], value
    elif right is not None and (value := values.value_of(one, right[1])) is not None:
        yield right[0], value


def column_node(node: exp.Expr, scope: Scope) -> tuple[ColumnNode, Kind] | None:
    """The column that the expression is, when equal values of it are equal all along."""
    node = node.unnest() if isinstance(node, exp.Paren) else node
    if not isinstance(node, exp.Column) or isinstance(node.this, exp.Star):
        return None
    found = scope.find(node.table, node.name)
    if found is None or found[1].kind is None:
        return None
    return ColumnNode(found[0].number, found[1].name), found[1].kind
