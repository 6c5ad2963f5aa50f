"""Conditions on a table's key: equality between two relations, and key ranges that the server's index can serve."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from sqlglot import exp

from shardwright.compiler.plan.catalogue import EXPRESSION, ColumnType
from shardwright.compiler.plan.plan import TablePlan
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.key_expressions import part_of
from shardwright.compiler.sql.origin import BESIDE, join_origin
from shardwright.compiler.sql.printer import share
from shardwright.compiler.sql.template import fill
from shardwright.compiler.sql.transport import key_variable

Side = Literal["source", "target"]

_BEGINNING = "LEFT(hole_value, hole_length)"


def physical_table(table: TablePlan) -> exp.Expr:
    """One physical table of the target; `${suffix}`, and where `names_database` says so `${database}`, say which."""
    return sql.table(table.physical, database="${database}" if table.names_database else None)


def same_key(table: TablePlan, left: str, right: str) -> exp.Expr:
    """`left.k = right.k` for every key column, by target names. A column that the physical table lacks is the same for
    all of its rows."""
    return same_columns(own_key(table), left, right)


def own_key(table: TablePlan) -> tuple[str, ...]:
    """The key columns that the physical table has, by target names."""
    lacks = table.target_lacks
    return table.key if lacks is None else tuple(name for name in table.key if name != lacks.column)


def target_with_origin(table: TablePlan) -> exp.Expr:
    """One physical table as a statement reads it: with the column of the key that it lacks."""
    return join_origin(physical_table(table), table.target_lacks, "${database}", table.physical)


def column_of_target(table: TablePlan, name: str, alias: str) -> exp.Expr:
    """A column of `target_with_origin`, which the statement calls `alias`."""
    lacks = table.target_lacks
    return sql.column(name, BESIDE if lacks is not None and name == lacks.column else alias)


@lru_cache(maxsize=1024)
def same_columns(names: tuple[str, ...], left: str, right: str) -> exp.Expr:
    return share(sql.all_of([sql.same_column(name, left, right) for name in names]))


def unique_part(name: str, length: int, alias: str) -> exp.Expr:
    """What a unique key compares of a column, as the server's index does: characters under the column's collation, or
    bytes. A `length` of 0 is all of it. Or what it compares instead: `name` is an expression where `length` says so."""
    return part_of((name, length), alias) if length == EXPRESSION else prefix_of(sql.column(name, alias), length)


def prefix_of(value: exp.Expr, length: int) -> exp.Expr:
    """How the value begins; a `length` of 0 is all of it."""
    return fill(_BEGINNING, "mysql", value=value, length=sql.number(length)) if length else value


def as_one(columns: Sequence[exp.Expr]) -> exp.Expr:
    """What an IN list of keys is compared with: the column itself, or all of them as a row."""
    return columns[0] if len(columns) == 1 else exp.Tuple(expressions=list(columns))


def key_names(table: TablePlan, side: Side) -> tuple[str, ...]:
    """The column that says which source table a row is from has one name on both sides (`source_table`)."""
    return tuple((side == "source" and column.source) or column.target for column in table.key_columns)


def after(table: TablePlan, side: Side, variable: str) -> exp.Expr:
    """key > (@variable_1, @variable_2, ...), written out so that composite keys use the index."""
    return beyond(key_names(table, side), key_types(table), variable=variable, inclusive=False)


def up_to(table: TablePlan, side: Side, variable: str) -> exp.Expr:
    """key <= (@variable_1, ...)."""
    return beyond(key_names(table, side), key_types(table), variable=variable, inclusive=True)


def at(table: TablePlan, side: Side, variable: str) -> exp.Expr:
    """The key is (@variable_1, ...)."""
    return _equal(key_names(table, side), key_types(table), variable=variable)


@lru_cache(maxsize=1024)
def _equal(names: tuple[str, ...], kinds: tuple[ColumnType, ...], *, variable: str) -> exp.Expr:
    values = [key_variable(f"{variable}_{index}", kind) for index, kind in enumerate(kinds, start=1)]
    return share(sql.all_of(sql.column(name).eq(value) for name, value in zip(names, values, strict=True)))


def between(table: TablePlan, side: Side) -> exp.Expr:
    """@sw_low < key <= @sw_high."""
    return _between(key_names(table, side), key_types(table))


@lru_cache(maxsize=1024)
def _between(names: tuple[str, ...], kinds: tuple[ColumnType, ...]) -> exp.Expr:
    return share(sql.all_of(bounds(names, kinds)))


def bounds(names: tuple[str, ...], kinds: tuple[ColumnType, ...]) -> tuple[exp.Expr, exp.Expr]:
    """`(@sw_low < key)` and `(key <= @sw_high)`."""
    low = beyond(names, kinds, variable="sw_low", inclusive=False)
    high = beyond(names, kinds, variable="sw_high", inclusive=True)
    return sql.paren(low), sql.paren(high)


@lru_cache(maxsize=1024)
def in_order(names: tuple[str, ...]) -> tuple[exp.Expr, ...]:
    """What ORDER BY takes."""
    return tuple(share(exp.Ordered(this=sql.column(name), nulls_first=True)) for name in names)


def key_types(table: TablePlan) -> tuple[ColumnType, ...]:
    return tuple(column.type for column in table.key_columns)


@lru_cache(maxsize=1024)  # most tables' keys are called the same
def beyond(names: tuple[str, ...], kinds: tuple[ColumnType, ...], *, variable: str, inclusive: bool) -> exp.Expr:
    columns = [sql.column(name) for name in names]
    values = [key_variable(f"{variable}_{index}", kind) for index, kind in enumerate(kinds, start=1)]
    last = len(columns) - 1
    alternatives: list[exp.Expr] = []
    for index, (column, value) in enumerate(zip(columns, values, strict=True)):
        equal_before = [left.eq(right) for left, right in zip(columns[:index], values[:index], strict=True)]
        beyond = column < value if inclusive else column > value
        step: exp.Expr = column <= value if inclusive and index == last else beyond
        alternatives.append(sql.all_of([*equal_before, step]))
    condition = sql.any_of(alternatives)
    if last == 0:
        return share(condition)
    # The leading column alone bounds the index range; the alternatives then cut exactly.
    lead = columns[0] <= values[0] if inclusive else columns[0] >= values[0]
    return share(sql.all_of([lead, sql.paren(condition)]))
