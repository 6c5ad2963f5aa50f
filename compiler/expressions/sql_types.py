"""Casts and brackets shared by the nodes' SQL forms."""

from __future__ import annotations

from sqlglot import exp

from shardwright.compiler.expressions.expression import IntegerExpression, MysqlInteger, Qualify
from shardwright.compiler.sql import sql_text

_MYSQL_TYPES = {
    MysqlInteger.SIGNED: exp.DType.BIGINT,
    MysqlInteger.UNSIGNED: exp.DType.UBIGINT,
}


def bracketed(node: exp.Expr) -> exp.Expr:
    """The node as an operand: in brackets when it is itself an operation."""
    return exp.Paren(this=node) if isinstance(node, exp.Binary | exp.Neg) and not _is_number(node) else node


def _is_number(node: exp.Expr) -> bool:
    return isinstance(node, exp.Literal) or (isinstance(node, exp.Neg) and isinstance(node.this, exp.Literal))


def decimal_38(node: exp.Expr) -> exp.Expr:
    return sql_text.cast(node, "DECIMAL(38, 0)")


def spark_bigint(node: exp.Expr) -> exp.Expr:
    return sql_text.cast(node, "BIGINT")


def spark_string(node: exp.Expr) -> exp.Expr:
    return sql_text.cast(node, "STRING", "spark")


def spark_binary(node: exp.Expr) -> exp.Expr:
    return sql_text.cast(node, "BINARY", "spark")


def utf8mb4(node: exp.Expr) -> exp.Expr:
    """`CAST(x AS CHAR CHARACTER SET utf8mb4)`: what `CONVERT(x USING utf8mb4)` means, in the spelling sqlglot keeps."""
    to = exp.DataType(this=exp.DType.CHARACTER_SET, kind=exp.Var(this="utf8mb4"))
    return exp.Cast(this=node, to=to)


def mysql_cast(node: exp.Expr, to: MysqlInteger) -> exp.Expr:
    if to is MysqlInteger.DECIMAL:
        return decimal_38(node)
    return exp.Cast(this=node, to=exp.DataType(this=_MYSQL_TYPES[to]))


def mysql_operand(value: IntegerExpression, qualify: Qualify, wanted: MysqlInteger) -> exp.Expr:
    """The MySQL form of `value` as an operand of type `wanted`."""
    node = value.mysql(qualify)
    if value.mysql_type is wanted:
        return bracketed(node)
    return mysql_cast(node, wanted)


def spark_operand(value: IntegerExpression, qualify: Qualify, *, decimal: bool) -> exp.Expr:
    """The Spark form of `value` as an operand of BIGINT or DECIMAL arithmetic."""
    node = value.spark(qualify)
    return decimal_38(node) if decimal and not _is_number(node) else bracketed(node)
