"""A program that gets each message as its input. Runs in the process of the command; what the program writes is its own
affair.
"""

from __future__ import annotations

from shardwright.runtime.cutover.hooks import HookFailed, call_hook
from shardwright.runtime.notify.channel import Answer, DeliveryFailed
from shardwright.runtime.notify.message import Message
from shardwright.specs.environment.cutover import HookSetting


class ProgramTransport:
    """Calls the program as hooks are called: without a shell, without our secrets, and for a bounded time."""

    def __init__(self, command: tuple[str, ...], folder: str) -> None:
        self._command, self._folder = command, folder

    def deliver(self, message: Message, *, seconds: float) -> Answer:
        """Raises DeliveryFailed. Further attempts are made within `seconds`, and none after that."""
        setting = HookSetting(self._command, timeout_seconds=seconds, folder=self._folder)
        try:
            call_hook(setting, message.document)
        except HookFailed as failure:
            raise DeliveryFailed(failure.how, failure.said, may_pass=False) from failure
        return Answer("ended with exit code 0")
