"""Events of notifications: what a channel did not take.

Pure. Made in the process of the command, by the channels' threads.
"""

from __future__ import annotations

from dataclasses import dataclass

from shardwright.runtime.events.event import RunEvent


@dataclass(frozen=True, slots=True)
class NotificationFailed(RunEvent):
    """A channel has not taken a message, and it is not tried again."""

    channel: str
    kind: str
    """The kind of the message."""
    attempts: int
    why: str
    """How the last attempt ended."""

    @property
    def sentence(self) -> str:
        tries = "" if self.attempts == 1 else f" after {self.attempts} attempts"
        return f"channel {self.channel} has not taken the notification {self.kind}{tries}: {self.why}"


@dataclass(frozen=True, slots=True)
class NotificationsCut(RunEvent):
    """The command ends, and does not wait any longer for a channel."""

    channel: str
    kinds: tuple[str, ...]
    """The kinds of the messages that are not delivered, as far as is known."""
    seconds: float
    """How long the end of the command has waited."""

    @property
    def sentence(self) -> str:
        kinds = ", ".join(self.kinds)
        return f"channel {self.channel}: not delivered within {self.seconds:g} s at the end of the command: {kinds}"
