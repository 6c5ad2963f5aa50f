"""A resolved table together with its plan and the function that places its rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from sqlglot import exp

from shardwright.compiler.columns.row_mapping import RowMapping
from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.plan.plan import TablePlan
from shardwright.compiler.sharding.function import ShardFunction
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.printer import share
from shardwright.compiler.sql.transport import to_spark_type
from shardwright.compiler.steps.decode import Place
from shardwright.compiler.steps.keys import Side
from shardwright.compiler.steps.verify import elsewhere_than
from shardwright.compiler.tables.choose import ResolvedTable


@dataclass(frozen=True, slots=True)
class AssignedTable:
    """`function` is None for a table that is not sharded, or that is placed through its parent."""

    resolved: ResolvedTable
    plan: TablePlan
    function: ShardFunction | None

    @property
    def mapping(self) -> RowMapping:
        return RowMapping(self.resolved.mapped, self.resolved.row_filter)

    def spark_place(self, image: str) -> Place:
        """A broadcast row is placed by the route step; shard 0 stands for all of them here."""
        if self.function is None:
            return sql.number(self.plan.placement.only_database or 0), sql.number(0)
        used = self.function.columns()
        types = tuple((column.name, column.type) for column in self.plan.source.reads if column.name in used)
        return _spark_place(self.function, image, types)

    def mysql_place(self, side: Side) -> Place | None:
        """Over the columns of the source's table or of the target's; None when rows have no place of their own."""
        if self.function is None or self.plan.placement.no_mysql is not None:
            return None
        return _mysql_place(self.function, self._names(side))

    def read_place(self) -> Place | None:
        """Where a row of a chunk belongs, computed by the source's server as it reads the row; None where Spark does
        that."""
        if not self.plan.placement.is_read:
            return None
        return self.mysql_place("source") or (sql.number(self.plan.placement.only_database or 0), sql.number(0))

    def elsewhere(self) -> exp.Expr | None:
        """MySQL, over the target's columns: the row does not belong to the physical table it is asked in. None as
        above."""
        if self.function is None or self.plan.placement.no_mysql is not None:
            return None
        return _elsewhere(self.function, self._names("target"))

    def _names(self, side: Side) -> tuple[tuple[str, str], ...]:
        """The function's columns, and what they are called on that side."""
        assert self.function is not None
        used = self.function.columns()
        found = (column for column in self.plan.columns if column.source in used)
        return tuple(
            (column.source or "", column.target if side == "target" else column.source or "") for column in found
        )


# Tables that share a function share its SQL, and with it the text that is printed of it.


@lru_cache(maxsize=1024)
def _spark_place(function: ShardFunction, image: str, types: tuple[tuple[str, ColumnType], ...]) -> Place:
    known = dict(types)

    def qualify(name: str) -> exp.Expr:
        return to_spark_type(sql.column(name, image), known[name])

    return (
        share(exp.cast(function.database.spark(qualify), exp.DType.INT, copy=False)),
        share(exp.cast(function.table.spark(qualify), exp.DType.INT, copy=False)),
    )


@lru_cache(maxsize=1024)
def _mysql_place(function: ShardFunction, names: tuple[tuple[str, str], ...]) -> Place:
    known = dict(names)
    database, table = function.mysql(lambda name: sql.column(known[name]))
    return share(database), share(table)


_LIGHT: Final = 600
"""Characters of SQL. CRC32 of a column has some fifty, a hash that MySQL lacks some thousands: its arithmetic."""


def source_computes_places(table: TablePlan, function: ShardFunction | None, *, dialect: str) -> bool:
    """Whether the source's server computes the places of a chunk's rows (`TablePlan.reads_place`). Then nothing else is
    to be done to these rows."""
    if not table.travels_whole or table.identity.counts_rows or table.placement.has_copies:
        return False
    return function is None or (table.placement.no_mysql is None and is_light_in_mysql(function, dialect=dialect))


@lru_cache(maxsize=1024)
def is_light_in_mysql(function: ShardFunction, *, dialect: str) -> bool:
    """Whether the source's server computes the function with next to no work, and without a component that it may lack
    (MD5 in MySQL). The function has a MySQL form."""
    written = "".join(sql.to_sql(part, "mysql") for part in function.mysql())
    return len(written) <= _LIGHT and not (dialect == "mysql" and "MD5(" in written)


@lru_cache(maxsize=1024)
def _elsewhere(function: ShardFunction, names: tuple[tuple[str, str], ...]) -> exp.Expr:
    return share(elsewhere_than(_mysql_place(function, names)))


def column_kinds(create: exp.Create) -> Mapping[str, exp.DataType]:
    """The types of the target's columns, as its CREATE TABLE has them."""
    return {
        definition.name: definition.kind
        for definition in create.this.expressions
        if isinstance(definition, exp.ColumnDef) and definition.kind is not None
    }
