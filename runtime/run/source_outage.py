"""What happens when one of several sources cannot be read? The other sources go on, unless the spec says otherwise.

Runs in the driver; reads sources. Sources are set aside only once everything is copied: until then chunks need every
source. A source that is set aside keeps its place in the stream's position. When it can be read again, the run starts
over from the ledgers with all sources.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from shardwright.runtime.events.event import Emit
from shardwright.runtime.events.run import SourceBack, SourceIsolated
from shardwright.runtime.failures import RuntimeFailure, StoppedPartWay
from shardwright.runtime.ledger.batches import MigrationState
from shardwright.runtime.run.retry import PASSING_CODES
from shardwright.runtime.sources.positions.stream_position import StreamPosition
from shardwright.runtime.sources.source import Sources, StreamSource

BACK: Final = "SW8213"
_LOOK_AGAIN: Final = 15.0


@dataclass
class IsolatedSources:
    """The sources that are set aside. One object for all attempts of a run."""

    emit: Emit
    """Reports to the operator which source is set aside and which one is back."""
    now: Callable[[], float] = time.monotonic
    """The clock, in seconds."""
    failures: dict[str, RuntimeFailure] = field(default_factory=dict)
    """Why a source is set aside, by its name; empty when all can be read."""
    _aside: list[StreamSource] = field(default_factory=list)
    _since: dict[str, float] = field(default_factory=dict)
    _looked: float = 0.0

    def healthy(self, sources: Sources, state: MigrationState | None) -> Sources:
        """Sets aside the sources that cannot be read at the stream's position, and returns the others.

        Returns all sources while rows are still to be copied, and when none can be read: then the error that they meet
        ends the attempt.
        """
        before = set(self.failures)
        self.failures, self._aside, self._looked = {}, [], self.now()
        failing = _some_that_fail(sources, state)
        if not failing:
            return sources
        self.failures = failing
        self._aside = [source for source in sources if source.name in failing]
        self._since = {name: self._since.get(name, self.now()) for name in failing}
        for name, failure in failing.items():
            if name not in before:
                self.emit(SourceIsolated(name, str(failure)))
        for name in before - set(failing):
            self.emit(SourceBack(name))
        return [source for source in sources if source.name not in failing]

    def look_again(self, position: StreamPosition) -> None:
        """Raises StoppedPartWay (SW8213) when a source that was set aside can be read again. Asks every 15 seconds."""
        if not self._aside or self.now() - self._looked < _LOOK_AGAIN:
            return
        for source in self._aside:
            if _failure(source, position) is None:
                raise StoppedPartWay(BACK, f"{source.name} can be read again")
        self._looked = self.now()

    def why_give_up(self, patience: float) -> RuntimeFailure | None:
        """Why the run cannot come to its end: a source whose failure is not transient, or has lasted for `patience`
        seconds. None otherwise."""
        for name, failure in self.failures.items():
            if failure.code not in PASSING_CODES or self.now() - self._since[name] >= patience:
                return StoppedPartWay("SW8212", f"{name} is isolated, the other sources are caught up: {failure}")
        return None


def is_only_some(sources: Sources, state: MigrationState | None) -> bool:
    """Whether some sources, but not all, cannot be read at the stream's position."""
    return bool(_some_that_fail(sources, state))


def _some_that_fail(sources: Sources, state: MigrationState | None) -> dict[str, RuntimeFailure]:
    """The failures by source name. Empty when none fails, when all do, and while rows are still to be copied."""
    if len(sources) == 1 or state is None or state.snapshot_end is None:
        return {}
    failing = {source.name: failure for source in sources if (failure := _failure(source, state.position))}
    return failing if len(failing) < len(sources) else {}


def _failure(source: StreamSource, position: StreamPosition) -> RuntimeFailure | None:
    try:
        source.probe(position.parts[source.name])
    except RuntimeFailure as failure:
        return failure
    return None
