"""`dry-run`: Spark analyses and runs every statement of the plan on made-up data; no server, no environment."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from shardwright.runtime.cli.compiling import compile_specs
from shardwright.runtime.cli.project import find_project
from shardwright.specs.diagnostics import Diagnostic, SpecError
from shardwright.specs.environment import SparkSettings
from shardwright.specs.render import read_line_from_disk, render


def execute(arguments: argparse.Namespace) -> int:
    project = find_project(arguments.project)
    files = tuple(Path(path) for path in arguments.paths) or project.spec_files()
    compiled = list(compile_specs(project, files))  # before Spark starts: a spec that does not compile is told at once

    from shardwright.runtime.dry_run.dry_run import SPARK_CONF, DryRunResult, dry_run
    from shardwright.runtime.spark import start_spark

    spark = start_spark(SparkSettings(master="local[2]"), name="shardwright dry-run", extra=SPARK_CONF)
    findings: list[Diagnostic] = []
    results: list[DryRunResult] = []
    try:
        for spec, made in compiled:
            print(render(made.warnings, read_line=read_line_from_disk), file=sys.stderr, end="")
            results.append(dry_run(spark, spec, made.plan))
            findings += results[-1].findings
    finally:
        spark.stop()
    if findings:
        raise SpecError(findings)
    if not arguments.quiet:
        tables, statements = (sum(r.tables for r in results), sum(r.statements for r in results))
        pairs = min(result.pairs for result in results)
        print(
            f"dry-run: {tables} tables, {statements} Spark statements analysed and executed, {pairs} pairs each: fine",
            file=sys.stderr,
        )
    return 0
