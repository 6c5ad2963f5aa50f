"""A lab whose application is cut over: the run is live, the application writes, and the command line does the rest."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from shardwright.runtime.failpoints import VARIABLE
from shardwright.runtime.ledger.cutover_state import CutoverState, read_cutover
from shardwright.runtime.rehearsal.sandbox.accounts import allow_cutover, allow_way_back
from tests.cutover.application import Application
from tests.servers import forks
from tests.servers.consent import with_consent
from tests.servers.testbed import Arena
from tests.support.job import ENVIRONMENT
from tests.support.lab import PROJECT, Lab
from tests.support.way_back_lab import BackLab

PATIENT = {"max_lag": "60s", "max_pause": "60s"}
"""On a machine that does much else."""


class CutoverLab(BackLab):
    """`begin` first: rows are copied, and compared."""

    def __init__(
        self,
        arena: Arena,
        folder: Path,
        *,
        fence: dict[str, Any] | None = None,
        settings: Mapping[str, Any] | None = None,
        example: Path = PROJECT,
        **limits: Any,
    ) -> None:
        """`settings`: more of the environment file; `limits`: of its section `cutover`."""
        self.fence = fence or {"source": "triggers", "shards": "triggers"}
        own = {"cutover": {"fence": self.fence, **PATIENT, **limits}}
        super().__init__(arena, folder, settings={**own, **(settings or {})}, example=example)
        self.application = Application(arena, self.shards)

    def begin(self) -> None:
        self.create_source()
        self.fill({1: 0, 2: 1, 3: 2, 4: 3})
        self.allow_cutovers()
        self.application.allow()
        self.finish()

    def allow_cutovers(self) -> None:
        """Gives our accounts what a cutover needs on each side."""
        targets = {id(server): server for server in self.arena.placement.values()}
        sandboxes = [server.sandbox for server in targets.values()]
        allow_way_back(self.arena.source.sandbox, self.job.spec.source.databases, sandboxes)
        for side, sandboxes_of, databases in (
            ("source", [self.arena.source.sandbox], list(self.job.spec.source.databases)),
            ("shards", sandboxes, list(self.job.spec.target.databases)),
        ):
            for sandbox in sandboxes_of:
                allow_cutover(sandbox, databases, kind=self.kind(side))

    def kind(self, side: str) -> str:
        fence = self.fence[side]
        return fence if isinstance(fence, str) else next(iter(fence))

    @contextmanager
    def live(self, *, verified: bool = True) -> Iterator[subprocess.Popen[bytes]]:
        """Within, the application writes, and a run follows it that is warm; `verified`: and rows were compared."""
        with self.run(gated=False) as run:
            self.write("UPDATE parent SET note = 'warm'")
            self.drain_forward(run)
            with self.application:
                if verified:
                    self.verify()
                yield run

    def drain_forward(self, process: subprocess.Popen[bytes]) -> None:
        Lab.drain(self, process)

    def verify(self) -> str:
        return self.job.call("verify", "--env", ENVIRONMENT)

    def cutover(self, *arguments: str, expect: int = 0, timeout: float = 120.0) -> str:
        return self.job.call("cutover", *arguments, "--env", ENVIRONMENT, expect=expect, timeout=timeout)

    def status(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.cutover("status", "--format", "json"))
        return found

    def start_cutover(self, *arguments: str, failpoints: str = "") -> subprocess.Popen[bytes]:
        """In the background, to be killed."""
        environ = {VARIABLE: failpoints} if failpoints else {}
        with self.job.log.open("ab") as log:
            log.write(f"\n$ cutover {' '.join(arguments)} {failpoints}\n".encode())
            log.flush()
            command = with_consent(("cutover", *arguments, "--env", ENVIRONMENT))
            return forks.start(self.job.project, *command, out=log, environ=environ)

    def expect_kill(self, *arguments: str, failpoints: str) -> None:
        """The command kills itself at a failpoint."""
        process = self.start_cutover(*arguments, failpoints=failpoints)
        assert process.wait(timeout=120) == -signal.SIGKILL, f"{failpoints}\n{self.job.end_of_log()}"

    def expect_refusal(self, *arguments: str, code: int) -> str:
        """The end of the log of a command that ends with `code`."""
        self.cutover(*arguments, expect=code)
        return self.job.end_of_log()

    def writes_on(self, run: subprocess.Popen[bytes], more: int = 20) -> None:
        """The application gets on."""
        before = self.application.written
        self.until(run, "the application writes", lambda: self.application.written > before + more)
        if self.application.failures:
            raise self.application.failures[0]

    def state(self) -> CutoverState:
        with closing(self.deploy().servers.connect_shard(0)) as home:
            return read_cutover(home, self.job.spec.migration)

    def follow_to_end(self, run: subprocess.Popen[bytes]) -> None:
        """The run follows the direction that is in force, to the end of now."""
        if self.state().writes_to == "source":
            self.drain_forward(run)
        else:
            self.drain(run)

    def equal(self) -> None:
        """An oracle that shares nothing with the product: all rows of both sides, in their places."""
        for table, columns in (("parent", "id, place, name, note"), ("child", "id, line, place, note")):
            source = sorted(self.source(f"SELECT {columns} FROM {table}"))
            found = sorted(
                row
                for place in range(4)
                for row in self.at(place, f"SELECT {columns} FROM {table}{'_0' if place < 2 else '_1'}")
            )
            assert source == found, _difference(source, found)


def _difference(source: list[Any], shards: list[Any]) -> str:
    only_source, only_shards = sorted(set(source) - set(shards)), sorted(set(shards) - set(source))
    return f"only at the source: {only_source[:10]}, only on the shards: {only_shards[:10]}"
