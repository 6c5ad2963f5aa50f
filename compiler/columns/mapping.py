"""The value of one target column: Spark SQL and Python over a source row's canonical texts give the target's canonical text;
MySQL SQL over the source's columns gives what verification compares with the target's own value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from sqlglot import exp

from shardwright.compiler.columns.transform import Transform
from shardwright.compiler.columns.typed import Texts, python_row, python_text, spark_columns, spark_text
from shardwright.compiler.expressions.expression import Expression, IntegerExpression
from shardwright.compiler.expressions.sql_types import utf8mb4
from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.plan.plan import CopiedColumn
from shardwright.compiler.sql import sql_text as sql


class ColumnMapping(Protocol):
    def spark(self, image: str) -> exp.Expr:
        """Canonical text of the target's value, over the struct `image`."""

    def mysql(self) -> exp.Expr:
        """The value, over the source's own columns."""

    def python(self, row: Texts) -> str | None: ...

    def reads(self) -> frozenset[str]:
        """The source columns it is made from."""


@dataclass(frozen=True, slots=True)
class FromColumn:
    """A source column, changed step by step (no steps: as it is)."""

    name: str
    steps: tuple[Transform, ...] = ()

    def spark(self, image: str) -> exp.Expr:
        value: exp.Expr = sql.column(self.name, image)
        for step in self.steps:
            value = step.spark(value)
        return value

    def mysql(self) -> exp.Expr:
        value: exp.Expr = sql.column(self.name)
        for step in self.steps:
            value = step.mysql(value)
        return value

    def python(self, row: Texts) -> str | None:
        value = row[self.name]
        for step in self.steps:
            value = step.python(value)
        return value

    def reads(self) -> frozenset[str]:
        return frozenset({self.name})


@dataclass(frozen=True, slots=True)
class Computed:
    """An expression over source columns; `types` are theirs, `kind` is the target's. A CHAR loses spaces at the end."""

    expression: Expression
    types: Mapping[str, ColumnType]
    kind: ColumnType

    def spark(self, image: str) -> exp.Expr:
        text = spark_text(self.expression, spark_columns(image, self.types))
        return _trimmed(text) if self.kind.name == "char" else text

    def mysql(self) -> exp.Expr:
        node = self.expression.mysql()
        if isinstance(self.expression, IntegerExpression):
            signed = self.expression.interval.fits_signed_64
            return exp.cast(node, "SIGNED" if signed else "UNSIGNED", dialect="mysql")
        if self.kind.name == "date":
            return utf8mb4(node)
        return _trimmed(node) if self.kind.name == "char" else node

    def python(self, row: Texts) -> str | None:
        wanted = {name: self.types[name] for name in self.expression.columns()}
        text = python_text(self.expression.evaluate(python_row(row, wanted)))
        return text.rstrip(" ") if text is not None and self.kind.name == "char" else text

    def reads(self) -> frozenset[str]:
        return self.expression.columns()


def _trimmed(value: exp.Expr) -> exp.Expr:
    return exp.Trim(this=value, expression=sql.text(" "), position="TRAILING")


@dataclass(frozen=True, slots=True)
class MappedColumn:
    """A target column as the plan has it, and how its value comes about. `node`: its type in DDL where that is not the
    source column's own."""

    column: CopiedColumn
    mapping: ColumnMapping
    node: exp.DataType | None = None


def as_copied(column: CopiedColumn) -> MappedColumn:
    return MappedColumn(column, FromColumn(column.source))
