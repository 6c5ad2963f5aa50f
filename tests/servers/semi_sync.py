"""Commits that hang between the log and the tables: in the log, and shown by no SELECT (case N01)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import pytest

from tests.servers.testbed import Server

_SETTINGS: Final = {
    "rpl_semi_sync_master_wait_point": "AFTER_SYNC",
    "rpl_semi_sync_master_wait_no_slave": 1,
    "rpl_semi_sync_master_timeout": 300_000,
}
"""No replica answers: a commit waits until semi-synchronous replication is switched off."""


@contextmanager
def commits_wait(server: Server) -> Iterator[None]:
    if server.sandbox.kind == "mysql":
        pytest.skip("MariaDB only: its semi-synchronous replication is built in")
    for name, value in _SETTINGS.items():
        server.query(f"SET GLOBAL {name} = %s", (value,))
    server.query("SET GLOBAL rpl_semi_sync_master_enabled = 1")
    try:
        yield
    finally:
        server.query("SET GLOBAL rpl_semi_sync_master_enabled = 0")
