"""Where a project is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from shardwright.specs.diagnostics import SpecError
from shardwright.specs.project import project_folder, read_project


def make(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("", "utf-8")


def test_found_upward(tmp_path: Path) -> None:
    make(tmp_path, "specs/b.yaml", "specs/a.yml", "specs/readme.md", "specs/.hidden.yaml", "environments/ci.yaml")
    make(tmp_path, "ddl/deep/er/0001_x.sql", "ddl/specs/notes.md")
    for start in (tmp_path, tmp_path / "specs", tmp_path / "ddl" / "deep" / "er"):
        project = read_project(str(start))
        assert project.folder == str(tmp_path)
        assert [os.path.basename(path) for path in project.spec_files] == ["a.yml", "b.yaml"]
        assert project.environment_file("ci") == str(tmp_path / "environments" / "ci.yaml")
        assert project.environment_file("production") == str(tmp_path / "environments" / "production.yaml")


def test_none(tmp_path: Path) -> None:
    make(tmp_path, "specs/notes.txt")
    with pytest.raises(SpecError) as caught:
        read_project(str(tmp_path))
    assert [item.code for item in caught.value.diagnostics] == ["SW1013"]


def test_where_the_paths_of_a_spec_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert project_folder("specs/orders.yaml") == str(tmp_path)
    assert project_folder("a/specs/team/orders.yaml") == str(tmp_path / "a")
    assert project_folder("a/spec.yaml") == str(tmp_path / "a")
