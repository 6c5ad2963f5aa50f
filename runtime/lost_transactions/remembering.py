"""How much of what batches change a shard remembers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Remembering:
    """Batches before `oldest` are forgotten; a shard's share of more than `most_rows` is not remembered, since it could not be
    read again."""

    oldest: int
    most_rows: int
