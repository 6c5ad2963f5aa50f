"""Why does a row differ? The causes, and how reports name them. Plain data.

Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Cause(StrEnum):
    """The first five are those of values (`compiler/steps/loose_rules.py`); the logs show the others."""

    COLLATION = "collation"
    TRUNCATED = "truncated"
    JSON_NUMBER = "json_number"
    ROUNDING = "rounding"
    TIME_ZONE = "time_zone"
    FOREIGN_WRITER = "foreign_writer"
    LATE = "late"
    LOST = "lost"
    UNEXPLAINED = "unexplained"


WORDS: Final[Mapping[Cause, str]] = {
    Cause.COLLATION: "collation or trailing space",
    Cause.TRUNCATED: "truncated",
    Cause.JSON_NUMBER: "number in JSON",
    Cause.ROUNDING: "rounding",
    Cause.TIME_ZONE: "time zone",
    Cause.FOREIGN_WRITER: "foreign writer",
    Cause.LATE: "late, still in flight",
    Cause.LOST: "lost",
    Cause.UNEXPLAINED: "unexplained",
}


@dataclass(frozen=True, slots=True)
class LastWriter:
    """The last change of the row in a log that no run of this migration made."""

    log: str
    """Whose log it is: a server of the side that only the migration should write to."""
    position: str
    """Where its event begins."""
    operation: str
    """insert, update or delete."""
    table: str
    """The table that was changed."""
    committed_at: str | None
    """When (UTC)."""
    gtid: str | None
    """Of its transaction; None where the server has none."""
    server_id: int | None
    """Of the server where it was written; None where that is not known."""
    thread: int | None
    """The writer's connection there (`CONNECTION_ID()`); None where the log does not have it."""

    def __str__(self) -> str:
        server = "" if self.server_id is None else f" on server {self.server_id}"
        thread = "" if self.thread is None else f", connection {self.thread}"
        gtid = "" if self.gtid is None else f", GTID {self.gtid}"
        return f"{self.operation} at {self.committed_at or 'no known time'}{server}{thread}{gtid}, {self.position}"
