"""One sandbox server: where it listens, how to reach it as its administrator, and its state file."""

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
    """A server that was started; `pid` is set for a local process, `container` for one of Docker's.

    `account_host` is the host part that accounts need so that a client on this machine may use them.
    """

    folder: Path
    host: str
    port: int
    server_id: int
    kind: ServerKind
    version: str
    account_host: str
    pid: int | None = None
    container: str | None = None

    @property
    def admin_password_file(self) -> Path:
        return self.folder / ADMIN_PASSWORD_FILE

    def connect(
        self, database: str | None = None, *, user: str = ADMIN, password: str | None = None, timeout: float = 10.0
    ) -> Connection[Cursor]:
        """An autocommit connection, of the administrator unless another account is named with its password."""
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
    # The folder may have been moved or reached by another name since.
    return SandboxServer(**{**state, "folder": folder.resolve()})
