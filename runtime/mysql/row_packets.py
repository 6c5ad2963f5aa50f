"""Where the values are in the packets of a text result set: NumPy finds the beginning of every value in many packets at
a time, and no value becomes a Python object. (Reading one packet after the other in Python takes four times as long;
docs/performance.md compares.)

Pure. Used in Spark tasks and in the driver, by `text_protocol`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from shardwright.runtime.mysql.packet_ceiling import LONGEST
from shardwright.runtime.mysql.packets import HEADER, HEADER_WORD

SHORT = 251
"""A value that is shorter has its length in one byte."""
NULL = 0xFB
"""What NULL has in place of a length."""
_WIDTHS = {0xFC: 2, 0xFD: 3, 0xFE: 8}
_MOST_DIGITS = 9

Bytes = npt.NDArray[np.uint8]
Places = npt.NDArray[np.int64]


def walk(buffer: memoryview, at: int, filled: int, starts: list[int]) -> int:
    """Append to `starts` where the payloads begin of the packets that are complete in `buffer[at:filled]`. Returns
    where they end. Stops before a packet that continues in the next one."""
    append, header, last = starts.append, HEADER_WORD.unpack_from, filled - HEADER
    while at <= last:
        size = header(buffer, at)[0] & LONGEST
        begin = at + HEADER
        following = begin + size
        if following > filled or size == LONGEST:
            break
        append(begin)
        at = following
    return at


def numbers_of(data: Bytes, starts: Places, count: int) -> tuple[Places, Places]:
    """The first `count` values of each row, which are integers from 0 on: one row of numbers per row, and where the
    row's next value begins. Raises ValueError for any other value."""
    numbers = np.zeros((len(starts), count), dtype=np.int64)
    at = starts.copy()
    for column in range(count):
        digits = data[at].astype(np.int64)
        if digits.min(initial=1) < 1 or digits.max(initial=1) > _MOST_DIGITS:
            raise ValueError("a place is no number")
        for index in range(digits.max(initial=0)):
            is_there = index < digits
            digit = data[at[is_there] + 1 + index].astype(np.int64) - ord("0")
            if ((digit < 0) | (digit > 9)).any():
                raise ValueError("a place is no number")
            numbers[is_there, column] = numbers[is_there, column] * 10 + digit
        at += 1 + digits
    return numbers, at


def ends_of(data: Bytes, starts: Places) -> Places:
    """Where the rows end whose payloads begin at `starts`; `data` ends with the last of them."""
    return np.append(starts[1:] - HEADER, len(data))


def values_of(data: Bytes, starts: Places, columns: int, *, begins: Places | None = None) -> pa.Array:
    """All values of the rows whose payloads begin at `starts`, row by row, as one array of texts; `data` ends with the
    last of these rows. With `begins` a row's values begin there, and what is before them is left out. Raises ValueError
    when rows do not have that many values."""
    lengths = np.empty((len(starts), columns), dtype=np.int32)
    is_null = np.zeros((len(starts), columns), dtype=bool)
    kept = np.ones(len(data), dtype=bool)
    for back in range(1, HEADER + 1):
        kept[starts - back] = False
    at = starts.copy()
    if begins is not None:
        while (left_out := at < begins).any():
            kept[at[left_out]] = False
            at[left_out] += 1
    for column in range(columns):
        lead = data[at]
        kept[at] = False
        if lead.max(initial=0) < SHORT:
            lengths[:, column] = lead
            at += lead
        else:
            begin = at.copy()
            long, is_null[:, column] = lengths_of(data, at, lead)
            kept[length_bytes(begin, at)] = False
            lengths[:, column] = long
            at += long
        at += 1
    if not np.array_equal(at, ends_of(data, starts)):
        raise ValueError(f"rows of other than {columns} values")
    offsets = np.zeros(lengths.size + 1, dtype=np.int32)
    np.cumsum(lengths, out=offsets[1:])
    valid = pa.py_buffer(np.packbits(~is_null, bitorder="little")) if is_null.any() else None
    buffers = [valid, pa.py_buffer(offsets), pa.py_buffer(data[kept])]
    return pa.Array.from_buffers(pa.string(), lengths.size, buffers)


def length_bytes(begin: Places, at: Places) -> Places:
    """The bytes with the lengths of values whose first bytes are at `begin`, when `lengths_of` has moved these places
    to `at`."""
    widest = int((at - begin).max(initial=0))
    return np.concatenate([begin[:0], *(begin[at - begin >= index] + index for index in range(1, widest + 1))])


def lengths_of(data: Bytes, at: Places, lead: Bytes) -> tuple[Places, npt.NDArray[np.bool_]]:
    """Lengths of values some of which are NULL or have a length of several bytes; moves `at` behind these bytes."""
    found = lead.astype(np.int64)
    is_null = lead == NULL
    found[is_null] = 0
    for mark, width in _WIDTHS.items():
        rows = np.flatnonzero(lead == mark)
        if not len(rows):
            continue
        places = at[rows]
        total = np.zeros(len(rows), dtype=np.int64)
        for index in range(width):
            total |= data[places + 1 + index].astype(np.int64) << (8 * index)
        found[rows] = total
        at[rows] += width
    return found, is_null
