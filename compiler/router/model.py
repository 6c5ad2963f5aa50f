"""What does a router have to know? The plan's tables, each with its places and the function that finds one of them.
Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from shardwright.compiler.expressions.expression import Expression, IntegerExpression
from shardwright.compiler.expressions.leaves import ColumnLeaf, IntegerLiteral
from shardwright.compiler.plan.plan import Plan, TablePlan, with_suffix
from shardwright.compiler.sharding.function import ShardFunction

if TYPE_CHECKING:  # loading it takes the whole compiler
    from shardwright.compiler.build import CompiledPlan

SWITCH_TABLE = "_shardwright_switch"
BUCKET_TABLE = "_shardwright_bucket"


@dataclass(frozen=True, slots=True)
class RoutedTable:
    """One logical table.

    databases   indexes of the databases that hold it
    names       of the physical tables in each of these (part number = index)
    copies      whether each database has every row
    function    finds the place; None where there is only one, or a copy everywhere
    key         for each source column that the function reads, what the application calls it
    parent      the table whose key columns they are, where the table has none of its own
    """

    logical: str
    databases: tuple[int, ...]
    names: tuple[str, ...]
    copies: bool = False
    function: ShardFunction | None = None
    key: tuple[tuple[str, str], ...] = ()
    parent: str | None = None
    bucket: ShardFunction | None = None
    """Gives a row's virtual bucket, in the place of a database, where the rules have buckets."""
    bucket_key: tuple[tuple[str, str], ...] = ()
    """As `key`, for `bucket`."""


@dataclass(frozen=True, slots=True)
class Router:
    """One migration. `ledgers` are the databases of the shards that have the switch row; `buckets` how many virtual
    buckets the rules have."""

    migration: str
    fingerprint: str
    databases: tuple[str, ...]
    ledgers: tuple[str, ...]
    tables: tuple[RoutedTable, ...]
    buckets: int = 0


def router_of(compiled: CompiledPlan) -> Router:
    plan = compiled.plan
    tables = tuple(_table_of(plan, table, compiled.functions) for table in plan.tables)
    if plan.buckets:
        made: dict[IntegerExpression, ShardFunction] = {}
        tables = tuple(_with_bucket(compiled, table, made) for table in tables)
    ledgers = plan.ledgers or plan.databases
    return Router(plan.migration, plan.fingerprint, plan.databases, ledgers, tables, plan.buckets)


def _with_bucket(
    compiled: CompiledPlan, routed: RoutedTable, made: dict[IntegerExpression, ShardFunction]
) -> RoutedTable:
    """`made`: tables with one expression share the function."""
    table, bucket = compiled.plan.table(routed.logical), compiled.buckets[routed.logical]
    key = tuple((column, root_name(table, column)) for column in sorted(bucket.columns()))
    function = made.setdefault(bucket, ShardFunction(bucket, IntegerLiteral(0)))
    return replace(routed, bucket=function, bucket_key=key)


def _table_of(plan: Plan, table: TablePlan, functions: Mapping[str, ShardFunction]) -> RoutedTable:
    databases = tuple(plan.shards(table))
    names = tuple(with_suffix(table.physical, suffix) for suffix in plan.parts(table))
    if table.placement.has_copies:
        return RoutedTable(table.logical, databases, names, copies=True)
    if table.placement.parent is not None:
        root, key = _key_through_parents(plan, table, functions)
        own = all(name is not None for name in key.values())
        spelt = {column: name or root_name(root, column) for column, name in key.items()}
        function, parent = functions[root.logical], None if own else root.logical
        if not own:
            spelt = {column: root_name(root, column) for column in key}
        return RoutedTable(table.logical, databases, names, False, function, tuple(spelt.items()), parent)
    function_of_its_own = functions.get(table.logical)
    if function_of_its_own is None:
        return RoutedTable(table.logical, databases, names)
    key_names = {column: root_name(table, column) for column in sorted(function_of_its_own.columns())}
    return RoutedTable(table.logical, databases, names, False, function_of_its_own, tuple(key_names.items()))


def root_name(table: TablePlan, source: str) -> str:
    """What the shards call a source column whose value they have as it is; else the source's own name."""
    kept = (column.target for column in table.columns if column.source == source and column.mapping == "copied")
    return next(kept, source)


def _key_through_parents(
    plan: Plan, table: TablePlan, functions: Mapping[str, ShardFunction]
) -> tuple[TablePlan, dict[str, str | None]]:
    """The topmost parent, and for each column that places its rows the table's own column with the same value, None
    where it has none."""
    own = {name: name for name in (column.target for column in table.columns)}
    at = table
    while at.placement.parent is not None:
        parent = plan.table(at.placement.parent.parent)
        pairs = zip(parent.key, at.placement.parent.via, strict=True)
        own = {key: own[via] for key, via in pairs if via in own}
        at = parent
    columns = sorted(functions[at.logical].columns())
    return at, {column: own.get(root_name(at, column)) for column in columns}


def nodes_of(function: ShardFunction) -> Iterator[Expression]:
    """Every node of both expressions."""
    waiting: list[Expression] = [function.database, function.table]
    while waiting:
        value = waiting.pop()
        yield value
        waiting += value.operands


def columns_of(function: ShardFunction) -> tuple[ColumnLeaf, ...]:
    """The columns that a function reads, each once, by name."""
    found = {node.name: node for node in nodes_of(function) if isinstance(node, ColumnLeaf)}
    return tuple(found[name] for name in sorted(found))
