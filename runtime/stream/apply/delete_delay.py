"""Policy `delay`: how long are deletes still remembered once the last chunk is committed (contract C4)?

Runs in the driver; touches no server.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from shardwright.compiler.plan.plan import Plan


@dataclass(slots=True)
class DeleteDelay:
    """The clock of the longest delay among the plan's tables: all tombstones are dropped together, when it is over. It
    runs from the last chunk's commit; before that no delay is over."""

    plan: Plan
    clock: Callable[[], float] = time.monotonic
    """Seconds."""
    _begun: float | None = field(default=None, init=False)

    def snapshot_done(self, age: int | None) -> None:
        """The last chunk was committed `age` seconds ago; None: not yet."""
        self._begun = None if age is None else self.clock() - age

    @property
    def running(self) -> bool:
        """Whether deletes must still be remembered because of a delay."""
        longest = max((table.deletes.delay or 0 for table in self.plan.tables), default=0)
        return longest > 0 and (self._begun is None or self.clock() - self._begun < longest)
