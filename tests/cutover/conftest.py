"""A lab whose run goes on: a cutover's proof is made beside it."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.cutover.proof import FEW_REMEMBERED, Proof
from tests.servers.testbed import Arena, Server
from tests.support.job import kill_tree
from tests.support.lab import Lab


@pytest.fixture(scope="module")
def followed(
    source_server: Server, target_servers: tuple[Server, ...], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Proof]:
    """One run for all the tests of a module."""
    folder = tmp_path_factory.mktemp("cut")
    with ThreadPoolExecutor() as pool:
        list(pool.map(Server.make_empty, (source_server, *target_servers)))
    lab = Lab(Arena(source_server, target_servers, folder), folder, settings=FEW_REMEMBERED)
    lab.create_source()
    lab.fill({number: number % 4 for number in range(1, 41)})
    process = lab.start()
    try:
        lab.until(process, "the snapshot is complete", lambda: lab.ledger_state().snapshot_done)
        lab.drain(process)
        yield Proof(lab, process)
    finally:
        kill_tree(process)


@pytest.fixture
def proof(followed: Proof) -> Iterator[Proof]:
    """At rest, and equal again afterwards."""
    assert followed.run.poll() is None, f"the run has ended:\n{followed.lab.job.end_of_log()}"
    followed.lab.gates.open_all()
    followed.lab.drain(followed.run)
    yield followed
    followed.lab.gates.open_all()
    followed.lab.drain(followed.run)
    followed.lab.require_equal()
