"""What a part of a statement reads, be it a table or a query: its columns, and where its rows are. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from shardwright.compiler.conform.facts import ColumnNode, Equality, Facts, Node
from shardwright.compiler.conform.layout import ColumnLayout, Key, TableLayout
from shardwright.compiler.conform.verdict import BadStatement, Verdict, not_understood

Place = tuple[str, tuple[Node, ...]]
"""One shard: the group of a key, and what the key is equal to. Of a table in one database: its name and nothing."""


@dataclass(frozen=True, slots=True)
class Relation:
    """Rows with columns.

    The rows are the same on every shard (`is_everywhere`), or all on the shard of each of `places`, or each shard has
    its part of them and the parts together are all rows (`problem` None; else it says why they are not)."""

    words: str
    columns: Mapping[str, ColumnLayout]
    order: tuple[str, ...]
    """The names of the columns as `*` gives them."""
    keys: tuple[Key, ...] = ()
    places: frozenset[Place] = frozenset()
    problem: BadStatement | None = None
    is_everywhere: bool = False
    no_route: str = ""
    route_columns: tuple[str, ...] = ()
    has_one_row: bool = False
    """At most one, on all shards together."""
    tables: frozenset[str] = frozenset()
    """The logical names of the broadcast tables in it."""


def relation_of(table: TableLayout) -> Relation:
    """The table as a statement reads it."""
    problem, places = None, frozenset[Place]()
    if table.database is not None:
        place = f"database {table.database}"
        places = frozenset({(place, ())})
        problem = BadStatement(
            Verdict.CROSS_SHARD_JOIN, f"{table.logical} is in one database only, and the other tables are not"
        )
    return Relation(
        table.logical,
        table.columns,
        table.order,
        table.keys,
        places,
        problem,
        table.is_broadcast,
        table.no_route,
        table.route_columns,
        tables=frozenset({table.logical}) if table.is_broadcast else frozenset(),
    )


@dataclass(slots=True)
class Item:
    """One mention of a relation in a FROM clause. `may_be_missing`: it is the right side of a LEFT JOIN, on the
    equalities `on`."""

    number: int
    alias: str
    relation: Relation
    may_be_missing: bool = False
    on: tuple[Equality, ...] = ()

    def keys_in(self, facts: Facts) -> frozenset[Place]:
        """Its keys as they are known by `facts`."""
        return frozenset(
            (key.group, facts.roots(ColumnNode(self.number, name) for name in key.columns))
            for key in self.relation.keys
        )


@dataclass(slots=True)
class Scope:
    """The items whose columns can be named, and those around it."""

    items: list[Item] = field(default_factory=list)
    outer: Scope | None = None
    shared: frozenset[str] = frozenset()
    """Columns that USING has made one of several."""

    def find(self, table: str, name: str) -> tuple[Item, ColumnLayout] | None:
        """The item and the column, in this scope or the nearest around it; None where no item has it. Raises
        BadStatement where several have it."""
        wanted, items = name.lower(), self.items_called(table)
        found = [item for item in items if wanted in item.relation.columns]
        if table and items and not found:
            raise not_understood(f"{table} has no column {name}")
        if len(found) > 1 and wanted not in self.shared:
            raise not_understood(f"column {name} is in several tables: name its table")
        if found:
            return found[0], found[0].relation.columns[wanted]
        return self.outer.find(table, name) if self.outer is not None else None

    def items_called(self, alias: str) -> Sequence[Item]:
        """Those of this scope that an alias means: the one that is written so, else those that differ by case only.
        All of them where it is empty."""
        exact = [item for item in self.items if alias in ("", item.alias)]
        return exact or [item for item in self.items if item.alias.lower() == alias.lower()]

    def is_local(self, item: Item) -> bool:
        return any(item is one for one in self.items)
