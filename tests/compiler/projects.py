"""Small projects of the compiler's tests: a folder with spec.yaml, schema.sql and, where it is wanted, ddl/."""

from __future__ import annotations

import json
import os
from pathlib import Path

from shardwright.compiler.build import CompiledPlan, build_plan
from shardwright.compiler.plan.files import current_files, write_plan
from shardwright.compiler.plan.plan import Plan
from shardwright.specs.spec.read import read_spec

GOLDEN = Path(__file__).parent / "golden"
SHOP = Path(__file__).parents[2] / "examples" / "shop"
PROJECTS = sorted(path for path in GOLDEN.iterdir() if path.is_dir())
SHARED = Path(__file__).parent / "shared"
"""Steps of whole plans that are the same in several golden projects: one file for all of them."""
_USES = "shared.json"
"""In a project: path in its plan -> file in `shared`."""


def compile_folder(folder: Path) -> CompiledPlan:
    """Raises SpecError."""
    spec = read_spec(os.path.relpath(folder / "spec.yaml"))
    changes = {path.name: path.read_text("utf-8") for path in sorted((folder / "ddl").glob("*.sql"))}
    return build_plan(spec, schema=(folder / "schema.sql").read_text("utf-8"), ddl=changes)


def golden_files(project: Path) -> dict[str, str]:
    """The plan that the project is to have: relative path -> text."""
    shared = {path: (SHARED / name).read_text("utf-8") for path, name in _read_uses(project).items()}
    return {**current_files(project / "plan"), **shared}


def write_golden(project: Path, plan: Plan) -> None:
    """Projects that name one shared file write it one after the other; a test fails when they do not agree."""
    write_plan(plan, project / "plan")
    for path, name in _read_uses(project).items():
        (project / "plan" / path).replace(SHARED / name)


def _read_uses(project: Path) -> dict[str, str]:
    uses = project / _USES
    return json.loads(uses.read_text("utf-8")) if uses.exists() else {}


def compile_shop() -> CompiledPlan:
    """The example, without its DDL files."""
    spec = read_spec(str(SHOP / "specs" / "shop.yaml"))
    return build_plan(spec, schema=(SHOP / "schema" / "shop.sql").read_text("utf-8"), ddl={})


def write_texts(folder: Path, spec: str, schema: str) -> Path:
    """A project of these two texts in `folder`."""
    (folder / "spec.yaml").write_text(spec, "utf-8")
    (folder / "schema.sql").write_text(schema, "utf-8")
    return folder
