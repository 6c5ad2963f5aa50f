"""Rows as exact text: every value in a form that loses nothing, rendered by the server."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pymysql.connections import Connection
from pymysql.cursors import Cursor, SSCursor

Row = tuple[str | None, ...]

_NULL = "~"
_AS_TEXT = {
    "tinyint",
    "smallint",
    "mediumint",
    "int",
    "bigint",
    "decimal",
    "year",
    "date",
    "time",
    "datetime",
    "timestamp",
}
_IS_HEX = {
    "char", "varchar", "tinytext", "text", "mediumtext", "longtext", "enum", "set", "json",
    "binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob",
    "geometry", "point", "linestring", "polygon", "multipoint", "multilinestring", "multipolygon", "geometrycollection",
    "geomcollection", "uuid", "inet4", "inet6", "vector",
}  # fmt: skip


def column_types(connection: Connection[Cursor], database: str, table: str) -> dict[str, str]:
    """The table's columns in order, each with its data type; empty when there is no such table."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT column_name, data_type FROM information_schema.columns"
            " WHERE table_schema = %s AND table_name = %s ORDER BY ordinal_position",
            (database, table),
        )
        return {name: data_type.lower() for name, data_type in cursor.fetchall()}


def read_rows(
    connection: Connection[Cursor], database: str, table: str, *, columns: Sequence[str], types: Sequence[str]
) -> Iterator[Row]:
    """Every row, streamed. Text and bytes come as hexadecimal digits, the rest as the server prints it in full."""
    exact = [
        f"COALESCE({_exact(column, data_type)}, '{_NULL}')" for column, data_type in zip(columns, types, strict=True)
    ]
    # One string a row: the driver's work is for each value, and no rendered value has a comma in it.
    sql = f"SELECT CONCAT_WS(',', {', '.join(exact)}) FROM {_quote(database)}.{_quote(table)}"
    with connection.cursor() as cursor:
        cursor.execute("SET SESSION time_zone = '+00:00'")
    with connection.cursor(SSCursor) as cursor:
        cursor.execute(sql)
        for (text,) in cursor:
            values = (text.decode("ascii") if isinstance(text, bytes) else text).split(",")
            yield tuple(None if value == _NULL else value for value in values)


def raw_bytes(value: str | None, data_type: str) -> bytes | None:
    """The value's own bytes: what a sharding rule hashes."""
    if value is None:
        return None
    return bytes.fromhex(value) if data_type in _IS_HEX else value.encode("ascii")


def display(value: str | None, data_type: str) -> str:
    """The value for a person to read."""
    if value is None or data_type not in _IS_HEX:
        return "NULL" if value is None else value
    return repr(bytes.fromhex(value).decode("utf-8", errors="backslashreplace"))


def _exact(column: str, data_type: str) -> str:
    name = _quote(column)
    if data_type in _IS_HEX:
        return f"HEX(CAST({name} AS CHAR))" if data_type in {"uuid", "inet4", "inet6"} else f"HEX({name})"
    if data_type == "bit":
        return f"BIN({name} + 0)"
    if data_type in {"float", "double"}:
        return f"CAST({name} + 0E0 AS CHAR)"  # a FLOAT by itself prints with six digits only
    if data_type in _AS_TEXT:
        return f"CAST({name} AS CHAR)"
    raise NotImplementedError(f"the oracle does not know the type {data_type} of column {column}")


def _quote(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"
