"""A place in a log to which the stream may go back. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from shardwright.runtime.sources.positions.log_position import LogPosition


@dataclass(frozen=True, slots=True)
class EarlierPlace:
    """The position where `batch` began. From it on `rows` rows changed; `fixed` are those of their tables whose rows
    cannot be read again by key."""

    batch: int
    position: LogPosition
    rows: int
    fixed: tuple[str, ...]
