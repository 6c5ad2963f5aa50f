"""How a value crosses from server to server: as its canonical text, so that every type and digit survives (C12).

Canonical text is what SELECT prints for the column with the session's time zone UTC and character set utf8mb4; byte
types cross as hexadecimal. The binlog decoder renders the same text, so snapshot and stream agree byte for byte (B10).
"""

from __future__ import annotations

from sqlglot import exp

from shardwright.compiler import sql_text as sql
from shardwright.compiler.catalogue import ColumnType

_KEY_TEMPORALS = frozenset({"date", "datetime", "timestamp", "time"})
_KEY_TYPES = frozenset({"decimal", "char", "varchar", "binary", "varbinary", "year"}) | _KEY_TEMPORALS


def canonical_text(value: exp.Expr, kind: ColumnType) -> exp.Expr:
    """MySQL: the column as the text it crosses as. FLOAT prints too few digits unless widened (hazard C5)."""
    if kind.is_bytes:
        return exp.Hex(this=value)
    if kind.name == "float":
        return sql.cast(value, "DOUBLE")
    return value


def typed_in_spark(value: exp.Expr, kind: ColumnType) -> exp.Expr:
    """Spark: the canonical text as the type sharding expressions reckon with."""
    if kind.name == "bigint" and kind.unsigned:
        return sql.cast(value, "DECIMAL(20, 0)")
    if kind.is_integer:
        return sql.cast(value, "BIGINT")
    if kind.is_bytes:
        return exp.Unhex(this=value)
    return value


def key_identity(value: exp.Expr, kind: ColumnType) -> exp.Expr:
    """Spark: text that is equal exactly when the server calls the keys equal. Binary collations that pad compare
    without trailing spaces (hazard D2)."""
    if kind.is_text and pads_spaces(kind):
        return exp.Trim(this=value, expression=exp.Literal.string(" "), position="TRAILING")
    return value


def pads_spaces(kind: ColumnType) -> bool:
    """Whether the collation is PAD SPACE: all but `binary`, MariaDB's `nopad` and MySQL's 0900 family."""
    collation = kind.collation or ""
    return not ("nopad" in collation or "_0900_" in collation or collation == "binary")


def refused_key_reason(kind: ColumnType) -> str | None:
    """Why a column of this type cannot be part of a row's identity yet; None when it can."""
    if kind.name in ("float", "double"):
        return "floating point values have no exact identity"
    if kind.name in ("enum", "set", "bit", "json") or (kind.is_bytes and kind.name not in ("binary", "varbinary")):
        return f"keys of type {kind.name.upper()} are not supported yet"
    if kind.is_text:
        if kind.name not in ("char", "varchar"):
            return f"keys of type {kind.name.upper()} are not supported yet"
        if not (kind.collation or "").endswith("_bin"):
            return (
                f"its collation {kind.collation or 'is not written and'} compares without case or accents; "
                "only _bin collations are supported yet"
            )
        return None
    return None if kind.is_integer or kind.name in _KEY_TYPES else f"keys of type {kind.name.upper()} are not supported"


def key_variable(name: str, kind: ColumnType) -> exp.Expr:
    """MySQL: the user variable `name` holding a key's canonical value, typed so that the comparison with the column is
    the column's own and uses its index."""
    variable = exp.Parameter(this=exp.Var(this=name))
    if kind.is_text:
        charset = exp.DataType(this=exp.DType.CHARACTER_SET, kind=exp.Var(this=kind.charset or "utf8mb4"))
        collation = exp.Var(this=kind.collation or "utf8mb4_bin")
        return exp.Collate(this=exp.Cast(this=variable, to=charset), expression=collation)
    if kind.is_bytes:
        return exp.Unhex(this=variable)
    if kind.name == "decimal":
        return sql.cast(variable, f"DECIMAL({kind.precision}, {kind.scale})", "mysql")
    if kind.name in ("datetime", "timestamp"):
        return sql.cast(variable, f"DATETIME({kind.precision})", "mysql")
    if kind.name == "time":
        return sql.cast(variable, f"TIME({kind.precision})", "mysql")
    if kind.name == "date":
        return sql.cast(variable, "DATE", "mysql")
    return sql.cast(variable, "UNSIGNED" if kind.unsigned else "SIGNED", "mysql")
