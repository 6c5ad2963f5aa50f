"""The command line as a test drives it: a project of its own, runs in the background, kills of whole process trees."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from shardwright.runtime.rehearsal.sandbox.sandbox import SPARK
from shardwright.specs.spec.read import read_spec
from tests.servers import forks, warm
from tests.servers.consent import with_consent
from tests.servers.testbed import Arena

ENVIRONMENT = "test"
USERS_SPARK = {"spark": {"master": "local[2]", "conf": {"spark.ui.enabled": "false"}}}
"""As users run it, with generated code."""
SMALL_SPARK = {"spark": {"master": "local[2]", "conf": {"spark.ui.enabled": "false", **SPARK["conf"]}}}
"""For few rows: to generate code for them takes longer than to interpret them."""


class Job:
    """A copy of a project, deployed on an arena, and the commands that work on it. Those that it starts run in the
    project's folder.

    Everything a command prints goes to `log`, whose end a failed assertion shows.
    """

    def __init__(self, arena: Arena, example: Path, folder: Path, *, settings: Mapping[str, Any] = SMALL_SPARK) -> None:
        self.project = folder / "project"
        self.log = folder / "commands.log"
        for part in ("specs", "schema", "ddl"):
            shutil.copytree(example / part, self.project / part)
        (spec_file,) = (self.project / "specs").glob("*.yaml")
        self.spec = read_spec(str(spec_file))
        arena.prepare_for(self.spec, self.project, name=ENVIRONMENT, settings=settings)

    def command(self, *arguments: str) -> list[str]:
        return [
            forks.SHARDWRIGHT,
            "--project",
            str(self.project),
            *with_consent(arguments),
        ]

    def call(self, *arguments: str, expect: int = 0, timeout: float = 300.0) -> str:
        """Run one command to its end and return its standard output."""
        with self._log_for(arguments) as log:
            code, out = self._carry_out(arguments, log, timeout)
        assert code == expect, f"{arguments} ended with {code}:\n{out}{self.end_of_log()}"
        return out

    def _carry_out(self, arguments: tuple[str, ...], log: Any, timeout: float) -> tuple[int, str]:
        arguments = with_consent(arguments)
        out = self.log.with_name("output.txt")
        out.write_bytes(b"")
        if warm.fits(self.project, arguments):
            code = warm.carry_out(self.project, arguments, out=out, err=self.log, timeout=timeout)
        else:
            with out.open("ab") as file:
                code = forks.run(self.project, *arguments, out=file, err=log, timeout=timeout)
        return code, out.read_text(encoding="utf-8")

    def run_until_caught_up(self, *, timeout: float = 300.0) -> None:
        self.call("run", "--env", ENVIRONMENT, "--until", "caught-up", timeout=timeout)

    def start_run(self, *more: str, until: str = "forever") -> subprocess.Popen[bytes]:
        """`run --until` in a session of its own, which `kill_tree` ends."""
        arguments = ("run", "--env", ENVIRONMENT, "--until", until, *more)
        with self._log_for(arguments) as log:
            return forks.start(self.project, *arguments, out=log)

    @contextmanager
    def run(self) -> Iterator[subprocess.Popen[bytes]]:
        """Within, the migration runs; on leaving it was interrupted and ended in good order."""
        process = self.start_run()
        try:
            yield process
            assert process.poll() is None, f"run ended by itself with {process.returncode}:\n{self.end_of_log()}"
            process.send_signal(signal.SIGINT)
            code = process.wait(timeout=300)
            assert code == 130, f"interrupted, run ended with {code}:\n{self.end_of_log()}"
        except BaseException:
            print(self.end_of_log())  # what the run did meanwhile, beside the failure
            raise
        finally:
            kill_tree(process)

    def end_of_log(self, lines: int = 40) -> str:
        return "\n".join(self.log.read_text(encoding="utf-8", errors="replace").splitlines()[-lines:])

    @contextmanager
    def _log_for(self, arguments: tuple[str, ...]) -> Iterator[Any]:
        with self.log.open("a", encoding="utf-8") as log:
            log.write(f"\n$ shardwright {' '.join(arguments)}\n")
            log.flush()
            yield log


def kill_tree(process: subprocess.Popen[bytes]) -> None:
    """Kill a process that leads a session, with all of the session: Spark's Python workers leave the process group."""
    end = time.monotonic() + 120
    while members := session_members(process.pid):
        for pid in members:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        assert time.monotonic() < end, f"processes {members} do not die"
        time.sleep(0.05)
    process.wait(timeout=60)


def session_members(session: int) -> dict[int, int]:
    """Living processes of a session, each with its parent."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state, parent, _group, its_session = (entry / "stat").read_text().rpartition(") ")[2].split()[:4]
            except OSError:
                continue
            if int(its_session) == session and state not in "ZX":
                found[int(entry.name)] = int(parent)
    return found


def find_descendants(root: int) -> list[int]:
    """Living processes that descend from `root`, in whatever session."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(") ")[2].split()[1])
    found, news = set[int](), {root}
    while news:
        found |= news
        news = {pid for pid, parent in parents.items() if parent in found} - found
    return sorted(found - {root})
