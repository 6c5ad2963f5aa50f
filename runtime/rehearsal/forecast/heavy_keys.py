"""The keys with most rows, in bounded memory (Misra and Gries: a key's count is short by no more than all rows / capacity)."""

from __future__ import annotations

from dataclasses import dataclass, field

Key = tuple[str, ...]


@dataclass
class HeavyKeys:
    """At most twice `capacity` keys are held. `short` is by how many rows a count may be too small."""

    capacity: int = 10_000
    short: int = 0
    _counts: dict[Key, int] = field(default_factory=dict)

    def add(self, key: Key, rows: int) -> None:
        self._counts[key] = self._counts.get(key, 0) + rows
        if len(self._counts) > 2 * self.capacity:
            self._forget()

    def largest(self, count: int) -> list[tuple[Key, int]]:
        return sorted(self._counts.items(), key=lambda item: (-item[1], item[0]))[:count]

    def _forget(self) -> None:
        """Take from all as much as the first one has that is not to stay."""
        least = sorted(self._counts.values(), reverse=True)[self.capacity]
        self.short += least
        self._counts = {key: rows - least for key, rows in self._counts.items() if rows > least}
