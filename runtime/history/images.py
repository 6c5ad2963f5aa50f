"""What of an image of the log may be shown, and which of its columns changed? Values of masked columns, and of columns
that no shard gets, are shown by their length alone.

Pure.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Final

from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.plan.plan import TablePlan
from shardwright.runtime.history.facts import ChangedColumn
from shardwright.runtime.verify.keys import mask_value

_MOST: Final = 200
"""Characters of a value that are shown."""

Image = Mapping[str, str | None]
"""Column of the table that the log is about -> value."""


def find_changed_columns(table: TablePlan, before: Image | None, after: Image | None) -> tuple[ChangedColumn, ...]:
    """Of those that the plan reads: which a change gave another value."""
    found = []
    for column in table.source.reads:
        old, new = (None if image is None else image.get(column.name) for image in (before, after))
        if old != new:
            known = column.name in table.readable_columns
            found.append(
                ChangedColumn(column.name, _show(column.type, old, known=known), _show(column.type, new, known=known))
            )
    return tuple(found)


def _show(kind: ColumnType, value: str | None, *, known: bool) -> str | None:
    if not known:
        return mask_value(kind, value)
    if value is None or len(value) <= _MOST:
        return value
    octets = bytes.fromhex(value) if kind.is_bytes else value.encode("utf-8")
    return f"{len(octets)} bytes, SHA-256 {hashlib.sha256(octets).hexdigest()}"
