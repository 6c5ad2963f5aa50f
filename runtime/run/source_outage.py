"""Several sources, one of which cannot be read: the others go on, unless the spec says otherwise.

Only once everything is copied: until then chunks need every source. A source that is set aside keeps its place in the stream's
position; when it can be read again, the run starts over from the books with all of them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from shardwright.runtime.failures import RuntimeFailure, StoppedPartWay
from shardwright.runtime.ledger.batches import MigrationState
from shardwright.runtime.run.retry import PASSING_CODES
from shardwright.runtime.sources.position import StreamPosition
from shardwright.runtime.sources.source import Sources, StreamSource

BACK: Final = "SW8213"
_LOOK_AGAIN: Final = 15.0


@dataclass
class SetAside:
    """`failures` is why, by the source's name. `say` hears of whom goes and who comes back."""

    say: Callable[[str], None]
    now: Callable[[], float] = time.monotonic
    failures: dict[str, RuntimeFailure] = field(default_factory=dict)
    _aside: list[StreamSource] = field(default_factory=list)
    _since: dict[str, float] = field(default_factory=dict)
    _looked: float = 0.0

    def healthy(self, sources: Sources, state: MigrationState | None) -> Sources:
        """Those that can be read where the stream stands; the others are set aside. All of them while rows are still to be
        copied, and when none can be read: then what they meet ends the attempt."""
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
                self.say(f"{name} is set aside, the other sources go on: {failure}")
        for name in before - set(failing):
            self.say(f"{name} can be read again")
        return [source for source in sources if source.name not in failing]

    def look_again(self, position: StreamPosition) -> None:
        """From time to time: raises StoppedPartWay (SW8213) when one that was set aside can be read again."""
        if not self._aside or self.now() - self._looked < _LOOK_AGAIN:
            return
        for source in self._aside:
            if _failure(source, position) is None:
                raise StoppedPartWay(BACK, f"{source.name} can be read again")
        self._looked = self.now()

    def given_up(self, patience: float) -> RuntimeFailure | None:
        """Why the run cannot come to its end: a source whose failure does not pass, or has not passed for `patience` seconds."""
        for name, failure in self.failures.items():
            if failure.code not in PASSING_CODES or self.now() - self._since[name] >= patience:
                return StoppedPartWay("SW8212", f"{name} is set aside, the other sources are at their ends: {failure}")
        return None


def is_only_some(sources: Sources, state: MigrationState | None) -> bool:
    """Whether some sources, but not all, cannot be read where the stream stands."""
    return bool(_some_that_fail(sources, state))


def _some_that_fail(sources: Sources, state: MigrationState | None) -> dict[str, RuntimeFailure]:
    """Why, by name; empty when none fails, when all do, and while rows are still to be copied."""
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
