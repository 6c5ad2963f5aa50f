"""In which direction do changes go: from the source to the shards, or back?

The one place that tells the two apart. Code that compares a direction with one of them has a question that belongs
here: what is read, what is written, is there a copy?
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

Side = Literal["source", "shards"]


class Direction(StrEnum):
    """A migration has both, each with a plan and ledgers of its own. Applications write to the side that a live
    direction reads."""

    FORWARD = "forward"
    BACKWARD = "backward"

    @property
    def reads_source(self) -> bool:
        """Whether changes are read at the source. Every migration begins so."""
        return self is Direction.FORWARD

    @property
    def reads_shards(self) -> bool:
        """Whether changes are read on the shards, where a row may be in any physical table."""
        return not self.reads_source

    @property
    def writes_source(self) -> bool:
        """Whether changes are written to the source: its tables are its own, and our ledgers are beside them."""
        return self.reads_shards

    @property
    def writes_shards(self) -> bool:
        """Whether changes are written to the shards, whose tables we make."""
        return self.reads_source

    @property
    def copies(self) -> bool:
        """Whether it begins with a copy of all rows. The way back begins when both sides are equal."""
        return self.reads_source

    @property
    def read_side(self) -> Side:
        """In words, where changes are read."""
        return "source" if self.reads_source else "shards"

    @property
    def write_side(self) -> Side:
        """In words, where they are written."""
        return self.opposite.read_side

    @property
    def words(self) -> str:
        """From where to where changes go."""
        return f"from the {self.read_side} to the {self.write_side}"

    @property
    def opposite(self) -> Direction:
        return Direction.BACKWARD if self.reads_source else Direction.FORWARD
