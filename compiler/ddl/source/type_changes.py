"""Which other type may a column of the source get, so that the targets can follow?

A value must print alike in both types, and compare alike. A value that the new type does not hold must be one that a
server refuses, rather than one that it changes: the source has taken the statement, so its rows fit, and the targets'
servers find a row that does not.
"""

from __future__ import annotations

from dataclasses import replace

from shardwright.compiler.ddl.shape.character_sets import keeps_texts
from shardwright.compiler.ddl.shape.table_shape import charset_word
from shardwright.compiler.plan.catalogue import INTEGERS, ColumnType
from shardwright.compiler.plan.table_parts import SourceColumn

_INTEGERS = ("tinyint", "smallint", "mediumint", "int", "bigint")
_TEXTS = ("tinytext", "text", "mediumtext", "longtext")
_BLOBS = ("tinyblob", "blob", "mediumblob", "longblob")


def type_change(old: SourceColumn, new: SourceColumn) -> str | None:
    """In words, what a column gets; None where a server may change a value, or print it otherwise."""
    recoded = with_character_set(old.type, new.type.charset, new.type.collation)
    if recoded is None:
        return None
    if recoded != old.type:
        return "gets another character set or collation" if _is_alike(recoded, new.type) else None
    if widens(old.type, new.type) and (new.nullable or not old.nullable):
        return "is made wider"
    return "is made narrower, and all rows of the source fit" if _is_alike(old.type, new.type) else None


def with_character_set(kind: ColumnType, charset: str | None, collation: str | None) -> ColumnType | None:
    """A type of texts in another character set and collation. None where texts might become other ones, and where it
    is not said which collation it is."""
    if (kind.charset, kind.collation) == (charset, collation):
        return kind
    if not (kind.charset and charset and collation):
        return None
    if not keeps_texts(charset_word(kind.charset), charset_word(charset)):
        return None
    return replace(kind, charset=charset, collation=collation)


def widens(old: ColumnType, new: ColumnType) -> bool:
    """Whether each value of `old` is a value of `new` that prints alike and compares alike."""
    if old == new:
        return True
    for ladder in (_INTEGERS, _TEXTS, _BLOBS):
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


def _is_alike(old: ColumnType, new: ColumnType) -> bool:
    """Whether the values that both types hold print alike, and a server in strict mode refuses all others."""
    if old.name in INTEGERS and new.name in INTEGERS:
        return True
    for ladder in (("varchar", *_TEXTS), ("varbinary", *_BLOBS)):
        if old.name in ladder and new.name in ladder:
            return replace(old, name=new.name, length=new.length) == new
    if old.name == new.name == "char":
        return replace(old, length=new.length) == new
    if old.name == new.name == "decimal":
        return replace(old, precision=new.precision, unsigned=new.unsigned) == new
    if old.name == new.name and old.name in ("enum", "set"):
        return replace(old, labels=new.labels) == new
    return old == new
