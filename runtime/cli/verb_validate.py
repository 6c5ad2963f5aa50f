"""`validate`: shape and references of the specs. No SQL parser, no network."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from shardwright.runtime.cli.project import find_project
from shardwright.specs.diagnostics import Diagnostic, SpecError
from shardwright.specs.read_spec import read_spec


def execute(arguments: argparse.Namespace) -> int:
    project = find_project(arguments.project)
    files = tuple(Path(path) for path in arguments.paths) or project.spec_files()
    findings: list[Diagnostic] = []
    for file in files:
        try:
            read_spec(project.shown(file))
        except SpecError as error:
            findings += error.diagnostics
    if findings:
        raise SpecError(findings)
    if not arguments.quiet:
        print(f"{len(files)} spec{'s' if len(files) != 1 else ''} valid", file=sys.stderr)
    return 0
