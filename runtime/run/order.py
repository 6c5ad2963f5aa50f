"""What a run is asked to do, and what came of it."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.run.existing_rows import REMOVED
from shardwright.runtime.run.progress.events import Reporter
from shardwright.runtime.sources.queue.message_ref import Where
from shardwright.specs.environment.environment import Environment


class Until(StrEnum):
    """When a run ends by itself."""

    SNAPSHOT = "snapshot"
    CAUGHT_UP = "caught-up"
    FOREVER = "forever"


@dataclass(frozen=True, slots=True)
class RunResult:
    """`caught_up`: the stream stood at the source's own position when the run ended. `seconds` are the run's, `copy_seconds` those in which
    chunks were copied, `changes` what the stream brought of followed tables. `held` rows are dead letters."""

    snapshot_complete: bool
    caught_up: bool
    interrupted: bool
    position: str
    rows_copied: int
    seconds: float
    copy_seconds: float = 0.0
    changes: int = 0
    held: int = 0


@dataclass(frozen=True, slots=True)
class RunOrder:
    """One invocation. `allowed` are codes of safety stops that the operator lets pass once, `step_over` the places of DDL
    statements that the stream passes over, `passed` those of messages that cannot be read, with their codes. `recopy` are logical tables
    to be copied again. `stop` may be set from a signal handler: the run ends after the unit of work under
    way."""

    plan: Plan
    servers: Servers
    environment: Environment
    reporter: Reporter
    until: Until
    stop: threading.Event
    allowed: frozenset[str] = frozenset()
    step_over: frozenset[str] = frozenset()
    passed: Mapping[Where, str] = field(default_factory=dict)
    recopy: frozenset[str] = frozenset()

    @property
    def may_remove_rows(self) -> bool:
        """Those of tables that are to be replaced."""
        return not self.environment.protected or REMOVED in self.allowed
