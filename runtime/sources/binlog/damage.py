"""How a damaged event of the log becomes a refusal that names its place. Such an event is not as a server writes it,
though its checksum may hold.

Pure. Used in the driver and in Spark tasks.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import wraps
from typing import Protocol, TypeVar

from shardwright.runtime.failures import Refused
from shardwright.specs.findings.remedies import START_OVER

UNREADABLE = (ValueError, TypeError, IndexError, KeyError, OverflowError, struct.error)
"""What Python raises while damaged bytes are read."""
DISK_OR_NETWORK = f"Check the server's disk and network; if the file itself is broken, {START_OVER}"


class LocatedEvent(Protocol):
    """An event of the log (`events.LogEvent`)."""

    @property
    def kind(self) -> int: ...

    @property
    def place(self) -> str: ...


Event = TypeVar("Event", bound=LocatedEvent)
Found = TypeVar("Found")


def damage_refusal(event: LocatedEvent, error: Exception) -> Refused:
    return Refused(
        "SW8116",
        f"the log is damaged: the event of type {event.kind} at {event.place} cannot be read "
        f"({type(error).__name__}: {error}). {DISK_OR_NETWORK}",
    )


def refuse_damage(read: Callable[[Event], Found]) -> Callable[[Event], Found]:
    """The same function, which raises Refused (SW8116) for an event that it cannot read."""

    @wraps(read)
    def read_or_refuse(event: Event) -> Found:
        try:
            return read(event)
        except UNREADABLE as error:
            raise damage_refusal(event, error) from error

    return read_or_refuse
