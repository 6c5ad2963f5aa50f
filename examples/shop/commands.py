"""How the demo runs commands and programs: it shows each one, and ends with a message when one does not do its job."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SHOP = Path(__file__).resolve().parent
SHARDWRIGHT = str(Path(sys.executable).with_name("shardwright"))
PATIENCE = 900.0
"""The longest wait for one step, in seconds: a demo that hangs should say where."""

LOOK_EVERY = 2.5
"""Seconds between two looks at `status`, each of which takes most of a second of processor time."""

Process = tuple[str, "subprocess.Popen[bytes]"]
"""A program that runs in the background, with its name."""


class DemoFailed(Exception):
    """A step did not do what it should; the message says which."""


@dataclass(frozen=True)
class Project:
    """A project's folder, in which commands run, and what says to them where to work, and on which migration."""

    folder: Path
    selection: tuple[str, ...]
    reports: Path

    def shardwright(self, *arguments: str, check: bool = True) -> None:
        _run([SHARDWRIGHT, *arguments], check=check, folder=self.folder)

    def start(self, name: str, *arguments: str) -> Process:
        """A command about the migration that continues in the background."""
        return start(name, [SHARDWRIGHT, *arguments, *self.selection], folder=self.folder)

    def answer(self, *arguments: str, expected: tuple[int, ...] = (0,)) -> str:
        """Show what a command about the migration answers, and return it."""
        given = [SHARDWRIGHT, *arguments, *self.selection]
        show(given)
        done = subprocess.run(given, stdout=subprocess.PIPE, text=True, check=False, cwd=self.folder)
        print(done.stdout, end="", flush=True)
        if done.returncode not in expected:
            raise DemoFailed(f"{_readable(given)} ended with exit code {done.returncode}")
        return done.stdout

    def wait_until(self, what: str, holds: Callable[[dict[str, Any]], bool], *processes: Process) -> None:
        """Ask `status` until the condition holds; a process that should be running and is not ends the demo."""
        deadline = time.monotonic() + PATIENCE
        while True:
            _all_run(*processes)
            given = [SHARDWRIGHT, "status", *self.selection, "--format", "json"]
            status = subprocess.run(given, capture_output=True, text=True, check=False, cwd=self.folder)
            # Before the run has made its ledgers there is nothing to report.
            if status.returncode == 0 and holds(json.loads(status.stdout)):
                return
            if time.monotonic() > deadline:
                raise DemoFailed(
                    f"after {PATIENCE:.0f} s it still does not hold that {what}: {status.stdout}{status.stderr}"
                )
            time.sleep(LOOK_EVERY)


def program(name: str, *arguments: str) -> None:
    _run(command(name, *arguments), check=True)


def command(name: str, *arguments: str) -> list[str]:
    return [sys.executable, str(SHOP / name), *arguments]


def start(name: str, given: list[str], *, folder: Path = SHOP) -> Process:
    show(given, note="&")
    # A session of its own: an interrupt at the terminal ends the demo, and the demo ends its processes in order.
    return name, subprocess.Popen(given, start_new_session=True, cwd=folder)


def end(named: Process, sign: signal.Signals) -> int:
    """Ask a process to end, wait for it, and return its exit code; force it when it takes too long."""
    name, process = named
    if process.poll() is None:
        process.send_signal(sign)
        try:
            process.wait(timeout=120)
        except subprocess.TimeoutExpired:
            process.kill()
            raise DemoFailed(f"{name} did not end within 120 s of {sign.name}") from None
    return process.returncode


def sleep(seconds: float, *processes: Process) -> None:
    """Raises DemoFailed when one of the processes ends meanwhile."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        _all_run(*processes)
        time.sleep(0.5)


def say(text: str) -> None:
    print(f"\n== {text}", flush=True)


def show(given: list[str], *, note: str = "") -> None:
    print(f"$ {_readable(given)} {note}".rstrip(), flush=True)


def _all_run(*processes: Process) -> None:
    for name, process in processes:
        if process.poll() is not None:
            raise DemoFailed(f"{name} ended too early, with exit code {process.returncode}")


def _run(given: list[str], *, check: bool, folder: Path = SHOP) -> None:
    show(given)
    code = subprocess.run(given, check=False, cwd=folder).returncode
    if check and code != 0:
        raise DemoFailed(f"{_readable(given)} ended with exit code {code}")


def _readable(given: list[str]) -> str:
    """The command as a person would type it in the project's folder."""
    name, *arguments = given
    return shlex.join([Path(name).name, *(argument.replace(f"{SHOP}{os.sep}", "") for argument in arguments)])
