"""The value of one target column. Spark SQL and Python compute it from a source row's canonical texts, as canonical
text of the target; MySQL SQL computes it from the source's columns, for comparing with the target's own value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Protocol

from sqlglot import exp

from shardwright.compiler.expressions.expression import (
    BytesExpression,
    Expression,
    IntegerExpression,
    Qualify,
    spark_string,
    utf8mb4,
)
from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.plan.plan import CopiedColumn
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.transport import to_spark_type, without_spaces_at_end

if TYPE_CHECKING:
    from shardwright.compiler.columns.transform import Transform

Texts = Mapping[str, str | None]
"""A row of the source: canonical text by column name, and under SOURCE its table's full name."""
SOURCE = ""


def spark_columns(image: str, types: Mapping[str, ColumnType]) -> Qualify:
    """The columns of an image (a struct of canonical texts), typed."""
    return convert_from_text(lambda name: sql.column(name, image), types)


def convert_from_text(value: Qualify, types: Mapping[str, ColumnType]) -> Qualify:
    """Spark: `value` gives the canonical text of a column."""

    def qualify(name: str) -> exp.Expr:
        kind, text = types[name], value(name)
        if kind.name == "year":
            return exp.cast(text, "BIGINT")
        if kind.name == "decimal":
            return exp.cast(text, f"DECIMAL({kind.precision}, {kind.scale})")
        return to_spark_type(text, kind)

    return qualify


def python_row(texts: Texts, types: Mapping[str, ColumnType]) -> Mapping[str, object]:
    return {name: None if texts[name] is None else _reader(kind)(texts[name] or "") for name, kind in types.items()}


def _reader(kind: ColumnType) -> Callable[[str], object]:
    if kind.is_integer or kind.name == "year":
        return int
    if kind.is_bytes:
        return bytes.fromhex
    return Decimal if kind.name == "decimal" and (kind.precision or 10) <= 38 else str


def spark_text(value: Expression, qualify: Qualify) -> exp.Expr:
    """The canonical text of an expression's value."""
    node = value.spark(qualify)
    if isinstance(value, IntegerExpression):
        return spark_string(node)
    return exp.Hex(this=node) if isinstance(value, BytesExpression) else node


def python_text(value: object) -> str | None:
    if value is None:
        return None
    return value.hex().upper() if isinstance(value, bytes) else str(value)


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
class Computation:
    """An expression over source columns; `types` are theirs, `kind` is the target's. A CHAR loses spaces at the end."""

    expression: Expression
    types: Mapping[str, ColumnType]
    kind: ColumnType

    def spark(self, image: str) -> exp.Expr:
        text = spark_text(self.expression, spark_columns(image, self.types))
        return without_spaces_at_end(text) if self.kind.name == "char" else text

    def mysql(self) -> exp.Expr:
        node = self.expression.mysql()
        if isinstance(self.expression, IntegerExpression):
            signed = self.expression.interval.fits_signed_64
            return exp.cast(node, "SIGNED" if signed else "UNSIGNED", dialect="mysql")
        if self.kind.name == "date":
            return utf8mb4(node)
        return without_spaces_at_end(node) if self.kind.name == "char" else node

    def python(self, row: Texts) -> str | None:
        wanted = {name: self.types[name] for name in self.expression.columns()}
        text = python_text(self.expression.evaluate(python_row(row, wanted)))
        return text.rstrip(" ") if text is not None and self.kind.name == "char" else text

    def reads(self) -> frozenset[str]:
        return self.expression.columns()


@dataclass(frozen=True, slots=True)
class MappedColumn:
    """A target column as the plan has it, and how its value comes about. `node`: its type in DDL where that is not the
    source column's own."""

    column: CopiedColumn
    mapping: ColumnMapping
    node: exp.DataType | None = None


def as_copied(column: CopiedColumn) -> MappedColumn:
    return MappedColumn(column, FromColumn(column.source))
