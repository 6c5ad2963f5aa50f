"""What the end-to-end tests share: the installed command, one call of it, and waiting for what `status` says."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.servers import forks, warm
from tests.servers.consent import with_consent
from tests.support.job import ENVIRONMENT, SMALL_SPARK, Job
from tests.support.waiting import PATIENCE, wait_until

SMALL_CHUNKS = {**SMALL_SPARK, "snapshot": {"chunk_rows": 1_000, "parallel": 2}}
"""Settings of an environment in which copying a few thousand rows takes many chunks."""


@dataclass(frozen=True)
class Outcome:
    """How a command ended, and what it said on each of its streams."""

    command: tuple[str, ...]
    code: int
    out: str
    err: str

    def __str__(self) -> str:
        return f"shardwright {' '.join(self.command)} ended with {self.code}:\n{self.out}{self.err}"

    def require(self, code: int) -> Outcome:
        """This outcome, if it is the one awaited."""
        assert self.code == code, f"expected {code}: {self}"
        return self


def shardwright(project: Path, *arguments: str, environ: Mapping[str, str] | None = None) -> Outcome:
    """Run a command to its end: by the process that stays, where nothing depends on the process itself, else by one
    that is forked."""
    arguments = with_consent(arguments)
    with tempfile.TemporaryDirectory(prefix="shardwright-said-") as folder:
        out, err = Path(folder) / "out", Path(folder) / "err"
        with out.open("wb") as out_file, err.open("wb") as err_file:
            if environ or not warm.fits(project, arguments):
                code = forks.run(project, *arguments, out=out_file, err=err_file, environ=environ, timeout=PATIENCE)
            else:
                code = warm.carry_out(project, arguments, out=out, err=err, timeout=PATIENCE)
        return Outcome(arguments, code, out.read_text(encoding="utf-8"), err.read_text(encoding="utf-8"))


def own_process(project: Path, *arguments: str, environ: Mapping[str, str] | None = None) -> Outcome:
    """Run the installed command to its end, away from the source tree."""
    done = subprocess.run(
        [forks.SHARDWRIGHT, "--project", str(project), *with_consent(arguments)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        env={**os.environ, **(environ or {})},
        stdin=subprocess.DEVNULL,
        cwd=project,
    )
    return Outcome(arguments, done.returncode, done.stdout, done.stderr)


def status(job: Job) -> dict[str, Any] | None:
    """What `status --format json` says; None while the migration has not begun."""
    outcome = shardwright(job.project, "status", "--env", ENVIRONMENT, "--format", "json")
    reported: dict[str, Any] = json.loads(outcome.require(0).out)
    return reported if reported["begun"] else None


def wait_for(job: Job, process: subprocess.Popen[bytes], what: str, holds: Callable[[dict[str, Any]], bool]) -> None:
    """Ask `status` until `holds`, while `process` runs."""

    def is_reported() -> bool:
        reported = status(job)
        return reported is not None and holds(reported)

    wait_until(what, is_reported, run=process, show=lambda: f"{status(job)}\n{job.end_of_log()}", pause=0.3)


def wait_until_begun(job: Job, process: subprocess.Popen[bytes]) -> None:
    """Wait until the target tables and the ledgers stand, so that there is something to observe."""
    wait_for(job, process, "the migration has begun", lambda reported: True)
