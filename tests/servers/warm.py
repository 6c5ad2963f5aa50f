"""Commands executed by one process of each test worker that stays, instead of a new one each: Python and Spark start
once. Tests about processes (kills, signals, failpoints, exit codes, start-up) start their own;
SHARDWRIGHT_TEST_COLD=1 makes all do.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from tests.servers import forks

_COLD = os.environ.get("SHARDWRIGHT_TEST_COLD") == "1"
_OWN_SPARK = ("dry-run", "test", "route")
"""Verbs that start a Spark of their own settings."""


@dataclass
class _Warm:
    process: subprocess.Popen[str] | None = None
    folder: str = ""

    def start(self) -> subprocess.Popen[str]:
        if self.process is None or self.process.poll() is not None:
            self.folder = self.folder or tempfile.mkdtemp(prefix="shardwright-warm-")
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.servers.warm_process"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                start_new_session=True,
                env={**os.environ, "TMPDIR": self.folder},
                cwd=Path(__file__).resolve().parents[2],
            )
        return self.process

    def end(self) -> None:
        from tests.support.job import kill_tree

        if self.process is not None:
            kill_tree(self.process)
            self.process = None
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder = ""


_warm = _Warm()
atexit.register(_warm.end)


def fits(project: Path, arguments: Sequence[str]) -> bool:
    """Whether the process that stays can execute it. Spark finds jars for a queue when Java starts: such commands have
    a process of their own."""
    environment = json.dumps(_environment(project, arguments))
    return not _COLD and '"kafka"' not in environment and '"rocketmq"' not in environment


def carry_out(project: Path, arguments: Sequence[str], *, out: Path, err: Path, timeout: float) -> int:
    """Runs `shardwright --project PROJECT ARGUMENTS` to its end; what it prints is added to the files. Returns the exit
    code. Raises subprocess.TimeoutExpired, and ends the process then."""
    process = _warm.start()
    assert process.stdin is not None and process.stdout is not None
    request = {
        "arguments": ["--project", str(project), *arguments],
        "cwd": str(project),
        "environ": {**os.environ, "TMPDIR": _warm.folder},
        "spark": _spark_settings(project, arguments),
        "forks": forks.server_path(),
        "out": str(out),
        "err": str(err),
    }
    process.stdin.write(json.dumps(request) + "\n")
    process.stdin.flush()
    if not select.select([process.stdout], [], [], timeout)[0]:
        _warm.end()
        raise subprocess.TimeoutExpired(list(arguments), timeout)
    answer = process.stdout.readline()
    assert answer, f"the process of {arguments} died:\n{err.read_text(encoding='utf-8')}"
    return int(json.loads(answer)["code"])


def _spark_settings(project: Path, arguments: Sequence[str]) -> str | None:
    """None where the command cannot start Spark."""
    if arguments and arguments[0] in _OWN_SPARK:
        return arguments[0]
    environment = _environment(project, arguments)
    return json.dumps(environment.get("spark"), sort_keys=True) if environment else None


def _environment(project: Path, arguments: Sequence[str]) -> dict[str, Any]:
    """The environment file that the command names; empty where it names none that is there."""
    if "--env" not in arguments[:-1]:
        return {}
    file = project / "environments" / f"{arguments[arguments.index('--env') + 1]}.yaml"
    if not file.is_file():
        return {}
    found: dict[str, Any] = yaml.safe_load(file.read_text(encoding="utf-8"))
    return found
