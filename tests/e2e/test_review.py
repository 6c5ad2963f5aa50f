"""What a pull request meets: the lock that is not current, and what a change means against another commit. A real git
repository, the installed command, no server and no Spark."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.commands import shardwright

SHOP = Path(__file__).parents[2] / "examples" / "shop"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The shop, compiled and committed, in a folder below the repository's root."""
    project = tmp_path / "databases" / "shop"
    for part in ("specs", "schema", "ddl"):
        shutil.copytree(SHOP / part, project / part)
    (project / ".gitignore").write_text("build/\n")
    shardwright(project, "compile").require(0)
    _git(tmp_path, "init", "--quiet")
    _commit(tmp_path)
    return project


def test_the_examples_are_locked_as_they_compile() -> None:
    shardwright(SHOP, "compile", "--check").require(0)


def test_the_lock(project: Path) -> None:
    shardwright(project, "compile", "--check").require(0)
    shutil.rmtree(project / "build")
    shardwright(project, "compile", "--check").require(0)
    assert not (project / "build").exists(), "--check writes nothing"
    _edit(project, "deletes: until_snapshot", "deletes: immediate")
    reported = shardwright(project, "compile", "--check").require(1)
    assert "shardwright.lock:16:5: error SW8802: table 'users' of shop-split is not as locked" in reported.err
    assert "1 error" in reported.err and reported.out == ""
    shardwright(project, "compile").require(0)
    shardwright(project, "compile", "--check").require(0)
    assert _git(project, "diff", "--name-only", "--relative").split() == ["shardwright.lock", "specs/shop.yaml"]


def test_a_lock_that_is_missing_or_broken(project: Path) -> None:
    lock = project / "shardwright.lock"
    lock.write_text("<<<<<<< HEAD\n" + lock.read_text())
    assert "shardwright.lock:1:1: error SW8803" in shardwright(project, "compile", "--check").require(1).err
    lock.unlink()
    assert "SW8801" in shardwright(project, "compile", "--check").require(1).err
    shardwright(project, "compile").require(0)
    shardwright(project, "compile", "--check").require(0)


def test_a_plan_on_disk_that_was_edited(project: Path) -> None:
    file = project / "build" / "shop-split" / "users" / "31-upsert.mysql.sql"
    file.write_text(file.read_text() + "-- later\n")
    reported = shardwright(project, "compile", "--check").require(1)
    assert "users/31-upsert.mysql.sql:1:1: error SW8804" in reported.err


@pytest.mark.in_turn
def test_the_difference(project: Path) -> None:
    assert (
        shardwright(project, "diff", "--detailed-exitcode").require(0).out == "nothing changed in meaning since HEAD\n"
    )
    _edit(project, "exclude: [internal_note]", "exclude: [note]")
    reported = shardwright(project, "diff", "--detailed-exitcode").require(3)
    lines = [" ".join(line.split()) for line in reported.out.splitlines()]
    assert "review order_info column note is no longer copied; cannot be undone" in lines
    assert "review order_info column internal_note is newly copied" in lines
    shardwright(project, "diff").require(0)
    data = json.loads(shardwright(project, "-v", "diff", "--format", "json").require(0).out)
    kinds = [change["kind"] for change in data["migrations"][0]["changes"]]
    assert kinds[:2] == ["ColumnAdded", "ColumnDropped"]
    markdown = shardwright(project, "diff", "--format", "markdown").require(0).out
    assert markdown.startswith("<!-- shardwright:diff -->") and "<details>" in markdown
    _commit(project)
    shardwright(project, "diff", "--base", "HEAD", "--detailed-exitcode").require(0)
    shardwright(project, "diff", "--base", "HEAD~1", "--detailed-exitcode").require(3)


def test_keys_of_the_team(project: Path, tmp_path: Path) -> None:
    """The sharding rule changes its database only: every key of the sample is told for."""
    keys = tmp_path / "keys.csv"
    keys.write_text("user_id,id\n" + "".join(f"{number},{number}\n" for number in range(1, 101)))
    _edit(project, "database: crc32(user_id) % 4", "database: (crc32(user_id) + 1) % 4")
    reported = shardwright(project, "diff", "--sample", str(keys)).require(0)
    assert (
        "100 % of the rows change their physical table, 100 % their database (100 keys of the sample)" in reported.out
    )
    keys.write_text("user_id,id\n1,1\nx,2\n")
    assert f"{keys}:3: 'x' is no bigint value" in shardwright(project, "diff", "--sample", str(keys)).require(2).err


def test_a_base_that_cannot_be_had(project: Path) -> None:
    assert "SW8810" in shardwright(project, "diff", "--base", "no-such-branch").require(2).err
    assert "SW8810" in shardwright(project, "diff", "--base=--upload-pack=x").require(2).err


def test_a_base_before_the_project_and_one_that_is_broken(project: Path) -> None:
    whole = (project / "specs" / "shop.yaml").read_text()
    line = whole[: whole.index("sharding: broadcast")].count("\n") + 1
    (project / "specs" / "shop.yaml").write_text(whole.replace("sharding: broadcast", "sharding: brodcast"))
    _commit(project)
    (project / "specs" / "shop.yaml").write_text(whole)
    reported = shardwright(project, "diff").require(1)
    assert f"HEAD:specs/shop.yaml:{line}:15: error SW2001" in reported.err
    root = project.parents[1]
    _git(root, "checkout", "--quiet", "--orphan", "empty")
    _git(root, "rm", "--quiet", "-r", "-f", "--cached", ".")
    _commit(root, nothing=True)
    assert "shop-split: new, plan" in shardwright(project, "diff", "--base", "empty").require(0).out


def _edit(project: Path, old: str, new: str) -> None:
    spec = project / "specs" / "shop.yaml"
    text = spec.read_text()
    assert old in text
    spec.write_text(text.replace(old, new, 1))


def _commit(folder: Path, *, nothing: bool = False) -> None:
    if not nothing:
        _git(folder, "add", "--all")
    _git(folder, "commit", "--quiet", "--allow-empty", "--message", "A version")


def _git(folder: Path, *arguments: str) -> str:
    who = ("-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false")
    return subprocess.run(
        ["git", "-C", str(folder), *who, *arguments], check=True, capture_output=True, text=True
    ).stdout
