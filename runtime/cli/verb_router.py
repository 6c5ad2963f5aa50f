"""`router`: what has the application to know of where rows are? A library in its language, or a proxy's configuration,
made of the compiled spec.

Runs in the process of the command, offline; writes the files of `--out` and the vectors beside them, or to stdout.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

from shardwright.compiler.build import CompiledPlan
from shardwright.compiler.project.checking import CheckedSpec, compile_specs
from shardwright.compiler.project.project import Project, find_project
from shardwright.compiler.router.library import FILE_NAMES, library
from shardwright.compiler.router.model import Router, router_of
from shardwright.compiler.router.proxies import PROXIES
from shardwright.compiler.router.refusal import NotRouted
from shardwright.compiler.router.vectors import vectors
from shardwright.compiler.router.views import views
from shardwright.runtime.cli.project_output import write_project_files
from shardwright.runtime.failures import InputAtFault
from shardwright.specs.findings.diagnostics import Diagnostic, Span, SpecError
from shardwright.specs.findings.wording import did_you_mean


def execute(arguments: argparse.Namespace) -> int:
    project = find_project(arguments.project)
    checked, compiled = _choose(project, arguments.migration)
    try:
        if arguments.views is not None:
            print("\n\n".join(_views(compiled, arguments.views)))
            return 0
        router = router_of(compiled)
        files = _files(router, arguments)
    except NotRouted as refused:
        span = _span(checked, refused.table)
        raise SpecError([Diagnostic(refused.code, refused.message, span, hint=refused.hint)]) from None
    if arguments.out is None:
        print(next(iter(files.values())), end="")
        return 0
    write_project_files(project, files)
    for path in files:
        print(f"written {path}", file=sys.stderr)
    return 0


def _choose(project: Project, migration: str | None) -> tuple[CheckedSpec, CompiledPlan]:
    checked = compile_specs(project, project.spec_files())
    found = [(item, item.compiled) for item in checked if item.compiled is not None]
    if not found:
        raise SpecError([finding for item in checked for finding in item.findings])
    chosen = [(item, made) for item, made in found if migration in (None, made.plan.migration)]
    if len(chosen) == 1:
        return chosen[0]
    names = [made.plan.migration for _, made in found]
    if migration is not None:
        hint = did_you_mean(migration, names) or f"there are {', '.join(names)}"
        raise InputAtFault("SW5304", f"no migration '{migration}' compiles; {hint}")
    raise InputAtFault("SW5304", f"a router is of one migration: choose with --migration ({', '.join(names)})")


def _views(compiled: CompiledPlan, database: str) -> list[str]:
    plan = compiled.plan
    if database not in plan.databases:
        hint = did_you_mean(database, plan.databases[:1000]) or f"the first is {plan.databases[0]}"
        raise InputAtFault("SW5304", f"'{database}' is no target database; {hint}")
    return list(views(plan, database))


def _files(router: Router, arguments: argparse.Namespace) -> Mapping[Path, str]:
    """The library first. `--out` names a file, or a folder that is there or ends with a slash."""
    out = Path(arguments.out or ".")
    proxy = PROXIES.get(arguments.format)
    if proxy is not None:
        if arguments.out is None:
            raise InputAtFault("SW5304", f"--format {arguments.format} writes several files: name a folder with --out")
        made = proxy(router)
        files = {out / name: text for name, text in made.items()}
        vectors_at = out / "vectors.json"
    else:
        is_folder = out.is_dir() or str(arguments.out).endswith("/")
        place = out / FILE_NAMES[arguments.format] if is_folder else out
        files = {place: library(router, arguments.format)}
        vectors_at = place.with_suffix(".vectors.json")
    return {**files, Path(arguments.vectors or vectors_at): vectors(router)}


def _span(checked: CheckedSpec, logical: str) -> Span:
    """Where the table's entry says how its rows are placed."""
    spec = checked.spec
    assert spec is not None
    entry = next((table for table in spec.tables if logical in (table.to, table.table)), None)
    return spec.span_of(("tables",) if entry is None else (*entry.path, "table"))
