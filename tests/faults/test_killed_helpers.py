"""Spark's processes killed, as the system does for lack of memory: the run tries again, or ends with one sentence and
resumes (hazard A2).
"""

from __future__ import annotations

import os
import re
import signal
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.servers.testbed import Arena
from tests.support.case import Case
from tests.support.job import find_descendants

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow, pytest.mark.cold]

SETUP = (
    "CREATE TABLE a (id INT PRIMARY KEY, v INT) DEFAULT CHARSET=utf8mb4",
    "INSERT INTO a VALUES (1, 1), (2, 2), (3, 3)",
)


def _kill(root: int, program: str) -> int:
    """SIGKILL to the processes below `root` that execute `program`; how many there were. What else is in a command line
    says little: the workers' module is among Java's arguments, too."""
    found = 0
    for pid in find_descendants(root):
        with suppress(OSError):
            executed = Path(f"/proc/{pid}/cmdline").read_bytes().partition(b"\0")[0].decode(errors="replace")
            if Path(executed).name.startswith(program):
                os.kill(pid, signal.SIGKILL)
                found += 1
    return found


@pytest.mark.long
def test_killed_python_workers_are_tried_again_and_a_killed_java_ends_the_run_in_a_sentence(
    arena: Arena, tmp_path: Path
) -> None:
    case = Case(arena, tmp_path, "tables:\n  - {table: a, sharding: by_id}", setup=SETUP)
    case.plan()
    log = tmp_path / "background.log"
    with (
        pytest.raises(AssertionError, match="it ended by itself with 5"),
        case.call_in_background("run", "--env", "test", "--until", "forever") as run,
    ):
        case.wait_until_caught_up()
        for number in (4, 5):
            case.write(f"INSERT INTO a VALUES ({number}, {number})")
            case.wait_until_caught_up()
            assert _kill(run.pid, "python"), number
        case.write("UPDATE a SET v = 10")
        case.wait_until_caught_up()
        assert run.poll() is None
        case.require_equal("a")
        assert _kill(run.pid, "java")
        case.write("UPDATE a SET v = 11")
        end = time.monotonic() + 120
        while run.poll() is None and time.monotonic() < end:
            time.sleep(0.2)
    reported = log.read_text()
    assert "Traceback" not in reported and "SW9000" not in reported, reported
    assert re.search(r"error SW8308: Spark's Java process is gone", reported), reported
    case.run()
    case.require_equal("a")
