"""How does a tool run to its end? Its output is passed on and kept; it pauses while writing must wait; it ends with us.

Runs in the driver; the tool is a process of its own. Writes the log and the pause file.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import IO, Final, TextIO

_KEPT_LINES: Final = 6
_LOOK_SECONDS: Final = 0.5
_ASK_SECONDS: Final = 15.0
_PROGRESS_SECONDS: Final = 5.0
_END_SECONDS: Final = 20.0
_PROGRESS: Final = re.compile(r"^(Copying `|Copy: |Altering |Swapp|Creat|Pausing|Replica|Dropp)")
_PAUSED: Final = "Sleeping "
PASSED_ON: Final = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "PERL5LIB", "SYSTEMROOT")
"""The variables that a program of others gets of our environment, which may hold secrets."""


@dataclass(frozen=True, slots=True)
class ToolEnd:
    """How a tool ended."""

    code: int
    """The exit code, as subprocess has it."""
    lines: tuple[str, ...]
    """The last lines of the output."""
    stopped: bool
    """We ended the tool, since nothing further shall be done."""


@dataclass(frozen=True, slots=True)
class ToolHooks:
    """What the supervisor reports and asks while a tool runs."""

    on_line: Callable[[str], None]
    """Gets the tool's lines of progress."""
    holding: Callable[[], str]
    """Gives the reason why writing must wait; empty: it need not."""
    still_ours: Callable[[], None]
    """Called every 15 seconds; raises when another process has taken over."""
    ends: Callable[[], bool]
    """Whether the tool is to be ended."""


def _open_log(log: Path) -> TextIO:
    """Removes a symbolic link in the log's place: the file that it leads to is not written to."""
    if log.is_symlink():
        log.unlink()
    handle = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
    return open(handle, "a", encoding="utf-8")


def supervise(command: Sequence[str], hooks: ToolHooks, *, log: Path, pause_file: Path) -> ToolEnd:
    """Runs the tool to its end. `pause_file` exists while writing must wait. The tool is ended when another process has
    taken over, and when `hooks.ends` is true. It never outlives us (Linux, util-linux)."""
    with _open_log(log) as written:
        written.write(f"$ {shlex.join(command)}\n")
        tool = subprocess.Popen(
            [*_ends_with_us(), *command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            env={name: os.environ[name] for name in PASSED_ON if name in os.environ},
            start_new_session=True,  # an interrupt at the terminal reaches it through us
        )
        last: deque[str] = deque(maxlen=_KEPT_LINES)
        assert tool.stdout is not None
        reader = Thread(target=_read, args=(tool.stdout, written, last, hooks.on_line), daemon=True)
        reader.start()
        try:
            stopped = _watch(tool, hooks, pause_file)
        finally:
            _end(tool)
            reader.join(_END_SECONDS)
    return ToolEnd(tool.returncode, tuple(last), stopped)


def _watch(tool: subprocess.Popen[str], hooks: ToolHooks, pause_file: Path) -> bool:
    """Whether we are to end the tool."""
    asked = time.monotonic()
    while True:
        if hooks.ends():
            return True
        if hooks.holding():
            pause_file.touch()
        else:
            pause_file.unlink(missing_ok=True)
        with suppress(subprocess.TimeoutExpired):
            tool.wait(_LOOK_SECONDS)
            return False
        if time.monotonic() - asked > _ASK_SECONDS:
            hooks.still_ours()
            asked = time.monotonic()


def _read(stream: IO[str], written: IO[str], last: deque[str], on_line: Callable[[str], None]) -> None:
    said, kind = 0.0, ""
    for line in stream:
        text = line.rstrip()
        if text.startswith(_PAUSED):
            continue  # the tool prints this ten times a second
        written.write(f"{text}\n")
        written.flush()
        if text:
            last.append(text)
        if not (found := _PROGRESS.match(text)):
            continue
        if found[1] != kind or time.monotonic() - said >= _PROGRESS_SECONDS:
            on_line(text)
            said, kind = time.monotonic(), found[1]


def _end(tool: subprocess.Popen[str]) -> None:
    """Sends SIGTERM, then SIGKILL."""
    if tool.poll() is not None:
        return
    for order in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(tool.pid, order)
        with suppress(subprocess.TimeoutExpired):
            tool.wait(_END_SECONDS)
            return


def _ends_with_us() -> list[str]:
    """A prefix of the command. Without it, a tool whose supervisor was killed would continue with no process to see
    that it is alone."""
    program = shutil.which("setpriv")
    return [program, "--pdeathsig", "KILL", "--"] if program else []
