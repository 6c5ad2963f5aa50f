"""How do events reach the channels of an environment? As a listener among others, which never waits.

Runs in the process of the command; `open_notifier` reads secrets and templates before the work begins.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from typing import Final

from shardwright.runtime.events.event import RunEvent
from shardwright.runtime.notify.channel import Channel, Report
from shardwright.runtime.notify.message import Origin, message_of
from shardwright.runtime.notify.open import open_transport
from shardwright.runtime.notify.rules import Notice, NoticeRules
from shardwright.specs.environment.notifications import EventSettings

FLUSH_SECONDS: Final = 5.0
"""The end of a command waits so long for its channels."""


class Notifier:
    """Sends to each channel what it listens to."""

    def __init__(
        self, rules: NoticeRules, channels: Sequence[Channel], origin: Origin, *, flush: float = FLUSH_SECONDS
    ) -> None:
        self._rules, self._channels, self._origin, self._flush = rules, channels, origin, flush
        self._lock = threading.Lock()

    def handle(self, event: RunEvent) -> None:
        """May be called from any thread."""
        with self._lock:
            notice = self._rules.notice_of(event)
            if notice is not None:
                self._send(notice)

    def close(self) -> None:
        """Waits for the channels, `flush` seconds for all of them together."""
        with self._lock:
            if rest := self._rules.rest():
                self._send(rest)
        until = time.monotonic() + self._flush
        for channel in self._channels:
            channel.begin_end()
        for channel in self._channels:
            channel.join(until=until, waited=self._flush)

    def _send(self, notice: Notice) -> None:
        for channel in self._channels:
            kind = next((kind for kind in notice.kinds if kind in channel.setting.kinds), None)
            if kind is not None:
                channel.put(message_of(notice, kind, self._origin))


def open_notifier(settings: EventSettings, origin: Origin, environ: Mapping[str, str], report: Report) -> Notifier:
    """Raises InputAtFault as `open_transport` does."""
    opened = [(each, open_transport(each, environ, folder=settings.folder)) for each in settings.channels]
    return Notifier(NoticeRules(settings), [Channel(each, way, report) for each, way in opened], origin)
