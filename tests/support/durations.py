"""How long does each file of tests take? Kept in `tests/durations.json`, as the last whole run on record has it.

`SHARDWRIGHT_WRITE_DURATIONS=1 make test PYTEST_ARGS=-v` writes it: with arguments, a run has the tests of all turns.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

FILE = Path(__file__).parents[1] / "durations.json"
_LEAST = 1.0
"""Seconds from which on a file is worth a line."""


class Durations:
    """A pytest plugin. With xdist only the process that hands out the tests has all reports."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid.partition("::")[0]] += report.duration

    def pytest_sessionfinish(self, session: Any) -> None:
        if os.environ.get("SHARDWRIGHT_WRITE_DURATIONS") == "1" and not hasattr(session.config, "workerinput"):
            longest = sorted(self.seconds.items(), key=lambda item: -item[1])
            found = {name: round(seconds) for name, seconds in longest if seconds >= _LEAST}
            FILE.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
