"""How the bytes of a MySQL JSON document in a row image become text: what SELECT prints for the column.

Pure. Used in Spark tasks, and in the driver where a range is scanned.

A document is a tree in one piece: each object and array has a table of its members, and a member's value is in that
table (small numbers, true, false, null) or behind it, at an offset from the container's first byte. Containers come in
a small form (offsets of two bytes) and a large one (four).

In damaged bytes many members could share one value, so that a short document would print without end. The values of a
container may therefore not be longer than it is: no server writes values that overlap.
"""

from __future__ import annotations

import struct
from base64 import encodebytes
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from json.encoder import encode_basestring as quoted

from shardwright.compiler.expressions.documents import double_text
from shardwright.runtime.sources.binlog import values

_LARGE_OBJECT, _SMALL_ARRAY, _LARGE_ARRAY = 1, 2, 3
_LITERAL, _INT16, _UINT16, _INT32, _UINT32, _INT64, _UINT64, _DOUBLE, _STRING, _OPAQUE = *range(4, 13), 15
_DATE, _TIME, _DATETIME, _TIMESTAMP, _DECIMAL = 10, 11, 12, 7, 246
"""Type codes of opaque values, those of columns, which print as more than their bytes."""
_LITERALS = ("null", "true", "false")
_DEEPEST = 100
"""Levels of the deepest document that a server stores."""
_MOST_DIGITS = 81
"""Digits of the longest DECIMAL that a server calculates with."""
_HEADS = (struct.Struct("<HH"), struct.Struct("<II"))
_KEYS = (struct.Struct("<HH"), struct.Struct("<IH"))
_VALUES = (struct.Struct("<BH"), struct.Struct("<BI"))


def document_text(raw: bytes) -> str:
    """The text of one document. Raises ValueError, IndexError, OverflowError or struct.error for bytes that no server
    writes."""
    if not raw:
        return "null"  # what INSERT IGNORE leaves of a NULL in a NOT NULL column
    return _value(raw, 1, raw[0], len(raw), 1)[0]


def _container(data: bytes, at: int, kind: int, end: int, depth: int) -> tuple[str, int]:
    large = kind & 1
    count, size = _HEADS[large].unpack_from(data, at)
    keys_at = at + _HEADS[large].size
    values_at = keys_at if kind >= _SMALL_ARRAY else keys_at + count * _KEYS[large].size
    behind = values_at + count * _VALUES[large].size
    inner_end = at + size
    if not behind <= inner_end <= end or depth > _DEEPEST:
        raise ValueError(f"a JSON document has no {size} bytes for {count} members on level {depth}")
    table = _VALUES[large].iter_unpack(data[values_at:behind])
    if kind >= _SMALL_ARRAY:
        return f"[{', '.join(_members(data, at, table, large, (inner_end, inner_end - behind, depth)))}]", size
    if not count:
        return "{}", size
    first, _ = _KEYS[large].unpack_from(data, keys_at)
    last, length = _KEYS[large].unpack_from(data, values_at - _KEYS[large].size)
    length += last - first
    form = _short_form if length + values_at - keys_at <= _SHORT_KEYS else _object_form
    text = form(data[keys_at:values_at], large, data[at + first : at + first + length])
    return text % tuple(_members(data, at, table, large, (inner_end, inner_end - behind - length, depth))), size


def _object_form(table: bytes, large: int, names: bytes) -> str:
    """The text of an object, with a `%s` for each of its values. `names` begin where the table's first key does."""
    keys, end = [], 0
    start, _ = _KEYS[large].unpack_from(table)
    for offset, length in _KEYS[large].iter_unpack(table):
        first = offset - start
        if first < end:
            raise ValueError("keys of a JSON document overlap")
        end = first + length
        keys.append(quoted(names[first:end].decode()).replace("%", "%%") + ": %s")
    if end > len(names):
        raise ValueError("keys of a JSON document end behind their table")
    return f"{{{', '.join(keys)}}}"


_short_form = lru_cache(maxsize=2048)(_object_form)
"""Documents of a column often have the same keys."""
_SHORT_KEYS = 2048


def _members(
    data: bytes, at: int, table: Iterable[tuple[int, int]], large: int, bounds: tuple[int, int, int]
) -> list[str]:
    """`table`: of each value its type, and itself or its offset from `at`. `bounds`: where the container ends, how many
    bytes its values may have, and its level."""
    end, left, depth = bounds
    texts: list[str] = []
    add = texts.append
    for kind, held in table:
        if kind == _STRING:
            first = at + held
            size = data[first]
            if size > 127:
                text, size = _value(data, first, kind, end, depth)
                add(text)
            else:
                first += 1
                add(quoted(data[first : first + size].decode()))
                if first + size > end:
                    raise ValueError("a string of a JSON document ends behind its object or array")
            left -= size
        elif kind == _INT16:
            held &= 0xFFFF
            add(str(held - 0x10000 if held & 0x8000 else held))
        elif kind == _LITERAL:
            add(_LITERALS[held])
        elif kind == _UINT16:
            add(str(held & 0xFFFF))
        elif large and kind == _INT32:
            add(str(held - 0x1_0000_0000 if held & 0x8000_0000 else held))
        elif large and kind == _UINT32:
            add(str(held))
        else:
            text, size = _value(data, at + held, kind, end, depth + 1)
            left -= size
            add(text)
        if left < 0:
            raise ValueError("values of a JSON document overlap")
    return texts


def _value(data: bytes, at: int, kind: int, end: int, depth: int) -> tuple[str, int]:
    """A value that is not in a table, and how many bytes it has. It may not reach beyond `end`."""
    if kind <= _LARGE_ARRAY:
        return _container(data, at, kind, end, depth)
    if kind == _STRING:
        first, last = _span_of_counted(data, at, end)
        return quoted(data[first:last].decode()), last - at
    if kind == _OPAQUE:
        first, last = _span_of_counted(data, at + 1, end)
        return _opaque(data[at], data[first:last]), last - at
    make, size = _FIXED[kind]
    if at + size > end:
        raise ValueError("a number of a JSON document ends behind its object or array")
    return make(data[at : at + size]), size


def _span_of_counted(data: bytes, at: int, end: int) -> tuple[int, int]:
    """Where bytes begin and end whose length is before them: seven bits a byte, the lowest first."""
    size = shift = 0
    while (byte := data[at]) > 127:
        size |= (byte & 127) << shift
        shift += 7
        at += 1
        if shift > 28:
            raise ValueError("a JSON document has a length of more than 32 bits")
    last = at + 1 + (size | byte << shift)
    if last > end:
        raise ValueError("a value of a JSON document ends behind its object or array")
    return at + 1, last


def _whole(*, signed: bool) -> Callable[[bytes], str]:
    return lambda raw: str(int.from_bytes(raw, "little", signed=signed))


def _double(raw: bytes) -> str:
    return double_text(struct.unpack("<d", raw)[0])


_FIXED: Mapping[int, tuple[Callable[[bytes], str], int]] = {
    _LITERAL: (lambda raw: _LITERALS[raw[0]], 1),
    _INT16: (_whole(signed=True), 2),
    _UINT16: (_whole(signed=False), 2),
    _INT32: (_whole(signed=True), 4),
    _UINT32: (_whole(signed=False), 4),
    _INT64: (_whole(signed=True), 8),
    _UINT64: (_whole(signed=False), 8),
    _DOUBLE: (_double, 8),
}


def _opaque(code: int, raw: bytes) -> str:
    make = _PRINTED.get(code)
    if make is not None:
        return make(raw)
    return quoted(f"base64:type{code}:{encodebytes(raw)[:-1].decode()}")  # in lines, as the server's own function


def _decimal(raw: bytes) -> str:
    precision, scale = raw[:2]
    if not 0 < precision <= _MOST_DIGITS or scale > precision or len(raw) != 2 + values.decimal_bytes(precision, scale):
        raise ValueError(f"a JSON document has a DECIMAL({precision},{scale}) of {len(raw) - 2} bytes")
    return values.decimal_text(precision, scale)(raw[2:])


def _moment(raw: bytes) -> str:
    """A date and time is in a document as in a column, but from the other end, and less by the sign's bit."""
    return f'"{values.datetime_text(6)((_unpack_time(raw) + (1 << 63)).to_bytes(8, "big"))}"'


def _day(raw: bytes) -> str:
    return _moment(raw)[:11] + '"'


def _time(raw: bytes) -> str:
    return f'"{values.time_text(6)((_unpack_time(raw) + (1 << 47)).to_bytes(6, "big"))}"'


def _unpack_time(raw: bytes) -> int:
    if len(raw) != 8:
        raise ValueError(f"a JSON document has a date or time of {len(raw)} bytes")
    return int.from_bytes(raw, "little", signed=True)


_PRINTED: Mapping[int, Callable[[bytes], str]] = {
    _DATE: _day,
    _TIME: _time,
    _DATETIME: _moment,
    _TIMESTAMP: _moment,
    _DECIMAL: _decimal,
}
