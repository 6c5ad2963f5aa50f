"""Which errors are transient, and for how long does a run try again after them?

Runs in the driver; touches no server. Each new attempt starts from the ledgers, as a new run would, so it need not
know how far the failed attempt came (contract C1). It takes the next epoch, which ends the connections that servers
still hold, finishes or forgets the open batch, and reads on from the ledgers' position.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, TypeVar

from tenacity import RetryCallState, Retrying, retry_if_exception, sleep_using_event, wait_random_exponential

from shardwright.runtime.events.event import Emit
from shardwright.runtime.events.run import Retry
from shardwright.runtime.failures import RuntimeFailure

Result = TypeVar("Result")

PASSING_CODES: Final = frozenset(
    {
        "SW8101",
        "SW8117",
        "SW8135",
        "SW8170",
        "SW8213",
        "SW8304",
        "SW8305",
        "SW8306",
        "SW8307",
        "SW8320",
        "SW8408",
        "SW8451",
        "SW8481",
        "SW8496",
    }
)
SOME_SHARDS: Final = "SW8411"
"""The code of a failure on some shards. It is transient where its cause is."""
_LONGEST_PAUSE: Final = 20.0


@dataclass
class RetryPolicy:
    """The retry policy of one run."""

    seconds: float
    """The time without progress after which the run fails; 0: no retry."""
    stop: threading.Event
    """Set by the operator: no further attempt."""
    emit: Emit
    """Reports an event to the operator."""
    steps: Callable[[], int]
    """The number of units of work that are committed so far."""
    now: Callable[[], float] = time.monotonic
    """The clock, in seconds."""
    held_up_at: Callable[[], float] = lambda: float("-inf")
    """When DDL was last seen to keep the run out of a table, by `now`. The time up to then does not count."""
    _since: float = field(init=False, default=0.0)
    _steps_then: int = field(init=False, default=-1)
    _tries: int = field(init=False, default=0)

    def through(self, attempt: Callable[[], Result]) -> Result:
        """Returns the result of the first attempt without a transient error.

        Raises the last transient error when the time is over or `stop` is set. Raises every other error at once.
        """
        attempts = Retrying(
            retry=retry_if_exception(_may_pass),
            stop=self._is_over,
            wait=self._pause,
            sleep=sleep_using_event(self.stop),
            before_sleep=self._report,
            reraise=True,
        )
        result: Result = attempts(attempt)
        return result

    def _is_over(self, _state: RetryCallState) -> bool:
        """Asked after each failed attempt. If that attempt made progress, the time starts anew."""
        steps = self.steps()
        if steps != self._steps_then:
            self._steps_then, self._since, self._tries = steps, self.now(), 0
        self._since = max(self._since, self.held_up_at())
        self._tries += 1
        return self.stop.is_set() or self.now() - self._since >= self.seconds

    def _pause(self, state: RetryCallState) -> float:
        """Seconds to wait. Random, so that many runs do not come back at once; longer with every try, to spare the
        server."""
        ceiling = min(_LONGEST_PAUSE, 0.5 * 2.0 ** min(self._tries, 10))
        return 0.5 + float(wait_random_exponential(multiplier=ceiling, max=ceiling)(state))

    def _report(self, state: RetryCallState) -> None:
        assert state.outcome is not None and state.next_action is not None
        left = max(0.0, self.seconds - (self.now() - self._since))
        error = state.outcome.exception()
        self.emit(Retry(getattr(error, "code", ""), str(error), state.next_action.sleep, left))


def _may_pass(error: BaseException | None) -> bool:
    if not isinstance(error, RuntimeFailure):
        return False
    return error.code in PASSING_CODES or (error.code == SOME_SHARDS and _may_pass(error.__cause__))
