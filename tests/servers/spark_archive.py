"""Tests start Spark more than a hundred times: from the machine's archive of classes, and without Java's full compiler.

`python -m tests.servers.spark_archive` makes the archive when it is not there.
"""

from __future__ import annotations

import os
import sys

from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.spark.archive import OPTION, archive_options, make_archive

SHORT_RUNS = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"
"""They end before the full compiler is worth its time."""


def use_archive() -> None:
    """For every JVM that PySpark starts in this process or a child of it."""
    os.environ.setdefault("SPARK_LAUNCHER_OPTS", SHORT_RUNS)  # of the JVM that only puts Spark's command together
    options = " ".join(filter(None, (archive_options(), SHORT_RUNS)))
    os.environ.setdefault("PYSPARK_SUBMIT_ARGS", f"--conf {OPTION}='{options}' pyspark-shell")


if __name__ == "__main__":
    try:
        print(make_archive(), file=sys.stderr)
    except RuntimeFailure as error:
        print(error, file=sys.stderr)  # tests only take longer
