"""A sharding function with a key in place of its columns, as SQL that runs as it stands."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.plan.plan import SqlDialect
from shardwright.compiler.sharding.function import ShardFunction
from shardwright.compiler.sharding.key_values import KeyValue
from shardwright.compiler.sql import sql_text


def bound_sql(
    function: ShardFunction, key: Mapping[str, KeyValue], types: Mapping[str, ColumnType], *, dialect: SqlDialect
) -> str:
    """`SELECT database index, table index`. Raises NoMysqlForm."""

    def literal(name: str) -> exp.Expr:
        return _spark(key[name], types[name]) if dialect == "spark" else _mysql(key[name], types[name])

    if dialect == "spark":
        parts = function.database.spark(literal), function.table.spark(literal)
    else:
        parts = function.mysql(literal)
    named = [exp.alias_(part, sql_text.identifier(name)) for part, name in zip(parts, ("shard", "part"), strict=True)]
    return sql_text.to_sql(exp.select(*named), dialect)


def _spark(value: KeyValue, kind: ColumnType) -> exp.Expr:
    if isinstance(value, int):
        wide = kind.name == "bigint" and kind.unsigned
        return exp.cast(sql_text.text(str(value)), "DECIMAL(20, 0)" if wide else "BIGINT")
    octets = value if isinstance(value, bytes) else value.encode("utf-8")
    raw = exp.Unhex(this=sql_text.text(octets.hex().upper()))
    return raw if isinstance(value, bytes) else exp.cast(raw, "STRING", dialect="spark")


def _mysql(value: KeyValue, kind: ColumnType) -> exp.Expr:
    if isinstance(value, int):
        return exp.cast(sql_text.number(value), "UNSIGNED" if kind.unsigned else "SIGNED", dialect="mysql")
    if isinstance(value, bytes):
        return exp.HexString(this=value.hex().upper())
    if kind.name == "date":
        return exp.cast(sql_text.text(value), "DATE", dialect="mysql")
    if kind.name in ("datetime", "timestamp"):
        return exp.cast(sql_text.text(value), f"DATETIME({kind.precision or 0})", dialect="mysql")
    to = exp.DataType(this=exp.DType.CHARACTER_SET, kind=exp.Var(this="utf8mb4"))
    return exp.Cast(this=exp.HexString(this=value.encode("utf-8").hex().upper()), to=to)
