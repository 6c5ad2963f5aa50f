"""Which types hold every value of another one in the same canonical text."""

from __future__ import annotations

from dataclasses import replace

from shardwright.compiler.plan.catalogue import ColumnType

_LADDERS = (
    ("tinyint", "smallint", "mediumint", "int", "bigint"),
    ("tinytext", "text", "mediumtext", "longtext"),
    ("tinyblob", "blob", "mediumblob", "longblob"),
)


def widens(old: ColumnType, new: ColumnType) -> bool:
    """Whether each value of `old` is a value of `new` that prints alike and compares alike."""
    if old == new:
        return True
    for ladder in _LADDERS:
        if old.name in ladder and new.name in ladder:
            return replace(old, name=new.name) == new and ladder.index(old.name) <= ladder.index(new.name)
    if old.name != new.name:
        return False
    if old.name in ("varchar", "varbinary"):
        return replace(old, length=new.length) == new and (old.length or 0) <= (new.length or 0)
    if old.name == "decimal":
        return replace(old, precision=new.precision) == new and (old.precision or 0) <= (new.precision or 0)
    if old.name in ("enum", "set"):
        return replace(old, labels=new.labels) == new and new.labels[: len(old.labels)] == old.labels
    return False
