"""`dry-run`: is every Spark SQL statement of the plan right on made-up data? No server, no environment.

Runs in the process of the command, which is the driver of a local Spark.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from shardwright.compiler.project.checking import CheckedSpec, compile_specs, conclude
from shardwright.compiler.project.project import choose_files, find_project
from shardwright.compiler.project.read_again import read_again
from shardwright.runtime.cli.reporting import check_requests, deliver
from shardwright.specs.environment.environment import SparkSettings

if TYPE_CHECKING:
    from shardwright.runtime.rehearsal.dry_run.dry_run import DryRunResult


def execute(arguments: argparse.Namespace) -> int:
    check_requests(arguments)
    project = find_project(arguments.project)
    checked = compile_specs(project, choose_files(project, arguments.paths))
    if any(item.compiled is None for item in checked):  # reported at once, before Spark starts
        return deliver(conclude("dry-run", checked, project=project), arguments)
    for item in checked:
        if item.compiled is not None:
            read_again(item.compiled.plan)
    checked, results = _with_spark(checked, seed=arguments.seed, histories=arguments.histories)
    result = conclude("dry-run", checked, project=project, details={"dry_run": _counts(results)})
    status = deliver(result, arguments)
    for name, why in (item for each in results for item in each.left_out.items()):
        print(f"dry-run: {name} {why} and was left out", file=sys.stderr)
    if not arguments.quiet and not any(each.findings for each in results):
        counts = _counts(results)
        print(
            f"dry-run: {counts['tables']} tables{_and_back(counts)}, {counts['statements']} Spark statements analysed "
            f"and executed, {_pairs(counts)}{counts['histories']} random change histories of seed "
            f"{arguments.seed}: passed",
            file=sys.stderr,
        )
    _print_cases(results)
    return status


def _and_back(counts: Mapping[str, int]) -> str:
    return f" and {counts['backward']} back" if counts["backward"] else ""


def _print_cases(results: list[DryRunResult]) -> None:
    """Prints the histories that showed a fault, for tests/*.yaml."""
    for case in (case for result in results for case in result.cases):
        print(f"as a spec test:\n{case}", file=sys.stderr)


def _with_spark(
    checked: tuple[CheckedSpec, ...], *, seed: int, histories: int
) -> tuple[tuple[CheckedSpec, ...], list[DryRunResult]]:
    from shardwright.runtime.rehearsal.dry_run.dry_run import SPARK_CONF, dry_run
    from shardwright.runtime.rehearsal.dry_run.rehearse import RehearsalOptions
    from shardwright.runtime.spark.session import start_spark

    spark = start_spark(SparkSettings(master="local[2]"), name="shardwright dry-run", extra=SPARK_CONF)
    run: list[CheckedSpec] = []
    results: list[DryRunResult] = []
    try:
        for item in checked:
            if item.spec is None or item.compiled is None:
                continue
            both = [way for way in (item.compiled, item.compiled.backward) if way is not None]
            found = [
                dry_run(
                    spark,
                    item.spec,
                    way.plan,
                    way.mappings,
                    functions=way.functions,
                    rehearsing=RehearsalOptions(seed, histories),
                )
                for way in both
            ]
            results += found
            run.append(item.with_pass("dry-run", tuple(fault for each in found for fault in each.findings)))
    finally:
        spark.stop()
    return tuple(run), results


def _pairs(counts: Mapping[str, int]) -> str:
    """Nothing where no table has a key."""
    return f"{counts['pairs']} pairs each, " if counts["pairs"] else ""


def _counts(results: list[DryRunResult]) -> dict[str, int]:
    return {
        "tables": sum(result.tables for result in results if result.direction.reads_source),
        "backward": sum(result.tables for result in results if result.direction.reads_shards),
        "statements": sum(result.statements for result in results),
        "histories": sum(result.histories for result in results),
        "pairs": min((result.pairs for result in results if result.pairs), default=0),
    }
