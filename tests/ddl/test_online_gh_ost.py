"""Copies handed over to gh-ost. Its command line is a golden text; where a gh-ost is installed, it also runs."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest

from shardwright.runtime.ddl.online.ready import refuse_missing_tool
from shardwright.runtime.failures import Unreachable
from shardwright.runtime.rehearsal.sandbox.accounts import RUNTIME_USER
from tests.ddl.online_shop import OnlineShop, tool_of, wait_for
from tests.servers.testbed import Arena

PROGRAM = "gh-ost"
needs_gh_ost = pytest.mark.skipif(shutil.which(PROGRAM) is None, reason="gh-ost is not installed")


@pytest.fixture
def reporting(arena: Arena) -> Iterator[Arena]:
    """Servers that tell metadata locks, which ours leave out to be faster."""
    if arena.targets[0].sandbox.container:
        pytest.skip("a container's options are fixed")
    before = [server._extra for server in arena.targets]
    options = {"performance-schema": "ON", "performance-schema-instrument": "wait/lock/metadata/sql/mdl=ON"}

    def restart(each: Iterable[Mapping[str, str]]) -> None:
        for server, extra in zip(arena.targets, each, strict=True):
            server.stop()
            server._extra = extra
            server.start()

    restart([{**extra, **options} for extra in before])
    yield arena
    restart(before)


@pytest.mark.server
@needs_gh_ost
def test_servers_that_do_not_report_locks_are_refused(tmp_path: Path, arena: Arena) -> None:
    shop = OnlineShop(tmp_path, arena, rows=10)
    for server in arena.targets:
        server.query(f"REVOKE SELECT ON performance_schema.* FROM {RUNTIME_USER}@'{server.sandbox.account_host}'")
    refused = shop.apply("gh-ost").require(6).err
    assert "SW8442: gh-ost cannot change order_db_0.orders_0: its server does not show" in refused
    assert shop.types() == ["varchar"] * 4


@pytest.mark.server
@needs_gh_ost
def test_rows_written_during_the_copy_are_there(tmp_path: Path, reporting: Arena) -> None:
    """The oracle is what the application did, and plain SQL."""
    shop = OnlineShop(tmp_path, reporting, rows=60_000)
    with shop.change_rows("order_db_1", "orders_1", rows=60_000) as expected:
        done = shop.apply("gh-ost").require(0)
    assert shop.types() == ["text"] * 4 and shop.foreign_objects() == set()
    assert shop.rows("order_db_1", "orders_1") == expected and max(expected) > 10_000_000
    secrets = [file.read_text("utf-8") for file in (reporting.folder / "secrets").glob("*.password")]
    logs = [file.read_text("utf-8") for file in (tmp_path / "build" / "ddl-logs").iterdir()]
    assert len(logs) == 4 and secrets and not any(secret in text for secret in secrets for text in [*logs, done.err])


@pytest.mark.server
@needs_gh_ost
def test_a_killed_tool_is_reported_removed_and_resumed(tmp_path: Path, reporting: Arena) -> None:
    shop = OnlineShop(tmp_path, reporting, rows=200_000)
    with shop.change_rows("order_db_0", "orders_0", rows=200_000) as expected:
        apply = shop.starts("gh-ost")
        wait_for("its table", lambda: "_orders_0_gho" in shop.foreign_objects())
        os.kill(wait_for("the tool", lambda: tool_of(apply, PROGRAM)), signal.SIGKILL)
        _, said = apply.communicate(timeout=60)
        assert apply.returncode == 5 and "SW8444: order_db_0.orders_0: gh-ost ended with killed by signal 9" in said
        refused = shop.apply("gh-ost").require(6).err
        assert (
            "SW8443" in refused and "DROP TABLE `_orders_0_gho`" in refused and "DROP TABLE `_orders_0_ghc`" in refused
        )
        shop.apply("gh-ost", "--remove-leftovers").require(0)
    assert shop.types() == ["text"] * 4 and shop.foreign_objects() == set()
    assert shop.rows("order_db_0", "orders_0") == expected


@pytest.mark.server
@needs_gh_ost
def test_a_value_that_would_be_cut_ends_the_copy(tmp_path: Path, reporting: Arena) -> None:
    shop = OnlineShop(tmp_path, reporting, change="ALTER TABLE orders MODIFY COLUMN note VARCHAR(3);\n")
    stopped = shop.apply("gh-ost").require(5)
    assert "SW8444" in stopped.err, stopped
    assert shop.rows("order_db_0", "orders_0") == {key: f"n{key}" for key in range(1, 2_001)}
    assert shop.types() == ["varchar"] * 4


@pytest.mark.parametrize(("version", "mariadb"), [("1.1.7", False), ("1.1.10", True), ("unversioned", False)])
def test_one_that_is_too_old_is_refused(
    version: str, mariadb: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / PROGRAM
    program.write_text(f"#!/bin/sh\necho '{version} (git commit: 1)'\n", "utf-8")
    program.chmod(0o700)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(Unreachable, match=r"SW8441: gh-ost must be 1\.1\.(8 or newer|11 or newer for MariaDB)"):
        refuse_missing_tool("gh-ost", mariadb=mariadb)
