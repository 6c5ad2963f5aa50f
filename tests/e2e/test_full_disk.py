"""A target that has no room left (error 1114, from a server whose tablespace may not grow): nothing is lost or skipped, and what waited
goes on once there is room (hazard E18)."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from pathlib import Path

import pymysql
import pytest

from shardwright.runtime.sandbox.lifecycle import remove_server, start_server
from tests.e2e.driver import wait_for
from tests.e2e.town_of_sixteen import SHARDS, Sixteen
from tests.servers.fixtures import FAST
from tests.servers.testbed import Arena, Server
from tests.workload.job import kill_tree

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.long]

SMALL = {"innodb-file-per-table": "0", "innodb-data-file-path": "ibdata1:64M:autoextend:max:96M"}
_FULL = 1114


@pytest.fixture
def small_server(tmp_path: Path) -> Iterator[Server]:
    extra = {**FAST, **SMALL}
    server = Server("small", start_server(tmp_path / "small", server_id=9, extra=extra), extra=extra)
    yield server
    remove_server(server.sandbox)


def test_e18_a_target_without_room(arena: Arena, small_server: Server, tmp_path: Path, dice: random.Random) -> None:
    town = Sixteen(Arena(arena.source, (arena.targets[0], small_server), tmp_path), tmp_path)
    with town.written_to(dice):
        with town.job.running() as run:
            wait_for(town.job, run, "all is copied", lambda told: bool(told["snapshot_complete"]))
        _fill_up(small_server)
        refused = town.calls("ddl", "apply", "--allow", "SW8421,SW8422")
        assert refused.code in (4, 5) and "is full" in refused.err, refused
        process = town.job.start_run()
        try:
            time.sleep(25)
            _make_room(small_server) if dice.random() < 0.5 and process.poll() is None else None
            time.sleep(10)
        finally:
            kill_tree(process)
        _make_room(small_server)
        town.calls("ddl", "apply", "--allow", "SW8421,SW8422").require(0)
    with town.job.running() as run:
        wait_for(town.job, run, "the stream has drained", lambda told: bool(told["caught_up"]))
        time.sleep(2)
        wait_for(town.job, run, "the stream has drained", lambda told: bool(told["caught_up"]))
    assert town.judged() == []
    told = json.loads(town.calls("verify", "--format", "json").require(0).out)
    assert told["verdict"] == "equal"
    town.calls("ddl", "status").require(0)


def _fill_up(server: Server) -> None:
    with server.connect(SHARDS[-1]) as connection, connection.cursor() as cursor:
        cursor.execute("CREATE TABLE ballast (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, weight LONGBLOB NOT NULL)")
        for size in (1 << 20, 100_000, 7_000):
            try:
                while True:
                    cursor.execute("INSERT INTO ballast (weight) VALUES (REPEAT('x', %s))", (size,))
            except pymysql.err.MySQLError as error:
                assert error.args[0] == _FULL, error


def _make_room(server: Server) -> None:
    server.query("DROP TABLE IF EXISTS ballast", database=SHARDS[-1])
