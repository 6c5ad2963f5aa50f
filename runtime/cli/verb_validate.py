"""`validate`: do the specs have the right shape and references? No SQL parser, no network.

Runs in the process of the command; reads the specs.
"""

from __future__ import annotations

import argparse
import sys

from shardwright.compiler.project.checking import conclude, read_specs
from shardwright.compiler.project.project import choose_files, find_project
from shardwright.runtime.cli.reporting import check_requests, deliver
from shardwright.specs.findings.diagnostics import Severity


def execute(arguments: argparse.Namespace) -> int:
    check_requests(arguments)
    project = find_project(arguments.project)
    checked = read_specs(project, choose_files(project, arguments.paths))
    result = conclude("validate", checked, project=project)
    status = deliver(result, arguments)
    if not arguments.quiet and not result.count(Severity.ERROR):
        print(f"{len(checked)} spec{'s' if len(checked) != 1 else ''} valid", file=sys.stderr)
    return status
