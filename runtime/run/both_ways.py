"""How does one process run a migration in both directions? Two runs under one permit: each has its own plan, ledgers
and fencing token, and both share Spark, the reporter and their end. Where one fails, the other one ends, too.

Runs in the driver, a thread for each run.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Final

from shardwright.runtime.run.order import RunResult
from shardwright.runtime.run.run import Run

_LOOK_EVERY: Final = 0.1


def execute_together(runs: Sequence[Run], *, stop: threading.Event, halt: threading.Event) -> RunResult:
    """The result of the first run. `stop` is the operator's; `halt` is what the runs end by. Raises the first failure,
    once both have ended. A side that cannot be reached stops both directions: each of them needs both sides."""
    if len(runs) == 1 and halt is stop:
        return runs[0].execute()
    with ThreadPoolExecutor(len(runs), thread_name_prefix="direction") as pool:
        at_work: list[Future[RunResult]] = [pool.submit(run.execute) for run in runs]
        failed: Future[RunResult] | None = None
        left = set(at_work)
        while left:
            done, left = wait(left, timeout=_LOOK_EVERY, return_when=FIRST_COMPLETED)
            failed = failed or next((one for one in done if one.exception() is not None), None)
            if stop.is_set() or failed is not None:
                halt.set()
    return (failed or at_work[0]).result()
