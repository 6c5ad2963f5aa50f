"""A sandbox for the example shop: started, readable as an environment, ended by another caller."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pymysql
import pytest

from shardwright.runtime.failures import InputAtFault, Refused
from shardwright.runtime.rehearsal.sandbox.sandbox import (
    SandboxInfo,
    SandboxRequest,
    sandbox_down,
    sandbox_status,
    sandbox_up,
    spread,
)
from shardwright.runtime.rehearsal.sandbox.server import SandboxServer
from shardwright.specs.environment.read import read_environment
from shardwright.specs.spec.model import Spec
from tests.workload.shop import PROJECT

pytestmark = pytest.mark.server


@pytest.fixture
def folder(servers_folder: Path) -> Iterator[Path]:
    place = servers_folder / "sandbox"
    yield place
    with suppress(Refused):
        sandbox_down(place)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project of the test's own, so that the example's environment file is left alone."""
    (tmp_path / "schema").symlink_to(PROJECT / "schema")
    return tmp_path


def test_up_status_down(spec: Spec, folder: Path, project: Path) -> None:
    reported: list[str] = []
    info = sandbox_up(SandboxRequest(spec, folder, project=project, targets=2), report=reported.append)
    assert info.databases == {"target_0": ("order_db_0", "order_db_1"), "target_1": ("order_db_2", "order_db_3")}
    about_this_machine = ("run as root", "is started instead")
    said = [line for line in reported if not any(words in line for words in about_this_machine)]
    assert len(said) == 4, said  # three servers and the schema

    environment = read_environment(str(info.environment_file), databases=spec.target.databases)
    assert environment.shards["order_db_3"].port == info.targets["target_1"].port
    fences = environment.cutover.fence
    assert fences.source and fences.shards and {fences.source.kind, fences.shards.kind} == {"triggers"}
    assert _tables(info.source, "shop") == {"users", "region", "order_info", "payment"} | {
        f"order_item_{n}" for n in range(4)
    }
    for server in (info.source, *info.targets.values()):
        assert _no_more_than_granted(info, server)
        assert _has_what_a_fence_needs(server)
    assert _application_is_let_in(info)

    assert {name: running for name, (_, running) in sandbox_status(folder).items()} == dict.fromkeys(
        ("source", "target_0", "target_1"), True
    )
    ended: list[str] = []
    assert sandbox_down(folder, report=ended.append) == ("source", "target_0", "target_1")
    assert not folder.exists() and not info.environment_file.exists()
    assert ended == [f"removed {info.environment_file}"]
    with pytest.raises(Refused, match="SW8606"):
        sandbox_down(folder)


def test_up_again_keeps_what_is_there(spec: Spec, folder: Path, project: Path) -> None:
    first = sandbox_up(SandboxRequest(spec, folder, project=project, targets=1))
    with first.source.connect("shop") as connection, connection.cursor() as cursor:
        cursor.execute("INSERT INTO region VALUES (7, 'kept', NULL)")
    sandbox_down(folder, keep_data=True)
    again = sandbox_up(SandboxRequest(spec, folder, project=project, targets=1))
    assert again.source.port == first.source.port
    with again.source.connect("shop") as connection, connection.cursor() as cursor:
        cursor.execute("SELECT name FROM region")
        assert cursor.fetchone() == ("kept",)
    with pytest.raises(Refused, match="SW8607"):
        sandbox_up(SandboxRequest(spec, folder, project=project, targets=2))


def test_an_environment_file_that_somebody_has_changed_stays(spec: Spec, folder: Path, project: Path) -> None:
    info = sandbox_up(SandboxRequest(spec, folder, project=project, targets=1))
    with info.environment_file.open("a", encoding="utf-8") as file:
        file.write("# ours now\n")
    ended: list[str] = []
    sandbox_down(folder, report=ended.append)
    assert info.environment_file.read_text(encoding="utf-8").endswith("# ours now\n")
    assert ended == [f"kept {info.environment_file}: it was changed since `shardwright sandbox up`"]
    assert not folder.exists()


def test_a_missing_seed_script_is_named_before_anything_is_made(spec: Spec, folder: Path, project: Path) -> None:
    reported: list[str] = []
    request = SandboxRequest(spec, folder, project=project, seed_sql=[project / "none.sql"])
    with pytest.raises(InputAtFault, match=r"none\.sql: No such file or directory; no server was started") as refused:
        sandbox_up(request, report=reported.append)
    assert refused.value.code == "SW8012" and reported == [] and not folder.exists()


def test_databases_are_spread_evenly() -> None:
    databases = tuple("abcde")
    assert spread(databases, 2) == {"target_0": ("a", "b"), "target_1": ("c", "d", "e")}
    assert [len(held) for held in spread(databases, 5).values()] == [1] * 5
    for servers in (0, 6):
        with pytest.raises(Refused, match="SW8605"):
            spread(databases, servers)


def _tables(server: SandboxServer, database: str) -> set[str]:
    with server.connect(database) as connection, connection.cursor() as cursor:
        cursor.execute("SHOW TABLES")
        return {name for (name,) in cursor.fetchall()}


def _has_what_a_fence_needs(server: SandboxServer) -> bool:
    with server.connect() as connection, connection.cursor() as cursor:
        cursor.execute("SELECT @@global.log_bin, @@global.log_bin_trust_function_creators")
        assert cursor.fetchone() == (1, 1)
        cursor.execute(f"SHOW GRANTS FOR 'shardwright'@'{server.account_host}'")
        given = " ".join(line for (line,) in cursor.fetchall()).replace("_", " ")
        return all(word in given for word in ("PROCESS", "CONNECTION ADMIN", "TRIGGER"))


def _application_is_let_in(info: SandboxInfo) -> bool:
    """On the targets it writes rows and changes no table. Everywhere it may read the switch row."""
    password = info.application_password_file.read_text(encoding="utf-8")
    with (
        info.targets["target_1"].connect("order_db_3") as administrator,
        info.targets["target_1"].connect("order_db_3", user=info.application_user, password=password) as application,
    ):
        administrator.cursor().execute("CREATE TABLE t (a INT PRIMARY KEY)")
        application.cursor().execute("INSERT INTO t VALUES (1)")
        with pytest.raises(pymysql.err.MySQLError, match="denied"):
            application.cursor().execute("DROP TABLE t")
    with (
        info.source.connect() as administrator,
        info.source.connect(user=info.application_user, password=password) as application,
    ):
        administrator.cursor().execute("CREATE DATABASE _shardwright_shop")
        administrator.cursor().execute("CREATE TABLE _shardwright_shop.t (a INT PRIMARY KEY)")
        assert application.cursor().execute("SELECT * FROM _shardwright_shop.t") == 0
        with pytest.raises(pymysql.err.MySQLError, match="denied"):
            application.cursor().execute("INSERT INTO _shardwright_shop.t VALUES (1)")
    return True


def _no_more_than_granted(info: SandboxInfo, server: SandboxServer) -> bool:
    password = (info.folder / "secrets" / "shardwright.password").read_text(encoding="utf-8")
    with pymysql.connect(host=server.host, port=server.port, user="shardwright", password=password) as connection:
        cursor = connection.cursor()
        with pytest.raises(pymysql.err.MySQLError, match="denied"):
            cursor.execute("SELECT * FROM mysql.user")
        with pytest.raises(pymysql.err.MySQLError, match="denied"):
            cursor.execute("CREATE DATABASE somewhere_else")
    return True
