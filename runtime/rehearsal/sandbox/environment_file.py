"""What is in the environment file of a sandbox? The same as in a deployment's file, with passwords by reference.

Runs in the process of the command; writes the file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from shardwright.runtime.rehearsal.sandbox.accounts import RUNTIME_USER, password_file
from shardwright.runtime.rehearsal.sandbox.server import SandboxServer
from shardwright.specs.files.project_files import write_file

_HEADER = """\
# Written by `shardwright sandbox up`; `shardwright sandbox down` ends the servers it names.
"""


def write_environment(
    file: Path,
    *,
    name: str,
    source: SandboxServer,
    targets: Mapping[str, Sequence[str]],
    servers: Mapping[str, SandboxServer],
    secrets: Path,
    work_dir: Path,
    settings: Mapping[str, Any] | None = None,
) -> None:
    """Writes the environment `name` to PROJECT/environments/NAME.yaml.

    `targets` has the databases of each of `servers`. `settings` are further keys of an environment file (spark, batch,
    snapshot), which are written unchanged.
    """
    environment = {
        "environment": name,
        "protected": False,
        "source": _connection(source, secrets),
        "servers": {server: _connection(servers[server], secrets) for server in targets},
        "shards": {database: server for server, databases in targets.items() for database in databases},
        "work_dir": str(work_dir),
        **(settings or {}),
    }
    text = _HEADER + yaml.safe_dump(environment, sort_keys=False, allow_unicode=True)
    write_file(file, text, root=file.parent.parent)


def _connection(server: SandboxServer, secrets: Path) -> dict[str, Any]:
    return {
        "host": server.host,
        "port": server.port,
        "user": RUNTIME_USER,
        "password": {"file": str(password_file(RUNTIME_USER, secrets=secrets))},
        "tls": "preferred",
    }
