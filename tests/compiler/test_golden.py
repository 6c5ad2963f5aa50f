"""Whole plans, file by file, as a reviewer reads them: tests/compiler/golden/<name>/plan. What several plans
have in common is in tests/compiler/shared.

After a change of the compiler run `SHARDWRIGHT_REWRITE=1 pytest tests/compiler/test_golden.py` and read the
difference of the files. Continuous integration never rewrites.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from shardwright.compiler.plan.files import plan_files, read_plan, write_plan
from tests.compiler.projects import PROJECTS, compile_folder, golden_files, write_golden

_COMPILE = """
import json, sys
from pathlib import Path
from shardwright.compiler.plan.files import plan_files
from tests.compiler.projects import compile_folder
json.dump(plan_files(compile_folder(Path(sys.argv[1])).plan), sys.stdout)
"""
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("project", PROJECTS, ids=lambda project: project.name)
def test_plan(project: Path) -> None:
    plan = compile_folder(project).plan
    if os.environ.get("SHARDWRIGHT_REWRITE") and not os.environ.get("CI"):
        write_golden(project, plan)
    wanted, found = golden_files(project), plan_files(plan)
    assert sorted(found) == sorted(wanted)
    for path, text in found.items():
        assert text == wanted[path], path


@pytest.mark.parametrize("project", PROJECTS, ids=lambda project: project.name)
def test_plan_on_disk_is_the_plan(project: Path, tmp_path: Path) -> None:
    plan = compile_folder(project).plan
    assert write_plan(plan, tmp_path / "plan")
    assert not write_plan(plan, tmp_path / "plan"), "unchanged"
    assert read_plan(tmp_path / "plan") == plan


def test_same_bytes_in_every_process_and_folder(tmp_path: Path) -> None:
    """No hash order, no working folder, no time and no language finds its way into a plan."""
    project = PROJECTS[0]
    places = [("0", ROOT, "C"), ("1", tmp_path, "C.UTF-8"), ("4711", project, "tr_TR.UTF-8")]
    outputs = set()
    for seed, folder, language in places:
        environment = {
            **os.environ,
            "PYTHONHASHSEED": seed,
            "LC_ALL": language,
            "TZ": "Asia/Tokyo",
            "PYTHONPATH": str(ROOT),
        }
        command = [sys.executable, "-c", _COMPILE, str(project)]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=True, timeout=300)
        outputs.add(done.stdout)
    assert len(outputs) == 1


def test_same_bytes_when_sqlglot_is_compiled() -> None:
    """Nothing can be derived from the classes of its compiled form: simulated here, so that it is always tested."""
    refusing = """
from sqlglot.generator import Generator
def refuse(cls):
    if not cls.__module__.startswith("sqlglot."):
        raise TypeError("interpreted classes cannot inherit from compiled")
Generator.__init_subclass__ = classmethod(refuse)
from shardwright.compiler.sql import printer
assert not printer.DERIVES
"""
    project = PROJECTS[0]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", refusing + _COMPILE, str(project)]
    made = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True).stdout
    assert json.loads(made) == golden_files(project)
