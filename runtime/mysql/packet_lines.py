"""Rows of a text result set as the lines of LOAD DATA, by shard and physical table. The lines are made where the
packets are: the byte with a value's length becomes the byte that ends the value before it. So no value is copied on its
own.

Pure, but for the packets, which it changes. Used in Spark tasks by `text_protocol`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from shardwright.runtime.mysql.load_lines import ESCAPES, text
from shardwright.runtime.mysql.row_packets import SHORT, Bytes, Places, ends_of, length_bytes, lengths_of, numbers_of

# None of these bytes is in a text of UTF-8, whatever its characters.
_FIRST_NULL, _NULL, _NOTHING, _LINE, _FIELD = range(0xFA, 0xFF)
_END = np.uint8(_LINE ^ ord("\n"))
"""What makes `_LINE` and `_FIELD` the bytes that end a line and a value. NumPy does that in a quarter of the time that
`bytes.translate` takes."""
assert _FIELD ^ int(_END) == ord("\t")
PlacedLines = tuple[int, int, bytes]
"""Shard, index of the physical table, and lines, each with its line end."""


def split_by_place(data: Bytes, starts: Places, columns: int) -> Iterator[PlacedLines]:
    """The lines of the rows whose payloads begin at `starts`, place by place; within a place in the order of the rows.
    A row has two integers, its place, before its `columns` values. `data` ends with the last row, and is overwritten.
    Raises ValueError for rows of another form, and for a value that is no UTF-8."""
    places, begins = numbers_of(data, starts, 2)
    ends = ends_of(data, starts)
    left_out = _mark(data, begins, ends, columns)
    number = places[:, 0] << 32 | places[:, 1]
    order = np.argsort(number, kind="stable")
    lines = _rows(data, begins, ends).take(pa.array(order * 2))
    number = number[order]
    borders = [0, *(np.flatnonzero(np.diff(number)) + 1).tolist(), len(number)]
    marks = 0
    for start, end in itertools.pairwise(borders):
        found = text(lines.slice(start, end - start))
        marks += int(np.count_nonzero(np.frombuffer(found, dtype=np.uint8) >= _FIRST_NULL))
        yield int(number[start] >> 32), int(number[start] & 0xFFFFFFFF), _finish(found)
    if marks != len(starts) * columns + left_out:
        raise ValueError("a value is no UTF-8")


def _mark(data: Bytes, begins: Places, ends: Places, columns: int) -> int:
    """Overwrite what says how long values are by what ends them. Returns how many bytes are marked as nothing."""
    at, left_out = begins.copy(), 0
    for column in range(columns):
        lead, first = data[at], at
        data[first] = _FIELD if column else _LINE
        if lead.max(initial=0) < SHORT:
            at = first + 1 + lead
            continue
        at = first.copy()
        lengths, is_null = lengths_of(data, at, lead)
        data[first[is_null]] = _NULL if column else _FIRST_NULL
        extra = length_bytes(first, at)
        data[extra] = _NOTHING
        left_out += len(extra)
        at += 1 + lengths
    if not np.array_equal(at, ends):
        raise ValueError(f"rows of other than {columns} values")
    return left_out


def _rows(data: Bytes, begins: Places, ends: Places) -> pa.Array:
    """Without a copy. What is between two rows is an element, too: rows have the even indexes."""
    offsets = np.stack([begins, ends], axis=1).astype(np.int32).ravel()
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(data)]
    return pa.Array.from_buffers(pa.binary(), len(offsets) - 1, buffers)


def _finish(lines: bytes) -> bytes:
    for plain, escaped in ESCAPES:
        lines = lines.replace(plain.encode(), escaped.encode())
    marked = np.frombuffer(lines, dtype=np.uint8)
    lines = (marked ^ (marked >= _LINE) * _END).tobytes()
    for mark, meant in ((_NOTHING, b""), (_NULL, b"\t\\N"), (_FIRST_NULL, b"\n\\N")):
        lines = lines.replace(bytes([mark]), meant)
    return b"".join((memoryview(lines)[1:], b"\n"))
