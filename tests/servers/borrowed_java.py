"""Spark's Java processes of a fork server: a command borrows one, and the next command gets it with another context.
Java is warm by then: it has compiled what the first commands have executed.
"""

from __future__ import annotations

import importlib
import json
import os
import shutil
import socket
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from shardwright.runtime.spark.java import JavaProcess, folder_options, java_at, spark_home, start_java
from tests.servers.forked_workers import fork_workers
from tests.support.waiting import wait_until

_MOST_CONTEXTS: Final = 60
"""Java keeps 4 MB of each command that was killed."""
_OF_JAVA_ITSELF: Final = ("spark.jars", "spark.driver.memory", "spark.driver.extraClassPath", "spark.driver.extraLib")
"""Options that Java needs at its start: only commands that have the same ones share it."""
_ANSWERS: Final = 60.0


@dataclass
class Java:
    started: JavaProcess
    kind: str
    contexts: int = 0

    @property
    def pid(self) -> int:
        return self.started.process.pid

    @property
    def answer(self) -> Path:
        return self.started.answer

    def end(self) -> None:
        self.started.process.kill()
        self.started.process.wait()
        shutil.rmtree(self.answer.parent, ignore_errors=True)

    def stop_context(self) -> int:
        """Ends what a command has left there. In a process of its own. Returns 0 when the next command may have it."""
        if not self.answer.exists():
            return 0  # nobody can have used it
        from pyspark.java_gateway import launch_gateway

        with java_at(self.answer.read_bytes()):
            gateway = launch_gateway()
        context = getattr(getattr(gateway.jvm.org.apache.spark, "SparkContext$"), "MODULE$").getActive()
        if context.isDefined():
            context.get().stop()
        session = gateway.jvm.org.apache.spark.sql.classic.SparkSession
        session.clearDefaultSession()
        session.clearActiveSession()
        properties = gateway.jvm.java.lang.System.getProperties()
        for name in list(properties.stringPropertyNames()):
            if name.startswith("spark."):
                properties.remove(name)  # the next command's settings are its own
        return 0


def _require_spark_home() -> Path:
    home = spark_home()
    assert home is not None, "there is no Spark"
    return home


@dataclass
class JavaPool:
    folder: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="shardwright-java-")))
    home: Path = field(default_factory=_require_spark_home)
    idle: list[Java] = field(default_factory=list)
    lent: list[Java] = field(default_factory=list)

    def end(self) -> None:
        for java in (*self.idle, *self.lent):
            java.end()
        shutil.rmtree(self.folder, ignore_errors=True)

    def lend(self, options: Mapping[str, str]) -> Java:
        kind = repr(sorted(item for item in options.items() if item[0].startswith(_OF_JAVA_ITSELF)))
        for java in self.idle:
            if java.kind == kind and java.started.process.poll() is None:
                self.idle.remove(java)
                break
        else:
            java = self._start(options, kind)
        java.contexts += 1
        self.lent.append(java)
        return java

    def take_back(self, java: Java, *, usable: bool) -> None:
        self.lent.remove(java)
        if usable and java.contexts < _MOST_CONTEXTS:
            self.idle.append(java)
        else:
            java.end()

    def forget(self) -> None:
        """In a process that was forked: Java ends when nobody holds its standard input any more."""
        for java in (*self.idle, *self.lent):
            if java.started.process.stdin:
                java.started.process.stdin.close()
        self.idle.clear()
        self.lent.clear()

    def _start(self, options: Mapping[str, str], kind: str) -> Java:
        own = {"spark.driver.extraJavaOptions": folder_options(self.folder)}
        return Java(start_java(self.home, {**options, **own}, self.folder), kind)


def import_what_commands_import() -> None:
    """Once, before the first fork. No thread may be started by it."""
    from shardwright.runtime.spark.worker_daemon import import_all

    verbs = ("run", "verify", "cutover", "repair", "ddl", "dead_letters", "status", "control")
    names = [f"shardwright.runtime.cli.verb_{verb}" for verb in verbs]
    threads = import_all(lambda: _import("pyspark.testing.utils", "pyspark.sql", "pyspark.accumulators", *names))
    assert threads == 1, f"{threads} threads: nothing can be forked"


def _import(*names: str) -> None:
    for name in names:
        importlib.import_module(name)


def borrow_java(server: str, environ: Mapping[str, str]) -> None:
    """In the process of a command: it has no Java of its own, unless Spark runs elsewhere. `environ`: variables that
    the workers would inherit from it."""
    from shardwright.runtime.spark import session as session_module
    from shardwright.runtime.spark.scratch import scratch_folder

    session: Any = session_module
    start_own, use_own = session.begin_java, session.use_java
    borrowed: list[str] = []

    def begin_java(options: Mapping[str, str], folder: Path) -> None:
        if not options["spark.master"].startswith("local["):
            start_own(options, folder)
        elif not borrowed:
            borrowed.append(_ask(server, {"java": dict(options), "process": os.getpid()}))

    @contextmanager
    def use_java() -> Iterator[None]:
        if not borrowed:
            with use_own():
                yield
            return
        answer = Path(borrowed[0])
        wait_until("Java has started", answer.exists, seconds=_ANSWERS)
        with java_at(answer.read_bytes()):
            yield

    def their_environ() -> dict[str, str]:
        return {**environ, "TMPDIR": str(scratch_folder())}

    session.begin_java, session.use_java = begin_java, use_java
    fork_workers(server, their_environ)


def _ask(server: str, question: Mapping[str, Any]) -> str:
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as connection:
        connection.connect(server)
        connection.send(json.dumps(question).encode())
        return str(json.loads(connection.recv(1 << 16))["answer"])
