"""What is a run asked to do, and what is its result? Values of the driver and the command line; touches no server."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.run.existing_rows import REMOVED
from shardwright.runtime.run.progress.listeners import Reporter
from shardwright.runtime.sources.positions.message_ref import Where
from shardwright.specs.environment.environment import Environment

if TYPE_CHECKING:
    from shardwright.runtime.stream.rounds.rounds import Rounds


class Until(StrEnum):
    """When a run ends by itself."""

    SNAPSHOT = "snapshot"
    CAUGHT_UP = "caught-up"
    FOREVER = "forever"


@dataclass(frozen=True, slots=True)
class RunResult:
    """How a run ended, and what it did."""

    snapshot_complete: bool
    """Whether all rows are copied."""
    caught_up: bool
    """Whether the stream was at the source's own position when the run ended."""
    interrupted: bool
    """Whether the operator stopped the run."""
    position: str
    """The stream's position, of all sources, as text."""
    rows_copied: int
    """Rows of chunks that the last attempt copied."""
    seconds: float
    """The time of the whole run, with all its attempts."""
    copy_seconds: float = 0.0
    """The part of it in which the last attempt copied chunks; 0 when there was nothing to copy."""
    changes: int = 0
    """Events of followed tables that the last attempt applied."""
    held: int = 0
    """Dead letters: rows in quarantine that wait for an answer."""


@dataclass(frozen=True, slots=True)
class RunOrder:
    """One invocation of `run`."""

    plan: Plan
    """The compiled plan of the migration."""
    servers: Servers
    """The sources and the shards."""
    environment: Environment
    """The environment file as read."""
    reporter: Reporter
    """Takes what the run says of its progress."""
    until: Until
    """When the run ends by itself."""
    stop: threading.Event
    """May be set from a signal handler: the run ends after the unit of work that is under way."""
    allowed: frozenset[str] = frozenset()
    """Codes of safety stops that the operator allows once."""
    skip: frozenset[str] = frozenset()
    """Places ("file:offset") of DDL statements that the stream skips."""
    passed: Mapping[Where, str] = field(default_factory=dict)
    """Messages that cannot be read and are skipped, with the codes of their failures."""
    recopy: frozenset[str] = frozenset()
    """Logical tables whose rows are removed and copied anew."""
    leave_out: frozenset[str] = frozenset()
    """Logical tables that a newer plan may leave out."""
    rounds: Rounds | None = None
    """Where both sides write all rows: what both directions of the process do together."""

    @property
    def may_remove_rows(self) -> bool:
        """Whether rows of tables that are to be replaced may be removed."""
        return not self.environment.protected or REMOVED in self.allowed
