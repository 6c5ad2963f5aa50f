"""What Spark forks our Python workers from, on one machine: it has imported beforehand what every task needs, for all of them.

Only what starts no thread: a thread that holds a lock while a process forks holds it for ever in the child. Arrow starts one, so each worker
imports it for itself, as PySpark does.
"""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from typing import Final

MODULE: Final = "shardwright.runtime.worker_daemon"
_IMPORTED: Final = (
    "numpy",
    "pyspark.worker",
    "shardwright.compiler.plan",
    "shardwright.runtime.connections",
    "shardwright.runtime.job_words",
    "shardwright.runtime.snapshot.chunks",
    "shardwright.runtime.snapshot.told_chunk",
    "shardwright.runtime.stream.kept_connections",
    "shardwright.runtime.transactions",
)


def import_all() -> int:
    """Returns how many threads this process has then: one, or nothing may be forked from it."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for name in _IMPORTED:
        importlib.import_module(name)
    threads = Path("/proc/self/task")
    return len(list(threads.iterdir())) if threads.exists() else 1


def main() -> None:
    """As `pyspark.daemon` is called: with the name of the workers' module."""
    from pyspark import daemon

    if import_all() == 1:
        daemon.manager()
    else:
        os.execv(sys.executable, [sys.executable, "-m", "pyspark.daemon", *sys.argv[1:]])


if __name__ == "__main__":
    main()
