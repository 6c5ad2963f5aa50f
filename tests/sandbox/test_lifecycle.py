"""A sandbox server is started, found again, stopped by another process, and refuses with the reason."""

from __future__ import annotations

import stat
import subprocess
import sys
from pathlib import Path

import pytest

from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.rehearsal.sandbox.lifecycle import is_running, remove_server, start_server, stop_server
from shardwright.runtime.rehearsal.sandbox.server import SandboxServer

pytestmark = pytest.mark.server


@pytest.fixture
def server(servers_folder: Path, request: pytest.FixtureRequest):
    started = start_server(servers_folder / request.node.name, server_id=9)
    yield started
    remove_server(started)


def test_started_as_a_source_must_be(server: SandboxServer) -> None:
    with server.connect() as connection, connection.cursor() as cursor:
        cursor.execute(
            "SELECT @@log_bin, @@binlog_format, @@binlog_row_image, @@local_infile, @@character_set_server,"
            " @@sync_binlog, @@innodb_flush_log_at_trx_commit, @@bind_address, @@server_id"
        )
        assert cursor.fetchone() == (1, "ROW", "FULL", 1, "utf8mb4", 1, 1, "127.0.0.1", 9)


def test_secrets_are_for_the_owner_only(server: SandboxServer) -> None:
    assert stat.S_IMODE(server.admin_password_file.stat().st_mode) == 0o600
    assert not list(server.folder.glob("*.sql"))


def test_another_process_stops_it_and_its_data_stay(server: SandboxServer) -> None:
    with server.connect() as connection, connection.cursor() as cursor:
        cursor.execute("CREATE DATABASE kept")
    program = (
        "import sys, pathlib\n"
        "from shardwright.runtime.rehearsal.sandbox.lifecycle import stop_server\n"
        "from shardwright.runtime.rehearsal.sandbox.server import load_state\n"
        "stop_server(load_state(pathlib.Path(sys.argv[1])))\n"
    )
    subprocess.run([sys.executable, "-c", program, str(server.folder)], check=True, timeout=60)
    assert not is_running(server)
    again = start_server(server.folder, server_id=9)
    assert again.port == server.port
    with again.connect("kept"):
        pass
    stop_server(again)
    assert not is_running(again)


def test_one_that_runs_is_returned_as_it_is(server: SandboxServer) -> None:
    assert start_server(server.folder, server_id=9) == server


def test_a_start_that_fails_shows_the_servers_own_words(servers_folder: Path) -> None:
    folder = servers_folder / "fails"
    with pytest.raises(RuntimeFailure) as caught:
        start_server(folder, server_id=9, extra={"no-such-option": "1"})
    assert caught.value.code == "SW8602"
    assert "no-such-option" in caught.value.message
