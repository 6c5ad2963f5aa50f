"""How is one sandbox server started and stopped, by a local program or in a container?

Runs in the process of the command; starts a server and keeps its state file.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.rehearsal.sandbox.binary import ServerBinary, ServerKind, find_server_binary
from shardwright.runtime.rehearsal.sandbox.docker import (
    container_is_running,
    docker_answers,
    remove_container,
    restart_container,
    start_container,
    stop_container,
)
from shardwright.runtime.rehearsal.sandbox.local import local_is_running, start_local, stop_local
from shardwright.runtime.rehearsal.sandbox.server import SandboxServer, load_state, save_state
from shardwright.runtime.rehearsal.sandbox.server_files import passable_folder


def start_server(
    folder: Path,
    *,
    server_id: int,
    port: int | None = None,
    extra: Mapping[str, str] | None = None,
    kind: ServerKind = "mariadb",
    report: Callable[[str], None] = lambda line: None,
) -> SandboxServer:
    """Starts a server and returns when it answers. It has the data of `folder`, or new data in it.

    A server that was started there before keeps its port unless `port` is given. A server that still runs is returned
    unchanged. `extra` are server options (name to value). New data are of a server of `kind`, where one can be started.
    `report` is called with the reason why a server runs as root, or is of the other kind.
    """
    folder = passable_folder(folder)
    earlier = load_state(folder)
    if earlier is not None and is_running(earlier):
        return earlier
    wanted = port or (earlier.port if earlier else None)
    if earlier is not None and earlier.container:
        server = restart_container(earlier)
    else:
        binary = find_server_binary(earlier.kind if earlier else kind)
        if binary is not None and binary.kind != kind:
            report(f"no {kind} server is installed here: {binary.kind} {binary.version} is started instead")
        server = _start_new(binary, folder, port=wanted, server_id=server_id, extra=extra or {}, report=report)
    save_state(server)
    return server


def _start_new(
    binary: ServerBinary | None,
    folder: Path,
    *,
    port: int | None,
    server_id: int,
    extra: Mapping[str, str],
    report: Callable[[str], None],
) -> SandboxServer:
    if binary is not None:
        return start_local(binary, folder, port=port, server_id=server_id, extra=extra, report=report)
    if docker_answers():
        return start_container(folder, port=port, server_id=server_id, extra=extra)
    raise RuntimeFailure(
        "SW8604",
        "no database server to start: neither mariadbd nor mysqld is installed and no Docker engine answers "
        "(on Debian or Ubuntu: apt-get install mariadb-server)",
    )


def stop_server(server: SandboxServer, *, deadline: float = 30.0) -> None:
    """Stops it in good order, or by force after `deadline` seconds. Its data stay. Does nothing when it is not
    running."""
    if server.container:
        stop_container(server, deadline=deadline)
    else:
        stop_local(server, deadline=deadline)


def remove_server(server: SandboxServer) -> None:
    """Stops it and deletes its data."""
    if server.container:
        remove_container(server)
    else:
        stop_local(server, deadline=30.0)
    shutil.rmtree(server.folder, ignore_errors=True)


def is_running(server: SandboxServer) -> bool:
    return container_is_running(server) if server.container else local_is_running(server)
