"""Labs: small migrations on the shared servers, new for each test, or one run that a whole module works with."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from subprocess import Popen

import pytest

from tests.servers.testbed import Arena, Server
from tests.support.job import kill_tree
from tests.support.lab import Lab


@pytest.fixture
def lab(arena: Arena, tmp_path: Path) -> Lab:
    made = Lab(arena, tmp_path)
    made.create_source()
    return made


@dataclass
class Live:
    """A lab whose run has copied the snapshot and follows the stream, its gates all open."""

    lab: Lab
    run: Popen[bytes]


@pytest.fixture(scope="module")
def live_run(
    source_server: Server, target_servers: tuple[Server, ...], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Live]:
    """One run for all the tests of a module: a start of Spark takes longer than most of them."""
    folder = tmp_path_factory.mktemp("live")
    with ThreadPoolExecutor() as pool:
        list(pool.map(Server.make_empty, (source_server, *target_servers)))
    lab = Lab(Arena(source_server, target_servers, folder), folder)
    lab.create_source()
    lab.fill({1: 0, 2: 1, 3: 2, 4: 3})
    process = lab.start()
    try:
        lab.until(process, "the snapshot is complete", lambda: lab.ledger_state().snapshot_done)
        lab.drain(process)
        yield Live(lab, process)
    finally:
        kill_tree(process)


@pytest.fixture
def live(live_run: Live) -> Iterator[Live]:
    """The module's run, alive and at rest before the test; afterwards the shards hold the source."""
    assert live_run.run.poll() is None, f"the run has ended:\n{live_run.lab.job.end_of_log()}"
    live_run.lab.gates.open_all()
    live_run.lab.drain(live_run.run)
    live_run.lab.gates.forget()
    yield live_run
    live_run.lab.gates.open_all()
    if live_run.run.poll() is None:
        live_run.lab.drain(live_run.run)
        live_run.lab.require_equal()
