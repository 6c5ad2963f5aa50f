"""How does a command end at a signal: Ctrl-C, SIGTERM by a supervisor, SIGHUP by a terminal that is gone?

Runs in the process of the command.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Collection
from types import FrameType

_Handler = Callable[[int, FrameType | None], None]


def end_on_signals() -> None:
    """SIGTERM and SIGHUP end the command as Ctrl-C does: what is under way is left in good order."""

    def end(number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt(signal.Signals(number).name)

    _install(end, (signal.SIGTERM, signal.SIGHUP))


def stop_on_signals(stop: threading.Event) -> None:
    """The first signal stops the run after the unit of work that is under way. The second one ends it at once."""

    def handle(number: int, _frame: FrameType | None) -> None:
        if stop.is_set():
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)
        print("stopping: finishing the batch and the chunks in flight (Ctrl-C again to abort)", file=sys.stderr)
        stop.set()

    _install(handle, (signal.SIGINT, signal.SIGTERM, signal.SIGHUP))


def _install(handle: _Handler, numbers: Collection[signal.Signals]) -> None:
    """A SIGHUP that is ignored (nohup) remains ignored. What is printed after one goes nowhere where a terminal was,
    since writing to one that is gone would be one more failure."""
    terminals = [number for number in (1, 2) if os.isatty(number)]

    def hang_up(number: int, frame: FrameType | None) -> None:
        with open(os.devnull, "wb") as nowhere:
            for terminal in terminals:
                os.dup2(nowhere.fileno(), terminal)
        handle(number, frame)

    for number in numbers:
        if number is not signal.SIGHUP:
            signal.signal(number, handle)
        elif signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, hang_up)
