"""`sandbox`: throw-away servers for the project's spec. Which action is meant: start, stop, or list them?

Runs in the process of the command; starts and stops servers.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from shardwright.compiler.project.project import find_project
from shardwright.runtime.rehearsal.sandbox.sandbox import SandboxRequest, sandbox_down, sandbox_status, sandbox_up
from shardwright.specs.findings.text_table import text_table
from shardwright.specs.spec.read import read_spec


def execute(arguments: argparse.Namespace) -> int:
    return {"up": _up, "down": _down, "status": _status}[arguments.action](arguments)


def _up(arguments: argparse.Namespace) -> int:
    project = find_project(arguments.project)
    file = project.spec_files()[0]
    spec = read_spec(project.display_path(file), root=project.root_of(file))
    project.own("environments/sandbox.yaml")  # a file that may not be written is refused before a server is started
    if not arguments.seed_sql:
        project.read_text(spec.source.schema, spec=spec, at=("source", "schema"))
    request = SandboxRequest(
        spec,
        Path(arguments.folder),
        project=project.root,
        targets=arguments.targets,
        seed_sql=[Path(path) for path in arguments.seed_sql] or None,
    )
    info = sandbox_up(request, report=lambda line: print(line, file=sys.stderr))
    print(f"environment: {project.display_path(info.environment_file)}")
    return 0


def _down(arguments: argparse.Namespace) -> int:
    stopped = sandbox_down(Path(arguments.folder), report=lambda line: print(line, file=sys.stderr))
    for name in stopped:
        print(f"stopped {name}", file=sys.stderr)
    return 0


def _status(arguments: argparse.Namespace) -> int:
    servers = sandbox_status(Path(arguments.folder)).items()
    rows = [(name, f"127.0.0.1:{one.port}", "running" if runs else "stopped") for name, (one, runs) in servers]
    print(text_table(rows))
    return 0
