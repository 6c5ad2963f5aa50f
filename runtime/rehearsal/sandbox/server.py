"""Where does one sandbox server listen, how does its administrator reach it, and what is in its state file?

Runs in the process of the command; connects to the server, writes the state file.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from pymysql.connections import Connection
from pymysql.cursors import Cursor

from shardwright.runtime.mysql.tls import TlsConnection
from shardwright.runtime.rehearsal.sandbox.binary import ServerKind
from shardwright.specs.files.private_files import write_private

STATE_FILE = "server.json"
ADMIN_PASSWORD_FILE = "admin.password"
ADMIN = "root"


@dataclass(frozen=True, slots=True)
class SandboxServer:
    """A server that was started."""

    folder: Path
    """The folder with its data, passwords and state file."""
    host: str
    """The address at which it listens."""
    port: int
    """The TCP port."""
    server_id: int
    """Its server-id, which differs within a sandbox."""
    kind: ServerKind
    """MariaDB or MySQL."""
    version: str
    """The server's version, or Docker's image."""
    account_host: str
    """The host part that accounts need, so that a client on this machine may use them."""
    pid: int | None = None
    """The process of a local server; None in a container."""
    container: str | None = None
    """The container's id; None for a local process."""

    @property
    def admin_password_file(self) -> Path:
        return self.folder / ADMIN_PASSWORD_FILE

    def connect(
        self, database: str | None = None, *, user: str = ADMIN, password: str | None = None, timeout: float = 10.0
    ) -> Connection[Cursor]:
        """An autocommit connection, of the administrator unless another account is given with its password."""
        return TlsConnection(
            host=self.host,
            port=self.port,
            user=user,
            password=self.admin_password_file.read_text(encoding="utf-8") if password is None else password,
            database=database,
            charset="utf8mb4",
            autocommit=True,
            connect_timeout=int(timeout),
        )


def save_state(server: SandboxServer) -> None:
    state = {**asdict(server), "folder": str(server.folder)}
    scratch = server.folder / f"{STATE_FILE}.new"
    write_private(scratch, json.dumps(state, indent=2) + "\n")
    scratch.replace(server.folder / STATE_FILE)


def load_state(folder: Path) -> SandboxServer | None:
    """The server last started in `folder`, whether or not it still runs; None when there never was one."""
    try:
        state = json.loads((folder / STATE_FILE).read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return None
    # The folder may have been moved, or reached by another name, since then.
    return SandboxServer(**{**state, "folder": folder.resolve()})
