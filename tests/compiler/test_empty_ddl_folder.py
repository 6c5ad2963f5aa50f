"""A DDL folder that git did not keep, because it was empty, is an empty one for every command."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from shardwright.compiler.project.base_version import project_at
from shardwright.compiler.project.checking import compile_specs
from shardwright.compiler.project.project import Project
from shardwright.runtime.cli.main import main

SPEC = """\
version: 1
migration: shop
source: {dialect: mariadb, databases: [shop], schema: schema.sql}
target: {databases: [left]}
ddl: ddl/
tables:
  - {table: item, sharding: broadcast}
"""
SCHEMA = "CREATE TABLE item (id INT NOT NULL PRIMARY KEY) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;\n"
_IDENTITY = {f"GIT_{who}_{what}": "x@example.com" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}


def _codes(project: Project) -> list[str]:
    (checked,) = compile_specs(project, project.specs())
    assert checked.compiled is not None
    return [item.code for item in checked.findings]


def test_r_empty_ddl_folder_is_none_for_compile_and_diff(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "ddl").mkdir()
    (tmp_path / "specs" / "shop.yaml").write_text(SPEC, "utf-8")
    (tmp_path / "schema.sql").write_text(SCHEMA, "utf-8")
    for words in (("init", "-q", "-b", "main"), ("add", "."), ("commit", "-q", "-m", "begin")):
        subprocess.run(["git", *words], cwd=tmp_path, check=True, env={**os.environ, **_IDENTITY}, timeout=60)
    project = Project(tmp_path)
    with project_at(project, "main") as then:
        assert not (then.root / "ddl").exists()
        assert _codes(then) == _codes(project)
    assert main(["diff", "--project", str(tmp_path), "--base", "main"]) == 0
    assert "SW2121" not in capsys.readouterr().out
