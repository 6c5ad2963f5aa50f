"""`test`: do the project's spec tests pass? On local Spark, without any server.

Runs in the process of the command, which is the driver; writes reports.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from shardwright.compiler.project.checking import CheckedSpec, compile_specs, conclude
from shardwright.compiler.project.project import Project, find_project
from shardwright.compiler.review.report.result import RunResult, run_result
from shardwright.runtime.cli.reporting import check_requests, deliver, write_file
from shardwright.runtime.rehearsal.spec_tests.suite import Migration, judge_all, resolve_all
from shardwright.runtime.rehearsal.spec_tests.verdict import Verdict
from shardwright.specs.environment.environment import SparkSettings
from shardwright.specs.findings.diagnostics import Diagnostic, SpecError
from shardwright.specs.spec_tests.read import read_spec_tests
from shardwright.specs.spec_tests.spec_tests import SpecTests


def execute(arguments: argparse.Namespace) -> int:
    check_requests(arguments)
    project = find_project(arguments.project)
    files = tuple(Path(path) for path in arguments.paths) or project.test_files()
    names = [project.display_path(file) for file in files]
    try:
        tests = _read(project, files)
        checked = compile_specs(project, project.spec_files())
        if any(item.compiled is None for item in checked):
            return deliver(conclude("test", checked, project=project), arguments)
        verdicts = _verdicts(tests, checked, project)
    except SpecError as error:
        return deliver(run_result("test", names, error.diagnostics), arguments)
    if arguments.junit:
        from shardwright.runtime.rehearsal.spec_tests.junit import junit_xml

        write_file(junit_xml(verdicts), Path(arguments.junit))
    result = _result(names, verdicts)
    status = deliver(result, arguments)
    if not arguments.quiet:
        counts = result.details["test"]
        assert isinstance(counts, dict)
        print(f"test: {counts['passed']} of {counts['cases']} cases pass", file=sys.stderr)
    return status


def _result(names: Sequence[str], verdicts: Sequence[Verdict]) -> RunResult:
    passed = sum(not verdict.findings for verdict in verdicts)
    findings = [finding for verdict in verdicts for finding in verdict.findings]
    return run_result("test", names, findings, details={"test": {"cases": len(verdicts), "passed": passed}})


def _read(project: Project, files: Sequence[Path]) -> list[SpecTests]:
    """Reads every file. The findings of all are raised together."""
    read: list[SpecTests] = []
    findings: list[Diagnostic] = []
    for file in files:
        try:
            read.append(read_spec_tests(project.display_path(file), root=project.root_of(file)))
        except SpecError as error:
            findings += error.diagnostics
    if findings:
        raise SpecError(findings)
    return read


def _verdicts(tests: Sequence[SpecTests], checked: Sequence[CheckedSpec], project: Project) -> tuple[Verdict, ...]:
    """The verdict of every case, in the order of the files. Raises SpecError before Spark starts when names or values
    are wrong."""
    from shardwright.runtime.rehearsal.dry_run.dry_run import SPARK_CONF
    from shardwright.runtime.spark.session import start_spark

    resolved = resolve_all(tests, _migrations(checked, project))
    spark = start_spark(SparkSettings(master="local[2]"), name="shardwright test", extra=SPARK_CONF)
    try:
        return judge_all(spark, resolved)
    finally:
        spark.stop()


def _migrations(checked: Sequence[CheckedSpec], project: Project) -> dict[str, Migration]:
    return {
        item.spec.migration: Migration(
            item.spec, item.compiled, item.texts[project.display_path(project.root / item.spec.source.schema)]
        )
        for item in checked
        if item.spec is not None and item.compiled is not None
    }
