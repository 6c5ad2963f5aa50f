"""Is a process, which another process may have started, still ours, and how is it ended?

Runs in the process of the command; reads /proc and sends signals.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from pathlib import Path


def is_ours(pid: int, mark: str) -> bool:
    """Whether `pid` is still the process we started. `mark` in its command line shows it, since ids are used again."""
    return _lives(pid) and mark in _command_line(pid)


def stop_process(pid: int, mark: str, *, deadline: float) -> None:
    """Ends the process in good order, or by force when it has not ended after `deadline` seconds."""
    for sign, patience in ((signal.SIGTERM, deadline), (signal.SIGKILL, 10.0)):
        if not is_ours(pid, mark):
            return
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, sign)
        end = time.monotonic() + patience
        # An ending process loses its command line before it releases its files: wait for the process itself.
        while time.monotonic() < end and _lives(pid):
            time.sleep(0.05)


def _lives(pid: int) -> bool:
    """Whether there is such a process. One that is dead and not yet reaped counts as gone."""
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)
    if not Path("/proc/self").exists():
        return bool(_ps(pid))
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(") ")[2][:1]
    except OSError:
        return False
    return state not in "ZX"


def _command_line(pid: int) -> str:
    if not Path("/proc/self").exists():
        return _ps(pid)
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def _ps(pid: int) -> str:
    command = ["ps", "-ww", "-o", "command=", "-p", str(pid)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.replace("\n", " ").lstrip()
