"""Between canonical text and the typed values that expressions reckon with, in Spark and in Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal

from sqlglot import exp

from shardwright.compiler.expressions.expression import (
    BytesExpression,
    Expression,
    IntegerExpression,
    Qualify,
)
from shardwright.compiler.expressions.sql_types import spark_string
from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.transport import typed_in_spark

Texts = Mapping[str, str | None]
"""A row of the source: canonical text by column name."""


def spark_columns(image: str, types: Mapping[str, ColumnType]) -> Qualify:
    """The columns of an image (a struct of canonical texts), typed."""

    def qualify(name: str) -> exp.Expr:
        kind = types[name]
        text = sql.column(name, image)
        if kind.name == "year":
            return exp.cast(text, "BIGINT")
        if kind.name == "decimal":
            return exp.cast(text, f"DECIMAL({kind.precision}, {kind.scale})")
        return typed_in_spark(text, kind)

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
