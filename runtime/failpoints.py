"""Named places where a test may stop or kill the real process: every persisted step has one on each side (hazard A1).

Set in the environment, inherited by Spark's Python workers:

  SHARDWRIGHT_FAILPOINTS="after-chunk-read=wait:/tmp/gate;before-upsert=kill"

`wait:PATH` announces itself by creating PATH.reached and goes on when PATH exists; `kill` ends the process with
SIGKILL; `error` raises; `trip:PATH` raises once when PATH exists, and removes it. Without the variable a failpoint is
one dictionary look-up.
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
    # all but those of a procedure, which its steps have
    # a run begins
    "before-take-over",
    "after-take-over",
    "after-bookkeeping",
    "before-rows-removed",
    "after-rows-removed",
    "after-lookup-table-filled",
    "before-lookup-tables-recorded",
    "after-counted-rows-staged",
    "after-counted-stage-recorded",
    "before-counted-batch-staged",
    "after-counted-batch-staged",
    "after-begin-on-shard",
    "before-begin",
    "after-begin",
    # a cutover is given up
    "before-give-up",
    "before-opened",
    # what the one before it has left
    "after-stage-cleared",
    "before-discard",
    "after-discard",
    "before-finish-batch",
    "after-finish-batch",
    "after-chunks-forgotten",
    # copying
    "before-weight",
    "after-weight",
    "before-chunk-planned",
    "after-chunk-planned",
    "before-chunk-read",
    "after-chunk-read",
    "before-chunk-commit",
    "after-chunk-commit",
    "before-chunk-done",
    "after-chunk-done",
    "before-snapshot-done",
    "after-snapshot-done",
    "before-tombstones-dropped",
    "after-tombstones-dropped",
    "before-indexes-built",
    "after-indexes-built",
    # Dead letters
    "after-row-held",
    "after-held-row-taken-out",
    "after-held-events-recorded",
    "before-dead-letters-read",
    "after-dead-letters-read",
    "after-dead-letter-answered",
    # rounds of both directions
    "before-round-recorded",
    "after-round-recorded",
    "before-round-closed",
    "after-refused-rows-held",
    "after-round-closed",
    # a table that is copied again
    "before-recopy-recorded",
    "after-recopy-recorded",
    "after-recopy-shard-cleared",
    "before-recopy-begun",
    "after-recopy-begun",
    # DDL in the stream
    "after-new-table-recorded",
    "after-stream-ddl-begun",
    "after-stream-ddl-routed",
    "before-rows-emptied",
    "after-rows-emptied",
    "after-stream-ddl-passed",
    "before-plan-adopted",
    "after-plan-adopted",
    # another server
    "after-lost-rows-read",
    # a batch
    "before-looking-ahead",
    "before-open-batch",
    "after-open-batch",
    "after-children-read",
    "before-rows-read-again",
    "after-rows-read-again",
    "before-stage",
    "after-stage",
    "before-mark-staged",
    "after-mark-staged",
    "before-upsert",
    "after-upsert",
    "before-deferred",
    "after-deferred",
    "before-delete",
    "after-delete",
    "before-move-out",
    "after-move-out",
    "before-close-batch",
    "after-close-batch",
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
    if action == "error" or (action.startswith("trip:") and _trips(Path(action.removeprefix("trip:")))):
        raise StoppedPartWay("SW8399", f"failpoint {name}")
    if action.startswith("trip:"):
        return
    _wait_for(Path(action.removeprefix("wait:")))


def _trips(wire: Path) -> bool:
    """Whether the wire was stretched; of several who come by at once, one takes it along."""
    try:
        wire.unlink()
    except FileNotFoundError:
        return False
    return True


def _wait_for(gate: Path) -> None:
    gate.with_name(gate.name + ".reached").touch()
    deadline = time.monotonic() + 300
    while not gate.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
