"""One process that executes commands one after the other, each as `shardwright` would: Python's imports and Spark's
start are paid once.

Asked by `tests.servers.warm` with one JSON line a command on stdin; answers with one a command on stdout.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from shardwright.runtime.cli.main import main
from shardwright.runtime.spark.scratch import scratch_folder
from tests.servers.forked_workers import end_workers, fork_workers
from tests.support.job import session_members

_NOWHERE = os.open(os.devnull, os.O_RDWR)


def serve() -> None:
    requests, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    os.dup2(_NOWHERE, 0)
    scratch_folder()  # of this process: no project's `work_dir` is its place
    for line in requests:
        asked = json.loads(line)
        answers.write(json.dumps({"code": _carry_out(asked)}) + "\n")
        answers.flush()


def _carry_out(asked: Mapping[str, Any]) -> int:
    os.environ.clear()
    os.environ.update(asked["environ"])
    os.chdir(asked["cwd"])
    _end_spark_of_others(asked["spark"])
    if asked["forks"] and asked["forks"] != _forks:
        _fork_workers(asked["forks"])
    for number, name in ((1, "out"), (2, "err")):
        opened = os.open(asked[name], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.dup2(opened, number)
        os.close(opened)
    sys.stdout, sys.stderr = (open(number, "w", closefd=False, encoding="utf-8") for number in (1, 2))  # noqa: SIM115
    try:
        return main(asked["arguments"])
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 1
    except BaseException:  # noqa: BLE001 - as the interpreter does at the top
        traceback.print_exc()
        return 1
    finally:
        with contextlib.suppress(OSError):
            sys.stdout.flush()
            sys.stderr.flush()
        os.dup2(_NOWHERE, 1)
        os.dup2(_NOWHERE, 2)
        _end_workers()


_forks: str | None = None


def _fork_workers(server: str) -> None:
    """Spark's workers are forked there from now on."""
    global _forks
    assert _forks is None, "the process that forks has died"
    _forks = server
    fork_workers(server)


_spark: str | None = None


def _end_spark_of_others(settings: str | None) -> None:
    """A session stays for commands with the same settings of Spark. None: this command starts none."""
    global _spark
    if settings is None or settings == _spark:
        return
    _spark = settings
    if "pyspark" in sys.modules:
        from pyspark.sql import SparkSession

        if (session := SparkSession.getActiveSession()) is not None:
            session.stop()


def _end_workers() -> None:
    """Spark's Python workers keep connections to shards, by which a run counts as alive: they end with the command, as
    they would with its process. Spark forks new ones."""
    parents = session_members(os.getpid())
    daemons = {process for process in parents if _forks_workers(process)}
    for process, parent in parents.items():
        if parent in daemons:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
    if _forks:
        end_workers(_forks, parents)


def _forks_workers(process: int) -> bool:
    with contextlib.suppress(OSError):
        program, *arguments = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
        return b"python" in program and any(b"daemon" in argument for argument in arguments)
    return False


if __name__ == "__main__":
    serve()
