"""Which database server is installed here, and of which kind is it?

Runs in the process of the command; runs the server program to ask for its version.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

ServerKind = Literal["mariadb", "mysql"]

_PLACES = (
    "/usr/sbin",
    "/usr/libexec",
    "/usr/local/sbin",
    "/usr/local/bin",
    "/usr/local/mysql/bin",
    "/opt/homebrew/bin",
)
_VERSION = re.compile(r"Ver\s+(?P<version>\d+\.\d+\.\d+\S*)")


@dataclass(frozen=True, slots=True)
class ServerBinary:
    """A server program. `installer` fills a data folder for MariaDB; MySQL's server does that itself."""

    path: Path
    kind: ServerKind
    version: str
    installer: Path | None


CHOICE = "SHARDWRIGHT_SERVER"
"""An environment variable that names the server program to use instead of the one that is found."""


def find_server_binary(kind: ServerKind = "mariadb") -> ServerBinary | None:
    """The server to start: one of that kind where there is one, else one of the other kind; None when no server can be
    started. CHOICE counts whatever the kind."""
    names = (os.environ[CHOICE],) if CHOICE in os.environ else ("mariadbd", "mysqld")
    paths = [path for path in map(_program, names) if path is not None]
    found = [binary for binary in map(_identify, paths) if binary is not None]
    return min(found, key=lambda binary: binary.kind != kind, default=None)


def _identify(path: Path) -> ServerBinary | None:
    # The name is not reliable: Debian's /usr/sbin/mysqld is MariaDB when that is the server installed.
    try:
        answer = subprocess.run(
            [str(path), "--no-defaults", "--version"], capture_output=True, text=True, timeout=20, check=False
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = _VERSION.search(answer)
    if found is None:
        return None
    version = found["version"]
    if "mariadb" not in answer.lower():
        return ServerBinary(path, "mysql", version, None)
    # That of the server first: another version's may be installed.
    beside = path.parent / "mariadb-install-db"
    installer = beside if beside.is_file() else _program("mariadb-install-db") or _program("mysql_install_db")
    return ServerBinary(path, "mariadb", version, installer) if installer else None


def _program(name: str) -> Path | None:
    found = shutil.which(name)
    if found:
        return Path(found)
    # The PATH of an ordinary user has no sbin.
    return next((Path(place, name) for place in _PLACES if Path(place, name).is_file()), None)
