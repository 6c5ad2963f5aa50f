"""Shards become the source of the next migration: copied, followed, cut over under writes, and back."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from shardwright.runtime.cli.exits import Exit
from shardwright.runtime.rehearsal.sandbox.lifecycle import remove_server, start_server
from tests.rescale.application import Application
from tests.rescale.lab import Rescaled
from tests.servers.fixtures import FAST
from tests.servers.testbed import Arena, Server
from tests.support.job import ENVIRONMENT, kill_tree

pytestmark = [pytest.mark.server, pytest.mark.spark]


def _there_and_back(lab: Rescaled, application: Application) -> None:
    """The run follows, and the application writes."""
    lab.until_copied()
    lab.call("verify")
    lab.call("cutover")
    assert lab.switch_rows() == {"shards"}
    lab.writes_on(application, "shards")
    lab.until_turned()
    for database in lab.new.databases:
        lab.new.query(database, "UPDATE country SET name = 'east' WHERE code = 1")
    lab.call("cutover", "rollback")
    assert lab.switch_rows() == {"source"}
    lab.writes_on(application, "source")
    application.stop()
    lab.equal(application)
    assert (1, "east") in lab.old.rows()["country"]


@pytest.mark.long
def test_four_tables_on_two_servers_become_sixteen_and_go_back(arena: Arena, tmp_path: Path) -> None:
    lab = Rescaled(arena, tmp_path, arena.targets)
    lab.fill(2_000)
    assert "exact, by remainders" in lab.rescale()
    assert "SW4320" not in lab.call("preflight")  # our own tables on the shards are known for what they are
    application = lab.application()
    with lab.run(), application:
        _there_and_back(lab, application)


@pytest.mark.long
def test_the_way_back_of_the_earlier_migration_ends_before_the_next_cutover(arena: Arena, tmp_path: Path) -> None:
    """Half of the new databases are beside old ones. While both migrations run, a change passes through both."""
    lab = Rescaled(arena, tmp_path, arena.targets, beside=True)
    lab.fill(500)
    lab.allow_first_cutover()
    first = lab.job.start_run()
    try:
        lab.until_log("caught up with", after=f"--env {ENVIRONMENT} --until forever")
        lab.rescale()
        with lab.run(ends=True):
            lab.until_copied()
            arena.source.query("INSERT INTO parcel VALUES (900000, 7, 'passed on')", database="depot")
            lab.until("it is on the new shards", lambda: (900000, 7, "passed on", 0) in lab.new.rows()["parcel"])
            lab.call("verify")
            _expect_refusal(lab, "a run of depot writes to depot_0")
            lab.first("verify")
            lab.first("cutover")
            _expect_refusal(lab, "the way back of depot, whose shard depot_0 is")
            lab.first("cutover", "finish")
            kill_tree(first)
            with lab.application() as application:
                _there_and_back(lab, application)
            lab.call("cutover")
            lab.call("cutover", "finish")
            assert lab.switch_rows() == {"shards"}
    finally:
        kill_tree(first)


def _expect_refusal(lab: Rescaled, words: str) -> None:
    lab.call("cutover", expect=int(Exit.REFUSED))
    said = lab.job.end_of_log()
    assert "SW8930" in said and words in said, said


@pytest.fixture
def eight(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Server]]:
    folder = tmp_path_factory.mktemp("eight")

    def start(number: int) -> Server:
        sandbox = start_server(folder / f"old_{number}", server_id=301 + number, extra=FAST)
        return Server(f"old_{number}", sandbox, extra=FAST)

    with ThreadPoolExecutor(2) as pool:
        servers = list(pool.map(start, range(8)))
    try:
        yield servers
    finally:
        for server in servers:
            remove_server(server.sandbox)


@pytest.mark.long
def test_eight_servers_of_eight_tables_become_sixteen_databases_of_sixteen(
    arena: Arena, eight: list[Server], tmp_path: Path
) -> None:
    lab = Rescaled(arena, tmp_path, eight, old=8)
    lab.fill(2_000)
    lab.rescale()
    application = lab.application()
    with lab.run(), application:
        _there_and_back(lab, application)
