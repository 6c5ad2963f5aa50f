"""What is in the environment file of a sandbox? The same as in a deployment's file, with passwords by reference.

Runs in the process of the command; writes the file.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml

from shardwright.runtime.rehearsal.sandbox.accounts import RUNTIME_USER, password_file
from shardwright.runtime.rehearsal.sandbox.server import SandboxServer
from shardwright.specs.files.project_files import write_file

_HEADER = """\
# Written by `shardwright sandbox up`; `shardwright sandbox down` ends the servers it names.
"""


RECORD: Final = "environment.json"
"""In the folder of a sandbox: which environment file it has written."""


@dataclass(frozen=True, slots=True)
class ServerLayout:
    """The servers of an environment, and what is on them."""

    source: SandboxServer
    """The source server."""
    targets: Mapping[str, SandboxServer]
    """The target servers by name."""
    databases: Mapping[str, Sequence[str]]
    """The target databases by server name."""
    secrets: Path
    """The folder with the passwords of the accounts."""


def write_environment(
    file: Path, layout: ServerLayout, *, work_dir: Path, settings: Mapping[str, Any] | None = None
) -> None:
    """Writes the environment NAME to `file`, which is PROJECT/environments/NAME.yaml. `settings` are further keys of an
    environment file (spark, batch, snapshot), which are written unchanged."""
    targets = {name: layout.targets[name] for name in layout.databases}
    environment = {
        "environment": file.stem,
        "protected": False,
        "source": _connection(layout.source, layout.secrets),
        "servers": {name: _connection(server, layout.secrets) for name, server in targets.items()},
        "shards": {database: server for server, databases in layout.databases.items() for database in databases},
        "work_dir": str(work_dir),
        **(settings or {}),
    }
    text = _HEADER + yaml.safe_dump(environment, sort_keys=False, allow_unicode=True)
    write_file(file, text, root=file.parent.parent)


def record_environment(file: Path, folder: Path) -> None:
    """Keeps in the sandbox's folder which environment file belongs to it, and how it was written."""
    record = {"file": str(file.resolve()), "sha256": _digest(file)}
    (folder / RECORD).write_text(json.dumps(record), encoding="utf-8")


def remove_environment(folder: Path) -> tuple[Path, bool] | None:
    """Removes the environment file of the sandbox, unless somebody has changed it since. Returns the file, and whether
    it is gone; None where none belongs to the sandbox, or it is gone already."""
    try:
        record = json.loads((folder / RECORD).read_text(encoding="utf-8"))
        file = Path(record["file"])
        is_ours = file.parent.name == "environments" and _digest(file) == record["sha256"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    if is_ours:
        file.unlink()
    return file, is_ours


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _connection(server: SandboxServer, secrets: Path) -> dict[str, Any]:
    return {
        "host": server.host,
        "port": server.port,
        "user": RUNTIME_USER,
        "password": {"file": str(password_file(RUNTIME_USER, secrets=secrets))},
        "tls": "preferred",
    }
