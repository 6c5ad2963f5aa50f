"""Threads that ask servers: at most so many at a time, and none that the end of the process waits for."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest

from shardwright.runtime.watch.ask import AskingThreads

_SILENT_SERVER = """
import threading
from shardwright.runtime.watch.ask import AskingThreads

begun, never = threading.Event(), threading.Event()
AskingThreads(1).submit(lambda: (begun.set(), never.wait()))
assert begun.wait(10)
"""


def test_g7_the_end_of_the_process_does_not_wait_for_a_silent_server() -> None:
    subprocess.run([sys.executable, "-c", _SILENT_SERVER], timeout=60, check=True)


def test_at_most_so_many_are_asked_at_a_time_and_failures_are_passed_on() -> None:
    threads, free, together = AskingThreads(2), threading.Lock(), []

    def ask(number: int) -> int:
        with free:
            together.append(number)
            assert len(together) <= 2
        threading.Event().wait(0.01)
        with free:
            together.remove(number)
        return 10 // number

    found = [threads.submit(ask, number) for number in (1, 2, 0, 5, 10)]
    assert [answer.result() for answer in found if answer is not found[2]] == [10, 5, 2, 1]
    with pytest.raises(ZeroDivisionError):
        found[2].result()
