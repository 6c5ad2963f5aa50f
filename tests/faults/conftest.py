"""A lab whose run reaches every server through a proxy, alive for a whole module: it must outlive what the tests do
to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest
import yaml

from tests.keys.bench import Bench
from tests.servers.proxy import Fault, Proxy
from tests.servers.testbed import Arena, Server
from tests.support.job import ENVIRONMENT, kill_tree
from tests.support.lab import SPARK, Lab

GUARDED = """
version: 1
migration: guarded
source: {dialect: mariadb, databases: [shop], schema: schema.sql}
target: {databases: "guarded_{0..1}"}
sharding:
  by_place: {shard_key: [place], database: place % 2}
tables:
  - {table: person, sharding: by_place}
"""
GUARDED_SCHEMA = """
CREATE TABLE person (
  id int NOT NULL PRIMARY KEY,
  place int unsigned NOT NULL,
  bytes longblob
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
"""

FAILING_TASKS = ("after-chunk-commit", "after-stage")
PATIENCE = {"connect_timeout": "3s", "answer_timeout": "8s", "retry_for": "10m"}


class Network:
    """The proxies of a lab: `source`, and one for each shard."""

    def __init__(self, lab: Lab, *, tls: str) -> None:
        source = lab.arena.source
        self.source = Proxy(source.host, source.port)
        self.shards = tuple(
            Proxy(lab.arena.placement[name].host, lab.arena.placement[name].port) for name in lab.shards
        )
        file = lab.job.project / "environments" / f"{ENVIRONMENT}.yaml"
        settings = yaml.safe_load(file.read_text(encoding="utf-8"))
        settings["source"] |= {"port": self.source.port, "tls": tls}
        for name, proxy in zip(lab.shards, self.shards, strict=True):
            settings["servers"][settings["shards"][name]] |= {"port": proxy.port, "tls": tls}
        file.write_text(yaml.safe_dump(settings, sort_keys=False), encoding="utf-8")

    def __getitem__(self, place: str) -> Proxy:
        return {"source": self.source, "shard 0": self.shards[0], "shard 1": self.shards[1]}[place]

    @property
    def all(self) -> tuple[Proxy, ...]:
        return (self.source, *self.shards)

    def fix(self) -> None:
        for proxy in self.all:
            proxy.fault = Fault.NONE

    def close(self) -> None:
        for proxy in self.all:
            proxy.close()


@dataclass
class Wired:
    """A lab, the network before its servers, and the run that follows the stream through it."""

    lab: Lab
    network: Network
    run: Popen[bytes]
    wires: Path
    """Files here make a task of the run fail, once (see failpoints)."""
    heard: int = 0
    """How much of the log was there when the test began."""

    def news(self) -> str:
        """What the run has said since the test began."""
        return self.lab.job.log.read_bytes()[self.heard :].decode("utf-8", errors="replace")

    def wait_for_report(self, text: str) -> None:
        """Wait until the run has said `text`."""
        self.lab.until(self.run, f"the run says '{text}'", lambda: text in self.news())


@pytest.fixture
def bench(arena: Arena, tmp_path: Path) -> Bench:
    """A table `person` of the source's database `shop` on two shards, without Spark."""
    return Bench(arena, tmp_path, GUARDED, GUARDED_SCHEMA)


@pytest.fixture(scope="module")
def wired_run(
    source_server: Server,
    target_servers: tuple[Server, ...],
    tmp_path_factory: pytest.TempPathFactory,
    request: pytest.FixtureRequest,
) -> Iterator[Wired]:
    """A module whose network is to see statements says `TLS = "off"`."""
    folder = tmp_path_factory.mktemp("wired")
    with ThreadPoolExecutor() as pool:
        list(pool.map(Server.make_empty, (source_server, *target_servers)))
    lab, network = make_wired_lab(
        Arena(source_server, target_servers, folder), folder, tls=getattr(request.module, "TLS", "preferred")
    )
    lab.create_source()
    lab.fill({id_: id_ % 4 for id_ in range(1, 41)})
    (wires := folder / "wires").mkdir()
    (wires / "after-chunk-commit").touch()
    process = lab.start(gated=False, failpoints=";".join(f"{name}=trip:{wires / name}" for name in FAILING_TASKS))
    try:
        lab.until(process, "the first chunk is copied", lambda: bool(_chunks_done(lab)))
        network.shards[0].cut()
        network.source.cut()
        lab.until(process, "the snapshot is complete", lambda: lab.ledger_state().snapshot_done)
        lab.drain(process)
        yield Wired(lab, network, process, wires)
    finally:
        kill_tree(process)
        network.close()


@pytest.fixture
def wired(wired_run: Wired) -> Iterator[Wired]:
    """The module's run, alive before the test and after it; in the end the shards hold the source."""
    assert wired_run.run.poll() is None, f"the run has ended:\n{wired_run.lab.job.end_of_log()}"
    wired_run.heard = wired_run.lab.job.log.stat().st_size
    yield wired_run
    wired_run.network.fix()
    wired_run.lab.drain(wired_run.run)
    wired_run.lab.require_equal()


def _chunks_done(lab: Lab) -> int:
    server, database = lab.arena.placement[lab.shards[0]], lab.shards[0]
    if not server.query("SHOW TABLES LIKE '\\_shardwright\\_chunk\\_done'", database=database):
        return 0
    return len(server.query("SELECT 1 FROM _shardwright_chunk_done", database=database))


def make_wired_lab(
    arena: Arena, folder: Path, *, patience: Mapping[str, Any] = PATIENCE, tls: str = "preferred"
) -> tuple[Lab, Network]:
    """`tls: off` lets the network see statements; MySQL forgets at a restart that it knows the account, and then wants
    TLS."""
    settings = {
        "spark": {**SPARK, "master": "local[6,3]"},  # as on a cluster, a task that fails is run again
        "network": dict(patience),
        "snapshot": {"chunk_rows": 8},
        "batch": {"max_rows": 1000},
    }
    lab = Lab(arena, folder, settings=settings)
    return lab, Network(lab, tls=tls)
