"""A resolved table together with its plan and the function that places its rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlglot import exp

from shardwright.compiler import sql_text as sql
from shardwright.compiler.columns.row_mapping import RowMapping
from shardwright.compiler.plan import TablePlan
from shardwright.compiler.sharding.function import ShardFunction
from shardwright.compiler.steps.decode import Place
from shardwright.compiler.steps.keys import Side
from shardwright.compiler.tables import ResolvedTable
from shardwright.compiler.transport import typed_in_spark


@dataclass(frozen=True, slots=True)
class Placed:
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
            return sql.number(self.plan.database or 0), sql.number(0)
        types = {column.name: column.type for column in self.plan.reads}

        def qualify(name: str) -> exp.Expr:
            return typed_in_spark(sql.column(name, image), types[name])

        return (
            exp.cast(self.function.database.spark(qualify), exp.DType.INT, copy=False),
            exp.cast(self.function.table.spark(qualify), exp.DType.INT, copy=False),
        )

    def mysql_place(self, side: Side) -> Place | None:
        """Over the columns of the source's table or of the target's; None when rows have no place of their own."""
        if self.function is None or self.plan.no_mysql_place is not None:
            return None
        targets = {column.source: column.target for column in self.plan.columns if column.source}

        def qualify(name: str) -> exp.Expr:
            return sql.column(name if side == "source" else targets[name])

        return self.function.mysql(qualify)


def column_kinds(create: exp.Create) -> Mapping[str, exp.DataType]:
    """The types of the target's columns, as its CREATE TABLE has them."""
    return {
        definition.name: definition.kind
        for definition in create.this.expressions
        if isinstance(definition, exp.ColumnDef) and definition.kind is not None
    }
