"""The best judge there is: a native replica of the source, stopped at the very GTID that a run's books end with
(hazard J2).
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.interleavings.test_killed import happenings
from tests.oracle.compare import compare
from tests.servers.fixtures import FAST
from tests.servers.testbed import Arena, Server
from tests.support.job import kill_tree
from tests.support.lab import Lab
from tests.support.replicas import Node, replica_of
from tests.support.waiting import PATIENCE, wait_until

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.long]


@pytest.fixture
def replica(arena: Arena, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Node]:
    """It has applied nothing of the source's yet."""
    options = {"slave-parallel-threads": "0", **FAST}
    with replica_of(arena.source, tmp_path_factory.mktemp("replica"), 208, options) as node:
        if node.is_mysql:
            pytest.skip("MariaDB only: MySQL's replica is stopped at a set of GTIDs by other words")
        node.stop_copying()
        yield node


def test_j2_the_shards_hold_what_a_native_replica_has_at_the_same_gtid(
    arena: Arena, replica: Node, tmp_path: Path
) -> None:
    """The source is never at rest: runs end, or are killed, while it is written to. After each that ended, the replica
    goes on to where the books stand and no further, and has just what the shards have."""
    lab = Lab(arena, tmp_path, flat=True)
    lab.create_source()
    lab.fill({id_: id_ % 4 for id_ in range(100, 132)} | {id_: id_ // 2 % 2 for id_ in range(140, 180)})
    existing = ""
    with _write_to(lab):
        for killed in (False, True):
            if killed:
                _kill_at_work(lab)
            lab.finish()
            now = _gtid(lab)
            assert now != existing, "the stream was to get on"
            existing = now
            _wait_until_source_is_ahead(arena.source, existing)
            _copy_up_to(replica, existing)
            _require_equal(lab, replica)


@contextmanager
def _write_to(lab: Lab) -> Iterator[None]:
    """Within, all kinds of changes are made at the source, again and again."""
    ended = threading.Event()
    failures: list[Exception] = []

    def write() -> None:
        number = 0
        try:
            while not ended.wait(1.0):
                lab.write_all(happenings(number))
                number += 1
        except Exception as failure:  # noqa: BLE001 - whatever it is, the test must hear of it
            failures.append(failure)

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    try:
        yield
    finally:
        ended.set()
        writer.join(timeout=120)
    assert not failures, failures


def _kill_at_work(lab: Lab) -> None:
    batch = lab.ledger_state().batch
    process = lab.start(gated=False)
    try:
        lab.until(process, "a batch is applied", lambda: lab.ledger_state().batch > batch)
    finally:
        kill_tree(process)


def _gtid(lab: Lab) -> str:
    """Where the books stand."""
    ((position,),) = lab.at(0, "SELECT position FROM _shardwright_migration")
    [part] = json.loads(position).values()
    return str(part["gtids"])


def _wait_until_source_is_ahead(source: Server, gtid: str) -> None:
    """Its writer pauses for a second now and then. A replica at `gtid` has to be stopped there: it could have more."""
    wait_until("the source is ahead of both", lambda: source.query("SELECT @@gtid_binlog_pos") != [(gtid,)])


def _copy_up_to(replica: Node, gtid: str) -> None:
    replica.run(f"START SLAVE UNTIL master_gtid_pos = '{gtid}'")
    end = time.monotonic() + PATIENCE
    while True:
        with replica.server.connect() as connection, connection.cursor() as cursor:
            cursor.execute("SHOW SLAVE STATUS")
            names = [column[0] for column in cursor.description or ()]
            status = dict(zip(names, cursor.fetchone() or (), strict=True))
        assert not status["Last_SQL_Errno"], status["Last_SQL_Error"]
        if status["Slave_SQL_Running"] == "No":
            break
        assert time.monotonic() < end, status
        time.sleep(0.1)
    replica.stop_copying()
    assert replica.run("SELECT @@gtid_slave_pos") == [(gtid,)]


def _require_equal(lab: Lab, replica: Node) -> None:
    with ExitStack() as stack:
        copied = stack.enter_context(replica.server.connect("lab"))
        shards = {name: stack.enter_context(lab.arena.shard(name)) for name in lab.shards}
        differences = compare(copied, lab.tables(copied), shards)
    assert not differences, "\n".join(differences)
