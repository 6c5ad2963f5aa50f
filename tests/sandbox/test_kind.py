"""Which server program a sandbox starts: one of the kind that the spec names, where both are installed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from shardwright.runtime.rehearsal.sandbox.binary import CHOICE, find_server_binary

pytestmark = pytest.mark.server


@pytest.fixture
def both(monkeypatch: pytest.MonkeyPatch) -> Path:
    """A MySQL on the PATH, beside the MariaDB of this machine."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    mysql = Path(os.environ.get("SHARDWRIGHT_MYSQL") or cache / "shardwright" / "mysql") / "9.7"
    monkeypatch.delenv(CHOICE, raising=False)
    found = find_server_binary()
    if not (mysql / "mysqld").exists() or found is None or found.kind != "mariadb":
        pytest.skip("not both are here: tests/servers/fetch_server fetches a MySQL")
    monkeypatch.setenv("PATH", f"{mysql}{os.pathsep}{os.environ['PATH']}")
    return mysql / "mysqld"


def test_the_spec_says_which(both: Path) -> None:
    of_mysql, of_mariadb = find_server_binary("mysql"), find_server_binary("mariadb")
    assert of_mysql is not None and (of_mysql.kind, of_mysql.path) == ("mysql", both)
    assert of_mariadb is not None and of_mariadb.kind == "mariadb"


def test_the_other_kind_is_better_than_none(both: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CHOICE, str(both))
    named = find_server_binary("mariadb")
    assert named is not None and named.kind == "mysql"
