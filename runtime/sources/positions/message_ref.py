"""How a message's place is written in failures and on the command line, and read again.

Pure. Used in the driver and in Spark tasks.
"""

from __future__ import annotations

import re
from typing import NamedTuple

TABLE_CHANGED = "SW8457"
SKIPPABLE = frozenset({"SW8431", "SW8432", "SW8433", "SW8434", "SW8435", "SW8438"})
"""Findings for which a single message can be at fault: an operator may let the run skip it."""
_GIVEN = re.compile(r"(\S+)/(\d+):(\d+)")


class Where(NamedTuple):
    """Names a message in failures."""

    topic: str
    partition: int
    offset: int

    def __str__(self) -> str:
        return f"topic {self.topic}, partition {self.partition}, offset {self.offset}"

    @property
    def place(self) -> str:
        """The place as operators write it for `--allow`."""
        return f"{self.topic}/{self.partition}:{self.offset}"

    @property
    def queue(self) -> str:
        """The partition as positions name it."""
        return f"{self.topic}/{self.partition}"


def parse_place(text: str) -> Where | None:
    """The message that "topic/partition:offset" names; None for any other text."""
    found = _GIVEN.fullmatch(text)
    return Where(found[1], int(found[2]), int(found[3])) if found else None
