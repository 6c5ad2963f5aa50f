"""How many rows the next chunk of a table has: a second or two of work, and no more bytes than a task should hold."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Final

FIRST_ROWS: Final = 10_000
"""So that the first rows stand on the shards at once, and the first measure is soon there."""
SECONDS: Final = 1.5
BYTES: Final = 32 << 20
_GROWTH: Final = 3.0
_MOST_ROWS: Final = 1_000_000
_SMOOTHING: Final = 0.5


@dataclass
class ChunkSize:
    """`fixed`: what the environment asks for; None: as measured. `least` rows keep a chunk's transactions, one for each shard, worth their
    commit."""

    fixed: int | None = None
    least: int = 1_000
    _rows: float = FIRST_ROWS
    _bytes_a_row: float = 0.0
    _lock: threading.Lock = field(init=False, default_factory=threading.Lock)

    def rows(self) -> int:
        with self._lock:
            if self.fixed is not None:
                return self.fixed
            rows = min(self._rows, float(_MOST_ROWS))
            if self._bytes_a_row:
                rows = min(rows, BYTES / self._bytes_a_row)
            return max(1, int(max(rows, min(self.least, BYTES / max(self._bytes_a_row, 1.0)))))

    def learn(self, rows: int, size: int, seconds: float) -> None:
        """A chunk of `rows` and `size` bytes took so long, from the first look at the source to the last commit."""
        if not rows:
            return
        with self._lock:
            wide = size / rows
            # Rows that have become wider count at once, or the next chunk would not fit into memory.
            known = self._bytes_a_row or wide
            self._bytes_a_row = max(wide, known + _SMOOTHING * (wide - known))
            wanted = rows * SECONDS / max(seconds, 1e-3)
            if wanted < self._rows:
                wanted = self._rows + _SMOOTHING * (wanted - self._rows)
            self._rows = max(1.0, min(wanted, self._rows * _GROWTH))
