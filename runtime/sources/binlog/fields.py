"""How one column is packed in a row image: from the log's type code, compared with the catalogue's column.

Pure. Used in the driver and in Spark tasks.

The log says how many bytes there are, the catalogue what they mean (signedness, labels, charset: hazard C2). Where the
two contradict each other, the table is not the one that was compiled, and the reader must stop (E14, E15).
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from shardwright.compiler.expressions.addresses import SIZES, printer_of
from shardwright.compiler.plan.catalogue import BINARIES, MARIADB_TYPES, SPATIALS, TEXTS, Column, ColumnType
from shardwright.runtime.sources.binlog import values
from shardwright.runtime.sources.binlog.charsets import CHARSETS, Charset
from shardwright.runtime.sources.binlog.documents import document_text


class Contradiction(Exception):
    """The log's description of a column does not fit the catalogue's."""


class UnsupportedType(Exception):
    """The column is as the catalogue says, but we cannot read its values exactly."""


@dataclass(frozen=True, slots=True)
class Field:
    """A packed value. Fixed width: `layout` is a struct format without padding. Variable width: `length_size` is the
    size in bytes of the length before the value. `expression` makes the text from the unpacked parts `{0}`, `{1}`;
    `{f}` is `function`. It is empty for a value that is skipped."""

    expression: str
    layout: str = ""
    length_size: int = 0
    function: Callable[..., Any] | None = None
    form: tuple[Any, ...] = ()
    """How whole columns of it are read at once (`column_texts`); empty: value by value."""

    @property
    def size(self) -> int:
        """Bytes of a value of fixed width."""
        return struct.calcsize("<" + self.layout)


_INTEGERS = {
    1: ("tinyint", "b", "B"),
    2: ("smallint", "h", "H"),
    9: ("mediumint", "Hb", "HB"),
    3: ("int", "i", "I"),
    8: ("bigint", "q", "Q"),
}
_OLD_TEMPORAL = {7: "TIMESTAMP", 11: "TIME", 12: "DATETIME"}
_TEMPORAL = {
    17: ("timestamp", 4, values.timestamp_text),
    18: ("datetime", 5, values.datetime_text),
    19: ("time", 3, values.time_text),
}
_FINITE = "repr({0}) if {0} - {0} == 0 else {f}({0})"
"""Columns hold neither infinity nor NaN. Only for these the difference is not 0."""
_DIGITS_OF_64_BITS = 18
_COMPRESSED = (140, 141)
_STRING, _BIT, _DECIMAL = 254, 16, 246
_FIXED_BYTES = {1: 1, 2: 2, 9: 3, 3: 4, 8: 8, 4: 4, 5: 8, 7: 4, 10: 3, 11: 3, 12: 8, 13: 1, 14: 3}
_LENGTH_IN_METADATA = frozenset({140, 242, 245, 249, 250, 251, 252, 255})
"""BLOB, TEXT, geometry, JSON, VECTOR, compressed BLOB: the metadata is how many bytes their length has."""
_UP_TO = frozenset({15, 141, 253})
"""VARCHAR, also compressed: the metadata is how many bytes there may be."""


def field_of(code: int, metadata: bytes, column: Column) -> Field:
    """The packing of a column. Raises Contradiction or Unsupported, with a reason that names neither table nor column.
    A column that the plan does not read is skipped by its length, whatever its type."""
    if column.unreadable:
        return field_to_skip(code, metadata)
    kind = column.type
    if code in _INTEGERS:
        return _integer(code, kind)
    if code in _TEMPORAL:
        return _temporal(code, metadata, kind)
    if code in _OLD_TEMPORAL:
        raise UnsupportedType(
            f"the table still has the {_OLD_TEMPORAL[code]} format from before MySQL 5.6: rebuild it with "
            "ALTER TABLE ... FORCE (on MariaDB with mysql56_temporal_format=ON)"
        )
    if code in _COMPRESSED:
        raise UnsupportedType("compressed columns cannot be read from the log")
    simple = _SIMPLE.get(code)
    if simple is None:
        raise UnsupportedType(f"type code {code} is not known")
    return simple(metadata, kind)


def field_to_skip(code: int, metadata: bytes) -> Field:
    """A value of which only the length matters. Raises Unsupported for a type whose length is not known."""
    if code in _FIXED_BYTES:
        return _of_bytes(_FIXED_BYTES[code])
    if code in _TEMPORAL:
        return _of_bytes(_TEMPORAL[code][1] + values.fraction_bytes(metadata[0]))
    if code == _DECIMAL:
        return _of_bytes(values.decimal_bytes(*metadata))
    if code == _BIT:
        return _of_bytes((metadata[1] * 8 + metadata[0] + 7) // 8)
    if code in _LENGTH_IN_METADATA:
        return Field("", length_size=metadata[0])
    if code in _UP_TO:
        return Field("", length_size=1 if int.from_bytes(metadata, "little") < 256 else 2)
    if code == _STRING:
        first, second = metadata
        if first | 0x30 in (0xF7, 0xF8):
            return _of_bytes(second)
        return Field("", length_size=1 if (((first & 0x30) ^ 0x30) << 4 | second) < 256 else 2)
    raise UnsupportedType(f"type code {code} is not known, so it cannot be skipped")


def _of_bytes(size: int) -> Field:
    return Field("", layout=f"{size}s")


def _must_be(kind: ColumnType, *names: str) -> None:
    if kind.name not in names:
        raise Contradiction(f"the log has {names[0]}, the schema {kind.name}")


def _integer(code: int, kind: ColumnType) -> Field:
    name, signed, unsigned = _INTEGERS[code]
    _must_be(kind, name)
    layout = unsigned if kind.unsigned else signed
    if name == "mediumint":
        return Field("str({0} + ({1} << 16))", layout, form=("mediumint", not kind.unsigned))
    return Field("str({0})", layout, form=("integer", "<" + layout))


def _temporal(code: int, metadata: bytes, kind: ColumnType) -> Field:
    name, size, maker = _TEMPORAL[code]
    _must_be(kind, name)
    digits = metadata[0]
    if digits != (kind.precision or 0):
        raise Contradiction(f"the log has {digits} fractional digits, the schema {kind.precision or 0}")
    layout, form = f"{size + values.fraction_bytes(digits)}s", () if name == "time" else (name, digits)
    return Field("{f}({0})", layout=layout, function=maker(digits), form=form)


def _decimal(metadata: bytes, kind: ColumnType) -> Field:
    _must_be(kind, "decimal")
    precision, scale = metadata
    if (precision, scale) != (kind.precision, kind.scale or 0):
        raise Contradiction(
            f"the log has decimal({precision},{scale}), the schema decimal({kind.precision},{kind.scale})"
        )
    layout = f"{values.decimal_bytes(precision, scale)}s"
    form = ("decimal", precision, scale) if precision <= _DIGITS_OF_64_BITS else ()
    return Field("{f}({0})", layout=layout, function=values.decimal_text(precision, scale), form=form)


def _float(metadata: bytes, kind: ColumnType) -> Field:
    _must_be(kind, "float")
    return Field(_FINITE, layout="f", function=values.no_number, form=("float", "<f"))


def _double(metadata: bytes, kind: ColumnType) -> Field:
    _must_be(kind, "double")
    return Field(_FINITE, layout="d", function=values.no_number, form=("float", "<d"))


def _year(metadata: bytes, kind: ColumnType) -> Field:
    _must_be(kind, "year")
    return Field("str({0} + 1900) if {0} else '0000'", layout="B")


def _date(metadata: bytes, kind: ColumnType) -> Field:
    _must_be(kind, "date")
    return Field("{f}({0}, {1})", layout="HB", function=values.date_text, form=("date",))


def _bit(metadata: bytes, kind: ColumnType) -> Field:
    _must_be(kind, "bit")
    bits = metadata[1] * 8 + metadata[0]
    if bits != (kind.length or 1):
        raise Contradiction(f"the log has bit({bits}), the schema bit({kind.length or 1})")
    return Field("{f}({0})", layout=f"{(bits + 7) // 8}s", function=values.bit_text(bits))


def _blob(metadata: bytes, kind: ColumnType) -> Field:
    _must_be(kind, "blob", "json", *sorted(TEXTS | BINARIES))
    if kind.name in ("char", "varchar", "binary", "varbinary"):
        raise Contradiction(f"the log has a blob or text, the schema {kind.name}")
    return _bytes_or_text(kind, metadata[0])


def _geometry(metadata: bytes, kind: ColumnType) -> Field:
    _must_be(kind, "geometry", *sorted(SPATIALS))
    return Field("{0}.hex().upper()", length_size=metadata[0])


def _vector(metadata: bytes, kind: ColumnType) -> Field:
    _must_be(kind, "vector")
    return Field("{0}.hex().upper()", length_size=metadata[0])


def _document(metadata: bytes, kind: ColumnType) -> Field:
    _must_be(kind, "json")
    return Field("{f}({0})", length_size=metadata[0], function=document_text)


def _varchar(metadata: bytes, kind: ColumnType) -> Field:
    _must_be(kind, "varchar", "varbinary")
    size = int.from_bytes(metadata, "little")
    _check_length(size, kind)
    return _bytes_or_text(kind, 1 if size < 256 else 2)


def _string(metadata: bytes, kind: ColumnType) -> Field:
    """CHAR, BINARY, ENUM and SET share a code; the first metadata byte distinguishes them, and has two bits of the
    length."""
    first, second = metadata
    real = first | 0x30
    if real == 0xF7:
        return _enum(second, kind)
    if real == 0xF8:
        return _set(second, kind)
    size = ((first & 0x30) ^ 0x30) << 4 | second
    _must_be(kind, "char", "binary", *MARIADB_TYPES)
    if kind.name in MARIADB_TYPES:
        return _address(size, kind)
    _check_length(size, kind)
    length_size = 1 if size < 256 else 2
    if kind.name == "binary":  # zero bytes at the end are not in the log
        return Field(f"{{0}}.ljust({size}, b'\\0').hex().upper()", length_size=length_size)
    return _bytes_or_text(kind, length_size)


def _address(size: int, kind: ColumnType) -> Field:
    """Logged as a BINARY, so zero bytes at the end are not there. A UUID's bytes are in the order of its text, also
    where the server keeps them in another one."""
    if size != SIZES[kind.name]:
        raise Contradiction(f"the log has room for {size} bytes, {kind.name} takes {SIZES[kind.name]}")
    return Field("{f}({0})", length_size=1, function=printer_of(kind))


def _enum(size: int, kind: ColumnType) -> Field:
    _must_be(kind, "enum")
    if size != (1 if len(kind.labels) < 256 else 2):
        raise Contradiction(f"the schema's enum has {len(kind.labels)} members, which does not fit the log")
    return Field("{f}({0})", layout="B" if size == 1 else "H", function=values.enum_text(kind.labels))


def _set(size: int, kind: ColumnType) -> Field:
    _must_be(kind, "set")
    needed = (len(kind.labels) + 7) // 8
    if size != (8 if needed > 4 else needed):
        raise Contradiction(f"the schema's set has {len(kind.labels)} members, which does not fit the log")
    return Field("{f}(from_bytes({0}, 'little'))", layout=f"{size}s", function=values.set_text(kind.labels))


def _charset(kind: ColumnType) -> Charset:
    name = "utf8mb4" if kind.name == "json" else kind.charset
    charset = CHARSETS.get(name or "")
    if charset is None:
        raise UnsupportedType(f"text in character set {name} cannot be decoded exactly: convert the column to utf8mb4")
    return charset


def _check_length(size: int, kind: ColumnType) -> None:
    if kind.length is None:
        return
    expected = kind.length * (_charset(kind).widest if kind.is_text else 1)
    if size != expected:
        raise Contradiction(f"the log has room for {size} bytes, {kind.name}({kind.length}) takes {expected}")


def _bytes_or_text(kind: ColumnType, length_size: int) -> Field:
    if kind.is_bytes:
        return Field("{0}.hex().upper()", length_size=length_size)
    charset = _charset(kind)
    if charset.codec == "utf-8":
        return Field("{0}.decode()", length_size=length_size, form=("utf8",))
    return Field("{f}({0})", length_size=length_size, function=charset.decode)


_SIMPLE: Mapping[int, Callable[[bytes, ColumnType], Field]] = {
    4: _float,
    5: _double,
    10: _date,
    13: _year,
    14: _date,
    15: _varchar,
    16: _bit,
    242: _vector,
    245: _document,
    246: _decimal,
    252: _blob,
    253: _varchar,
    254: _string,
    255: _geometry,
}
