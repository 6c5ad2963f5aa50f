"""What a report may say of a column that the spec masks: that it differs, and how long it is.

The source's side is compared as the mask makes it, but a row that was written past the mask may hold the clear value on a
shard, and a report travels further than a shard does. So neither side of such a column is ever printed.
"""

from __future__ import annotations

import re

from shardwright.compiler.plan.plan import CopiedColumn
from shardwright.runtime.verify.result import ColumnDifference

_SHORTENED = re.compile(r"(\d+) bytes, SHA-256 [0-9a-f]{64}")
"""How the plan's statements show a long value. Its hash is left out, too: few telephone numbers have the same."""


def difference(column: CopiedColumn, source: str | None, target: str | None) -> ColumnDifference:
    """Both values of a column that differs, as a report may hold them. None stays None: NULL is no secret."""
    if not column.is_masked:
        return ColumnDifference(column.target, source, target)
    return ColumnDifference(column.target, _length(column, source), _length(column, target))


def _length(column: CopiedColumn, value: str | None) -> str | None:
    if value is None:
        return None
    shortened = _SHORTENED.fullmatch(value)
    if shortened:
        return f"(masked, {shortened[1]} bytes)"
    if column.type.is_bytes:
        return f"(masked, {len(value) // 2} bytes)"
    return f"(masked, {len(value)} characters)"
