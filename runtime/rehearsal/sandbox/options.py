"""With which options does a sandbox server start? Those that Shardwright requires of a source, with little memory.

Pure, apart from the account that it runs as; used in the process of the command.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from shardwright.runtime.rehearsal.sandbox.binary import ServerKind
from shardwright.runtime.rehearsal.sandbox.server_account import ServerAccount

FILES = "files"
ERROR_LOG = "error.log"


def common_options(kind: ServerKind, server_id: int) -> dict[str, str]:
    """Options that hold wherever the server runs. Durability is full: a rehearsal should cost what production costs."""
    options = {
        "server-id": str(server_id),
        "log-bin": "binlog",
        "binlog-format": "ROW",
        "binlog-row-image": "FULL",
        "local-infile": "1",
        "character-set-server": "utf8mb4",
        "max-connections": "300",
        "max-allowed-packet": "64M",
        "innodb-buffer-pool-size": "192M",
        "innodb-flush-log-at-trx-commit": "1",
        "sync-binlog": "1",
        "skip-name-resolve": "ON",
        # The account that creates the schema's triggers has no rights on the server as a whole.
        "log-bin-trust-function-creators": "1",
    }
    if kind == "mysql":
        return options | {
            "gtid-mode": "ON",
            "enforce-gtid-consistency": "ON",
            "mysqlx": "OFF",
            "secure-file-priv": "NULL",
        }
    return options | {"innodb-log-file-size": "96M", "performance-schema": "OFF"}


def local_arguments(
    kind: ServerKind,
    folder: Path,
    *,
    port: int,
    server_id: int,
    account: ServerAccount | None,
    extra: Mapping[str, str],
) -> tuple[str, ...]:
    """The command line after the program's name. `--no-defaults` must come first, or the server refuses it."""
    options = {
        **common_options(kind, server_id),
        # The one folder where SELECT ... INTO OUTFILE may write, and LOAD DATA read.
        **({"secure-file-priv": str(folder / FILES)} if kind == "mariadb" else {}),
        "datadir": str(folder / "data"),
        "tmpdir": str(folder / "tmp"),
        # Relative to the data folder, the one that the server's account may write. Besides, an absolute path easily
        # exceeds the 107 bytes that a socket's name may have.
        "socket": "server.sock",
        "pid-file": "server.pid",
        "log-error": str(folder / ERROR_LOG),
        "bind-address": "127.0.0.1",
        "port": str(port),
        **extra,
    }
    return ("--no-defaults", *user_argument(account), *(f"--{name}={value}" for name, value in options.items()))


def user_argument(account: ServerAccount | None) -> tuple[str, ...]:
    """A server that runs as root must be started with --user=root. One that was started as another account must not
    have it."""
    return ("--user=root",) if account is None and os.geteuid() == 0 else ()
