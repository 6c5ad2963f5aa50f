"""`compile`: specs to plans on disk, offline and byte-identical."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from shardwright.compiler.plan import Plan
from shardwright.compiler.plan_files import current_files, plan_files, write_plan
from shardwright.compiler.report.result import RunResult
from shardwright.compiler.reread import reread
from shardwright.runtime.cli.checking import CheckedSpec, compile_specs, conclude
from shardwright.runtime.cli.exits import Exit
from shardwright.runtime.cli.project import Project, chosen_files, find_project
from shardwright.runtime.cli.reporting import check_requests, deliver
from shardwright.specs.diagnostics import Severity


def execute(arguments: argparse.Namespace) -> int:
    check_requests(arguments)
    project = find_project(arguments.project)
    checked = compile_specs(project, chosen_files(project, arguments.paths))
    result = conclude("compile", checked, project=project)
    plans = [(plan, _folder(project, plan, arguments)) for plan in _sound_plans(checked, result)]
    stale: list[str] = []
    written: list[bool] = []
    for plan, folder in plans:
        if arguments.reread:
            reread(plan)
        if arguments.check:
            stale += [f"{project.shown(folder)}/{path}" for path in _changed(plan, folder)]
        else:
            written.append(write_plan(plan, folder))
    told = [_told(plan, project.shown(folder)) for plan, folder in plans]
    status = deliver(replace(result, details={"plans": told, "stale": stale}), arguments)
    if not arguments.quiet:
        for plan, changed, (_, folder) in zip((plan for plan, _ in plans), written, plans, strict=False):
            print(_line(plan, project.shown(folder), "written to" if changed else "unchanged in"), file=sys.stderr)
    if stale:
        for path in stale:
            print(f"not current: {path}", file=sys.stderr)
        print("run `shardwright compile` and commit the result", file=sys.stderr)
        return Exit.INPUT_AT_FAULT
    return status


def _sound_plans(checked: tuple[CheckedSpec, ...], result: RunResult) -> Iterator[Plan]:
    """The plans of the specs without an error in any of their files, in order."""
    faulty = {item.span.file for item in result.reported if item.severity is Severity.ERROR}
    for spec in checked:
        if spec.compiled is not None and not faulty & {spec.file, *spec.texts}:
            yield spec.compiled.plan


def _folder(project: Project, plan: Plan, arguments: argparse.Namespace) -> Path:
    return Path(arguments.output) / plan.migration if arguments.output else project.plan_folder(plan.migration)


def _changed(plan: Plan, folder: Path) -> list[str]:
    wanted, found = plan_files(plan), current_files(folder)
    return sorted(path for path in wanted.keys() | found.keys() if wanted.get(path) != found.get(path))


def _physical_tables(plan: Plan) -> int:
    return sum(len(plan.shards(table)) * len(plan.parts(table)) for table in plan.tables)


def _told(plan: Plan, folder: str) -> dict[str, object]:
    return {
        "migration": plan.migration,
        "fingerprint": plan.fingerprint,
        "folder": folder,
        "tables": len(plan.tables),
        "physical_tables": _physical_tables(plan),
        "databases": len(plan.databases),
        "ddl_changes": len(plan.ddl),
    }


def _line(plan: Plan, folder: str, what: str) -> str:
    return (
        f"plan {plan.fingerprint} of {plan.migration} {what} {folder}: {len(plan.tables)} tables "
        f"onto {_physical_tables(plan)} physical ones in {len(plan.databases)} databases, {len(plan.ddl)} DDL changes"
    )
