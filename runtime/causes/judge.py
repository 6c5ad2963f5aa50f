"""What do the logs say about one row that differs? A function of what was found in them.

Pure.
"""

from __future__ import annotations

from dataclasses import dataclass

from shardwright.runtime.history.facts import ChangeState
from shardwright.runtime.verify.cause import Cause, LastWriter


@dataclass(frozen=True, slots=True)
class RowInLogs:
    """What was found of one row."""

    state: ChangeState | None
    """How far the stream is with the last change of the row on the read side; None where its log has none."""
    writer: LastWriter | None
    """The last change on the write side that no run of this migration made."""
    knows_writers: bool
    """Whether the logs of the write side were read from before that change on."""


def judge(found: RowInLogs) -> Cause:
    """A change that the stream has not read yet may make the row right, whichever writer it had. A change is lost only
    where another writer can be ruled out."""
    if found.state in ("ahead", "open"):
        return Cause.LATE
    if found.writer is not None:
        return Cause.FOREIGN_WRITER
    return Cause.LOST if found.state == "applied" and found.knows_writers else Cause.UNEXPLAINED
