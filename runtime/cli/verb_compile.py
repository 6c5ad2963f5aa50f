"""`compile`: specs to plans on disk, offline and byte-identical."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from shardwright.compiler.plan_files import current_files, plan_files, write_plan
from shardwright.runtime.cli.compiling import compile_specs
from shardwright.runtime.cli.exits import Exit
from shardwright.runtime.cli.project import find_project
from shardwright.specs.render import read_line_from_disk, render


def execute(arguments: argparse.Namespace) -> int:
    project = find_project(arguments.project)
    files = tuple(Path(path) for path in arguments.paths) or project.spec_files()
    stale: list[str] = []
    for spec, compiled in compile_specs(project, files):
        print(render(compiled.warnings, read_line=read_line_from_disk), file=sys.stderr, end="")
        plan = compiled.plan
        folder = Path(arguments.output) / spec.migration if arguments.output else project.plan_folder(spec.migration)
        if arguments.check:
            wanted, found = plan_files(plan), current_files(folder)
            changed = sorted(path for path in wanted.keys() | found.keys() if wanted.get(path) != found.get(path))
            stale += [f"{project.shown(folder)}/{path}" for path in changed]
            continue
        written = write_plan(plan, folder)
        if not arguments.quiet:
            what = "written to" if written else "unchanged in"
            physical = sum(len(plan.shards(table)) * len(plan.parts(table)) for table in plan.tables)
            print(
                f"plan {plan.fingerprint} of {plan.migration} {what} {project.shown(folder)}: {len(plan.tables)} tables "
                f"onto {physical} physical ones in {len(plan.databases)} databases, {len(plan.ddl)} DDL changes",
                file=sys.stderr,
            )
    if stale:
        for path in stale:
            print(f"not current: {path}", file=sys.stderr)
        print("run `shardwright compile` and commit the result", file=sys.stderr)
        return Exit.INPUT_AT_FAULT
    return Exit.DONE
