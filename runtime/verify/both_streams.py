"""How far are both sides, while changes go in both directions? A row is in flight in one of two streams.

Runs in the driver, in threads; reads what a `ReplicationBarrier` of each direction reads. Waits.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from shardwright.runtime.sources.source import Sources
from shardwright.runtime.verify.barrier import ReplicationBarrier
from shardwright.runtime.verify.key_range import Key


@dataclass
class BothStreams:
    """`Moving` for a comparison by the plan of `first`. Several threads may use it."""

    first: ReplicationBarrier
    second: ReplicationBarrier
    _at: dict[int, int] = field(default_factory=dict)
    """A batch of the first direction -> one of the second that was there before it."""

    @property
    def sources(self) -> Sources:
        return self.first.sources

    def catch_up(self) -> None:
        self.first.catch_up()
        self.second.catch_up()

    def at_rest(self) -> bool:
        return self.first.at_rest() and self.second.at_rest()

    def last_batch(self) -> int:
        earlier = self.second.last_batch()
        batch = self.first.last_batch()
        self._at[batch] = min(earlier, self._at.get(batch, earlier))
        return batch

    def keys_changed_since(self, batch: int, logical: str) -> Collection[Key] | None:
        one = self.first.keys_changed_since(batch, logical)
        other = self.second.keys_changed_since(self._at[batch], logical)
        return None if one is None or other is None else {*one, *other}
