"""DDL files become statements for physical tables, or are refused with the place and the reason (hazards E18, E19)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from shardwright.compiler.ddl.routing.catching_up import creates_of
from shardwright.compiler.ddl.routing.changes import read_changes
from shardwright.compiler.plan.plan import DdlChange
from shardwright.specs.findings.diagnostics import Findings
from tests.ddl.plans import FOLDER, shop_plan, shop_tables


def _cases(folder: str) -> list[Path]:
    found = sorted(path for path in (FOLDER / folder).iterdir() if path.is_dir())
    assert found
    return found


def _read(case: Path) -> tuple[str, Findings]:
    """What the files of a case become, one after the other."""
    files = {
        f"ddl/{path.name}": path.read_text(encoding="utf-8")
        for path in case.glob("*.sql")
        if path.name != "expected.sql"
    }
    findings = Findings()
    creates = creates_of(shop_plan({}).steps)
    changes = read_changes(files, tables=shop_tables(), findings=findings, creates=creates)
    parts = [
        f"-- {c.file} {c.ordinal}: {c.logical}{', destructive' if c.destructive else ''}\n{c.template};\n" + _forms(c)
        for c in changes
    ]
    return "\n".join(parts), findings


def _forms(change: DdlChange) -> str:
    """What is asked for on each kind of server."""
    said = ""
    for kind, form in (("mysql", change.mysql), ("mariadb", change.mariadb)):
        assert form is not None
        asked = re.findall(r"(ALGORITHM|LOCK)=(\w+)", form.statement)
        said += f"-- {kind}: {form.ddl_class}: {', '.join(f'{name}={value}' for name, value in asked)}\n"
    return said


def _text_of(findings: Findings) -> str:
    lines = [f"{i.span}: {i.severity} {i.code}: {i.message}{f' ({i.hint})' if i.hint else ''}" for i in findings.items]
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize("case", _cases("routed"), ids=lambda case: case.name)
def test_e18_routed_statements_are_as_in_the_golden_file(case: Path) -> None:
    text, findings = _read(case)
    assert not findings.has_errors, _text_of(findings)
    assert text == (case / "expected.sql").read_text(encoding="utf-8")


@pytest.mark.parametrize("case", _cases("refused"), ids=lambda case: case.name)
def test_e19_what_is_not_understood_completely_is_refused(case: Path) -> None:
    _, findings = _read(case)
    assert findings.has_errors
    assert _text_of(findings) == (case / "expected.txt").read_text(encoding="utf-8")


def test_nothing_is_said_of_a_condition_while_the_plan_has_an_error_elsewhere() -> None:
    findings = Findings()
    files = {"ddl/0001_x.sql": "ALTER TABLE orders ADD COLUMN IF NOT EXISTS a int;"}
    assert read_changes(files, tables=shop_tables(), findings=findings) == ()
    assert findings.items == []
