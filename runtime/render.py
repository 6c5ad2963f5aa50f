"""Rows to the lines of LOAD DATA, column-wise in Arrow's own code: Python touches no single value."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

_ESCAPES = (("\\", "\\\\"), ("\t", "\\t"), ("\n", "\\n"), ("\r", "\\r"), ("\0", "\\0"))


def render_lines(prefix: Sequence[pa.Array | pa.ChunkedArray], rows: pa.ListArray) -> bytes:
    """One line per row: the `prefix` columns (no escaping needed; NULL becomes \\N), then the row's values."""
    if len(rows) == 0:
        return b""
    values = rows.flatten()
    for plain, escaped in _ESCAPES:
        values = pc.replace_substring(values, plain, escaped)
    values = pc.fill_null(values, "\\N")
    lists = pa.ListArray.from_arrays(_offsets(rows), values)
    joined = pc.binary_join(lists, "\t")
    columns = [pc.fill_null(pc.cast(column, pa.string()), "\\N") for column in prefix]
    lines = pc.binary_join_element_wise(*columns, joined, "\t") if columns else joined
    lines = pc.binary_join_element_wise(lines, "", "\n")
    text: str = "".join(lines.to_pylist())
    return text.encode("utf-8")


def _offsets(rows: pa.ListArray) -> pa.Array:
    """Offsets from zero, as `flatten` counts: a sliced list array keeps the offsets of the whole."""
    lengths = pc.list_value_length(rows)
    ends = pc.cumulative_sum(pc.cast(lengths, pa.int32()))
    return pa.concat_arrays([pa.array([0], pa.int32()), ends.cast(pa.int32())])
