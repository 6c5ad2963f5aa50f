"""Which objects a Spark worker's garbage collector leaves out: those that exist when the worker's second task begins,
such as imported libraries.

Runs in Spark tasks; touches no server. PySpark's workers collect garbage after every task, and examine every object of
the imported libraries each time: some 40 ms of processor time, as much as staging a small batch takes.
"""

from __future__ import annotations

import gc

_SETTLED = 2
_tasks = 0


def task_begins() -> None:
    """Count a task. The functions that run in a task for every batch call this first."""
    global _tasks
    _tasks += 1
    if _tasks == _SETTLED:  # the first one has imported what is imported late
        gc.freeze()
