"""Whom the servers run as where the operating system's root calls (finding 3 of the security review): an account
without rights where that can be, else root, and that is said.
"""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pymysql
import pytest

from shardwright.runtime.failures import Refused
from shardwright.runtime.rehearsal.sandbox.binary import ServerBinary, find_server_binary
from shardwright.runtime.rehearsal.sandbox.lifecycle import is_running, remove_server, start_server, stop_server
from shardwright.runtime.rehearsal.sandbox.sandbox import SandboxRequest, sandbox_down, sandbox_up
from shardwright.runtime.rehearsal.sandbox.server import SandboxServer, load_state
from shardwright.runtime.rehearsal.sandbox.server_account import (
    ServerAccount,
    choose_account,
    find_server_account,
    identity,
)
from shardwright.runtime.rehearsal.sandbox.server_files import passable_folder
from shardwright.specs.spec.model import Spec
from tests.workload.shop import PROJECT

pytestmark = [
    pytest.mark.server,
    pytest.mark.skipif(os.geteuid() != 0, reason="only root can start servers as another account"),
]


@pytest.fixture
def account() -> ServerAccount:
    found = find_server_account()
    assert found is not None and found.uid != 0
    return found


@pytest.fixture
def everybodys() -> Iterator[Path]:
    """A folder that every account may pass through; pytest's own are root's alone."""
    place = Path(tempfile.mkdtemp(prefix="shardwright-open-", dir="/tmp"))
    place.chmod(0o711)
    yield place
    place.chmod(0o711)
    with suppress(Refused):
        sandbox_down(place / "sandbox")
    if left := load_state(place / "server"):
        remove_server(left)
    shutil.rmtree(place)


@pytest.fixture
def usable(account: ServerAccount, everybodys: Path) -> ServerBinary:
    """The server program, where other accounts may run it."""
    binary = find_server_binary()
    assert binary is not None
    _, why_root = choose_account(binary, everybodys)
    if why_root:
        assert f"the account {account.name} cannot use {binary.path.resolve()}, as /" in why_root
        pytest.skip(why_root)
    return binary


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "schema").symlink_to(PROJECT / "schema")
    return tmp_path


def test_servers_run_as_an_account_without_rights(
    spec: Spec, usable: ServerBinary, account: ServerAccount, everybodys: Path, project: Path
) -> None:
    folder, reported = everybodys / "sandbox", list[str]()
    info = sandbox_up(SandboxRequest(spec, folder, project=project, targets=1), report=reported.append)
    assert not [line for line in reported if "run as root" in line]
    for server in (info.source, *info.targets.values()):
        assert _runs_as(server) == ({account.uid}, {account.gid}, set())
        _only_what_it_writes_is_the_servers(server, account)
    for file in (info.application_password_file, info.source.admin_password_file, info.source.folder / "server.json"):
        assert file.stat().st_uid == 0 and not _may(account, "-r", file), file
    assert not _may(account, "-x", folder / "secrets") and not _may(account, "-x", folder / "work")
    assert not _may(account, "-r", folder) and not _may(account, "-w", info.source.folder)
    _files_are_written_to_one_folder_at_most(info.source, account)
    assert sandbox_down(folder) == ("source", "target_0")
    assert not folder.exists()


def test_no_variable_of_roots_is_given_to_the_server(
    usable: ServerBinary, everybodys: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A_SECRET_OF_ROOTS", "canary")
    server = start_server(everybodys / "server", server_id=9)
    assert b"canary" not in Path(f"/proc/{server.pid}/environ").read_bytes()


def test_stopped_and_started_again_it_keeps_its_account_and_data(
    usable: ServerBinary, account: ServerAccount, everybodys: Path
) -> None:
    first = start_server(everybodys / "server", server_id=9)
    _query(first, "CREATE DATABASE kept")
    assert start_server(first.folder, server_id=9) == first, "known as ours while it runs"
    stop_server(first)
    assert not is_running(first)
    again = start_server(first.folder, server_id=9)
    assert _runs_as(again)[0] == {account.uid} and again.port == first.port
    _query(again, "CREATE TABLE kept.t (id INT)")
    remove_server(again)
    assert not is_running(again) and not again.folder.exists()


def test_data_that_root_made_stay_roots(usable: ServerBinary, account: ServerAccount, everybodys: Path) -> None:
    """They were made while a folder was closed."""
    everybodys.chmod(0o700)
    reported: list[str] = []
    server = start_server(everybodys / "server", server_id=9, report=reported.append)
    _query(server, "CREATE DATABASE kept")
    stop_server(server)
    everybodys.chmod(0o711)
    again = start_server(server.folder, server_id=9, report=reported.append)
    assert _runs_as(again)[0] == {0}
    _query(again, "CREATE TABLE kept.t (id INT)")
    assert [line.partition(";")[0] for line in reported] == [
        f"servers run as root: the account {account.name} cannot enter {closed}"
        for closed in (everybodys, server.folder / "data")
    ]


def test_data_of_the_account_are_not_touched_by_root(usable: ServerBinary, everybodys: Path) -> None:
    """Files that root's server would add could not be read by the account's later."""
    server = start_server(everybodys / "server", server_id=9)
    stop_server(server)
    everybodys.chmod(0o700)
    with pytest.raises(Refused, match=r"SW8608.*/data belongs to another account"):
        start_server(server.folder, server_id=9)
    everybodys.chmod(0o711)
    assert _runs_as(start_server(server.folder, server_id=9))[0] != {0}


def test_where_a_folder_is_closed_servers_run_as_root_and_that_is_said_once(
    spec: Spec, account: ServerAccount, everybodys: Path, project: Path
) -> None:
    everybodys.chmod(0o700)
    reported: list[str] = []
    info = sandbox_up(SandboxRequest(spec, everybodys / "sandbox", project=project, targets=1), report=reported.append)
    assert _runs_as(info.source)[0] == {0}
    (said,) = (line for line in reported if "run as root" in line)
    assert said.startswith(
        f"servers run as root: the account {account.name} cannot enter {everybodys}; name a --folder"
    )


def test_a_program_in_a_closed_folder_is_reported(account: ServerAccount, everybodys: Path, tmp_path: Path) -> None:
    """Reached by a link that is open to everybody."""
    program = tmp_path / "mysqld"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    tmp_path.chmod(0o700)
    (everybodys / "mysqld").symlink_to(program)
    reported = choose_account(ServerBinary(everybodys / "mysqld", "mysql", "9.7", None), everybodys)
    assert reported[0] is None and f"cannot use {program}, as {_first_closed(program)} is closed to it" in reported[1]


def test_only_an_empty_folder_is_opened(account: ServerAccount, everybodys: Path) -> None:
    new = passable_folder(everybodys / "new")
    assert _mode(new) == 0o710 and new.stat().st_gid == account.gid and new.stat().st_uid == 0
    used = everybodys / "used"
    used.mkdir(mode=0o700)
    (used / "mine").touch()
    assert _mode(passable_folder(used)) == 0o700 and used.stat().st_gid == os.getegid()


def _only_what_it_writes_is_the_servers(server: SandboxServer, account: ServerAccount) -> None:
    written = {name: server.folder / name for name in ("data", "tmp", "files", "error.log")}
    for place in written.values():
        assert place.stat().st_uid == account.uid, place
    assert {_mode(written[name]) for name in ("data", "tmp", "files")} == {0o700} and _mode(server.folder) == 0o710
    assert {file.stat().st_uid for file in written["data"].rglob("*")} == {account.uid}
    others = set(server.folder.iterdir()) - set(written.values())
    assert {file.name for file in others} <= {"admin.password", "server.json", "output.log", "install.log"}
    assert {file.stat().st_uid for file in others} == {0}


def _files_are_written_to_one_folder_at_most(server: SandboxServer, account: ServerAccount) -> None:
    with pytest.raises(pymysql.err.MySQLError):
        _query(server, f"SELECT 'x' INTO OUTFILE '{server.folder / 'data' / 'x'}'")
    allowed = server.folder / "files" / "x"
    if server.kind == "mariadb":
        _query(server, f"SELECT 'x' INTO OUTFILE '{allowed}'")
        assert allowed.read_text() == "x\n" and allowed.stat().st_uid == account.uid


def _runs_as(server: SandboxServer) -> tuple[set[int], set[int], set[int]]:
    """Its users (real, effective, saved, of files), groups and further groups."""
    lines = Path(f"/proc/{server.pid}/status").read_text(encoding="utf-8").splitlines()
    reported = dict(line.split(":", 1) for line in lines)
    users, groups, further = (set(map(int, reported[name].split())) for name in ("Uid", "Gid", "Groups"))
    return users, groups, further


def _may(account: ServerAccount, what: str, place: Path) -> bool:
    done = subprocess.run(["/bin/sh", "-c", f'test {what} "$1"', "sh", str(place)], timeout=20, **identity(account))
    return done.returncode == 0


def _first_closed(place: Path) -> Path:
    return next(part for part in reversed(place.parents) if not part.stat().st_mode & stat.S_IXOTH)


def _mode(place: Path) -> int:
    return stat.S_IMODE(place.stat().st_mode)


def _query(server: SandboxServer, statement: str) -> None:
    with server.connect() as connection, connection.cursor() as cursor:
        cursor.execute(statement)
