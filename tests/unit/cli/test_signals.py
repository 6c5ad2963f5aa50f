"""A command whose terminal is gone ends in good order, as one that a supervisor ends."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.waiting import wait_until

_SHARED = """
import pathlib, sys, threading, time
from shardwright.runtime.cli.signals import end_on_signals, stop_on_signals
begun, ended = map(pathlib.Path, sys.argv[1:])
def until(done):
    begun.write_text("")
    end = time.monotonic() + 60
    while not done() and time.monotonic() < end:
        time.sleep(0.01)
"""
_RUN = f"""{_SHARED}
stop = threading.Event()
stop_on_signals(stop)
until(stop.is_set)
print("a line after it", file=sys.stderr, flush=True)
ended.write_text(str(stop.is_set()))
"""
_APPLY = f"""{_SHARED}
end_on_signals()
try:
    until(lambda: False)
except KeyboardInterrupt:
    print("a line after it", file=sys.stderr, flush=True)
    ended.write_text("True")
"""


def _wait_for(file: Path) -> None:
    wait_until(f"{file} is there", file.exists, seconds=60)


@pytest.mark.parametrize("program", [_RUN, _APPLY])
def test_s17_a_terminal_that_is_gone_ends_a_command_in_good_order(tmp_path: Path, program: str) -> None:
    begun, ended = tmp_path / "begun", tmp_path / "ended"
    process, terminal = pty.fork()
    if not process:
        os.execv(sys.executable, [sys.executable, "-c", program, str(begun), str(ended)])
    _wait_for(begun)
    os.close(terminal)
    _, status = os.waitpid(process, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert ended.read_text() == "True"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("program", [_RUN, _APPLY])
def test_s17_a_signal_ends_a_command_in_good_order(tmp_path: Path, program: str, number: signal.Signals) -> None:
    begun, ended = tmp_path / "begun", tmp_path / "ended"
    words = [sys.executable, "-c", program, str(begun), str(ended)]
    with subprocess.Popen(words, stderr=subprocess.PIPE) as process:
        _wait_for(begun)
        process.send_signal(number)
        said = process.communicate(timeout=60)[1]
    assert (process.returncode, ended.read_text()) == (0, "True")
    assert b"a line after it" in said


def test_s17_a_command_under_nohup_continues(tmp_path: Path) -> None:
    begun, ended = tmp_path / "begun", tmp_path / "ended"
    words = ["nohup", sys.executable, "-c", _RUN, str(begun), str(ended)]
    with subprocess.Popen(words, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        _wait_for(begun)
        process.send_signal(signal.SIGHUP)
        time.sleep(0.3)
        assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
    assert ended.read_text() == "True"
