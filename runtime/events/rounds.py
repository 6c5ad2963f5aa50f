"""Events of a run in both directions where both sides write all rows.

Pure. Made in the driver.
"""

from __future__ import annotations

from dataclasses import dataclass

from shardwright.runtime.events.event import RunEvent


@dataclass(frozen=True, slots=True)
class ConflictFound(RunEvent):
    """Both sides have changed a row without knowledge of each other."""

    row: str
    """Table and key."""
    kind: str
    decision: str
    """`source`, `shards`, `merged`, `application` (a later change knew of both) or `hold`."""

    @property
    def sentence(self) -> str:
        return f"conflict: {self.row}: {self.kind}, decision {self.decision}"
