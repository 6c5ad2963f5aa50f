"""What does Spark fork its Python workers from where chunks are copied? From a process that has imported the functions
that read and write them (`spark.worker_daemon`).

Runs beside the driver, as a process of its own; writes nothing.
"""

from __future__ import annotations

from typing import Final

from shardwright.runtime.spark.worker_daemon import serve

MODULE: Final = "shardwright.runtime.snapshot.worker_daemon"


def import_tasks() -> None:
    """Imports when it is called, not when this module is imported: the driver needs only the module's name."""
    from shardwright.runtime.snapshot import read, write

    assert read and write


if __name__ == "__main__":
    serve(import_tasks)
