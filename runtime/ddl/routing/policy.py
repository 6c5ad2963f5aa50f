"""What may a routing of DDL do: which changes are allowed, how long do they wait, and who carries out the copying ones?

Pure: what it holds is called in the driver, in threads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from threading import Event

from shardwright.compiler.plan.plan import DdlChange
from shardwright.runtime.ddl.online.hand_over import HandOver
from shardwright.runtime.ddl.routing.consent import refuse_unless_allowed
from shardwright.runtime.ddl.session import DdlPatience
from shardwright.runtime.ddl.target import Target


def _never() -> None:
    """No table waits."""


@dataclass(frozen=True, slots=True)
class DdlPolicy:
    """The operator's decisions on one routing. Several threads use it."""

    allowed: Set[str] | None = None
    """Codes of `ddl apply --allow`; None: the caller has asked already."""
    patience: DdlPatience = field(default_factory=DdlPatience)
    """How long each statement waits for locks."""
    pause: Callable[[], object] = _never
    """Called before each table by several threads. It blocks while the next table must wait, until `ended` is set."""
    ended: Event = field(default_factory=Event)
    """Set when no further table shall begin, as after an interrupt."""
    hand_over: HandOver | None = None
    """The tool for copying changes; None: the server's own ALTER TABLE."""

    def tool_for(self, change: DdlChange, *, mariadb: bool) -> HandOver | None:
        """Who carries the change out on such a server; None: the server's own statement."""
        tool = self.hand_over
        return tool if tool is not None and tool.takes(change, mariadb=mariadb) else None

    def refuse_unless_allowed(self, waiting: Mapping[DdlChange, Sequence[Target]], mariadb: Mapping[str, bool]) -> None:
        """`waiting`: the tables that do not have each change. `mariadb`: by database. Raises Refused."""
        if self.allowed is not None:
            kinds = ((change, mariadb[target.database]) for change, left in waiting.items() for target in left)
            refuse_unless_allowed(dict.fromkeys(kinds), self.allowed, handed_over=self.hand_over is not None)
