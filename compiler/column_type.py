"""A column's type as MySQL means it, from sqlglot's column definition."""

from __future__ import annotations

from sqlglot import exp

from shardwright.compiler.catalogue import BINARIES, INTEGERS, SPATIALS, TEXTS, ColumnType

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
_PLAIN = frozenset({"date", "year", "json", "float", "double"})


def column_type(node: exp.ColumnDef, *, word: str, charset: str | None, collation: str | None) -> ColumnType | None:
    """The type of `node`, whose type was written as `word`; None when it is not one we carry."""
    name = _SYNONYMS.get(word, word)
    kind = node.kind
    if kind is None:
        return None
    written = kind.sql(dialect="mysql").upper().split("(")[-1]
    unsigned = "UNSIGNED" in written or any(
        isinstance(part.kind, exp.ZeroFillColumnConstraint) or part.kind == exp.Var(this="UNSIGNED")
        for part in node.args.get("constraints") or ()
    )
    sizes = [int(item.name) for item in kind.expressions if item.name.isdigit()]
    if name in INTEGERS:
        return ColumnType(name, unsigned=bool(unsigned))
    if name == "decimal":
        precision = sizes[0] if sizes else 10
        return ColumnType(name, unsigned=bool(unsigned), precision=precision, scale=sizes[1] if len(sizes) > 1 else 0)
    if name in TEXTS:
        return ColumnType(name, length=_length(name, sizes), charset=charset, collation=collation)
    if name in ("enum", "set"):
        labels = tuple(item.name for item in kind.expressions)
        return ColumnType(name, labels=labels, charset=charset, collation=collation)
    if name in BINARIES:
        return ColumnType(name, length=_length(name, sizes))
    if name == "bit":
        return ColumnType(name, length=sizes[0] if sizes else 1)
    if name in _TEMPORAL_WITH_FRACTION:
        return ColumnType(name, precision=sizes[0] if sizes else 0)
    if name in SPATIALS or name in _PLAIN:
        return ColumnType(name, unsigned=bool(unsigned) and name in ("float", "double"))
    return None


def _length(name: str, sizes: list[int]) -> int | None:
    if name in ("char", "binary"):
        return sizes[0] if sizes else 1
    return sizes[0] if name in ("varchar", "varbinary") and sizes else None
