"""How a message's place is written in failures, and read in them and on the command line.

Pure. Used in the driver and in Spark tasks.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from shardwright.runtime.failures import RuntimeFailure

TABLE_CHANGED = "SW8457"
STEPPED_OVER = frozenset({"SW8431", "SW8432", "SW8433", "SW8434", "SW8435", "SW8438"})
"""Findings for which a single message can be at fault: an operator may let the run skip it."""
_IN_FAILURE = re.compile(r"topic (\S+), partition (\d+), offset (\d+)")
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


def place_in(failure: RuntimeFailure) -> tuple[str, int] | None:
    """Partition ("topic/number") and offset of the first message that a failure names."""
    found = _IN_FAILURE.search(failure.message)
    return (f"{found[1]}/{found[2]}", int(found[3])) if found else None


def given_place(text: str) -> Where | None:
    """The message that "topic/partition:offset" names; None for any other text."""
    found = _GIVEN.fullmatch(text)
    return Where(found[1], int(found[2]), int(found[3])) if found else None
