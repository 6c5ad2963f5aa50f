"""Names of our own tables beside a logical table, and the columns and numbers of the lookup table that says where
parents are: shared by plans, steps and the runtime.
"""

from __future__ import annotations

import hashlib

MAX_BOOKKEEPING_NAME = 56  # leaves room for a suffix within MySQL's 64


def bookkeeping_name(prefix: str, logical: str) -> str:
    name = prefix + logical
    if len(name) <= MAX_BOOKKEEPING_NAME:
        return name
    return name[: MAX_BOOKKEEPING_NAME - 9] + "_" + hashlib.sha256(logical.encode()).hexdigest()[:8]


SHARD, PART = "sw_at_shard", "sw_at_part"
"""The place's columns of the lookup table of parent placements."""

ORPHANS = (0, 0)
"""Shard and part of a row without a parent: the first table of the first database, beside the lookup tables, so that
one server can tell orphans from misplaced rows."""
