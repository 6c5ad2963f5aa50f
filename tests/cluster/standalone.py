"""A standalone Spark cluster on this machine: a master and workers from the PySpark wheel, whose executors have
nothing of ours.
"""

from __future__ import annotations

import importlib.util
import os
import shlex
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from shardwright.runtime.rehearsal.sandbox.local import free_port
from tests.cluster.networks import Networks, Place
from tests.servers.spark_archive import SHORT_RUNS
from tests.support.job import kill_tree
from tests.support.waiting import wait_until

_NOT_THERE = ("shardwright", "__editable__", "pymysql", "PyMySQL", "sqlglot", "tenacity", "yaml", "_yaml")
"""Ours, and what travels with it."""


@dataclass
class Cluster:
    """`interpreter` is what executors run Python with."""

    folder: Path
    interpreter: Path
    port: int = field(default_factory=free_port)
    page: int = field(default_factory=free_port)
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)
    host: str = "127.0.0.1"
    secret: str = ""
    """What all of them show one another; empty: nothing."""

    @property
    def master(self) -> str:
        return f"spark://{self.host}:{self.port}"

    def start(self, name: str, *arguments: str, at: Place | None = None) -> subprocess.Popen[bytes]:
        """A process that leads a session, in a folder of its own which is also its HOME."""
        place = self.folder / name
        place.mkdir()
        if self.secret:
            text = (
                f"spark.authenticate true\nspark.authenticate.secret {self.secret}\nspark.deploy.maxExecutorRetries 1\n"
            )
            (place / "spark-defaults.conf").write_text(text, "utf-8")
            (place / "spark-defaults.conf").chmod(0o600)
        spark = _package("pyspark")
        environ = {
            "PATH": os.environ["PATH"],
            "HOME": str(place),
            "SPARK_HOME": str(spark),
            "SPARK_LOCAL_IP": self.host if at is None else at.address,
        }
        environ |= {"SPARK_LOCAL_DIRS": str(place / "local"), "SPARK_CONF_DIR": str(place), "TMPDIR": str(place)}
        environ |= {name: os.environ[name] for name in ("JAVA_HOME", "LANG") if name in os.environ}
        environ |= {
            "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_DAEMON_JAVA_OPTS": SHORT_RUNS,
            "SPARK_LAUNCHER_OPTS": SHORT_RUNS,
        }
        command = [
            *(() if at is None else at.words),
            str(spark / "bin" / "spark-class"),
            f"org.apache.spark.deploy.{arguments[0]}",
            *arguments[1:],
        ]
        with (place / "log").open("wb") as log:
            return subprocess.Popen(
                command,
                cwd=place,
                env=environ,
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )

    def page_says(self, text: str) -> bool:
        try:
            with urllib.request.urlopen(f"http://{self.host}:{self.page}/json/", timeout=10) as answer:
                return text in answer.read().decode().replace(" ", "")
        except OSError:
            return False

    def kill_a_worker(self) -> None:
        """By SIGKILL, its executors and their Python with it, as if its machine were gone."""
        kill_tree(self.workers.pop())

    def kill_executors(self) -> None:
        """Each by SIGKILL, as for lack of memory; their workers live."""
        for worker in self.workers:
            for entry in Path(f"/proc/{worker.pid}/task").glob("*/children"):
                for number in entry.read_text().split():
                    os.kill(int(number), signal.SIGKILL)

    def executors_said(self) -> str:
        return "\n".join(file.read_text("utf-8", "replace")[-3000:] for file in self.folder.glob("*/work/*/*/stderr"))


@contextmanager
def standalone_cluster(
    folder: Path, *, workers: int = 0, networks: Networks | None = None, secret: str = ""
) -> Iterator[Cluster]:
    """Within, so many workers of one core each have registered; with `networks`, one at each of its places."""
    folder.mkdir()
    cluster = Cluster(folder, _python_without_ours(folder), secret=secret)
    places: list[Place | None] = [None] * workers
    if networks is not None:
        cluster.host, places = networks.here, list(networks.places)
    started = []
    try:
        given = ["--host", cluster.host, "--port", str(cluster.port), "--webui-port", str(cluster.page)]
        started.append(cluster.start("master", "master.Master", *given))
        for number, place in enumerate(places):
            name = f"worker-{number}"
            given = [
                "--host",
                cluster.host if place is None else place.address,
                "--webui-port",
                "0",
                "--cores",
                "1",
                "--memory",
                "1g",
            ]
            given += ["--work-dir", str(folder / name / "work"), cluster.master]
            cluster.workers.append(cluster.start(name, "worker.Worker", *given, at=place))
            started.append(cluster.workers[-1])
        wait_until(
            "all workers are alive",
            lambda: cluster.page_says(f'"aliveworkers":{len(places)}'),
            show=lambda: "\n".join(log.read_text("utf-8")[-2000:] for log in folder.glob("*/log")),
        )
        yield cluster
    finally:
        for process in started:
            kill_tree(process)


def _python_without_ours(folder: Path) -> Path:
    """This interpreter without its site-packages, but for links to those that are not ours."""
    links = folder / "packages"
    links.mkdir()
    for entry in _package("pyarrow").parent.iterdir():
        if not entry.name.startswith(_NOT_THERE) and entry.suffix != ".pth":
            (links / entry.name).symlink_to(entry)
    script = folder / "python"
    words = f'PYTHONPATH="$PYTHONPATH:"{shlex.quote(str(links))} exec {shlex.quote(sys.executable)} -S "$@"'
    script.write_text(f"#!/bin/sh\n{words}\n", encoding="utf-8")
    script.chmod(0o755)
    return script


def _package(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    assert spec is not None and spec.origin is not None
    return Path(spec.origin).parent
