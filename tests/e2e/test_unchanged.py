"""`compile` with nothing changed does nothing, and notices every change that matters."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from shardwright.runtime.cli.main import main
from tests.workload.shop import PROJECT

_PLAN = Path("build/shop-split")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The shop, compiled."""
    for part in ("specs", "schema", "ddl"):
        shutil.copytree(PROJECT / part, tmp_path / part)
    monkeypatch.chdir(tmp_path)
    assert main(["compile"]) == 0
    return tmp_path


def _compile(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    capsys.readouterr()
    assert main(["compile", *arguments]) == 0
    return capsys.readouterr().err


def _age(*files: Path) -> None:
    """Changes of a moment ago are not recorded: make it a minute."""
    then = time.time() - 60
    for file in files:
        os.utime(file, (then, then))


def test_second_time(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {path: path.stat().st_mtime_ns for path in (project / _PLAN).rglob("*")}
    assert "unchanged in build/shop-split" in _compile(capsys)
    assert before == {path: path.stat().st_mtime_ns for path in (project / _PLAN).rglob("*")}


def test_what_was_found_is_reported_again(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = (project / "schema" / "shop.sql", project / "specs" / "shop.yaml")
    for file in files:
        file.write_text(re.sub(r".*shardwright: ignore.*\n", "", file.read_text("utf-8")), "utf-8")
    _age(*files)
    first = _compile(capsys)
    record = (project / "build" / ".compiled.json").stat().st_mtime_ns
    again = _compile(capsys)
    assert record == (project / "build" / ".compiled.json").stat().st_mtime_ns, "done again"
    assert "warning SW" in first
    assert again == first.replace("written to", "unchanged in")
    assert _compile(capsys, "--report", f"json={project / 'report.json'}") == again
    assert '"SW' in (project / "report.json").read_text("utf-8")


def _edit_spec(project: Path) -> None:
    spec = project / "specs" / "shop.yaml"
    spec.write_text(spec.read_text("utf-8").replace("weight: 20", "weight: 30"), "utf-8")
    _age(spec)


def _add_ddl(project: Path) -> None:
    file = project / "ddl" / "0002_more.sql"
    file.write_text("ALTER TABLE payment ADD COLUMN note VARCHAR(10) NULL;\n", "utf-8")
    _age(file)


def _edit_plan(project: Path) -> None:
    file = project / _PLAN / "users" / "30-delete.mysql.sql"
    times = file.stat()
    file.write_text(file.read_text("utf-8").replace("DELETE", "delete"), "utf-8")
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))


def _drop_plan_file(project: Path) -> None:
    (project / _PLAN / "users" / "30-delete.mysql.sql").unlink()


def _add_plan_file(project: Path) -> None:
    (project / _PLAN / "users" / "stray.sql").write_text("SELECT 1;\n", "utf-8")


def _damage_record(project: Path) -> None:
    (project / "build" / ".compiled.json").write_text("{", "utf-8")
    _drop_plan_file(project)


@pytest.mark.parametrize(
    "change",
    [_edit_spec, _add_ddl, _edit_plan, _drop_plan_file, _add_plan_file, _damage_record],
    ids=lambda c: c.__name__,
)
def test_a_change_is_noticed(project: Path, capsys: pytest.CaptureFixture[str], change: Callable[[Path], None]) -> None:
    change(project)
    assert "written to build/shop-split" in _compile(capsys)
    assert main(["compile", "--check"]) == 0
    assert not (project / _PLAN / "users" / "stray.sql").exists()


def test_a_spec_that_fails_leaves_no_record_to_go_by(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = project / "specs" / "shop.yaml"
    good = spec.read_text("utf-8")
    spec.write_text(good.replace("weight: 20", "wieght: 20"), "utf-8")
    _age(spec)
    assert main(["compile"]) == 1
    assert main(["compile"]) == 1
    assert "wieght" in capsys.readouterr().err


def test_check_compiles(project: Path) -> None:
    """A record and times put back cannot deceive it."""
    _edit_plan(project)
    assert main(["compile", "--check"]) == 1
