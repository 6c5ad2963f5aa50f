"""`init` makes a project that is right at once, and never writes over anything."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from shardwright.runtime.cli.verb_init import starter_files
from shardwright.specs.environment.read import read_environment
from shardwright.specs.spec.read import read_spec
from tests.unit.cli.conftest import Call, files_below


@pytest.fixture
def fresh(tmp_path: Path, call: Call, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new project, made in a folder that was not there, as the current folder."""
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    monkeypatch.chdir(tmp_path)
    ended = call("init", "new/project")
    assert ended.code == 0 and ended.out == ""
    monkeypatch.chdir(tmp_path / "new" / "project")
    return Path()


def test_it_validates_and_compiles_at_once(fresh: Path, call: Call) -> None:
    assert call("validate", "--fail-on", "warning").code == 0
    compiled = call("compile", "--fail-on", "warning")
    assert compiled.code == 0 and "silenced" not in compiled.err
    assert call("compile", "--check").code == 0


def test_its_environments_can_be_read(fresh: Path) -> None:
    databases = read_spec("specs/orders.yaml").target.databases
    names = {file.stem for file in (fresh / "environments").iterdir()}
    assert names == {"staging", "production"}
    for name in names:
        assert read_environment(f"environments/{name}.yaml", databases=databases).name == name


def test_every_modeline_leads_to_a_schema(fresh: Path, call: Call) -> None:
    found = 0
    for folder in ("specs", "environments", "tests"):
        for file in (fresh / folder).iterdir():
            (schema,) = re.findall(r"\A# yaml-language-server: \$schema=(\S+)\n", file.read_text())
            name = Path(schema).name.split(".")[0]
            assert (file.parent / schema).read_text() == call("jsonschema", name).out
            found += 1
    assert found >= 4


def test_git_sees_the_lock_and_nothing_made(fresh: Path, call: Call) -> None:
    call("compile", "--report", "json=out/findings.json")
    subprocess.run(["git", "init", "-q"], check=True, timeout=30)
    listed = subprocess.run(
        ["git", "ls-files", "--others", "--exclude-standard"], check=True, capture_output=True, text=True, timeout=30
    ).stdout.split()
    assert set(starter_files()) < set(listed)
    assert set(listed) - set(starter_files()) == {"shardwright.lock"}


@pytest.mark.parametrize("there", sorted(starter_files()))
def test_nothing_is_written_over(tmp_path: Path, call: Call, there: str) -> None:
    (tmp_path / there).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / there).write_text("mine")
    ended = call("init", str(tmp_path))
    assert ended.code == 2 and "SW8052" in ended.err and there in ended.err
    assert files_below(tmp_path) == {there}
    assert (tmp_path / there).read_text() == "mine"


def test_a_folder_that_cannot_be_made(tmp_path: Path, call: Call) -> None:
    (tmp_path / "file").write_text("")
    ended = call("init", str(tmp_path / "file" / "below"))
    assert ended.code == 2 and "error SW8053: cannot write" in ended.err
