"""A target that has no room left (error 1114, from a server whose tablespace may not grow): nothing is lost or
skipped, and what waited goes on once there is room (hazard E18).
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from pathlib import Path

import pymysql
import pytest

from shardwright.runtime.rehearsal.sandbox.lifecycle import remove_server, start_server
from tests.e2e.town_of_sixteen import SHARDS, Sixteen
from tests.servers.fixtures import FAST
from tests.servers.testbed import Arena, Server
from tests.support.commands import wait_for
from tests.support.job import kill_tree

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow, pytest.mark.long]

APPLY = ("ddl", "apply", "--allow", "SW8421,SW8422")

_FILE = "innodb-data-file-path"
SMALL = {"innodb-file-per-table": "0", _FILE: "ibdata1:12M:autoextend:max:96M"}
LARGE = "ibdata1:12M:autoextend:max:512M"
_FULL = 1114


class _Small(Server):
    """Its tablespace holds 96 MiB, until it is given more."""

    def __init__(self, folder: Path) -> None:
        self.settings = {**FAST, **SMALL}
        super().__init__("small", start_server(folder, server_id=9, extra=self.settings), extra=self.settings)

    def fill_up(self) -> None:
        with self.connect(SHARDS[-1]) as connection, connection.cursor() as cursor:
            cursor.execute(
                "CREATE TABLE ballast (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, weight LONGBLOB NOT NULL)"
            )
            for size in (1 << 20, 100_000, 7_000):
                try:
                    while True:
                        cursor.execute("INSERT INTO ballast (weight) VALUES (REPEAT('x', %s))", (size,))
                except pymysql.err.MySQLError as error:
                    assert error.args[0] == _FULL, error

    def enlarge(self) -> None:
        """Dropping something would need room itself."""
        self.stop()
        self.settings[_FILE] = LARGE
        self.start()


@pytest.fixture
def small_server(tmp_path: Path) -> Iterator[_Small]:
    server = _Small(tmp_path / "small")
    yield server
    remove_server(server.sandbox)


@pytest.mark.parametrize("enlarged", ["under a run", "after it"])
def test_e18_a_target_without_room(
    arena: Arena, small_server: _Small, tmp_path: Path, dice: random.Random, enlarged: str
) -> None:
    town = Sixteen(Arena(arena.source, (arena.targets[0], small_server), tmp_path), tmp_path)
    with town.write_to(dice):
        with town.job.run() as run:
            wait_for(town.job, run, "all is copied", lambda reported: bool(reported["snapshot_complete"]))
        small_server.fill_up()
        refused = town.calls(*APPLY)
        assert refused.code in (4, 5) and "is full" in refused.err, refused
        process = town.job.start_run()
        try:
            time.sleep(20)
            assert process.poll() is None and "is full: retrying" in town.job.end_of_log()
            if enlarged == "under a run":
                small_server.enlarge()
                wait_for(
                    town.job, process, "it goes on", lambda reported: "is full" not in town.job.end_of_log(lines=2)
                )
        finally:
            kill_tree(process)
        if enlarged == "after it":
            small_server.enlarge()
        town.calls(*APPLY).require(0)
    with town.job.run() as run:
        town.drain(run)
        assert json.loads(town.calls("verify", "--format", "json").require(0).out)["verdict"] == "equal"
    assert town.judge() == []
    town.calls("ddl", "status").require(0)
