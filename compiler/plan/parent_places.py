"""Names and numbers of the lookup table that says where parents' rows are: shared by plans, steps and the runtime."""

from __future__ import annotations

SHARD, PART = "sw_at_shard", "sw_at_part"
"""The place's columns of the book of places."""

ORPHANS = (0, 0)
"""Shard and part of a row without a parent: the first table of the first database, beside the books, so that one server can
say who is an orphan and who is misplaced."""
