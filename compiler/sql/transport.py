"""How a value crosses from server to server: as its canonical text, so that every type and digit survives (C12).

Canonical text is what SELECT prints for the column with the session's time zone UTC and character set utf8mb4; byte
types cross as hexadecimal. The binlog decoder renders the same text, so snapshot and stream agree byte for byte (B10).
"""

from __future__ import annotations

import functools

from sqlglot import exp

from shardwright.compiler.plan.catalogue import MARIADB_TYPES, ColumnType
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.template import fill

_KEY_TEMPORALS = frozenset({"date", "datetime", "timestamp", "time"})
_KEY_TYPES = (
    frozenset({"decimal", "char", "varchar", "binary", "varbinary", "year", "enum", "set", "bit"})
    | _KEY_TEMPORALS
    | MARIADB_TYPES
)

_PRINTED = "CONVERT(hole_value USING utf8mb4)"
_BITS = "CAST(CONV(hole_digits, 16, 10) AS UNSIGNED)"
_INDEX = "FIELD(CAST(hole_text AS BINARY), hole_labels)"
_MEMBER = "(FIND_IN_SET(hole_label, CAST(hole_text AS BINARY)) > 0) * hole_weight"
"""Labels are compared as bytes: they are the column's own, printed by the server."""


def canonical_text(value: exp.Expr, kind: ColumnType) -> exp.Expr:
    """MySQL: the column as the text it crosses as. FLOAT prints too few digits unless widened (hazard C5)."""
    if kind.is_bytes:
        return exp.Hex(this=value)
    if kind.name == "float":
        return sql.cast(value, "DOUBLE")
    return value


def text_form(value: exp.Expr, kind: ColumnType) -> exp.Expr:
    """MySQL: the canonical text as a text, for readers whose driver makes values of it: TIME would come
    back in days, DATETIME without its zeros, DECIMAL with an exponent (hazard D7)."""
    text = canonical_text(value, kind)
    if kind.is_integer or kind.is_text or kind.is_bytes or kind.name in ("enum", "set"):
        return text
    return fill(_PRINTED, "mysql", value=text)


def to_spark_type(value: exp.Expr, kind: ColumnType) -> exp.Expr:
    """Spark: the canonical text as the type sharding expressions reckon with."""
    if kind.name == "bigint" and kind.unsigned:
        return sql.cast(value, "DECIMAL(20, 0)")
    if kind.is_integer:
        return sql.cast(value, "BIGINT")
    if kind.is_bytes:
        return exp.Unhex(this=value)
    return value


def key_identity(value: exp.Expr, kind: ColumnType) -> exp.Expr:
    """Spark: text that is equal only when the server calls the keys equal. Binary collations that pad compare without
    trailing spaces (hazard D2). Under other collations equal keys may still be spelt differently: see
    `one_spelling`."""
    return without_spaces_at_end(value) if drops_spaces(kind) else value


def drops_spaces(kind: ColumnType) -> bool:
    """Whether `key_identity` has no spaces at the end of a text."""
    return kind.is_text and one_spelling(kind) and pads_spaces(kind)


def without_spaces_at_end(value: exp.Expr) -> exp.Expr:
    """Spark or MySQL."""
    return exp.Trim(this=value, expression=exp.Literal.string(" "), position="TRAILING")


def one_spelling(kind: ColumnType) -> bool:
    """Whether equal keys have equal `key_identity`. Not so under collations that ignore letter case or accents: what is
    equal there only a server can say, and it does so when a batch is staged (`steps.settle`)."""
    return not kind.is_text or (kind.collation or "").endswith("_bin")


def pads_spaces(kind: ColumnType) -> bool:
    """Whether the collation is PAD SPACE: all but `binary`, MariaDB's `nopad` and MySQL's 0900 family."""
    collation = kind.collation or ""
    return not ("nopad" in collation or "_0900_" in collation or collation == "binary")


def why_key_is_refused(kind: ColumnType) -> str | None:
    """Why a column of this type cannot be part of a row's identity; None when it can."""
    name = kind.name.upper()
    if kind.name in ("float", "double"):
        return "floating point values have no exact identity"
    if kind.is_text and kind.name in _KEY_TYPES:
        if kind.collation is None:
            return "its collation is not written in the schema file, and it decides which keys are equal"
        return "its character set is binary: make it BINARY or VARBINARY" if kind.collation == "binary" else None
    if kind.name == "enum" and "" in kind.labels:
        return "its empty label reads like the value that an ENUM has after an error"
    return None if kind.is_integer or kind.name in _KEY_TYPES else f"keys of type {name} are not supported"


def key_variable(name: str, kind: ColumnType) -> exp.Expr:
    """MySQL: the user variable `name` holding a key's canonical value, typed so that the comparison with the column is
    the column's own and uses its index. ENUM, SET and BIT are ordered by their numbers (hazard D5)."""
    variable = exp.Parameter(this=exp.Var(this=name))
    if kind.is_text:
        charset = exp.DataType(this=exp.DType.CHARACTER_SET, kind=exp.Var(this=kind.charset or "utf8mb4"))
        collation = exp.Var(this=kind.collation or "utf8mb4_bin")
        return exp.Collate(this=exp.Cast(this=variable, to=charset), expression=collation)
    if kind.name == "bit":
        return fill(_BITS, "mysql", digits=variable)
    if kind.name == "enum":
        return fill(_INDEX, "mysql", text=variable, labels=[sql.text(label) for label in kind.labels])
    if kind.name == "set":
        members = [
            fill(_MEMBER, "mysql", label=sql.text(label), text=variable, weight=sql.number(1 << index))
            for index, label in enumerate(kind.labels)
        ]
        return sql.paren(functools.reduce(lambda left, right: exp.Add(this=left, expression=right), members))
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
    if kind.name in MARIADB_TYPES:  # a UUID's order is that of none of its texts
        named = exp.DataType(this=exp.DType.USERDEFINED, kind=kind.name.upper())
        return exp.Cast(this=variable, to=named)
    return sql.cast(variable, "UNSIGNED" if kind.unsigned else "SIGNED", "mysql")
