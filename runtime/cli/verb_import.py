"""`import`: what is the schema of the live source? It is written to the schema file, to be reviewed and committed.

Runs in the process of the command; reads the source servers, writes schema files of the project.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.project.project import Project, choose_files, find_project
from shardwright.runtime.cli.connecting import environment_of
from shardwright.runtime.cli.source_schema import SchemaText, source_schema
from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.endpoint import endpoint_of
from shardwright.runtime.mysql.servers import connect
from shardwright.specs.environment.environment import Environment
from shardwright.specs.files.project_files import write_file
from shardwright.specs.findings.diagnostics import Findings
from shardwright.specs.spec.model import Spec
from shardwright.specs.spec.read import draft_in_file, read_spec
from shardwright.specs.suppressions.carry import carry_over


def execute(arguments: argparse.Namespace) -> int:
    """Raises Refused (SW4320) when a table is neither taken nor ignored, after the schema files are written."""
    project = find_project(arguments.project)
    forgotten: dict[str, None] = {}
    for file in choose_files(project, arguments.paths):
        spec = read_spec(project.display_path(file), root=project.root_of(file))
        environment = environment_of(project, arguments)
        before = _schema_text(project, spec)
        written = _ask(spec, environment, others=_others(project, file))
        _write(project, spec, written, before, quiet=arguments.quiet)
        forgotten.update(dict.fromkeys(written.forgotten))
    if forgotten:
        names = list(forgotten)
        listed = ", ".join(names[:10]) + (", ..." if len(names) > 10 else "")
        bare = names[0].partition(".")[2]
        raise Refused(
            "SW4320",
            f"no spec takes or ignores {listed}: add an entry that moves it, or ignore it (ignore_tables: [{bare}])",
        )
    return 0


def _others(project: Project, chosen: Path) -> list[Spec]:
    """The project's other specs, as far as they can be read."""
    files = [file for file in project.specs() if file.resolve() != chosen.resolve()]
    drafts = [draft_in_file(project.display_path(file), Findings(), root=project.root_of(file)) for file in files]
    return [draft for draft in drafts if draft is not None]


def _ask(spec: Spec, environment: Environment, *, others: list[Spec]) -> SchemaText:
    open_ones: dict[str, Connection[Any]] = {}

    def connection(database: str) -> Connection[Any]:
        server = environment.source_of(database)
        if server not in open_ones:
            at = endpoint_of(environment.sources[server], os.environ, dialect=spec.source.dialect)
            open_ones[server] = connect(at)
        return open_ones[server]

    same = [other for other in others if other.source.schema == spec.source.schema]
    try:
        return source_schema(spec, others=same, connection=connection)
    finally:
        for each in open_ones.values():
            each.close()


def _schema_text(project: Project, spec: Spec) -> str:
    """The text of the schema file; empty when it does not exist.

    It is read before the source is asked, so that a file that is not the project's is refused first (SpecError).
    """
    there = os.path.lexists(project.root / spec.source.schema)
    return project.read_text(spec.source.schema, spec=spec, at=("source", "schema")) if there else ""


def _write(project: Project, spec: Spec, written: SchemaText, before: str, *, quiet: bool) -> None:
    path = project.own(spec.source.schema)
    text, lost = carry_over(before, written.text)
    changed = before != text
    if changed:
        write_file(path, text, root=project.root)
    for comment in lost:
        print(f"{project.display_path(path)}: the line it spoke about is gone, and so is '{comment}'", file=sys.stderr)
    if not quiet:
        what = "written" if changed else "unchanged"
        seen = f"{written.triggers} triggers" if written.triggers else "no triggers that this account may see"
        print(
            f"{project.display_path(path)} {what}: {written.tables} tables, {seen}; now run `shardwright compile`",
            file=sys.stderr,
        )
