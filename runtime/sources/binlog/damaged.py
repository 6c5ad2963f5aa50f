"""Events that are not as a server writes them, though their checksums may hold: what reads one refuses it by its
place."""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import wraps
from typing import Protocol, TypeVar

from shardwright.runtime.failures import Refused
from shardwright.specs.findings.remedies import START_OVER

UNREADABLE = (ValueError, TypeError, IndexError, KeyError, OverflowError, struct.error)
"""What reading bytes raises that are not what they should be."""
DISK_OR_NETWORK = f"Check the server's disk and network; if the file itself is broken, {START_OVER}"


class Located(Protocol):
    """An event of the log (`events.LogEvent`)."""

    @property
    def kind(self) -> int: ...

    @property
    def place(self) -> str: ...


Event = TypeVar("Event", bound=Located)
Found = TypeVar("Found")


def damaged(event: Located, error: Exception) -> Refused:
    return Refused(
        "SW8116",
        f"the log is damaged: the event of type {event.kind} at {event.place} cannot be read "
        f"({type(error).__name__}: {error}). {DISK_OR_NETWORK}",
    )


def refusing_damage(read: Callable[[Event], Found]) -> Callable[[Event], Found]:
    """The same function, which raises Refused (SW8116) for an event that it cannot read."""

    @wraps(read)
    def reading(event: Event) -> Found:
        try:
            return read(event)
        except UNREADABLE as error:
            raise damaged(event, error) from error

    return reading
