"""Cutovers and rollbacks for as long as one likes, while an application moves rows between shards and unique names
change hands, and while the command, the run, a shard or the source is killed at random moments.

Whatever state that leaves has a way on: the same command again, or `abort`. In the end every transaction that the
application saw committed exists once, on the side in force, and both sides are equal.

    make soak-cutover       ten seeds on each kind of server, three minutes each
"""

from __future__ import annotations

import json
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import Popen

import pytest

from shardwright.runtime.cli.exits import Exit
from tests.cutover.application import ALL_KINDS
from tests.cutover.lab import CutoverLab
from tests.servers.testbed import Arena
from tests.support.job import ENVIRONMENT, kill_tree
from tests.support.lab import kill_server

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.long]

SECONDS = float(os.environ.get("SHARDWRIGHT_SOAK_SECONDS", "60"))
SEEDS = int(os.environ.get("SHARDWRIGHT_SOAK_SEEDS", "1"))
WAY_ON = 300.0
"""Seconds within which commands lead on, and the application writes again."""
STARTED_AGAIN = {Exit.UNREACHABLE, Exit.STOPPED_PART_WAY}
"""Exit codes on which a supervisor starts `run` again (docs: exit codes)."""
TRIED_AGAIN = {*STARTED_AGAIN, Exit.DONE, Exit.REFUSED, -signal.SIGKILL}
"""Refused: the stream is behind, a row is to be read again, or another command has not ended yet."""


@dataclass
class Soak:
    lab: CutoverLab
    chance: random.Random
    run: Popen[bytes]
    happened: Counter[str] = field(default_factory=Counter)

    def one_round(self) -> None:
        """A cutover or a rollback, and perhaps an accident at a random moment of it."""
        accident = self.chance.choice(
            [self.kill_command, self.kill_run, self.kill_shard, self.kill_source, self.wait_for_nothing]
        )
        action = self.towards()
        command = self.lab.start_cutover(action)
        try:
            time.sleep(self.chance.uniform(0.2, 8.0))
            accident(command)
            code = self.wait_for_end(action, command)
        finally:
            kill_tree(command)
        self.happened[f"{action} {accident.__name__} {code}"] += 1
        self.lead_on()

    def wait_for_end(self, action: str, command: Popen[bytes]) -> int:
        code = command.wait(timeout=WAY_ON)
        assert code in TRIED_AGAIN, f"{action} ended with {code}:\n{self.lab.job.end_of_log()}"
        return code

    def wait_for_nothing(self, command: Popen[bytes]) -> None:
        command.wait(timeout=WAY_ON)

    def kill_command(self, command: Popen[bytes]) -> None:
        command.send_signal(signal.SIGKILL)

    def kill_run(self, _: Popen[bytes]) -> None:
        kill_tree(self.run)
        self.start_run()

    def kill_shard(self, _: Popen[bytes]) -> None:
        server = self.chance.choice(self.lab.arena.targets)
        kill_server(server)
        server.start()

    def kill_source(self, _: Popen[bytes]) -> None:
        kill_server(self.lab.arena.source)
        self.lab.arena.source.start()

    def towards(self) -> str:
        """The command that goes on with what is under way, or begins the next."""
        state = self.lab.state()
        goes_to = state.detail.to if not state.at_rest else None
        if goes_to is None:
            goes_to = "shards" if state.writes_to == "source" else "source"
        return "begin" if goes_to == "shards" else "rollback"

    def lead_on(self) -> None:
        """To a state at rest, in which the application writes."""
        end = time.monotonic() + WAY_ON
        while not (state := self.lab.state()).at_rest:
            gives_up = state.state != "switched" and self.chance.random() < 0.5
            action = "abort" if gives_up else self.towards()
            self.wait_for_end(action, self.lab.start_cutover(action))
            assert time.monotonic() < end, f"no way on from {self.lab.state()}:\n{self.lab.job.end_of_log(80)}"
            self.supervise()
        before = self.lab.application.written
        self.until("the application writes", lambda: self.lab.application.written > before + 5)

    def until(self, what: str, holds: Callable[[], bool]) -> None:
        end = time.monotonic() + WAY_ON
        while not holds():
            self.supervise()
            assert time.monotonic() < end, f"it does not hold that {what}:\n{self.lab.job.end_of_log(80)}"
            time.sleep(0.1)

    def supervise(self) -> None:
        if self.lab.application.failures:
            raise self.lab.application.failures[0]
        code = self.run.poll()
        if code is not None:
            assert code in STARTED_AGAIN, f"the run ended with {code}:\n{self.lab.job.end_of_log(80)}"
            self.happened[f"the run ended with {code}"] += 1
            self.start_run()

    def start_run(self) -> None:
        self.run = self.lab.start(gated=False)

    def end_equal(self) -> None:
        self.lab.application.stop(patience=WAY_ON)
        end = time.monotonic() + WAY_ON
        while True:
            try:
                self.lab.follow_to_end(self.run)
                self.lab.equal()
                break
            except AssertionError:  # the run has ended and is started again, or a row is to be read again
                self.supervise()
                if time.monotonic() > end:
                    raise
                time.sleep(1)
        self.lab.verify()
        letters = self.lab.job.call("dead-letters", "list", "--env", ENVIRONMENT, "--format", "json")
        assert json.loads(letters)["dead_letters"] == []


@contextmanager
def make_soak(arena: Arena, folder: Path, chance: random.Random) -> Iterator[Soak]:
    fence = {"source": "triggers", "shards": chance.choice(["triggers", "read_only"])}
    lab = CutoverLab(arena, folder, fence=fence)
    lab.application.kinds, lab.application.patience = ALL_KINDS, WAY_ON
    lab.begin()
    soak = Soak(lab, chance, lab.start(gated=False))
    try:
        lab.write("UPDATE parent SET note = 'warm'")
        lab.drain_forward(soak.run)
        lab.application.start(seed=chance.randrange(1000))
        lab.verify()
        yield soak
    finally:
        kill_tree(soak.run)


@pytest.mark.parametrize("number", range(SEEDS))
def test_h8_cutovers_and_rollbacks_through_accidents(arena: Arena, tmp_path: Path, seed: int, number: int) -> None:
    with make_soak(arena, tmp_path, random.Random(f"{seed} {number}")) as soak:
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            soak.one_round()
        soak.end_equal()
        written = soak.lab.application.written
    print(f"{written} transactions; {dict(soak.happened)}")
