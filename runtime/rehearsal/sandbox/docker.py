"""How is a MySQL server started and stopped in a container? For machines with a Docker engine and no server program.

Runs in the process of the command; calls the Docker client.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

import pymysql

from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.rehearsal.sandbox.options import common_options
from shardwright.runtime.rehearsal.sandbox.own_folder import password_in
from shardwright.runtime.rehearsal.sandbox.server import ADMIN_PASSWORD_FILE, SandboxServer

IMAGE = "mysql:8.4"
_PULL_AND_START_DEADLINE = 600.0
_READY_DEADLINE = 180.0


def docker_answers() -> bool:
    """Whether a Docker engine answers, and not only its client is installed."""
    try:
        command = ["docker", "version", "--format", "{{.Server.Version}}"]
        return subprocess.run(command, capture_output=True, timeout=20, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def start_container(folder: Path, *, port: int | None, server_id: int, extra: Mapping[str, str]) -> SandboxServer:
    """Starts a container. Its data stay in a volume of its own until `remove_container`."""
    password = password_in(folder / ADMIN_PASSWORD_FILE)
    options = {**common_options("mysql", server_id), **extra}
    environment = folder / "container.env"
    _write_private(environment, f"MYSQL_ROOT_PASSWORD={password}\nMYSQL_ROOT_HOST=%\n")
    try:
        container = _docker(
            "run",
            "--detach",
            f"--env-file={environment}",
            f"--publish=127.0.0.1:{port or ''}:3306",
            "--label=shardwright.sandbox",
            IMAGE,
            *(f"--{name}={value}" for name, value in options.items()),
            deadline=_PULL_AND_START_DEADLINE,
        )
    finally:
        environment.unlink()
    return _ready(_describe(folder, container, server_id))


def restart_container(server: SandboxServer) -> SandboxServer:
    """Starts a stopped container again. Docker may give it another port when none was asked for."""
    _docker("start", _id(server))
    return _ready(_describe(server.folder, _id(server), server.server_id))


def stop_container(server: SandboxServer, *, deadline: float) -> None:
    if container_is_running(server):
        _docker("stop", f"--time={deadline:.0f}", _id(server), deadline=deadline + 30)


def remove_container(server: SandboxServer) -> None:
    """Deletes the container and its data. Does nothing when it is gone already."""
    if _docker("ps", "--all", "--quiet", "--no-trunc", f"--filter=id={_id(server)}"):
        _docker("rm", "--force", "--volumes", _id(server))


def container_is_running(server: SandboxServer) -> bool:
    return bool(_docker("ps", "--quiet", f"--filter=id={_id(server)}"))


def _describe(folder: Path, container: str, server_id: int) -> SandboxServer:
    published = _docker("port", container, "3306/tcp").splitlines()[0]
    port = int(published.rpartition(":")[2])
    return SandboxServer(folder, "127.0.0.1", port, server_id, "mysql", IMAGE, "%", container=container)


def _ready(server: SandboxServer) -> SandboxServer:
    # While the image sets itself up, it runs a server without a network: only the final server answers over TCP.
    end = time.monotonic() + _READY_DEADLINE
    while container_is_running(server) and time.monotonic() < end:
        try:
            server.connect(timeout=5).close()
            return server
        except (pymysql.err.OperationalError, OSError):
            time.sleep(0.5)
    log = _docker("logs", "--tail=15", _id(server))
    raise RuntimeFailure(
        "SW8602", f"the {IMAGE} container {_id(server)[:12]} did not come up; the end of its log:\n{log}"
    )


def _id(server: SandboxServer) -> str:
    if server.container is None:
        raise ValueError(f"{server.folder} holds no container")
    return server.container


def _docker(*arguments: str, deadline: float = 60.0) -> str:
    """Runs the Docker client and returns its output. `logs` prints the server's log on its standard error."""
    try:
        done = subprocess.run(["docker", *arguments], capture_output=True, text=True, timeout=deadline, check=False)
    except subprocess.TimeoutExpired:
        raise RuntimeFailure("SW8603", f"docker {arguments[0]} took longer than {deadline:.0f} s") from None
    if done.returncode != 0:
        raise RuntimeFailure("SW8603", f"docker {arguments[0]} failed: {done.stderr.strip()}")
    return (done.stdout + done.stderr if arguments[0] == "logs" else done.stdout).strip()


def _write_private(file: Path, text: str) -> None:
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as stream:
        stream.write(text)
