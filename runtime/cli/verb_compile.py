"""`compile`: what are the plans of the specs? They are written to disk and to the lock, offline and byte-identical.

Runs in the process of the command; writes `build/` and `shardwright.lock`. Nothing heavy is imported when everything
is compiled already.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

from shardwright.compiler.project.compile_record import Compilation, recall
from shardwright.compiler.project.many_tables import not_collected_at_exit, rarely_collected
from shardwright.compiler.project.project import choose_files, find_project
from shardwright.compiler.review.report.result import RunResult
from shardwright.runtime.cli.next_commands import as_lines
from shardwright.runtime.cli.reporting import check_requests, deliver, spec_facts


def execute(arguments: argparse.Namespace) -> int:
    check_requests(arguments)
    project = find_project(arguments.project)
    files = choose_files(project, arguments.paths)
    output = Path(arguments.output) if arguments.output else project.own("build")
    compilation = Compilation(
        output, project.own("shardwright.lock"), (str(project.root), str(not arguments.paths), *map(str, files))
    )
    if not (arguments.check or arguments.reread) and (known := recall(compilation)):
        status = deliver(known, arguments)
        _report(known, (), arguments)
        return status

    not_collected_at_exit()
    with rarely_collected():
        from shardwright.compiler.project.compile_plans import CompileRequest, compile_plans

        request = CompileRequest(
            files,
            whole=not arguments.paths,
            output=Path(arguments.output) if arguments.output else None,
            check=arguments.check,
            reread=arguments.reread,
        )
        made = compile_plans(project, request, compilation=compilation)
    status = deliver(made.result, arguments)
    if not arguments.check:
        _report(made.result, made.written, arguments, locked=made.locked)
    return status


def _report(
    result: RunResult, written: tuple[bool, ...], arguments: argparse.Namespace, *, locked: bool = False
) -> None:
    plans = result.details["plans"]
    assert isinstance(plans, list)
    if arguments.quiet:
        return
    for index, plan in enumerate(plans):
        print(_line(plan, "written to" if written and written[index] else "unchanged in"), file=sys.stderr)
    if locked:
        print("shardwright.lock written: commit it with the specs", file=sys.stderr)
    if not (facts := spec_facts(result)).errors:  # each error has named its help
        print(as_lines(facts, arguments), file=sys.stderr)


def _line(plan: Mapping[str, object], what: str) -> str:
    return (
        f"plan {plan['fingerprint']} of {plan['migration']} {what} {plan['folder']}: {plan['tables']} tables onto "
        f"{plan['physical_tables']} physical ones in {plan['databases']} databases, {plan['ddl_changes']} DDL changes"
    )
