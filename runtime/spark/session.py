"""How the Spark session is made: local[*] by default, any master by configuration. Executors of another machine get our
packages by themselves.

Runs in the driver; starts the JVM, and writes Spark's log to scratch.
"""

from __future__ import annotations

import logging
import os
import shutil
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shardwright.runtime.failures import CROSSING_SECRET, CROSSING_VARIABLE, RuntimeFailure
from shardwright.runtime.mysql.secret_files import carry_files
from shardwright.runtime.spark import worker_daemon
from shardwright.runtime.spark.archive import OPTION, archive_options
from shardwright.runtime.spark.cluster import prepare_cluster
from shardwright.runtime.spark.scratch import scratch_folder
from shardwright.specs.environment.environment import SparkSettings

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

STREAM_POOL = "stream"
SNAPSHOT_POOL = "snapshot"
_STARTING = threading.Lock()
"""Sources ask for the session from several threads; one at a time may redirect the process's stderr."""

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


def start_spark(
    settings: SparkSettings, *, name: str, extra: Mapping[str, str] | None = None, daemon: str = worker_daemon.MODULE
) -> SparkSession:
    """A session with the environment's settings. `daemon`: the module that workers on this machine are forked from.
    Raises RuntimeFailure (SW8004) when pyspark is not installed."""
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        message = "this command needs Spark: pip install 'shardwright[runtime]'"
        raise RuntimeFailure("SW8004", message) from None
    cores = os.cpu_count() or 2
    builder = SparkSession.builder.master(settings.master).appName(name)
    scratch = str(scratch_folder())
    options = {
        **_DEFAULTS,
        "spark.sql.shuffle.partitions": str(cores),
        "spark.sql.warehouse.dir": scratch,
        "spark.driver.extraJavaOptions": (
            f"-Dderby.system.home={scratch} -Djava.io.tmpdir={scratch} -XX:ReservedCodeCacheSize=240m"
        ),
        OPTION: _java_options(),
        **(extra or {}),
        **settings.conf,
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
        for name, value in (worker_daemon.MEMORY, (CROSSING_VARIABLE, CROSSING_SECRET)):
            options.setdefault(f"spark.executorEnv.{name}", value)
    carry_files(to_other_machines=not on_this_machine(settings))
    for key, value in options.items():
        builder = builder.config(key, value)
    with _STARTING, _stderr_to(Path(scratch) / "spark.log"), _own_signals(), _inherited_by_workers(scratch), _private():
        _no_traces_of_theirs()
        _require_java()
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("ERROR")
        if not on_this_machine(settings):
            prepare_cluster(session, Path(scratch), asked=settings.conf)
    return session


def _java_options() -> str:
    """With its own thresholds Java compiles half of Spark, most of which runs a few hundred times only; that takes most
    of its processor time in the first half minute. Rows come by the hundred thousand, so the code that works on them
    also passes three times the thresholds. Ten times is too much for the stream (docs/performance.md)."""
    return " ".join(filter(None, [archive_options(), "-XX:CompileThresholdScaling=3"]))


def on_this_machine(settings: SparkSettings) -> bool:
    """True for `local`, `local[4]`, `local[*]`; not for `local-cluster`, whose executors are processes of their own."""
    return settings.master == "local" or settings.master.startswith("local[")


def _require_java() -> None:
    """Raises RuntimeFailure (SW8011) where Spark would find no Java to start: it searches JAVA_HOME, then the PATH."""
    home = os.environ.get("JAVA_HOME")
    program = shutil.which("java", path=os.path.join(home, "bin")) if home else shutil.which("java")
    if program is None:
        where = f"JAVA_HOME is {home}, and there is no bin/java in it" if home else "there is no java on the PATH"
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
def _own_signals() -> Iterator[None]:
    """Keep signals for this process. An operator or a supervisor may signal the whole process group: only this process
    may answer, by ending the current unit of work. PySpark takes SIGINT for itself (and starts the JVM with SIGINT
    ignored): we take it back. The JVM would end at SIGTERM, so it starts with SIGTERM ignored, and keeps it ignored. A
    SIGTERM for us is blocked meanwhile, and waits."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)


@contextmanager
def _private() -> Iterator[None]:
    """Java and Python's workers inherit the umask, so that no other account may read what they write, wherever that
    is."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


@contextmanager
def _inherited_by_workers(folder: str) -> Iterator[None]:
    """The JVM, and the Python workers that it starts, inherit the folder for their temporary files, and the secret by
    which their failures are recognised (`runtime.failures`). Our own environment is restored afterwards."""
    inherited = {"TMPDIR": folder, CROSSING_VARIABLE: CROSSING_SECRET}
    before = {name: os.environ.get(name) for name in inherited}
    os.environ.update(inherited)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


@contextmanager
def _stderr_to(file: Path) -> Iterator[None]:
    """The JVM inherits our stderr when it starts, and would write its own messages between our lines until it ends: it
    gets a file instead. Failures reach us as exceptions."""
    sys.stderr.flush()
    ours = os.dup(2)
    log = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(log, 2)
    os.close(log)
    try:
        yield
    finally:
        os.dup2(ours, 2)
        os.close(ours)
