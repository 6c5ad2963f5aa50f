"""What is the SQL of a sharding function with a key in place of its columns? It runs as it is. Pure.

Tables without such a function are described in words and as data.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.plan.plan import SqlDialect
from shardwright.compiler.plan.summary import few
from shardwright.compiler.sharding.function import ShardFunction
from shardwright.compiler.sharding.key_values import KeyValue
from shardwright.compiler.sql import sql_text
from shardwright.runtime.rehearsal.route.subject import Subject


def in_words(about: Subject) -> str:
    table = about.table
    if table.placement.parent is not None:
        parent, via = table.placement.parent.parent, ", ".join(table.placement.parent.via)
        return (
            f"{table.logical}  co-located with its parent '{parent}': a row is where the row of '{parent}' is that "
            f"its {via} names; ask for the place of '{parent}'"
        )
    if table.placement.only_database is not None:
        return f"{table.logical}  whole in one database: {about.places()[0]}"
    return f"{table.logical}  a copy in every database, whatever the key: {few(about.places())}"


def as_data(about: Subject) -> Mapping[str, object]:
    """`places` is empty for a table that is placed through its parent: its own columns do not determine the place."""
    parent = about.table.placement.parent
    return {
        "table": about.table.logical,
        "distribution": "parent" if parent else about.table.placement.kind,
        "places": [] if parent else list(about.places()),
        "parent": {"table": parent.parent, "via": list(parent.via)} if parent else None,
    }


def bind_sql(
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
