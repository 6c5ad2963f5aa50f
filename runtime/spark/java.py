"""The Java process of Spark's driver. It starts as PySpark starts it, and this process goes on meanwhile: what Java
needs a second for is ready when Spark is asked for.

Runs in the driver; starts `spark-submit`, whose messages go to a file in scratch.
"""

from __future__ import annotations

import atexit
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from shardwright.runtime.failures import CROSSING_SECRET, CROSSING_VARIABLE, RuntimeFailure
from shardwright.runtime.spark.log import LOG

_PORT, _SECRET = "PYSPARK_GATEWAY_PORT", "PYSPARK_GATEWAY_SECRET"
"""The variables by which PySpark finds a Java that runs already."""
_BETWEEN: Final = 0.01


@dataclass(frozen=True, slots=True)
class JavaProcess:
    process: subprocess.Popen[bytes]
    options: Mapping[str, str]
    """Spark's options that it was started with."""
    answer: Path
    """The file in which it says its port and the secret."""
    log: Path

    def is_for(self, options: Mapping[str, str]) -> bool:
        return self.options == options and self.process.poll() is None


_begun: JavaProcess | None = None
"""Started, and not handed to PySpark yet."""


def require_pyspark() -> None:
    """Raises RuntimeFailure (SW8059) where it is not installed."""
    if find_spec("pyspark") is None:
        raise RuntimeFailure(
            "SW8059", 'this command needs Spark, which is not installed: pip install "shardwright[runtime]"'
        )


def look_for_java() -> tuple[str | None, str]:
    """The program that Spark would start, which searches JAVA_HOME, then the PATH; where there is none, the second says
    so."""
    home = os.environ.get("JAVA_HOME")
    program = shutil.which("java", path=os.path.join(home, "bin")) if home else shutil.which("java")
    where = f"JAVA_HOME is {home}, and there is no bin/java in it" if home else "there is no java on the PATH"
    return program, "" if program is not None else where


def begin_java(options: Mapping[str, str], folder: Path) -> None:
    """Starts Java with Spark's `options` and returns at once. Nothing where this process has one already, or has no
    Spark. `folder` is the process's scratch folder."""
    global _begun
    home = spark_home()
    if home is None or _has_java() or (_begun is not None and _begun.is_for(options)):
        return
    _end_unused()
    _begun = start_java(home, options, folder)
    atexit.register(_end_unused)


def folder_options(folder: Path | str) -> str:
    """Java's own options for a process whose temporary files go to `folder`."""
    return f"-Dderby.system.home={folder} -Djava.io.tmpdir={folder} -XX:ReservedCodeCacheSize=240m"


def start_java(home: Path, options: Mapping[str, str], folder: Path) -> JavaProcess:
    """Starts Java with Spark's `options` and returns at once. `home` is Spark's folder, `folder` takes Java's messages
    and temporary files."""
    # Not in scratch: the next run removes that of a process that was killed, and a Java that cannot answer never ends.
    answer = Path(tempfile.mkdtemp(prefix="shardwright-java-")) / "port"
    command = [str(home / "bin" / "spark-submit")]
    for name, value in options.items():
        command += ["--conf", f"{name}={value}"]
    command += shlex.split(os.environ.get("PYSPARK_SUBMIT_ARGS", "pyspark-shell"))
    # Java and the Python workers that it starts inherit all of this: the folder for temporary files, the secret by
    # which their failures are recognised, and a umask that keeps what they write from other accounts.
    environ = {
        **os.environ,
        "SPARK_CONNECT_MODE": "0",
        "_PYSPARK_DRIVER_CONN_INFO_PATH": str(answer),
        "TMPDIR": str(folder),
        CROSSING_VARIABLE: CROSSING_SECRET,
    }
    log = folder / LOG
    with os.fdopen(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab") as messages:
        # Java ends when its standard input is closed: when this process does.
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=messages,
            stderr=messages,
            env=environ,
            umask=0o077,
            preexec_fn=_ignore_signals,
        )
    return JavaProcess(process, options, answer, log)


@contextmanager
def use_java() -> Iterator[None]:
    """Within, PySpark finds the Java that `begin_java` has started, if it has. Raises RuntimeFailure (SW8011) when Java
    ends instead."""
    global _begun
    if _begun is None:
        yield
        return
    java, _begun = _begun, None
    with java_at(_answer_of(java)):
        yield
        _gateway().proc = java.process  # as where PySpark has started it


@contextmanager
def java_at(answer: bytes) -> Iterator[None]:
    """Within, PySpark finds the Java that has given this answer: its port and a secret."""
    port, length = int.from_bytes(answer[:4]), int.from_bytes(answer[4:8])
    os.environ[_PORT], os.environ[_SECRET] = str(port), answer[8 : 8 + length].decode()
    try:
        yield
    finally:
        del os.environ[_PORT], os.environ[_SECRET]


def _answer_of(java: JavaProcess) -> bytes:
    """Waits for it. Raises RuntimeFailure (SW8011)."""
    try:
        while not java.answer.exists():
            if java.process.poll() is not None:
                said = [line for line in java.log.read_text("utf-8", "replace").splitlines() if line.strip()]
                words = " | ".join(said[-3:]) or "silently"
                raise RuntimeFailure("SW8011", f"Java ended when Spark was started: {words}")
            time.sleep(_BETWEEN)
        return java.answer.read_bytes()
    finally:
        shutil.rmtree(java.answer.parent, ignore_errors=True)


def _ignore_signals() -> None:
    """In the child. An operator, a supervisor or a terminal that is gone may signal the whole process group: only the
    driver answers, by ending the current unit of work."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


def _end_unused() -> None:
    global _begun
    if _begun is not None:
        _begun.process.kill()
        _begun.process.wait()
        shutil.rmtree(_begun.answer.parent, ignore_errors=True)
        _begun = None


def _has_java() -> bool:
    return "pyspark" in sys.modules and _gateway() is not None


def _gateway() -> Any:
    from pyspark import SparkContext

    context: Any = SparkContext
    return context._gateway


def spark_home() -> Path | None:
    """As PySpark finds it, without importing it."""
    if home := os.environ.get("SPARK_HOME"):
        return Path(home)
    found = find_spec("pyspark")
    return None if found is None or found.origin is None else Path(found.origin).parent
