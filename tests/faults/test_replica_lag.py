"""A run whose shard has a replica that stands still (G7)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from shardwright.runtime.run.throttle.throttler import EVERY_SECONDS
from tests.servers.testbed import Arena
from tests.support.job import ENVIRONMENT
from tests.support.lab import Lab, move
from tests.support.replicas import Node, server_kind

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.long]


@pytest.fixture
def replica(arena: Arena, tmp_path: Path) -> Iterator[Node]:
    """Of the first target, from now on."""
    if server_kind() == "mysql":
        pytest.skip("set up with MariaDB's statements")
    node = Node(tmp_path / "replica", 140, {"innodb-flush-log-at-trx-commit": "2", "sync-binlog": "0"})
    ((now,),) = arena.targets[0].query("SELECT @@GLOBAL.gtid_current_pos")
    node.run(f"SET GLOBAL gtid_slave_pos = '{now}'")
    node.copy_from(arena.targets[0])
    yield node
    node.remove()


def test_g7_a_run_and_status_report_that_writing_pauses_for_a_replica(
    arena: Arena, tmp_path: Path, replica: Node
) -> None:
    lab = Lab(arena, tmp_path, flat=True)
    file = lab.job.project / "environments" / f"{ENVIRONMENT}.yaml"
    environment: dict[str, Any] = yaml.safe_load(file.read_text())
    environment["servers"]["spare"] = {
        "host": replica.server.host,
        "port": replica.server.port,
        "user": "root",
        "password": {"file": str(replica.server.admin_password_file)},
    }
    environment["throttle"] = {"replicas": ["spare"], "max_lag": "60s"}
    file.write_text(yaml.safe_dump(environment))
    lab.create_source()
    lab.fill({number: number % 4 for number in range(12)})
    with lab.run(gated=False) as process:
        lab.until(process, "all is copied", lambda: "caught up with" in lab.job.end_of_log())
        replica.stop_copying()
        time.sleep(EVERY_SECONDS)  # a batch may be written on a reading of that age, from before the stop
        lab.write(*move(3, 1))
        pauses = "writing pauses: replica spare gives no reading (it does not copy now)"
        lab.until(process, "it is said", lambda: pauses in lab.job.end_of_log())
        reported = lab.job.call("status", "--env", ENVIRONMENT)
        assert "replica, it does not copy now: writing pauses" in reported, reported
        assert lab.places(3) == [3]  # as long as the replica stands, so does the shard
        replica.start_copying()
        lab.until(process, "row 3 has moved", lambda: lab.places(3) == [1])
        assert "replica spare has caught up" in lab.job.end_of_log()
        lab.drain(process)
        lab.require_equal()
