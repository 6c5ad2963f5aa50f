"""`advise` and `init --schema` offline: what they print and write, and what they refuse."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.unit.advise.conftest import SCHEMA, STATEMENTS
from tests.unit.cli.conftest import Call

OFFLINE = ("--schema", "dump.sql", "--dialect", "mariadb", "--database", "shop")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a dump and statements and no project."""
    (tmp_path / "dump.sql").write_text(f"SET NAMES utf8mb4;\n{SCHEMA}\nINSERT INTO stock VALUES (1, 2);\n")
    (tmp_path / "app.sql").write_text(STATEMENTS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_ranking_comes_first_and_then_the_best_design(folder: Path, call: Call) -> None:
    ended = call("advise", *OFFLINE, "--statements", "app.sql")
    assert ended.code == 0, ended.err
    lines = ended.out.splitlines()
    assert lines[0].startswith("shop: 6 tables; 2,125 calls of 9 statements; 4 shards")
    header = next(number for number, line in enumerate(lines) if line.startswith("key "))
    assert lines[header + 1].startswith("users.id ")
    assert "users.id:" in lines and "  traps:" in lines
    assert "orders.user_id" in ended.out and "20 calls update it" in ended.out


def test_a_written_spec_compiles(folder: Path, call: Call) -> None:
    ended = call("advise", *OFFLINE, "--statements", "app.sql", "--write-spec", "specs/shop.yaml")
    assert ended.code == 0 and "written specs/shop.yaml" in ended.err and "written schema/shop.sql" in ended.err
    spec = (folder / "specs" / "shop.yaml").read_text()
    assert "# updated key user_id: 20 calls update it" in spec and "shop_{0..3}" in spec
    assert call("compile").code == 0
    again = call("advise", *OFFLINE, "--write-spec", "specs/shop.yaml")
    assert again.code == 1 and "error SW5223" in again.err and (folder / "specs" / "shop.yaml").read_text() == spec


def test_another_design_is_shown_and_written_by_its_key(folder: Path, call: Call) -> None:
    ended = call(
        "advise", *OFFLINE, "--statements", "app.sql", "--key", "orders.id", "--write-spec", "specs/orders.yaml"
    )
    assert ended.code == 0 and "orders.id:" in ended.out.splitlines()
    assert "Proposed for the key orders.id" in (folder / "specs" / "orders.yaml").read_text()


def test_json_has_every_statement_with_its_verdict(folder: Path, call: Call) -> None:
    ended = call("advise", *OFFLINE, "--statements", "app.sql", "--format", "json")
    best = json.loads(ended.out)["designs"][0]
    assert len(best["statements"]) == 9 and best["stays"] == {}
    assert {one["verdict"] for one in best["statements"]} >= {"one shard", "broadcast read", "cross-shard join"}


def test_the_page_has_the_ranking_and_is_private(folder: Path, call: Call) -> None:
    ended = call("advise", *OFFLINE, "--statements", "app.sql", "--html", "advice.html")
    page = (folder / "advice.html").read_text()
    assert ended.code == 0 and "<h1>users.id</h1>" in page and "http" not in page.replace("http-equiv", "")
    assert (folder / "advice.html").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("advise", "--schema", "none.sql"), "SW5220"),
        (("advise", "--schema", "binary.sql"), "SW5220"),
        (("advise", "--schema", "app.sql"), "SW5221"),
        (("advise", *OFFLINE, "--statistics", "app.sql"), "SW5220"),
        (("advise", *OFFLINE, "--statements", "none.sql"), "SW5210"),
        (("advise", *OFFLINE, "--key", "users.nam"), "SW5222"),
        (("init", "new", "--schema", "app.sql"), "SW5221"),
        (("init", "new", "--from-env", "production"), "SW5224"),
    ],
)
def test_what_is_wrong_is_named(folder: Path, call: Call, arguments: tuple[str, ...], code: str) -> None:
    (folder / "binary.sql").write_bytes(b"\xff\xfe\x00")
    ended = call(*arguments)
    assert ended.code == 1 and f"error {code}: " in ended.err, ended.err
    assert not (folder / "new").exists()


def test_a_database_without_keys_is_said_to_have_none(folder: Path, call: Call) -> None:
    Path("logs.sql").write_text("CREATE TABLE logs (at DATETIME);")
    ended = call("advise", "--schema", "logs.sql")
    assert ended.code == 1 and "no key was found" in ended.out
    ended = call("init", "new", "--schema", "logs.sql")
    assert ended.code == 1 and "error SW5222" in ended.err


def test_h9_init_makes_a_project_for_own_tables(folder: Path, call: Call) -> None:
    ended = call("init", "new", "--schema", "dump.sql", "--dialect", "mariadb", "--database", "shop", "--shards", "6")
    assert ended.code == 0, ended.err
    made = {str(path.relative_to(folder / "new")) for path in (folder / "new").rglob("*") if path.is_file()}
    assert {"specs/shop.yaml", "schema/shop.sql", "environments/staging.yaml", ".gitignore", "ci/github.yml"} <= made
    assert not any(path.startswith(("tests/", "ddl/")) for path in made), "nothing of the example"
    assert '"shop_{0..2}": a' in (folder / "new" / "environments" / "production.yaml").read_text()
    assert call("--project", "new", "compile").code == 0
    assert call("--project", "new", "validate").code == 0
    again = call("init", "new", "--schema", "dump.sql")
    assert again.code != 0 and "SW8052" in again.err


def test_notes_say_what_was_not_taken(folder: Path, call: Call) -> None:
    Path("odd.sql").write_text(
        "CREATE TABLE t (a INT PRIMARY KEY);\nALTER TABLE t ADD COLUMN b INT;\nCALL something();\n"
    )
    ended = call("advise", "--schema", "odd.sql")
    assert (
        "1 tables name no collation" in ended.err
        and "not taken from odd.sql: ALTER TABLE t ADD COLUMN b INT" in ended.err
    )
    assert "not taken" not in call("advise", "--schema", "odd.sql", "--quiet").err
