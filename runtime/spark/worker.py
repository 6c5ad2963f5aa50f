"""What a Spark worker has imported is no garbage.

PySpark's workers collect garbage after every task, and look at every object that the imported libraries hold each time: some 40 ms of
processor time, as much as staging a small batch takes. What stands when a worker's second task begins is left out from then on.
"""

from __future__ import annotations

import gc

_SETTLED = 2
_tasks = 0


def task_begins() -> None:
    """Called first by the functions that run in a task for every batch."""
    global _tasks
    _tasks += 1
    if _tasks == _SETTLED:  # the first one has imported what is imported late
        gc.freeze()
