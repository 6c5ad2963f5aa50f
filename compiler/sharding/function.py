"""The sharding function: what gives a row its database and table."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from shardwright.compiler.expressions.expression import IntegerExpression, NoMysqlForm, Qualify, Row, unqualified


@dataclass(frozen=True, slots=True, eq=False)
class ShardFunction:
    """`database` gives 0..databases-1, `table` gives 0..tables-1, for every row; neither is ever NULL. Tables share the
    object (`known_functions.py`), by which its SQL is remembered."""

    database: IntegerExpression
    table: IntegerExpression

    def columns(self) -> frozenset[str]:
        return self.database.columns() | self.table.columns()

    def mysql(self, qualify: Qualify = unqualified) -> tuple[exp.Expr, exp.Expr]:
        """Database and table as MySQL SQL. Raises NoMysqlForm."""
        return self.database.mysql(qualify), self.table.mysql(qualify)

    def no_mysql(self) -> str | None:
        """Why MySQL cannot compute it, as the end of a sentence; None when it can."""
        try:
            self.mysql()
        except NoMysqlForm as reason:
            return str(reason)
        return None


def route(function: ShardFunction, row: Row) -> tuple[int, int]:
    """(database, table) of a row: the Python form of the function."""
    database, table = function.database.evaluate(row), function.table.evaluate(row)
    if database is None or table is None:
        raise ValueError("the shard key is NULL although the schema says NOT NULL")
    return database, table
