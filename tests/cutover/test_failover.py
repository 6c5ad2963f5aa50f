"""The source's primary dies while it is fenced, and its replica takes over (E5). The fence `triggers` is there, too: the
log has it. The cutover gives up, because a replica may differ from its primary in what no comparison has looked at.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from shardwright.runtime.cli.exits import Exit
from tests.cutover.lab import CutoverLab
from tests.servers.fixtures import FAST
from tests.servers.testbed import Arena
from tests.support.job import kill_tree
from tests.support.replicas import Node, replica_of

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.long]

_LOGGED = {"log-slave-updates": "ON", "slave-net-timeout": "5", **FAST}


@pytest.fixture
def replica(arena: Arena, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Node]:
    with replica_of(arena.source, tmp_path_factory.mktemp("replica"), 209, _LOGGED) as node:
        yield node


def test_e5_the_replica_of_the_source_takes_over_while_it_is_fenced(
    arena: Arena, replica: Node, tmp_path: Path
) -> None:
    lab = CutoverLab(arena, tmp_path, max_pause="300s")
    lab.begin()
    gate = lab.scratch / "gate"
    with lab.live() as run:
        process = lab.start_cutover(failpoints=f"after-fence=wait:{gate}")
        try:
            lab.until(run, "it is fenced", lambda: gate.with_name("gate.reached").exists())
            has = lab.source("SELECT COUNT(*), MAX(note) FROM parent")
            lab.until(
                run,
                "the replica has everything",
                lambda: (
                    replica.run("SELECT COUNT(*), MAX(note) FROM lab.parent") == has
                    and len(replica.run("SHOW TRIGGERS FROM lab")) == len(lab.source("SHOW TRIGGERS"))
                ),
            )
            replica.stop_copying()
            pid = arena.source.sandbox.pid
            assert pid is not None
            os.kill(pid, signal.SIGKILL)
            replica.stop()
            replica.start(port=arena.source.port)
            replica.take_password_of(arena.source)
            gate.touch()
            assert process.wait(timeout=300) == Exit.REFUSED, lab.job.end_of_log()
        finally:
            kill_tree(process)
        said = lab.job.end_of_log(200)
        assert "SW8925" in said and "the source has another server" in said, said
        assert (lab.status()["state"], lab.status()["fences"]) == ("following", {})
        assert not lab.source("SHOW TRIGGERS")
        lab.writes_on(run)
        lab.follow_to_end(run)
        lab.verify()
        assert "SW8943" in lab.expect_refusal("begin", code=Exit.REFUSED), "it may be started as a replica again"
        replica.run("RESET REPLICA ALL" if replica.is_mysql else "RESET SLAVE ALL")
        lab.cutover()
        assert lab.status()["state"] == "reversing"
        lab.writes_on(run)
        lab.application.stop()
        lab.follow_to_end(run)
        lab.equal()
