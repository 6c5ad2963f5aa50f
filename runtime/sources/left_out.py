"""Which rows of followed tables have transactions changed that a range leaves out as our own?

Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class LeftOutRange:
    """Of a range."""

    transactions: int = 0
    """Those that changed rows of followed tables."""
    rows: int = 0
    """How many rows they changed."""
    keys: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    """Source table ("database.table") -> the keys of these rows, as the log has them."""
    unknown: str = ""
    """Why not all keys are known; empty where they are."""


NOTHING = LeftOutRange()


def all_left_out(parts: Iterable[LeftOutRange]) -> LeftOutRange:
    """Of several sources: every table has its changes in one of them."""
    found = [part for part in parts if part.transactions]
    keys = {table: some for part in found for table, some in part.keys.items()}
    unknown = next((part.unknown for part in found if part.unknown), "")
    return LeftOutRange(sum(part.transactions for part in found), sum(part.rows for part in found), keys, unknown)
