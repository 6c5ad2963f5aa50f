"""A run that is under way outlives trouble that passes: it starts over from the books, again and again, for a bounded time.

Starting over is what a new run would do, so nothing has to be known of how far the failed attempt came (contract C1): it
takes the next epoch, which ends whatever connections the servers still believe in, finishes or forgets the open batch,
and reads on from the ledgers' position.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, TypeVar

from tenacity import RetryCallState, Retrying, retry_if_exception, sleep_using_event, wait_random_exponential

from shardwright.runtime.failures import RuntimeFailure

Result = TypeVar("Result")

PASSING_CODES: Final = frozenset(
    {
        "SW8101",
        "SW8117",
        "SW8135",
        "SW8213",
        "SW8214",
        "SW8304",
        "SW8305",
        "SW8306",
        "SW8307",
        "SW8408",
        "SW8451",
        "SW8481",
    }
)
SOME_SHARDS: Final = "SW8411"
"""Passes where what some shards failed for does."""
_LONGEST_PAUSE: Final = 20.0


@dataclass
class Perseverance:
    """`seconds` without a step forward end it; 0 means that nothing is tried again. `steps` counts what was committed."""

    seconds: float
    stop: threading.Event
    say: Callable[[str], None]
    steps: Callable[[], int]
    now: Callable[[], float] = time.monotonic
    _since: float = field(init=False, default=0.0)
    _steps_then: int = field(init=False, default=-1)
    _tries: int = field(init=False, default=0)

    def through(self, attempt: Callable[[], Result]) -> Result:
        """The result of the first attempt that does not meet trouble. Raises the last trouble when time is over or
        `stop` is set, and everything else at once."""
        attempts = Retrying(
            retry=retry_if_exception(_may_pass),
            stop=self._is_over,
            wait=self._pause,
            sleep=sleep_using_event(self.stop),
            before_sleep=self._tell,
            reraise=True,
        )
        result: Result = attempts(attempt)
        return result

    def _is_over(self, _state: RetryCallState) -> bool:
        """Asked after each failed attempt: one that got on is the first of a new trouble."""
        steps = self.steps()
        if steps != self._steps_then:
            self._steps_then, self._since, self._tries = steps, self.now(), 0
        self._tries += 1
        return self.stop.is_set() or self.now() - self._since >= self.seconds

    def _pause(self, state: RetryCallState) -> float:
        """Random, so that many runs do not come back at once; longer with every try, for the server's sake."""
        ceiling = min(_LONGEST_PAUSE, 0.5 * 2.0 ** min(self._tries, 10))
        return 0.5 + float(wait_random_exponential(multiplier=ceiling, max=ceiling)(state))

    def _tell(self, state: RetryCallState) -> None:
        assert state.outcome is not None and state.next_action is not None
        left = max(0.0, self.seconds - (self.now() - self._since))
        self.say(
            f"{state.outcome.exception()}: trying again in {state.next_action.sleep:.0f} s, for {left:.0f} s more unless it "
            "gets on"
        )


def _may_pass(error: BaseException | None) -> bool:
    if not isinstance(error, RuntimeFailure):
        return False
    return error.code in PASSING_CODES or (error.code == SOME_SHARDS and _may_pass(error.__cause__))
