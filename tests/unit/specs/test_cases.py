"""The cases in tests/cases: each folder is a file as a user may write it, and the exact text of what we say about it.

A new case needs no Python: make the folder, run `SHARDWRIGHT_REWRITE=1 pytest tests/unit/specs/test_cases.py`, and read
the text that was written. Continuous integration never rewrites.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from shardwright.compiler.project.checking import compile_specs, conclude, read_specs
from shardwright.compiler.project.project import Project
from shardwright.runtime.rehearsal.spec_tests.resolve import resolve
from shardwright.runtime.rehearsal.spec_tests.suite import Migration
from shardwright.specs.environment.read import read_environment
from shardwright.specs.findings.codes.registry import find_code
from shardwright.specs.findings.diagnostics import Diagnostic, Findings, Severity, SpecError
from shardwright.specs.findings.render import read_line_from_disk, render
from shardwright.specs.spec_tests.read import read_spec_tests

CASES = Path(__file__).parents[2] / "cases"
INVALID = sorted(path for path in (CASES / "invalid").iterdir() if path.is_dir())
VALID = sorted(path for path in (CASES / "valid").iterdir() if path.is_dir())


def findings_here() -> tuple[Diagnostic, ...]:
    """Everything that is reported about the case in the current folder: the compiler speaks too where a schema.sql
    stands. Files spec-*.yaml are further specs of the project."""
    found: tuple[Diagnostic, ...] = ()
    databases = None
    if os.path.exists("spec.yaml"):
        project = Project(Path())
        look = compile_specs if os.path.exists("schema.sql") else read_specs
        checked = look(project, [Path("spec.yaml"), *sorted(Path().glob("spec-*.yaml"))])
        compiled = checked[0].compiled
        databases = None if checked[0].spec is None else checked[0].spec.target.databases
        found = conclude("compile", checked, project=project).visible_findings
        if compiled is not None and os.path.exists("tests.yaml"):
            assert checked[0].spec is not None
            return (*found, *_about_tests(Migration(checked[0].spec, compiled, Path("schema.sql").read_text("utf-8"))))
    if os.path.exists("environment.yaml"):
        try:
            read_environment("environment.yaml", databases=databases)
        except SpecError as error:
            return (*found, *error.diagnostics)
    return found


def _about_tests(migration: Migration) -> tuple[Diagnostic, ...]:
    """What is said about the spec tests in tests.yaml before any of them is played."""
    findings = Findings()
    try:
        resolve(read_spec_tests("tests.yaml"), migration.ways(both=True), findings=findings)
        findings.raise_errors()
    except SpecError as error:
        return error.diagnostics
    return ()


@pytest.mark.parametrize("case", INVALID, ids=lambda case: case.name)
def test_invalid(case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(case)
    found = findings_here()
    assert found, "this case is valid"
    assert all(find_code(item.code) for item in found)
    text = render(found, read_line=read_line_from_disk)
    expected = case / "expected.txt"
    if os.environ.get("SHARDWRIGHT_REWRITE") and not os.environ.get("CI"):
        expected.write_text(text, "utf-8")
    assert text == expected.read_text("utf-8")


@pytest.mark.parametrize("case", VALID, ids=lambda case: case.name)
def test_valid(case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiles; what is advised all the same stands in expected.txt, which a case without advice does not have."""
    monkeypatch.chdir(case)
    found = findings_here()
    assert [item.code for item in found if item.severity is Severity.ERROR] == []
    expected = case / "expected.txt"
    text = render(found, read_line=read_line_from_disk)
    if os.environ.get("SHARDWRIGHT_REWRITE") and not os.environ.get("CI"):
        expected.unlink(missing_ok=True)
        if text:
            expected.write_text(text, "utf-8")
    assert text == (expected.read_text("utf-8") if expected.exists() else "")


def test_no_case_shows_a_password() -> None:
    shown = [path.parent.name for path in CASES.rglob("expected.txt") if "hunter2" in path.read_text("utf-8")]
    assert shown == []
