"""From a project to its compiled plans: shared by compile, dry-run and import."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from shardwright.compiler.build import Compiled, build_plan
from shardwright.runtime.cli.project import Project
from shardwright.specs.diagnostics import Diagnostic, SpecError
from shardwright.specs.model import Spec
from shardwright.specs.read_spec import read_spec


def compile_specs(project: Project, files: tuple[Path, ...]) -> Iterator[tuple[Spec, Compiled]]:
    """Compile every file, in order; the findings of all are raised together at the end."""
    findings: list[Diagnostic] = []
    for file in files:
        try:
            yield compile_spec(project, file)
        except SpecError as error:
            findings += error.diagnostics
    if findings:
        raise SpecError(findings)


def compile_spec(project: Project, file: Path) -> tuple[Spec, Compiled]:
    spec = read_spec(project.shown(file))
    schema = project.read_text(spec.source.schema, spec=spec, key="schema")
    shown = project.shown(project.root / spec.source.schema)
    placed = replace(spec, source=replace(spec.source, schema=shown))
    return spec, build_plan(placed, schema=schema, ddl=project.ddl_files(spec))
