"""What does Spark fork the Python workers of a run from? From a process that has imported the functions that read and
write chunks, read the log and stage batches (`spark.worker_daemon`).

Runs beside the driver, as a process of its own; writes nothing.
"""

from __future__ import annotations

from typing import Final

from shardwright.runtime.spark.worker_daemon import serve

MODULE: Final = "shardwright.runtime.run.worker_daemon"


def import_tasks() -> None:
    """Imports when it is called, not when this module is imported: the driver needs only the module's name."""
    from shardwright.runtime.snapshot import read, write
    from shardwright.runtime.sources.binlog import log_frame
    from shardwright.runtime.stream.stage import lookup, stage

    assert read and write and log_frame and lookup and stage


if __name__ == "__main__":
    serve(import_tasks)
