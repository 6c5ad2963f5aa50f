"""Named places where a test may stop or kill the real process: every persisted step has one on each side (hazard A1).

Set in the environment, inherited by Spark's Python workers:

  SHARDWRIGHT_FAILPOINTS="after-chunk-read=wait:/tmp/gate;before-upsert=kill"

`wait:PATH` announces itself by creating PATH.reached and goes on when PATH exists; `kill` ends the process with
SIGKILL; `error` raises. Without the variable a failpoint is one dictionary look-up.
"""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Final

from shardwright.runtime.failures import StoppedPartWay

VARIABLE: Final = "SHARDWRIGHT_FAILPOINTS"

NAMES: Final = (
    "before-open-batch",
    "after-open-batch",
    "before-stage",
    "after-stage",
    "before-mark-staged",
    "after-mark-staged",
    "before-delete",
    "after-delete",
    "before-upsert",
    "after-upsert",
    "before-late",
    "after-late",
    "before-vacate",
    "after-vacate",
    "before-close-batch",
    "after-close-batch",
    "after-children-read",
    "after-book-filled",
    "before-chunk-read",
    "after-chunk-read",
    "before-chunk-commit",
    "after-chunk-commit",
    "after-chunk-done",
    "after-snapshot-done",
)


def failpoint(name: str, qualifier: str = "") -> None:
    """Do what the environment asks for at `name`, or at `name@qualifier` (a table, or a shard's database)."""
    wanted = os.environ.get(VARIABLE)
    if not wanted:
        return
    actions = dict(item.split("=", 1) for item in wanted.split(";") if item)
    action = actions.get(f"{name}@{qualifier}") or actions.get(name)
    if action is None:
        return
    if action == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if action == "error":
        raise StoppedPartWay("SW8399", f"failpoint {name}")
    _wait_for(Path(action.removeprefix("wait:")))


def _wait_for(gate: Path) -> None:
    gate.with_name(gate.name + ".reached").touch()
    deadline = time.monotonic() + 300
    while not gate.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
