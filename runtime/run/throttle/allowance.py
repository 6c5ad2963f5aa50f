"""How much may be copied under a cap: arithmetic only."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

CREDIT_SECONDS: Final = 5.0
"""What a copy that was slower than its cap may make up for, at most."""


@dataclass
class Allowance:
    """Grows by `rate` a second, shrinks by what was copied: below nothing for what was under way already. Within any time t, no more than
    rate * (t + CREDIT_SECONDS) is taken while something is left, and once more what is under way then. `rate` None: no cap."""

    rate: float | None
    now: float
    left: float = field(init=False, default=0.0)

    def take(self, amount: float, *, now: float) -> None:
        """`amount` was copied."""
        self._grow(now)
        if self.rate is not None:
            self.left -= amount

    def wait_seconds(self, now: float) -> float:
        """How long nothing more may begin."""
        self._grow(now)
        return max(0.0, -self.left / self.rate) if self.rate is not None else 0.0

    def change(self, rate: float | None, *, now: float) -> None:
        """Another cap from now on. What was copied too much under the last one is waited for by the new one."""
        self._grow(now)
        self.left = 0.0 if self.rate is None or rate is None else min(self.left, 0.0)
        self.rate = rate

    def _grow(self, now: float) -> None:
        seconds, self.now = max(0.0, now - self.now), max(now, self.now)
        if self.rate is not None:
            self.left = min(self.left + seconds * self.rate, CREDIT_SECONDS * self.rate)
