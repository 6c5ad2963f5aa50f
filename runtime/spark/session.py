"""How the Spark session is made: local[*] by default, any master by configuration. Executors of another machine get our
packages by themselves.

Runs in the driver; starts the JVM (`spark.java`).
"""

from __future__ import annotations

import logging
import os
import re
import signal
import sys
import threading
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

from shardwright.runtime.failures import CROSSING_SECRET, CROSSING_VARIABLE, RuntimeFailure
from shardwright.runtime.mysql.secret_files import carry_files
from shardwright.runtime.spark import worker_daemon
from shardwright.runtime.spark.archive import OPTION, archive_options
from shardwright.runtime.spark.cluster import prepare_cluster
from shardwright.runtime.spark.java import begin_java, folder_options, look_for_java, require_pyspark, use_java
from shardwright.runtime.spark.scratch import scratch_folder
from shardwright.runtime.spark.settings import resolve_settings
from shardwright.specs.environment.environment import SparkSettings

if TYPE_CHECKING:
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

STREAM_POOL: Final = "stream"
SNAPSHOT_POOL: Final = "snapshot"
_CALL_SITES: Final = ("callSite.short", "callSite.long")
_STARTING = threading.Lock()
"""Sources ask for the session from several threads: one at a time may start Java."""

_DEFAULTS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    # Snapshot and stream share one session: without fair pools the chunks would starve the stream.
    "spark.scheduler.mode": "FAIR",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    # Batches are small and their queries known: replanning between stages costs more than it gives.
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.streaming.metricsEnabled": "false",
    # Spark 4 keeps constraints of columns that a checkpointed frame no longer has, and fails on them in a union.
    "spark.sql.constraintPropagation.enabled": "false",
    "spark.sql.catalogImplementation": "in-memory",
    # Names such as `table` and `offset` come quoted from the plan; identifiers keep their case.
    "spark.sql.caseSensitive": "true",
    "spark.python.worker.reuse": "true",
    # A batch generates more classes than the default cache of 100 holds: each would be compiled again for every batch.
    "spark.sql.codegen.cache.maxEntries": "5000",
    # Merging keeps rows and lists in its buffers: a map of 100,000 such buffers costs twice what sorting the events
    # does.
    "spark.sql.execution.useObjectHashAggregateExec": "false",
    # Cached events are read once or twice and forgotten: compressing them costs more than it saves.
    "spark.sql.inMemoryColumnarStorage.compressed": "false",
    "spark.log.level": "ERROR",
}
_REDACTED = "(?i)secret|password|token|access[.]?key"
"""Spark's own pattern."""


def begin_spark(settings: SparkSettings, *, daemon: str = worker_daemon.MODULE) -> None:
    """Starts Java for a `start_spark` with the same arguments, which comes later. Returns at once, and raises nothing
    that `start_spark` does not raise."""
    options, hidden = _spark_options(settings, {}, daemon)
    begin_java(_visible_options(options, hidden), scratch_folder())


def start_spark(
    settings: SparkSettings,
    *,
    name: str,
    extra: Mapping[str, str] | None = None,
    daemon: str = worker_daemon.MODULE,
    workers: bool = False,
) -> SparkSession:
    """A session with the environment's settings. `daemon`: the module that workers on this machine are forked from.
    `workers`: they begin at once. Raises RuntimeFailure (SW8059) when pyspark is not installed, (SW8011) when Java does
    not start."""
    require_pyspark()
    _require_java()
    scratch = scratch_folder()
    options, hidden = _spark_options(settings, extra or {}, daemon)
    carry_files(to_other_machines=not on_this_machine(settings))
    with _STARTING, _own_interrupts():
        begin_java(_visible_options(options, hidden), scratch)
        import pyspark.testing.utils  # noqa: F401 - PySpark needs it, and pandas with it, for its first call of Java
        from pyspark import SparkConf, SparkContext
        from pyspark.sql import SparkSession

        builder = SparkSession.builder.appName(name)
        for key, value in options.items():
            builder = builder.config(key, value)
        _no_traces_of_theirs()
        with use_java():
            if workers and on_this_machine(settings) and SparkContext._active_spark_context is None:
                _begin_workers(SparkContext.getOrCreate(SparkConf().setAppName(name).setAll([*options.items()])))
            session = builder.getOrCreate()
        session.sparkContext.setLogLevel("ERROR")
        _keep_call_sites()
        if not on_this_machine(settings):
            prepare_cluster(session, scratch, asked=settings.conf)
    return session


def assign_pool(context: SparkContext, pool: str) -> None:
    """Of the jobs that this thread starts from now on. Spark's pages show the pool as the place that they are called
    from: otherwise Spark looks for that place in Java's stack whenever it makes an RDD. In a young Java that took a
    sixth of the driver's time for small batches."""
    for name in ("spark.scheduler.pool", *_CALL_SITES):
        context.setLocalProperty(name, pool)


def _keep_call_sites() -> None:
    """PySpark gives each job of its own the place in Python's stack, and forgets what `assign_pool` has set. From now
    on it leaves that alone, as it does in calls that are within its own."""
    from pyspark.traceback_utils import SCCallSiteSync

    SCCallSiteSync._spark_stack_depth += 1


def _begin_workers(context: SparkContext) -> None:
    """The process that Python's workers are forked from imports what they need while Spark loads its SQL."""

    def begin() -> None:
        with suppress(Exception):  # the first query meets the same failure, and says so
            context.parallelize([0], 1).count()

    threading.Thread(target=begin, daemon=True).start()


def _visible_options(options: Mapping[str, str], hidden: Collection[str]) -> dict[str, str]:
    """What may be on Java's command line, which every account of the machine can read."""
    return {name: value for name, value in options.items() if name not in hidden}


def _spark_options(
    settings: SparkSettings, extra: Mapping[str, str], daemon: str
) -> tuple[dict[str, str], frozenset[str]]:
    """What Spark is started with, and which of it is secret. Sets the variables that Java and the workers inherit.
    Raises InputAtFault (SW7003)."""
    scratch = str(scratch_folder())
    found = resolve_settings(settings, os.environ)
    options = {
        **_DEFAULTS,
        "spark.master": settings.master,
        "spark.sql.shuffle.partitions": str(os.cpu_count() or 2),
        "spark.sql.warehouse.dir": scratch,
        "spark.driver.extraJavaOptions": folder_options(scratch),
        OPTION: _java_options(),
        # As Spark's SQL has it for its workers: all workers of equal environments are forked from one process.
        "spark.executorEnv.SPARK_SIMPLIFIED_TRACEBACK": "1",
        **extra,
        **found.values,
    }
    if settings.master.startswith("local"):
        # The workers must find this very package: the interpreter that runs us, not the first python3 on the PATH.
        options.setdefault("spark.pyspark.python", sys.executable)
        options.setdefault("spark.pyspark.driver.python", sys.executable)
        os.environ["PYSPARK_PYTHON"] = options["spark.pyspark.python"]
        if on_this_machine(settings):
            options.setdefault("spark.python.daemon.module", daemon)
            options.setdefault("spark.local.dir", scratch)
            # Every account of the machine can connect to Spark's ports: without the secret it could fetch passwords and
            # rows. A cluster has a secret of its own, or none: `preflight` warns.
            options.setdefault("spark.authenticate", "true")
        options.setdefault("spark.driver.bindAddress", "127.0.0.1")
        options.setdefault("spark.driver.host", "127.0.0.1")
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    elif interpreter := options.get("spark.pyspark.python"):
        # Spark reads the setting in spark-submit alone; tasks follow this process's environment.
        os.environ["PYSPARK_PYTHON"] = interpreter
    if not on_this_machine(settings):
        for variable, value in (worker_daemon.MEMORY, (CROSSING_VARIABLE, CROSSING_SECRET)):
            options.setdefault(f"spark.executorEnv.{variable}", value)
    if found.hidden:  # Spark's page and its logs of events show no value of a setting whose name this finds
        names = "|".join(re.escape(name) for name in sorted(found.hidden))
        options.setdefault("spark.redaction.regex", f"{_REDACTED}|{names}")
    return options, found.hidden


def _java_options() -> str:
    """With its own thresholds Java compiles half of Spark, most of which runs a few hundred times only; that takes most
    of its processor time in the first half minute. Rows come by the hundred thousand, so the code that works on them
    also passes three times the thresholds. Ten times is too much for the stream (docs/performance.md)."""
    return " ".join(filter(None, [archive_options(), "-XX:CompileThresholdScaling=3"]))


def on_this_machine(settings: SparkSettings) -> bool:
    """True for `local`, `local[4]`, `local[*]`; not for `local-cluster`, whose executors are processes of their own."""
    return settings.master == "local" or settings.master.startswith("local[")


def _require_java() -> None:
    """Raises RuntimeFailure (SW8011) where Spark would find no Java to start."""
    program, where = look_for_java()
    if program is None:
        raise RuntimeFailure(
            "SW8011", f"Spark needs Java 17 or newer: {where}. Install one, or set JAVA_HOME to its folder"
        )


def _no_traces_of_theirs() -> None:
    """Suppress the traces that Py4J logs and PySpark's accumulator server prints when Java is killed: we report the
    exception."""
    from pyspark.accumulators import AccumulatorTCPServer

    logging.getLogger("py4j").setLevel(logging.CRITICAL)
    logging.getLogger().addFilter(lambda record: "py4j" not in record.pathname)
    server: Any = AccumulatorTCPServer
    server.handle_error = lambda *_arguments: None


@contextmanager
def _own_interrupts() -> Iterator[None]:
    """Keep SIGINT for this process: PySpark takes it for itself, and we take it back."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handler = signal.getsignal(signal.SIGINT)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
