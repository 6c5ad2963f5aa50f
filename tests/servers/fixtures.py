"""Fixtures that give every test real servers: Docker's when an engine answers, else a local program, else a failure."""

from __future__ import annotations

import contextlib
import os
import random
import secrets
import shutil
import subprocess
import tempfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from shardwright.runtime.rehearsal.sandbox.binary import CHOICE, find_server_binary
from shardwright.runtime.rehearsal.sandbox.docker import docker_answers
from shardwright.runtime.rehearsal.sandbox.lifecycle import remove_server, start_server
from shardwright.runtime.rehearsal.sandbox.local import free_port
from shardwright.runtime.rehearsal.sandbox.server import ADMIN_PASSWORD_FILE, STATE_FILE, SandboxServer, load_state
from tests.servers.testbed import Arena, Server

if TYPE_CHECKING:
    from tests.servers.kafka import KafkaBroker

NAMES = ("source", "target_0", "target_1")
FAST = {
    "innodb-flush-log-at-trx-commit": "2",
    "sync-binlog": "0",
    "innodb-flush-method": "nosync",
    "loose-sync-frm": "0",
}
"""Durability is relaxed for tests: no test pulls the machine's plug. Commits become cheaper, and so do tables."""

_FOLDERS = Path(tempfile.gettempdir()) / f"shardwright-tests-{os.getuid()}"
_SEED = int(os.environ.get("SHARDWRIGHT_SEED") or secrets.randbits(32))
os.environ["SHARDWRIGHT_SEED"] = str(_SEED)  # processes that share the tests among them inherit it


def pytest_report_header() -> list[str]:
    lines = [f"random seed: {_SEED} (repeat with SHARDWRIGHT_SEED={_SEED})"]
    if CHOICE in os.environ and (program := find_server_binary()):
        lines.append(f"database servers: {program.kind} {program.version}")
    return lines


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> int:
    """A number of this test's own, made from the seed of the whole run and printed when the test fails."""
    own = zlib.crc32(f"{_SEED}:{request.node.nodeid}".encode())
    print(f"seed {own} (SHARDWRIGHT_SEED={_SEED})")
    return own


@pytest.fixture
def dice(seed: int) -> random.Random:
    return random.Random(seed)


Some = Callable[[Sequence[str], int], list[str]]


@pytest.fixture
def some(dice: random.Random) -> Some:
    """So many of the places where a run is killed, by the seed and in their order; all of them in `make test-all`."""

    def chosen(places: Sequence[str], number: int) -> list[str]:
        if "SHARDWRIGHT_TEST_KILLS" in os.environ:
            return list(places)
        return [places[at] for at in sorted(dice.sample(range(len(places)), number))]

    return chosen


@pytest.fixture(scope="session")
def servers_folder() -> Iterator[Path]:
    """The folder of this run's servers; what an earlier run left behind when it was killed is cleared away first."""
    _FOLDERS.mkdir(mode=0o700, exist_ok=True)
    for folder in _FOLDERS.iterdir():
        # Our own number may be one that an earlier run had.
        if int(folder.name) == os.getpid() or not _process_lives(int(folder.name)):
            with contextlib.suppress(FileNotFoundError):  # another process of this run clears it, too
                _clear(folder)
    own = _FOLDERS / str(os.getpid())
    own.mkdir(mode=0o700, exist_ok=True)
    yield own
    _clear(own)


@pytest.fixture(scope="session")
def database_servers(request: pytest.FixtureRequest, servers_folder: Path) -> dict[str, Server]:
    """One source and two targets, shared by the whole run."""
    if CHOICE not in os.environ and docker_answers():
        started = _from_docker(request, servers_folder)
    elif find_server_binary() is not None:
        started = _from_program(servers_folder)
    else:
        pytest.fail(
            "the tests need a database server: start a Docker engine, or install one "
            "(on Debian or Ubuntu: apt-get install mariadb-server)"
        )
    return {name: Server(name, server, extra=FAST) for name, server in started.items()}


@pytest.fixture(scope="session")
def source_server(database_servers: dict[str, Server]) -> Server:
    return database_servers["source"]


@pytest.fixture(scope="session")
def target_servers(database_servers: dict[str, Server]) -> tuple[Server, ...]:
    return tuple(server for name, server in database_servers.items() if name != "source")


@pytest.fixture
def arena(source_server: Server, target_servers: tuple[Server, ...], tmp_path: Path) -> Arena:
    """Empty servers for one test."""
    with ThreadPoolExecutor() as pool:
        list(pool.map(Server.make_empty, (source_server, *target_servers)))
    return Arena(source_server, target_servers, tmp_path)


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KafkaBroker]:
    """One broker for all tests of a file."""
    from tests.servers.kafka import KafkaBroker  # only where a queue is read

    made = KafkaBroker(tmp_path_factory.mktemp("kafka") / "broker")
    yield made
    made.close()


@pytest.fixture(scope="session")
def docker_compose_file() -> str:
    """Read by pytest-docker."""
    return str(Path(__file__).with_name("docker-compose.yml"))


def _from_program(folder: Path) -> dict[str, SandboxServer]:
    def start(name: str) -> SandboxServer:
        return start_server(folder / name, server_id=1 + NAMES.index(name), extra=FAST)

    with ThreadPoolExecutor() as pool:
        return dict(zip(NAMES, pool.map(start, NAMES), strict=True))


def _from_docker(request: pytest.FixtureRequest, folder: Path) -> dict[str, SandboxServer]:
    password = secrets.token_urlsafe(24)
    ports = {name: free_port() for name in NAMES}
    os.environ["SHARDWRIGHT_TEST_PASSWORD"] = password
    for name, port in ports.items():
        os.environ[f"SHARDWRIGHT_TEST_PORT_{name.upper()}"] = str(port)
    services = request.getfixturevalue("docker_services")
    project = request.getfixturevalue("docker_compose_project_name")
    started = {}
    for number, (name, port) in enumerate(ports.items(), start=1):
        place = folder / name
        place.mkdir(mode=0o700)
        (place / ADMIN_PASSWORD_FILE).write_text(password, encoding="utf-8")
        (place / ADMIN_PASSWORD_FILE).chmod(0o600)
        container = _container(project, name)
        started[name] = SandboxServer(place, "127.0.0.1", port, number, "mysql", "8.4", "%", container=container)
    for server in started.values():
        services.wait_until_responsive(timeout=180.0, pause=0.5, check=lambda server=server: _answers(server))
    return started


def _container(project: str, service: str) -> str:
    labels = {"com.docker.compose.project": project, "com.docker.compose.service": service}
    filters = [f"--filter=label={name}={value}" for name, value in labels.items()]
    command = ["docker", "ps", "--quiet", "--no-trunc", *filters]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout.strip()


def _answers(server: SandboxServer) -> bool:
    try:
        server.connect(timeout=5).close()
    except OSError:
        return False
    except Exception as error:  # noqa: BLE001 - whatever the driver says of a server that is not ready yet
        print(f"{server.port}: {error}")
        return False
    return True


def _clear(folder: Path) -> None:
    """End the local servers in `folder` and delete it. Containers are pytest-docker's to end."""
    for state in list(folder.rglob(STATE_FILE)):
        server = load_state(state.parent)
        if server is not None:
            remove_server(server)
    shutil.rmtree(folder, ignore_errors=True)


def _process_lives(pid: int) -> bool:
    with contextlib.suppress(PermissionError):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
    return True
