"""Waiting in tests: until something holds, or until a check passes. `SHARDWRIGHT_TEST_PATIENCE` (seconds) is how long
on a slow machine.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from typing import Any, Final, TypeVar

PATIENCE: Final = float(os.environ.get("SHARDWRIGHT_TEST_PATIENCE", "400"))

_T = TypeVar("_T")


def wait_until(
    what: str,
    holds: Callable[[], _T],
    *,
    seconds: float | None = None,
    run: subprocess.Popen[Any] | None = None,
    show: Callable[[], object] = str,
    pause: float = 0.05,
) -> _T:
    """Asks until `holds` returns something true, and returns it. Fails after that many seconds (None: PATIENCE), and
    when the process `run` ends meanwhile. A reader of the failure sees `what` and `show`. `pause`: the seconds between
    two questions."""
    seconds = PATIENCE if seconds is None else seconds
    end = time.monotonic() + seconds
    while not (found := holds()):
        assert run is None or run.poll() is None, f"run ended with {run.returncode} before {what}:\n{show()}"
        assert time.monotonic() < end, f"after {seconds:g} s it does not hold that {what}:\n{show()}"
        time.sleep(pause)
    return found


def repeat_until_it_passes(check: Callable[[], _T], *, seconds: float = PATIENCE) -> _T:
    """Returns what `check` returns as soon as it raises no AssertionError. Raises the last one after that many
    seconds."""
    end = time.monotonic() + seconds
    while True:
        try:
            return check()
        except AssertionError:
            if time.monotonic() > end:
                raise
        time.sleep(0.2)
