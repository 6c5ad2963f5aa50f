"""A sharding function (the expressions of database and table, and how a key is routed by them), and what is asked of an
algorithm that makes one: the rule with its key, grid and options.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from shardwright.compiler.expressions.expression import (
    Expression,
    IntegerExpression,
    NoMysqlForm,
    Qualify,
    Row,
    evaluate_each,
    plain_column,
)
from shardwright.compiler.expressions.make import Refusal
from shardwright.compiler.plan.catalogue import Column
from shardwright.specs.findings.diagnostics import Findings, Note, Path, Span
from shardwright.specs.spec.model import ShardingRule

SpanOf = Callable[[Path], Span]


@dataclass(frozen=True, slots=True)
class Grid:
    """The target: its databases and the suffixes of the tables in each, by name."""

    databases: tuple[str, ...]
    suffixes: tuple[str, ...]

    @property
    def tables(self) -> int:
        return len(self.suffixes)

    @property
    def places(self) -> int:
        return len(self.databases) * len(self.suffixes)


@dataclass(frozen=True, slots=True)
class Request:
    """`columns` are the table's, in the order of the rule's shard key, and `keys` their leaves. `files` are the texts
    of
    the CSV files that rules name. Options have the shape that the JSON Schema asks for."""

    rule: ShardingRule
    columns: tuple[Column, ...]
    keys: tuple[Expression, ...]
    grid: Grid
    files: Mapping[str, str]
    span_of: SpanOf
    findings: Findings

    @property
    def column(self) -> Column:
        return self.columns[0]

    def key(self) -> Expression:
        """The only column of the shard key. Raises Refusal when there are several."""
        if len(self.keys) == 1:
            return self.keys[0]
        message = f"algorithm {self.rule.algorithm} takes one shard key column, not {len(self.keys)}"
        hint = "the hash algorithms take several; so do expressions: crc32(concat(a, ':', b)) % n"
        raise Refusal("SW5008", message, hint)

    def integer_key(self) -> IntegerExpression:
        key = self.key()
        if isinstance(key, IntegerExpression):
            return key
        message = f"algorithm {self.rule.algorithm} needs an integer shard key"
        raise Refusal("SW5008", message, "crc32_mod takes text and binary as well")

    def word(self, name: str, default: str) -> str:
        value = self.rule.options.get(name, default)
        return value if isinstance(value, str) else default

    def number(self, name: str, default: int) -> int:
        value = self.rule.options.get(name, default)
        return value if isinstance(value, int) else default

    def items(self, name: str) -> Sequence[object]:
        value = self.rule.options.get(name)
        return value if isinstance(value, list) else ()

    def entries(self, name: str) -> Mapping[str, object]:
        value = self.rule.options.get(name)
        return value if isinstance(value, dict) else {}

    def span(self, *path: str | int) -> Span:
        """Where an option, or a part of it, stands."""
        return self.span_of((*self.rule.path, "options", *path))

    def error(
        self, code: str, message: str, *path: str | int, hint: str | None = None, notes: tuple[Note, ...] = ()
    ) -> None:
        self.findings.error(code, message, self.span(*path), hint=hint, notes=notes)


@dataclass(frozen=True, slots=True, eq=False)
class ShardFunction:
    """`database` gives 0..databases-1, `table` gives 0..tables-1, for every row; neither is ever NULL. Tables share the
    object (`known_functions.py`), by which its SQL is remembered."""

    database: IntegerExpression
    table: IntegerExpression

    def columns(self) -> frozenset[str]:
        return self.database.columns() | self.table.columns()

    def mysql(self, qualify: Qualify = plain_column) -> tuple[exp.Expr, exp.Expr]:
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


def route_each(function: ShardFunction, rows: Sequence[Row]) -> list[tuple[int, int]]:
    """(database, table) of each row."""
    places = list(zip(*evaluate_each((function.database, function.table), rows), strict=True))
    if any(None in place for place in places):
        raise ValueError("the shard key is NULL although the schema says NOT NULL")
    return places
