"""What both ends answer: sums of ranges, and who holds a row."""

from __future__ import annotations

from dataclasses import dataclass

from shardwright.runtime.verify.sessions import End


@dataclass(frozen=True, slots=True)
class Sum:
    rows: int = 0
    hash: int = 0
    misplaced: int = 0

    def __add__(self, other: Sum) -> Sum:
        return Sum(self.rows + other.rows, self.hash + other.hash, self.misplaced + other.misplaced)

    def __sub__(self, other: Sum) -> Sum:
        return Sum(self.rows - other.rows, self.hash - other.hash, self.misplaced - other.misplaced)


@dataclass(frozen=True, slots=True)
class Held:
    """One table holds a row: `place` is its full name, `end` the connection that reaches it."""

    hash: int
    place: str
    end: End
    sql: str
    misplaced: bool = False
