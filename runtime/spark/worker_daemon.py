"""What Spark forks our Python workers from, on one machine: a process that has imported beforehand what every task
needs.

Runs as a process of its own, which Spark's JVM starts; touches no server.

A thread that holds a lock while a process forks holds it for ever in the child. PySpark imports nothing before it
forks, since Arrow and OpenBLAS start threads when they are imported. Settings keep them from starting any. If there is
a thread all the same, this process becomes PySpark's own daemon.

Spark puts archives before all other entries of the module search path: a copy of PySpark's sources, which Python
compiles again in every such process, and a jar. Every worker reads their directories again. Archives inside the package
that is installed are left out.

Workers collect garbage after every task. What is there before a fork is left out of that: to look at an object means to
copy its page of memory into the worker.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

MODULE: Final = "shardwright.runtime.spark.worker_daemon"
MEMORY: Final = ("ARROW_DEFAULT_MEMORY_POOL", "system")
"""Arrow's own allocator asks the kernel for huge pages; to clear them takes as long as all other work on a chunk's
rows."""
_SETTINGS: Final = dict([MEMORY, ("OPENBLAS_NUM_THREADS", "1"), ("JE_ARROW_MALLOC_CONF", "background_thread:false")])
_IMPORTED: Final = (
    "pyspark.worker",
    "pyspark.sql.pandas.serializers",
    "pyarrow.compute",
    "pandas",
)


def leave_copies_out(path: list[str]) -> list[str]:
    """The module search path without the archives inside a package `pyspark` that is found without them."""
    packages = [Path(entry) / "pyspark" for entry in path]
    return [entry for entry in path if not any(package in Path(entry).parents for package in packages)]


def import_all(import_tasks: Callable[[], None] = lambda: None) -> int:
    """Import what every task needs, and what `import_tasks` imports: the functions that a room's tasks run. Returns how
    many threads this process has then. With more than one, nothing may be forked from it."""
    for name, value in _SETTINGS.items():
        os.environ.setdefault(name, value)
    found = [*sys.path]
    sys.path[:] = leave_copies_out(found)
    for entry in {*found} - {*sys.path}:
        sys.path_importer_cache.pop(entry, None)
    for name in _IMPORTED:
        importlib.import_module(name)
    import_tasks()
    threads = Path("/proc/self/task")
    return len(list(threads.iterdir())) if threads.exists() else 1


def serve(import_tasks: Callable[[], None] = lambda: None) -> None:
    """Be the daemon. Called as `pyspark.daemon` is, with the name of the workers' module."""
    if import_all(import_tasks) == 1:
        from pyspark import daemon

        gc.collect()
        gc.freeze()
        daemon.manager()
    else:
        os.execv(sys.executable, [sys.executable, "-m", "pyspark.daemon", *sys.argv[1:]])


if __name__ == "__main__":
    serve()
