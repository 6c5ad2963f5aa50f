"""How many bytes a column takes of the limits that servers set on rows (65,535) and on index entries (3,072)."""

from __future__ import annotations

from shardwright.compiler.plan.catalogue import ColumnType

MAX_ROW_BYTES = 65_535
MAX_KEY_BYTES = 3_072
MAX_COLUMNS = 1_017

_FIXED = {
    "tinyint": 1,
    "smallint": 2,
    "mediumint": 3,
    "int": 4,
    "bigint": 8,
    "float": 4,
    "double": 8,
    "year": 1,
    "date": 3,
    "tinytext": 9,
    "tinyblob": 9,
    "text": 10,
    "blob": 10,
    "mediumtext": 11,
    "mediumblob": 11,
    "longtext": 12,
    "longblob": 12,
    "json": 12,
    "enum": 2,
    "set": 8,
}
_BYTES_PER_CHARACTER = {"utf8mb4": 4, "utf8mb3": 3, "utf8": 3, "utf16": 4, "utf32": 4, "ucs2": 2, "gb18030": 4}
_DOUBLE_BYTES = frozenset({"gbk", "big5", "sjis", "cp932", "euckr", "gb2312", "ujis", "eucjpms"})
_DECIMAL_REST = (0, 1, 1, 2, 2, 3, 3, 4, 4)


def row_bytes(kind: ColumnType) -> int:
    """The most that a column of the type takes of the row limit; long texts and blobs count with their pointer only."""
    length = kind.length or 1
    if kind.name == "char":
        return length * _per_character(kind)
    if kind.name == "varchar":
        return _with_length(length * _per_character(kind))
    if kind.name == "binary":
        return length
    if kind.name == "varbinary":
        return _with_length(length)
    if kind.name == "bit":
        return (length + 7) // 8
    if kind.name == "decimal":
        digits, scale = kind.precision or 10, kind.scale or 0
        return _decimal_bytes(digits - scale) + _decimal_bytes(scale)
    if kind.name in ("time", "datetime", "timestamp"):
        return {"time": 3, "datetime": 5, "timestamp": 4}[kind.name] + ((kind.precision or 0) + 1) // 2
    return _FIXED.get(kind.name, 12)


def key_bytes(kind: ColumnType) -> int:
    """The most that a column of the type takes in an index: as in a row, without the length."""
    if kind.name == "varchar":
        return (kind.length or 1) * _per_character(kind)
    return (kind.length or 1) if kind.name == "varbinary" else row_bytes(kind)


def _per_character(kind: ColumnType) -> int:
    charset = kind.charset or "utf8mb4"
    return _BYTES_PER_CHARACTER.get(charset, 2 if charset in _DOUBLE_BYTES else 1)


def _with_length(size: int) -> int:
    return size + (1 if size < 256 else 2)


def _decimal_bytes(digits: int) -> int:
    return digits // 9 * 4 + _DECIMAL_REST[digits % 9]
