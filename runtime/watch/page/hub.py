"""How does one state reach many pages? Each change is made and written as JSON once, however many look.

Runs in the process that serves the page; the state comes from one thread, and each page has a thread of its own. What
a slow page has missed is not kept for it: it gets the whole state again.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from shardwright.runtime.watch.page.delta import difference


@dataclass(frozen=True, slots=True)
class Message:
    """What a page gets next."""

    version: int
    """Of the state that it makes."""
    kind: str
    """"state" for a whole one, "delta" for a patch."""
    data: bytes
    """JSON in one line."""


@dataclass
class Hub:
    """The newest state, and the last change of it."""

    _state: Mapping[str, Any] = field(init=False, default_factory=dict)
    _version: int = field(init=False, default=0)
    _whole: Message | None = field(init=False, default=None)
    _delta: Message | None = field(init=False, default=None)
    _pages: int = field(init=False, default=0)
    _closed: bool = field(init=False, default=False)
    _changed: threading.Condition = field(init=False, default_factory=threading.Condition)

    def publish(self, state: Mapping[str, Any]) -> None:
        """`state` is not changed any more; parts that are the same objects as before are not looked at."""
        patch = difference(self._state, state)
        with self._changed:
            self._state = state
            if not patch:
                return
            self._version += 1
            self._whole, self._delta = None, Message(self._version, "delta", _json(patch))
            self._changed.notify_all()

    def wait_for_change(self, seen: int, seconds: float) -> Message | None:
        """What a page needs that has the state of version `seen` (0: none). None where nothing changes for so many
        seconds, and once the hub is closed and the page has everything."""
        with self._changed:
            self._changed.wait_for(lambda: self._version > seen or self._closed, seconds)
            if self._version == seen or not self._version:
                return None
            if self._delta is not None and seen and seen == self._version - 1:
                return self._delta
            if self._whole is None:
                self._whole = Message(self._version, "state", _json(self._state))
            return self._whole

    @contextmanager
    def look(self) -> Iterator[None]:
        """Within, one more page looks."""
        with self._changed:
            self._pages += 1
        try:
            yield
        finally:
            with self._changed:
                self._pages -= 1
                self._changed.notify_all()

    @property
    def pages(self) -> int:
        """How many look."""
        return self._pages

    def close(self, seconds: float) -> None:
        """Nothing more is published. Waits so long until each page has everything."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            self._changed.wait_for(lambda: not self._pages, seconds)

    @property
    def is_closed(self) -> bool:
        return self._closed


def _json(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, separators=(",", ":"), allow_nan=False).encode("ascii")
