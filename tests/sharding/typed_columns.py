"""One column of every type that may be a shard key: its declaration, its catalogue entry, its type in Spark."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from shardwright.compiler.plan.catalogue import Column, ColumnType


@dataclass(frozen=True, slots=True)
class TypedColumn:
    declaration: str
    column: Column


def _integer(
    name: str, kind: str, *, unsigned: bool = False, zerofill: bool = False, null: bool = False
) -> TypedColumn:
    words = f"{kind}{' unsigned' if unsigned else ''}{' zerofill' if zerofill else ''} {'null' if null else 'not null'}"
    return TypedColumn(f"`{name}` {words}", Column(name, ColumnType(kind, unsigned=unsigned), null))


def _text(name: str, kind: str, length: int | None, charset: str, collation: str, *, null: bool = False) -> TypedColumn:
    size = "" if length is None else f"({length})"
    words = f"{kind}{size} character set {charset} collate {collation} {'null' if null else 'not null'}"
    return TypedColumn(
        f"`{name}` {words}", Column(name, ColumnType(kind, length=length, charset=charset, collation=collation), null)
    )


def _binary(name: str, kind: str, length: int, *, null: bool = False) -> TypedColumn:
    words = f"{kind}({length}) {'null' if null else 'not null'}"
    return TypedColumn(f"`{name}` {words}", Column(name, ColumnType(kind, length=length), null))


def _date(name: str, kind: str, digits: int = 0) -> TypedColumn:
    size = f"({digits})" if digits else ""
    return TypedColumn(f"`{name}` {kind}{size} not null", Column(name, ColumnType(kind, precision=digits), False))


TYPED_COLUMNS: tuple[TypedColumn, ...] = (
    _integer("tiny", "tinyint"),
    _integer("utiny", "tinyint", unsigned=True),
    _integer("small", "smallint"),
    _integer("usmall", "smallint", unsigned=True),
    _integer("medium", "mediumint"),
    _integer("umedium", "mediumint", unsigned=True),
    _integer("number", "int"),
    _integer("filled", "int", unsigned=True, zerofill=True),
    _integer("user_id", "bigint"),
    _integer("big", "bigint", unsigned=True),
    _integer("bigfilled", "bigint", unsigned=True, zerofill=True),
    _integer("referrer_id", "bigint", null=True),
    _integer("ubig_null", "bigint", unsigned=True, null=True),
    _text("country", "varchar", 12, "latin1", "latin1_swedish_ci"),
    _text("cyrillic", "varchar", 12, "cp1251", "cp1251_general_ci"),
    _text("order_no", "varchar", 40, "utf8mb4", "utf8mb4_bin"),
    _text("email", "varchar", 40, "utf8mb4", "utf8mb4_general_ci"),
    _text("old", "varchar", 20, "utf8mb3", "utf8mb3_general_ci"),
    _text("wide", "varchar", 20, "utf16", "utf16_general_ci"),
    _text("code", "char", 10, "utf8mb4", "utf8mb4_unicode_ci"),
    _text("note", "text", None, "utf8mb4", "utf8mb4_general_ci", null=True),
    _binary("uuid", "binary", 16),
    _binary("token", "varbinary", 20),
    _binary("old_token", "binary", 8, null=True),
    _text("login", "varchar", 255, "utf8mb4", "utf8mb4_general_ci"),
    _date("born", "date"),
    _date("seen", "datetime", 6),
    _date("made", "timestamp"),
)

DATE_COLUMNS = frozenset({"born", "seen", "made"})
COLUMNS: Mapping[str, Column] = {typed.column.name: typed.column for typed in TYPED_COLUMNS}
CREATE_TABLE = f"create table hostile (id int primary key, {', '.join(typed.declaration for typed in TYPED_COLUMNS)})"
