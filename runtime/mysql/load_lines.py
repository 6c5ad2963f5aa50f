"""How rows become the lines of LOAD DATA: column-wise in Arrow's own code, so that Python touches no single value.

Pure. Used in Spark tasks, and in the driver when a run begins.
"""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

ESCAPES = (("\\", "\\\\"), ("\t", "\\t"), ("\n", "\\n"), ("\r", "\\r"), ("\0", "\\0"))
"""What LOAD DATA reads otherwise, and how it is written; in this order."""


def render_lines(prefix: Sequence[pa.Array | pa.ChunkedArray], rows: pa.ListArray) -> bytes:
    """One line per row: the `prefix` columns (no escaping needed; NULL becomes \\N), then the row's values."""
    return _text_of(_lines(prefix, rows)) if len(rows) else b""


def row_lines(rows: pa.ListArray) -> pa.Array:
    """The lines without a prefix, as an array: each line with its line end."""
    lines = _lines([], rows) if len(rows) else pa.array([], pa.string())
    return lines.view(pa.binary())


def _lines(prefix: Sequence[pa.Array | pa.ChunkedArray], rows: pa.ListArray) -> pa.Array | pa.ChunkedArray:
    values = pc.fill_null(_escape(rows.flatten()), "\\N")
    lists = pa.ListArray.from_arrays(_offsets(rows), values)
    return _join([*(_plain(column) for column in prefix), pc.binary_join(lists, "\t")])


def one_array(column: pa.ChunkedArray) -> pa.Array:
    """A chunked column as one array, for `render_lines`, `row_lines` and callers that take ranges of lines."""
    joined = column.combine_chunks()
    return pa.concat_arrays(joined.chunks) if isinstance(joined, pa.ChunkedArray) else joined


def render_columns(
    prefix: Sequence[pa.Array | pa.ChunkedArray], columns: Sequence[pa.Array | pa.ChunkedArray | None]
) -> bytes:
    """The same for rows whose values come column by column; None is a column of NULLs."""
    values = [pa.scalar("\\N") if column is None else pc.fill_null(_escape(column), "\\N") for column in columns]
    return _text_of(_join([*(_plain(column) for column in prefix), *values]))


def _plain(column: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    return pc.fill_null(pc.cast(column, pa.string()), "\\N")


def _join(columns: Sequence[pa.Array | pa.ChunkedArray | pa.Scalar]) -> pa.Array | pa.ChunkedArray:
    return pc.binary_join_element_wise(pc.binary_join_element_wise(*columns, "\t"), "", "\n")


def _text_of(lines: pa.Array | pa.ChunkedArray) -> bytes:
    chunks = lines.chunks if isinstance(lines, pa.ChunkedArray) else [lines]
    return b"".join(text(chunk) for chunk in chunks)


def text(values: pa.Array) -> bytes:
    """All strings of an array, one after the other, as Arrow keeps them."""
    return bytes(text_buffer(values))


def text_buffer(values: pa.Array) -> pa.Buffer:
    """The same without a copy."""
    if len(values) == 0:
        return pa.py_buffer(b"")
    width = 8 if values.type in (pa.large_string(), pa.large_binary()) else 4
    offsets, data = values.buffers()[1], values.buffers()[2]

    def at(index: int) -> int:
        place = (values.offset + index) * width
        return int.from_bytes(offsets[place : place + width], "little")

    return data.slice(at(0), at(len(values)) - at(0))


def _escape(values: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    chunks = values.chunks if isinstance(values, pa.ChunkedArray) else [values]
    whole = b"".join(text(chunk) for chunk in chunks)
    for plain, escaped in ESCAPES:
        if plain.encode() in whole:
            values = pc.replace_substring(values, plain, escaped)
    return values


def _offsets(rows: pa.ListArray) -> pa.Array:
    """Offsets from zero, as `flatten` counts: a sliced list array keeps the offsets of the whole."""
    lengths = pc.list_value_length(rows)
    ends = pc.cumulative_sum(pc.cast(lengths, pa.int32()))
    return pa.concat_arrays([pa.array([0], pa.int32()), ends.cast(pa.int32())])
