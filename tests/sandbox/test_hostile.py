"""A schema file, and a folder, that somebody else made (findings 3 and 8 of the security review)."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pymysql
import pytest

from shardwright.runtime.failures import InputAtFault, Refused
from shardwright.runtime.rehearsal.sandbox.accounts import APPLICATION_USER
from shardwright.runtime.rehearsal.sandbox.own_folder import own_folder, password_in
from shardwright.runtime.rehearsal.sandbox.sandbox import SandboxRequest, sandbox_down, sandbox_up
from shardwright.specs.findings.diagnostics import SpecError
from shardwright.specs.spec.model import Spec
from tests.workload.shop import PROJECT

_NO_ONE = 65534
requires_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another account")


@pytest.fixture
def folder(servers_folder: Path) -> Iterator[Path]:
    place = servers_folder / "hostile-sandbox"
    yield place
    with suppress(Refused):
        sandbox_down(place)


@pytest.mark.in_turn
@pytest.mark.server
def test_a_script_can_do_nothing_outside_the_source_databases(spec: Spec, folder: Path, tmp_path: Path) -> None:
    schema = (PROJECT / "schema" / "shop.sql").read_text(encoding="utf-8")
    (tmp_path / "schema").mkdir()
    file, target = tmp_path / "schema" / "shop.sql", tmp_path / "pwned"
    writes = f"SELECT 'x' INTO OUTFILE '{target}'"
    file.write_text(f"{schema}\n{writes};\n", encoding="utf-8")
    with pytest.raises(SpecError) as refused:
        sandbox_up(SandboxRequest(spec, folder, project=tmp_path, targets=1))
    assert {item.code for item in refused.value.diagnostics} <= {"SW4102", "SW4103"}
    assert not folder.exists(), "nothing was started"
    file.write_text(schema, encoding="utf-8")
    seed = tmp_path / "seed.sql"
    for statement in (
        writes,
        "CREATE USER mine@'%' IDENTIFIED BY 'x'",
        "SET GLOBAL general_log_file = '/tmp/x'",
        "GRANT ALL ON *.* TO CURRENT_USER()",
    ):
        seed.write_text(f"{statement};\n", encoding="utf-8")
        with pytest.raises(InputAtFault, match="SW8012"):
            sandbox_up(SandboxRequest(spec, folder, project=tmp_path, targets=1, seed_sql=[seed]))
        assert not target.exists(), statement
    info = sandbox_up(SandboxRequest(spec, folder, project=tmp_path, targets=1))
    with info.source.connect() as administrator, administrator.cursor() as cursor:
        with pytest.raises(pymysql.err.MySQLError):
            cursor.execute(writes)  # whoever has FILE may write to one folder of the sandbox's at most
        cursor.execute("SHOW GRANTS FOR %s@%s", (APPLICATION_USER, info.source.account_host))
        everywhere = [str(row[0]) for row in cursor.fetchall() if " ON *.* " in str(row[0])]
    assert [grant for grant in everywhere if not grant.startswith("GRANT USAGE")] == []
    assert not target.exists()


def test_a_password_file_holds_a_password_of_ours(tmp_path: Path) -> None:
    file = tmp_path / "admin.password"
    password = password_in(file)
    assert password_in(file) == password and file.stat().st_mode & 0o777 == 0o600
    file.chmod(0o644)
    _is_refused(file)
    file.chmod(0o600)
    file.write_text("x'; DROP USER root; --")
    _is_refused(file)
    link = tmp_path / "link.password"
    link.symlink_to(tmp_path / "elsewhere")
    _is_refused(link)
    fifo = tmp_path / "fifo.password"
    os.mkfifo(fifo, 0o600)
    _is_refused(fifo)


def _is_refused(file: Path) -> None:
    with pytest.raises(Refused, match="SW8608"):
        password_in(file)


def test_a_folder_that_others_may_write_is_refused(tmp_path: Path) -> None:
    place = own_folder(tmp_path / "mine")
    assert place.stat().st_mode & 0o777 == 0o700
    for mode in (0o777, 0o770, 0o1777):
        place.chmod(mode)
        with pytest.raises(Refused, match="may be written by other accounts"):
            own_folder(place)


@requires_root
@pytest.mark.server
def test_a_folder_that_another_account_prepared_is_refused_unread(spec: Spec, folder: Path, tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    made = folder / "source"
    made.mkdir(parents=True)
    target = tmp_path / "pwned_by_preseed"
    (made / "admin.password").write_text(f"x';\nSELECT 'as the victim' INTO OUTFILE '{target}")
    for place in (folder, made, made / "admin.password"):
        subprocess.run(["chown", f"{_NO_ONE}:{_NO_ONE}", str(place)], check=True)
        place.chmod(0o777)
    with pytest.raises(Refused, match=r"SW8608.*belongs to another account"):
        sandbox_up(SandboxRequest(spec, folder, project=PROJECT, targets=1))
    subprocess.run(["chown", "0:0", str(folder)], check=True)
    folder.chmod(0o700)
    with pytest.raises(Refused, match="SW8608"):
        sandbox_up(SandboxRequest(spec, folder, project=PROJECT, targets=1))
    assert not target.exists()
