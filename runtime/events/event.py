"""The form of all events.

Pure. Made in the driver, wherever something happens that an operator wants to know.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class RunEvent(ABC):
    """Something that happened. Its fields are plain data (text, numbers, booleans, tuples and mappings of them), so
    that JSON can hold them; units are in their names or documented beside them. The class's name is the kind."""

    @property
    @abstractmethod
    def sentence(self) -> str:
        """One line for people; it may end with a colon and what a server said."""

    def as_json(self) -> dict[str, Any]:
        """The event as JSON holds it: the kind as `event`, the fields by name, and the `sentence`."""
        return {"event": type(self).__name__, **asdict(self), "sentence": self.sentence}


Emit = Callable[[RunEvent], None]
"""Takes an event. May be called from any thread."""


def ignore(_event: RunEvent) -> None:
    """An `Emit` without listeners."""


def emit_lines(line: Callable[[str], None]) -> Emit:
    """An `Emit` that hands over each event's sentence."""
    return lambda event: line(event.sentence)
