"""`conform`: which statements of the application work on the shards, and which new ones do not?

Runs in the process of the command; reads the files of statements, the source's server only where an environment is
named, and writes reports and, on request, the baseline.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from shardwright.compiler.project.checking import CheckedSpec, compile_specs, conclude
from shardwright.compiler.project.project import Project, find_project
from shardwright.compiler.review.report.result import RunResult, run_result
from shardwright.runtime.cli.reporting import check_requests, deliver, write_file
from shardwright.runtime.failures import InputAtFault
from shardwright.specs.findings.text_table import text_table

if TYPE_CHECKING:
    from shardwright.compiler.conform.baseline import Baseline
    from shardwright.compiler.conform.conformance import JudgedGroup
    from shardwright.compiler.conform.layout import Layout
    from shardwright.compiler.workload.statement import WorkloadStatement
    from shardwright.specs.spec.model import Spec


def execute(arguments: argparse.Namespace) -> int:
    check_requests(arguments)
    from shardwright.compiler.conform.baseline import Baseline, baseline_text
    from shardwright.compiler.conform.conformance import judge_workload
    from shardwright.runtime.cli.statement_files import read_statements

    project = find_project(arguments.project)
    statements = [one for file in arguments.statements for one in read_statements(file)]
    if arguments.env is None and not arguments.statements:
        raise InputAtFault("SW5210", "no statements: --statements FILE names some, --env NAME asks the source's server")
    known = Baseline() if arguments.baseline is None else _baseline(Path(arguments.baseline))
    checked = compile_specs(project, project.spec_files())
    specs = conclude("conform", checked, project=project)
    if any(item.compiled is None for item in checked):
        return deliver(specs, arguments)
    if arguments.env is not None:
        statements += _ask_server(project, arguments, [item.spec for item in checked if item.spec is not None])
    judged = judge_workload(statements, _layout(project, checked, specs, arguments.migration))
    if arguments.write_baseline is not None:
        written = Path(arguments.write_baseline)
        write_file(baseline_text(judged), written)
        known = _baseline(written)
    status = deliver(_result(judged, known, arguments), arguments)
    if arguments.format == "text":
        print(_summary(judged, known))
    return status


def _ask_server(project: Project, arguments: argparse.Namespace, specs: Sequence[Spec]) -> Sequence[WorkloadStatement]:
    """What the source's server has counted of the migrations' databases."""
    from shardwright.runtime.cli.database_to_shard import connect_source
    from shardwright.runtime.rehearsal.advice.workload import PLACE, read_digests

    databases = dict.fromkeys(name for spec in specs for name in spec.source.databases)
    found: list[WorkloadStatement] = []
    with connect_source(arguments, project) as (connection, _, _):
        for database in databases:
            found += read_digests(connection, database)
    if not found:
        raise InputAtFault("SW5210", f"{PLACE} shows no statement of {', '.join(databases)} to this account")
    return found


def _baseline(path: Path) -> Baseline:
    from shardwright.compiler.conform.baseline import BadBaseline, read_baseline

    try:
        return read_baseline(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, BadBaseline) as error:
        raise InputAtFault("SW5211", f"cannot read the baseline {path}: {error}") from None


def _layout(project: Project, checked: Sequence[CheckedSpec], result: RunResult, migration: str | None) -> Layout:
    """What the chosen migration makes of the source's tables."""
    from shardwright.compiler.conform.layout import make_layout
    from shardwright.compiler.schema.file import read_schema
    from shardwright.specs.findings.diagnostics import Findings

    names = [item.spec.migration for item in checked if item.spec is not None]
    chosen = migration or (names[0] if len(names) == 1 else None)
    if chosen not in names:
        raise InputAtFault("SW5212", f"name the migration with --migration: {', '.join(sorted(names))}")
    item = next(item for item in checked if item.spec is not None and item.spec.migration == chosen)
    assert item.spec is not None and item.compiled is not None
    file = project.display_path(project.root / item.spec.source.schema)
    schema = read_schema(item.texts[file], file=file, findings=Findings())
    silenced = {one.span for one in result.findings if one.code == "SW5101" and one.suppressed is not None}
    accepted = {
        entry.to or entry.table
        for entry in item.compiled.entries
        if item.spec.span_of((*entry.path, "table")) in silenced
    }
    return make_layout(item.compiled, schema, unique_elsewhere=accepted)


def _result(judged: Sequence[JudgedGroup], known: Baseline, arguments: argparse.Namespace) -> RunResult:
    from shardwright.compiler.conform.findings import as_data, conform_findings

    details = {"conform": {"statements": [as_data(one, known) for one in judged]}}
    return run_result(
        "conform", arguments.statements or [arguments.env], conform_findings(judged, known), details=details
    )


def _summary(judged: Sequence[JudgedGroup], known: Baseline) -> str:
    """A line for each verdict: its statements, how many of them are new and bad, and the share of all calls."""
    from shardwright.compiler.conform.verdict import Verdict

    count: Counter[Verdict] = Counter()
    new: Counter[Verdict] = Counter()
    calls: Counter[Verdict] = Counter()
    for one in judged:
        verdict = one.judgement.verdict
        count[verdict] += 1
        calls[verdict] += one.group.calls
        new[verdict] += verdict.is_bad and not known.knows(one)
    every_call = sum(calls.values()) or 1
    rows = [
        (
            str(verdict),
            str(count[verdict]),
            str(new[verdict]) if verdict.is_bad else "",
            f"{100 * calls[verdict] / every_call:.1f} %",
        )
        for verdict in Verdict
        if count[verdict]
    ]
    return text_table(rows, header=("verdict", "statements", "new", "calls"), right=(1, 2, 3))
