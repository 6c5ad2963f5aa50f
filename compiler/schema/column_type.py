"""A column's type as MySQL means it, from sqlglot's column definition or from what information_schema lists."""

from __future__ import annotations

from collections.abc import Sequence

import sqlglot
from sqlglot import exp
from sqlglot.tokenizer_core import TokenType

from shardwright.compiler.plan.catalogue import (
    BINARIES,
    INTEGERS,
    MARIADB_TYPES,
    SPATIALS,
    TEXTS,
    ColumnType,
)

_SYNONYMS = {
    "bool": "tinyint",
    "boolean": "tinyint",
    "integer": "int",
    "numeric": "decimal",
    "dec": "decimal",
    "fixed": "decimal",
    "real": "double",
    "character": "char",
    "geomcollection": "geometrycollection",
}
_TEMPORAL_WITH_FRACTION = frozenset({"time", "datetime", "timestamp"})
_PLAIN = MARIADB_TYPES | {"date", "year", "json", "float", "double"}
_VECTOR = 2048
"""How many numbers a VECTOR holds that says nothing about it."""


def column_type(node: exp.ColumnDef, *, word: str, charset: str | None, collation: str | None) -> ColumnType | None:
    """The type of `node`, whose type was written as `word`; None when it is not one we carry."""
    kind = node.kind
    if kind is None:
        return None
    written = kind.sql(dialect="mysql").upper().split("(")[-1]
    unsigned = "UNSIGNED" in written or any(
        isinstance(part.kind, exp.ZeroFillColumnConstraint) or part.kind == exp.Var(this="UNSIGNED")
        for part in node.args.get("constraints") or ()
    )
    return _build_type(word, [item.name for item in kind.expressions], unsigned, charset, collation)


def read_listed_type(text: str, *, charset: str | None, collation: str | None) -> ColumnType:
    """The type that information_schema.columns lists as `text` (its column_type: "int(10) unsigned", "enum('a','b')").
    A type that we do not carry has its name only."""
    word, *rest = sqlglot.tokenize(text, dialect="mysql")
    inside = [token.text for token in rest if token.token_type in (TokenType.NUMBER, TokenType.STRING)]
    outside = {token.text.upper() for token in rest if token.token_type is not TokenType.STRING}
    unsigned = not outside.isdisjoint({"UNSIGNED", "ZEROFILL"})
    name = word.text.lower()
    return _build_type(name, inside, unsigned, charset, collation) or ColumnType(name)


def _build_type(
    word: str, inside: Sequence[str], unsigned: bool, charset: str | None, collation: str | None
) -> ColumnType | None:
    """`inside` are the numbers or the labels in the type's brackets."""
    name = _SYNONYMS.get(word, word)
    sizes = [int(item) for item in inside if item.isdigit()] if name not in ("enum", "set") else []
    if name in INTEGERS:
        return ColumnType(name, unsigned=unsigned)
    if name == "decimal":
        precision = sizes[0] if sizes else 10
        return ColumnType(name, unsigned=unsigned, precision=precision, scale=sizes[1] if len(sizes) > 1 else 0)
    if name in TEXTS:
        return ColumnType(name, length=_length(name, sizes), charset=charset, collation=collation)
    if name in ("enum", "set"):
        return ColumnType(name, labels=tuple(inside), charset=charset, collation=collation)
    if name in BINARIES:
        return ColumnType(name, length=_length(name, sizes))
    if name == "bit":
        return ColumnType(name, length=sizes[0] if sizes else 1)
    if name == "vector":
        return ColumnType(name, length=sizes[0] if sizes else _VECTOR)
    if name in _TEMPORAL_WITH_FRACTION:
        return ColumnType(name, precision=sizes[0] if sizes else 0)
    if name in SPATIALS or name in _PLAIN:
        return ColumnType(name, unsigned=unsigned and name in ("float", "double"))
    return None


def _length(name: str, sizes: list[int]) -> int | None:
    if name in ("char", "binary"):
        return sizes[0] if sizes else 1
    return sizes[0] if name in ("varchar", "varbinary") and sizes else None


def type_words(kind: ColumnType, *, nullable: bool = False) -> str:
    """The type as people write it: "varchar(40) utf8mb4_bin, nullable"."""
    sizes = [str(size) for size in (kind.length, kind.precision, kind.scale) if size is not None]
    text = kind.name + (f"({', '.join(sizes)})" if sizes and sizes != ["0"] else "")
    if kind.labels:
        text += f"({', '.join(kind.labels)})"
    text += " unsigned" if kind.unsigned else ""
    text += f" {kind.collation or kind.charset}" if kind.collation or kind.charset else ""
    return text + (", nullable" if nullable else "")
