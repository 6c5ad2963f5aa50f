"""How does a channel deliver? A thread of its own takes messages from a bounded queue and tries again after failures.
No one waits for it.

Runs in the process of the command; what it does goes to the audit and to the operator by `Report`.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, Protocol

from tenacity import (
    Retrying,
    retry_if_exception,
    sleep_using_event,
    stop_after_delay,
    stop_when_event_set,
    wait_random_exponential,
)

from shardwright.runtime.events.event import Emit
from shardwright.runtime.events.notify import NotificationFailed, NotificationsCut
from shardwright.runtime.notify.message import Message
from shardwright.specs.environment.notifications import ChannelSetting

MOST_WAITING: Final = 64
_SHORTEST_PAUSE: Final = 1.0
_LONGEST_PAUSE: Final = 60.0


@dataclass(frozen=True, slots=True)
class Answer:
    """How a delivery ended. `how` is in our own words; `said` is what the other side said, which the audit does not
    get: it may repeat the message."""

    how: str
    said: str = ""

    def __str__(self) -> str:
        return f"{self.how}: {self.said}" if self.said else self.how


class DeliveryFailed(Exception):
    """The message was not taken. `may_pass`: another attempt may succeed."""

    def __init__(self, how: str, said: str = "", *, may_pass: bool = True) -> None:
        self.answer, self.may_pass = Answer(how, said), may_pass
        super().__init__(how)


def hide(said: str, secrets: Iterable[str]) -> str:
    """The text without the secrets, which the other side may have repeated."""
    for secret in secrets:
        said = said.replace(secret, "...")
    return said


class Transport(Protocol):
    """The way to one address."""

    def deliver(self, message: Message, *, seconds: float) -> Answer:
        """One attempt, which takes about `seconds` at most. Raises DeliveryFailed."""


@dataclass(frozen=True, slots=True)
class Report:
    """Where it is written what channels do. Both may be called from any thread, and may take a while."""

    audit: Callable[[str, str], None]
    """Writes a line: what, and its details."""
    emit: Emit
    """Reports an event to the operator."""


class Channel:
    """Begins its thread when it is made; `begin_end` and `join` end it."""

    def __init__(self, setting: ChannelSetting, transport: Transport, report: Report) -> None:
        self.setting, self._transport, self._report = setting, transport, report
        self._waiting: deque[Message] = deque()
        self._changed = threading.Condition()
        self._ending = threading.Event()
        self._current: Message | None = None
        self._dropped = 0
        self._is_cut = False
        self._thread = threading.Thread(target=self._work, name=f"notify {setting.name}", daemon=True)
        self._thread.start()

    def put(self, message: Message) -> None:
        """Never waits. Where the queue is full, the oldest message of the same kind is dropped, else the oldest."""
        with self._changed:
            if len(self._waiting) >= MOST_WAITING:
                same = (waiting for waiting in self._waiting if waiting.kind == message.kind)
                self._waiting.remove(next(same, self._waiting[0]))
                self._dropped += 1
            self._waiting.append(message)
            self._changed.notify()

    def begin_end(self) -> None:
        """From now on each waiting message has one attempt."""
        self._ending.set()
        with self._changed:
            self._changed.notify()

    def join(self, *, until: float, waited: float) -> None:
        """Waits for the thread, up to `until` of the monotonic clock. What is not delivered then is reported, with
        the seconds `waited`."""
        self._thread.join(max(0.0, until - time.monotonic()))
        with self._changed:
            left = tuple(m.kind for m in (self._current, *self._waiting) if m is not None)
            self._is_cut = bool(left)
            self._waiting.clear()
        if left:
            self._report.emit(NotificationsCut(self.setting.name, left, waited))
            self._report.audit("notifications cut", f"{self.setting.name}: {', '.join(left)}")

    def _work(self) -> None:
        while (message := self._next()) is not None:
            attempts = Retrying(
                retry=retry_if_exception(lambda error: isinstance(error, DeliveryFailed) and error.may_pass),
                wait=wait_random_exponential(min=_SHORTEST_PAUSE, max=_LONGEST_PAUSE),
                stop=stop_after_delay(self.setting.retry_seconds) | stop_when_event_set(self._ending),
                sleep=sleep_using_event(self._ending),
                reraise=True,
            )
            answer, failed = self._deliver(message, attempts)
            with self._changed:
                self._current = None
                dropped, self._dropped = self._dropped, 0
                if self._is_cut:
                    return
            tries = int(attempts.statistics["attempt_number"])
            self._report_end(message, answer, tries, failed=failed)
            if dropped:
                self._report.audit("notifications dropped", f"{self.setting.name}: {dropped}, its queue was full")

    def _next(self) -> Message | None:
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._ending.is_set())
            self._current = self._waiting.popleft() if self._waiting else None
            return self._current

    def _deliver(self, message: Message, attempts: Retrying) -> tuple[Answer, bool]:
        """How the last attempt ended, and whether it failed."""
        try:
            answer: Answer = attempts(self._transport.deliver, message, seconds=self.setting.timeout_seconds)
        except DeliveryFailed as failure:
            return failure.answer, True
        except Exception as error:  # noqa: BLE001 its text may have anything of the message or the address
            return Answer(type(error).__name__), True
        return answer, False

    def _report_end(self, message: Message, answer: Answer, tries: int, *, failed: bool) -> None:
        detail = f"{self.setting.name}: {message.kind}: {answer.how}{f', attempt {tries}' if tries > 1 else ''}"
        self._report.audit("notification failed" if failed else "notification delivered", detail)
        if failed:
            self._report.emit(NotificationFailed(self.setting.name, message.kind, tries, str(answer)))
