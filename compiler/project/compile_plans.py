"""Specs to plans on disk and to the lock, with the record of the files they were made from (`compiled_files`). Runs in
the command line; reads the project's files, writes build/, shardwright.lock and the record beside the plans.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from shardwright.compiler.build import CompiledPlan
from shardwright.compiler.plan.files import current_files, plan_files, write_plan
from shardwright.compiler.plan.plan import Plan
from shardwright.compiler.project.checking import CheckedSpec, compile_specs, conclude
from shardwright.compiler.project.compile_record import Compilation, remember
from shardwright.compiler.project.compiled_files import CompiledFiles, record_files
from shardwright.compiler.project.lock_file import check_lock, write_lock
from shardwright.compiler.project.many_tables import in_two_processes
from shardwright.compiler.project.project import Project
from shardwright.compiler.review.report.result import RunResult
from shardwright.specs.findings.diagnostics import Diagnostic, Severity, Span, in_order


@dataclass(frozen=True, slots=True)
class CompileRequest:
    """What is asked of one `compile`."""

    files: tuple[Path, ...]
    """The spec files, as named or found."""
    whole: bool
    """Whether `files` are all specs of the project: then the lock holds no other migration afterwards."""
    output: Path | None = None
    """The folder of all plans; None: the project's build folder."""
    check: bool = False
    """Write nothing, report what is out of date."""
    reread: bool = False
    """Parse every statement of the plans again."""


@dataclass(frozen=True, slots=True)
class Plans:
    """What came of it: for each plan whether its files were written, and whether the lock was. With `--check` nothing
    is written, and what is out of date is among the result's findings."""

    result: RunResult
    written: tuple[bool, ...] = ()
    locked: bool = False


def compile_plans(project: Project, request: CompileRequest, *, compilation: Compilation) -> Plans:
    """Raises ValueError (a bug: SW9001) with `request.reread`."""
    started = time.time_ns()
    checked = compile_specs(project, request.files)
    result = conclude("compile", checked, project=project)
    plans = [(plan, _folder(project, plan, request.output)) for plan in _sound_plans(checked, result)]
    result = replace(
        result, details={"plans": [_plan_details(plan, project.display_path(folder)) for plan, folder in plans]}
    )
    if request.reread:
        from shardwright.compiler.project.read_again import read_again

        for plan, _ in plans:
            read_again(plan)
    sound = len(plans) == len(checked)
    if request.check:
        return Plans(_with_what_is_stale(result, plans, project, whole=request.whole and sound))
    written = tuple(write_plan(plan, folder, each=in_two_processes) for plan, folder in plans)
    if plans:
        record_files(project, _files_of_plans(checked), plans[0][1].parent)
    locked = sound and write_lock(project, [plan for plan, _ in plans], whole=request.whole)
    if plans and sound:
        names = [plan.migration for plan, _ in plans]
        remember(compilation, result, read=_read(project, checked), folders=names, started=started)
    return Plans(result, written, locked)


def _files_of_plans(checked: tuple[CheckedSpec, ...]) -> dict[str, CompiledFiles]:
    return {
        item.compiled.plan.migration: CompiledFiles(item.texts, item.spec.ddl)
        for item in checked
        if item.spec is not None and item.compiled is not None
    }


def _with_what_is_stale(
    result: RunResult, plans: list[tuple[Plan, Path]], project: Project, *, whole: bool
) -> RunResult:
    found = [item for plan, folder in plans for item in _stale_plan(plan, folder, shown=project.display_path(folder))]
    if plans:
        found += check_lock(project, [plan for plan, _ in plans], whole=whole)
    return replace(result, findings=in_order([*result.findings, *found]))


def _stale_plan(plan: Plan, folder: Path, *, shown: str) -> Iterator[Diagnostic]:
    """Plans are not committed as a rule: a folder that is not there is not out of date."""
    found = current_files(folder)
    wanted = plan_files(plan) if found else {}
    for path in sorted(path for path in wanted.keys() | found.keys() if wanted.get(path) != found.get(path)):
        code, message = "SW8804", f"{path} in the plan on disk is not what {plan.migration} compiles to"
        if os.path.realpath(folder / path) != os.path.join(os.path.realpath(folder), path):
            code, message = "SW1013", f"{path} in the plan on disk is a link or is behind one: a plan holds none"
        yield Diagnostic(code, message, Span(f"{shown}/{path}", 1, 1), hint="run `shardwright compile`")


def _read(project: Project, checked: tuple[CheckedSpec, ...]) -> Iterator[str]:
    """The files that were read, and the folders that were looked into."""
    for item in checked:
        yield from item.texts
        if item.spec is not None and item.spec.ddl is not None:
            yield str(project.root / item.spec.ddl)
    yield str(project.root / "specs")


def _sound_plans(checked: tuple[CheckedSpec, ...], result: RunResult) -> Iterator[Plan]:
    """The plans of the specs without an error in any of their files, in order."""
    faulty = {item.span.file for item in result.visible_findings if item.severity is Severity.ERROR}
    for spec in checked:
        if spec.compiled is not None and not faulty & {spec.file, *spec.texts}:
            yield _with_moves(spec.compiled)


def _with_moves(compiled: CompiledPlan) -> Plan:
    if compiled.backward is None or not compiled.backward.functions:
        return compiled.plan
    from shardwright.compiler.rescale.moves_text import with_moves  # few projects need its modules

    return with_moves(compiled)


def _folder(project: Project, plan: Plan, output: Path | None) -> Path:
    return project.plan_folder(plan.migration) if output is None else output / plan.migration


def _physical_tables(plan: Plan) -> int:
    return sum(len(plan.shards(table)) * len(plan.parts(table)) for table in plan.tables)


def _plan_details(plan: Plan, folder: str) -> dict[str, object]:
    return {
        "migration": plan.migration,
        "fingerprint": plan.fingerprint,
        "folder": folder,
        "tables": len(plan.tables),
        "physical_tables": _physical_tables(plan),
        "databases": len(plan.databases),
        "ddl_changes": len(plan.ddl),
    }
