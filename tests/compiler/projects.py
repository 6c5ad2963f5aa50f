"""Small projects of the compiler's tests: a folder with spec.yaml, schema.sql and, where it is wanted, ddl/."""

from __future__ import annotations

import os
from pathlib import Path

from shardwright.compiler.build import CompiledPlan, build_plan
from shardwright.specs.spec.read import read_spec

GOLDEN = Path(__file__).parent / "golden"
SHOP = Path(__file__).parents[2] / "examples" / "shop"
PROJECTS = sorted(path for path in GOLDEN.iterdir() if path.is_dir())


def compile_folder(folder: Path) -> CompiledPlan:
    """Raises SpecError."""
    spec = read_spec(os.path.relpath(folder / "spec.yaml"))
    changes = {path.name: path.read_text("utf-8") for path in sorted((folder / "ddl").glob("*.sql"))}
    return build_plan(spec, schema=(folder / "schema.sql").read_text("utf-8"), ddl=changes)


def compile_shop() -> CompiledPlan:
    """The example, without its DDL files."""
    spec = read_spec(str(SHOP / "specs" / "shop.yaml"))
    return build_plan(spec, schema=(SHOP / "schema" / "shop.sql").read_text("utf-8"), ddl={})


def write_texts(folder: Path, spec: str, schema: str) -> Path:
    """A project of these two texts in `folder`."""
    (folder / "spec.yaml").write_text(spec, "utf-8")
    (folder / "schema.sql").write_text(schema, "utf-8")
    return folder
