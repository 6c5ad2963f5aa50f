"""The Spark session: local[*] by default, any master by configuration."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Mapping
from typing import TYPE_CHECKING

from shardwright.runtime.failures import RuntimeFailure
from shardwright.specs.environment import SparkSettings

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

STREAM_POOL = "stream"
SNAPSHOT_POOL = "snapshot"

_DEFAULTS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    # Snapshot and stream share one session: without fair pools the chunks would starve the stream.
    "spark.scheduler.mode": "FAIR",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.sql.adaptive.enabled": "true",
    "spark.sql.streaming.metricsEnabled": "false",
    "spark.sql.catalogImplementation": "in-memory",
    # Names such as `table` and `offset` come quoted from the plan; identifiers keep their case.
    "spark.sql.caseSensitive": "true",
    "spark.python.worker.reuse": "true",
    "spark.log.level": "ERROR",
}


def start_spark(settings: SparkSettings, *, name: str, extra: Mapping[str, str] | None = None) -> SparkSession:
    """A session as the environment asks for it. Raises RuntimeFailure (SW8004) when pyspark is not installed."""
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        message = "this command needs Spark: pip install 'shardwright[runtime]'"
        raise RuntimeFailure("SW8004", message) from None
    cores = os.cpu_count() or 2
    builder = SparkSession.builder.master(settings.master).appName(name)
    scratch = tempfile.mkdtemp(prefix="shardwright-spark-")
    options = {
        **_DEFAULTS,
        "spark.sql.shuffle.partitions": str(cores),
        "spark.sql.warehouse.dir": scratch,
        "spark.driver.extraJavaOptions": f"-Dderby.system.home={scratch} -Dlog4j2.level=ERROR",
        **(extra or {}),
        **settings.conf,
    }
    if settings.master.startswith("local"):
        # The workers must find this very package: the interpreter that runs us, not the first python3 on the PATH.
        options.setdefault("spark.pyspark.python", sys.executable)
        options.setdefault("spark.pyspark.driver.python", sys.executable)
        os.environ["PYSPARK_PYTHON"] = options["spark.pyspark.python"]
        options.setdefault("spark.driver.bindAddress", "127.0.0.1")
        options.setdefault("spark.driver.host", "127.0.0.1")
    for key, value in options.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session
