"""How Canal writes the value of each type (`LogEventConvert` and `RowsLogBuffer` of its parser): always as text.

Pure. Used in Spark tasks, and in the driver for single messages.

Bytes, and geometry, are ISO-8859-1 characters. An enum's member is its number, a set the number of its bits, bits a
number. TIMESTAMP has the digits of the time zone of Canal's own JVM, which no message says, so the spec must. Canal
decodes texts by its connection character set whatever the column's is: texts of other sets than UTF-8 arrive changed
and cannot be recovered.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.runtime.sources.binlog.values import set_text
from shardwright.runtime.sources.messages import column_texts as texts
from shardwright.runtime.sources.messages.column_texts import CannotCarry, Read, Unreadable, plain
from shardwright.runtime.sources.messages.images import ReaderOf
from shardwright.runtime.sources.messages.json_text import quote
from shardwright.specs.spec.stream_format import StreamFormat

_CHARSETS = frozenset({"ascii"})


def canal_reader(stream_format: StreamFormat) -> ReaderOf:
    offset = stream_format.utc_offset
    return lambda column: _reader(column.type, offset)


def _reader(kind: ColumnType, offset: datetime.timedelta | None) -> Read:
    if kind.name == "timestamp":
        return _timestamp(kind, offset)
    if kind.is_integer:
        return _text(texts.whole(kind))
    if kind.is_text or kind.name == "json":
        return texts.character_text(kind, charsets=_CHARSETS)
    if kind.name == "bit":
        return _text(_bits(kind))
    if kind.is_bytes:
        return _bytes(texts.bytes_text(kind))
    maker = _MAKERS.get(kind.name)
    if maker is None:
        raise CannotCarry(f"type {kind.name} is not known; read the source's binary log")
    return _text(maker(kind))


def _text(read: Callable[[str], str]) -> Read:
    def of_text(value: Any) -> str:
        return read(value) if value.__class__ is str else read(plain(value))

    return of_text


def _bytes(read: Callable[[bytes], str]) -> Read:
    def of_bytes(value: Any) -> str:
        try:
            return read(plain(value).encode("iso-8859-1"))
        except UnicodeEncodeError:
            raise Unreadable(f"{quote(value)} holds a character that is no byte") from None

    return of_bytes


def _bits(kind: ColumnType) -> Callable[[str], str]:
    show = texts.bit_number(kind)
    check = texts.whole(ColumnType("bigint", unsigned=True))
    return lambda text: show(int(check(text)))


def _set(kind: ColumnType) -> Callable[[str], str]:
    show = set_text(kind.labels)
    check = texts.whole(ColumnType("bigint", unsigned=True))

    def read(text: str) -> str:
        try:
            return show(int(check(text)))
        except Unreadable:
            raise
        except ValueError as why:
            raise Unreadable(str(why)) from None

    return read


def _timestamp(kind: ColumnType, offset: datetime.timedelta | None) -> Read:
    if offset is None:
        raise CannotCarry(
            "Canal writes TIMESTAMP in the time zone of its own JVM, and the spec does not say which that is: state it as "  # noqa: E501
            'source.stream.time_zone, such as "+08:00"'
        )
    check = texts.datetime_text(kind)
    if not offset:
        return _text(check)
    shift = texts.shift_to_utc(offset)
    return _text(lambda text: shift(check(text)))


_MAKERS: dict[str, Callable[[ColumnType], Callable[[str], str]]] = {
    "decimal": texts.decimal,
    "float": lambda kind: texts.single,
    "double": lambda kind: texts.double,
    "date": lambda kind: texts.date_text(),
    "datetime": texts.datetime_text,
    "time": texts.time_text,
    "year": lambda kind: texts.year_text(),
    "enum": texts.enum_by_index,
    "set": _set,
}
