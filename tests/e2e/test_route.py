"""`route` asks Spark and a real server what Python says, and stops when they disagree (C9, D15)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from shardwright.compiler.sharding.function import ShardFunction
from shardwright.runtime.cli import verb_route
from shardwright.runtime.cli.main import main
from shardwright.runtime.mysql.md5_component import INSTALL
from shardwright.runtime.rehearsal.route.bind import bind_sql
from tests.servers.testbed import Arena
from tests.support.commands import shardwright

pytestmark = pytest.mark.server

SPEC = """\
version: 1
migration: shop
source: {dialect: mariadb, databases: [shop], schema: schema/shop.sql}
target: {databases: "db_{0..2}", tables_suffix: "_{0..3}"}
sharding:
  by_user: {shard_key: [user_id], algorithm: murmur3_32}
  by_name: {shard_key: [region, seat], algorithm: crc32_mod}
  by_token: {shard_key: [token], algorithm: md5_prefix}
  by_day: {shard_key: [day], algorithm: interval, options: {start: 2024-01, step: 1 month}}
tables:
  - {table: orders, sharding: by_user}
  - {table: seat, sharding: by_name}
  - {table: token, sharding: by_token}
  - {table: visit, sharding: by_day}
"""
SCHEMA = """\
CREATE TABLE orders (user_id BIGINT UNSIGNED NOT NULL PRIMARY KEY) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE token (token BINARY(4) NOT NULL PRIMARY KEY) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE seat (
  region VARCHAR(9) NOT NULL,
  seat INT NOT NULL,
  PRIMARY KEY (region, seat)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE visit (day DATE NOT NULL PRIMARY KEY) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
"""
DATABASES = [f"db_{number}" for number in range(3)]
KEYS = {
    "orders": "user_id\n0\n18446744073709551615\n9223372036854775808\n4711\n",
    "seat": 'region,seat\n"it\'s\\",7\n\U0001f600é,-2147483648\n,0\n',
    "token": "token\n00ff00ff\n0x00\nffffffff\n",
    "visit": "day\n2024-02-29\n1999-12-31\n2031-07-01\n",
}


@pytest.fixture
def project(arena: Arena) -> Path:
    """With an environment `test`, and a file of keys for each table."""
    root = arena.folder / "project"
    for folder, name, text in (("specs", "shop.yaml", SPEC), ("schema", "shop.sql", SCHEMA)):
        (root / folder).mkdir(parents=True)
        (root / folder / name).write_text(text, "utf-8")
    for table, keys in KEYS.items():
        (root / f"{table}.csv").write_text(keys, "utf-8")
    arena.prepare(root, source_databases=["shop"], target_databases=DATABASES)
    arena.placement[DATABASES[0]].learn_md5()
    return root


@pytest.mark.parametrize("table", KEYS)
def test_d15_a_server_agrees(project: Path, capsys: pytest.CaptureFixture[str], table: str) -> None:
    answers = _route(project, capsys, table)
    assert len(answers) == len(KEYS[table].splitlines()) - 1
    assert all(answer["asked"] == ["python", "mysql"] for answer in answers)


@pytest.mark.spark
def test_d15_all_three_agree(project: Path) -> None:
    asked = ("--in", "spark", "--in", "mysql", "--in", "python", "--env", "test", "--format", "json")
    outcome = shardwright(project, "route", "--table", "token", "--keys", str(project / "token.csv"), *asked)
    answers = [json.loads(line) for line in outcome.require(0).out.splitlines()]
    assert [answer["asked"] for answer in answers] == [["python", "mysql", "spark"]] * 3
    assert [answer["key"]["token"] for answer in answers] == ["00ff00ff", "00000000", "ffffffff"]


def test_a_disagreement_stops(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server is asked another function than Python: what a fault in a MySQL form would do."""

    def another(function: ShardFunction, *rest: Any, **more: Any) -> str:
        return bind_sql(ShardFunction(function.table, function.database), *rest, **more)

    right = _route(project, capsys, "orders")
    monkeypatch.setattr(verb_route, "bind_sql", another)
    differing = next(answer for answer in right if answer["database"] != answer["part"])
    database, part, user = differing["database"], differing["part"], differing["key"]["user_id"]
    asked = ("--key", f"user_id={user}", "--in", "mysql", "--env", "test")
    assert main(["--project", str(project), "route", "--table", "orders", *asked]) == 2
    written = capsys.readouterr()
    assert written.out == ""
    said = (
        f"user_id={user} of 'orders': python says database {database} and table {part}, mysql says database {part} and"
    )
    assert f"SW5030: {said} table {database}" in written.err


def test_a_server_that_cannot_say_the_place_is_named_with_what_it_said(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arena: Arena
) -> None:
    server = arena.placement[DATABASES[0]]
    asked = (
        "--project",
        str(project),
        "route",
        "--table",
        "token",
        "--key",
        "token=00",
        "--in",
        "mysql",
        "--env",
        "test",
    )
    if server.sandbox.kind == "mysql":
        server.query(INSTALL.replace("INSTALL", "UNINSTALL"))
    else:  # another function that nobody has
        monkeypatch.setattr(verb_route, "bind_sql", lambda *_, **__: "SELECT no_such(1), 'MD5('")
    assert main(asked) == 2
    written = capsys.readouterr().err
    # An account without EXECUTE is not told that there is no such routine.
    assert "SW5032: the server of db_0 does not say the place: " in written and "for routine 'db_0." in written, written
    assert f"(server error 1370): it has no MD5 unless its administrator runs {INSTALL}" in written


def _route(project: Path, capsys: pytest.CaptureFixture[str], table: str) -> list[dict[str, Any]]:
    """What `route` answers for the table's keys after asking Python and the server."""
    asked = ("--keys", str(project / f"{table}.csv"), "--in", "mysql", "--env", "test", "--format", "json")
    assert main(["--project", str(project), "route", "--table", table, *asked]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]
