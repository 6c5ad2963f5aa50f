"""Who asks the servers for what is shown? One thread at a time, and no more often than that is worth.

Runs in the process that shows a migration. What shows it takes the newest answer that is there, and waits for none.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

Answer = TypeVar("Answer")

FRESH_SECONDS: Final = 5.0


@dataclass
class Newest(Generic[Answer]):
    """The newest answer to one question, such as an observation of one migration."""

    ask: Callable[[], Answer]
    """Asks servers. Is called by one thread at a time."""
    share: float = 1.0
    """The most of the time that may go into asking, from 0 to 1: an answer that takes long is asked for less often."""
    found: Answer | None = field(init=False, default=None)
    """None before the first."""
    _begun_at: float = field(init=False, default=float("-inf"))
    _took: float = field(init=False, default=0.0)
    _done: threading.Event = field(init=False, default_factory=threading.Event)
    _lock: threading.Lock = field(init=False, default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self._done.set()

    def refresh(self, *, every: float | None = None) -> None:
        """Begins to ask, unless that is in progress, or was begun less than `every` (None: FRESH_SECONDS) seconds
        ago."""
        pause = FRESH_SECONDS if every is None else every
        with self._lock:
            age = time.monotonic() - self._begun_at
            if not self._done.is_set() or age < max(pause, self._took / self.share):
                return
            self._begun_at = time.monotonic()
            self._done.clear()
        threading.Thread(target=self._ask, name="observe", daemon=True).start()

    def wait(self, until: float) -> None:
        """Until the answer in progress is there, or `until` on the monotonic clock."""
        self._done.wait(max(0.0, until - time.monotonic()))

    def _ask(self) -> None:
        try:
            self.found = self.ask()
        finally:
            self._took = time.monotonic() - self._begun_at
            self._done.set()
