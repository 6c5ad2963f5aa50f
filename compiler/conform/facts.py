"""Which columns and values are known to be equal, in the rows that a part of a statement looks at? Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ColumnNode:
    """A column of one of the tables that a statement names; `item` is the number of that table's mention."""

    item: int
    name: str


@dataclass(frozen=True, slots=True)
class ValueNode:
    """A value that stays the same for the whole statement. `label` is equal for values that are known to be equal,
    `shown` says it in words."""

    label: str
    shown: str
    is_known: bool
    """Whether two statements with this label name the same value."""


Node = ColumnNode | ValueNode
Equality = tuple[Node, Node]


class Facts:
    """Equalities that hold together. They are only ever added to."""

    def __init__(self, equalities: Iterable[Equality] = ()) -> None:
        self._parents: dict[Node, Node] = {}
        self.equalities: list[Equality] = []
        for pair in equalities:
            self.add(pair)

    def add(self, pair: Equality) -> None:
        self.equalities.append(pair)
        one, other = self.root(pair[0]), self.root(pair[1])
        if one != other:
            self._parents[one] = other

    def root(self, node: Node) -> Node:
        """The node that stands for all that are equal to it."""
        while (parent := self._parents.get(node)) is not None:
            node = parent
        return node

    def roots(self, nodes: Iterable[Node]) -> tuple[Node, ...]:
        return tuple(map(self.root, nodes))

    def equal_to(self, node: Node) -> tuple[Node, ...]:
        """All nodes that are known to be equal to it, itself included."""
        root = self.root(node)
        known = dict.fromkeys([node, *(one for pair in self.equalities for one in pair)])
        return tuple(one for one in known if self.root(one) == root)

    def extend(self, equalities: Iterable[Equality]) -> Facts:
        return Facts([*self.equalities, *equalities])
