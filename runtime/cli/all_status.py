"""`status --all`: which migrations are in the ledgers on the environment's servers?

Runs in the process of the command; reads ledgers, and the sources of migrations whose plan the project has.
"""

from __future__ import annotations

import argparse
import json
import os
from dataclasses import asdict

from shardwright.compiler.plan.files import read_plan
from shardwright.compiler.plan.plan import Plan
from shardwright.compiler.plan.refusals import PlanRefused
from shardwright.compiler.project.project import Project, find_project
from shardwright.runtime.cli.connecting import environment_of
from shardwright.runtime.cli.exits import Exit
from shardwright.runtime.cli.next_commands import ServerFacts, as_json, as_lines
from shardwright.runtime.cli.redraw import redraw
from shardwright.runtime.run.status.all_migrations import AllMigrations, MigrationLine, read_all
from shardwright.specs.direction import Direction
from shardwright.specs.findings.text_table import text_table

_HEADER = ("migration", "direction", "state", "lag", "rows held", "last verify (UTC)", "ledger")


def answer_all(arguments: argparse.Namespace) -> int:
    """Exit code 4 where a server could not be asked."""
    project = find_project(arguments.project)
    environment = environment_of(project, arguments)

    def read() -> AllMigrations:
        return read_all(environment, os.environ, lambda name, direction: _plan(project, name, direction))

    if arguments.watch is not None:
        return redraw(lambda: _text_of(read(), arguments), every=arguments.watch, in_place=arguments.format == "text")
    found = read()
    print(_text_of(found, arguments))
    return Exit.UNREACHABLE if found.problems else Exit.DONE


def _plan(project: Project, migration: str, direction: Direction) -> Plan | None:
    """A name in a ledger leads to no other folder than those of the project's plans."""
    if migration not in {path.parent.name for path in project.own("build").glob("*/manifest.json")}:
        return None
    folder = project.plan_folder(migration)
    try:
        return read_plan(folder if direction.reads_source else folder / "backward")
    except PlanRefused:
        return None


def _text_of(found: AllMigrations, arguments: argparse.Namespace) -> str:
    if arguments.format == "json":
        answer = {**asdict(found), "next": as_json(_facts(found), arguments)}
        return json.dumps(answer, indent=2 if arguments.watch is None else None, default=str)
    lines = text_table([*map(_row, found.migrations)], header=_HEADER, right=(3, 4)) if found.migrations else ""
    missing = [f"not asked: {one}" for one in found.problems]
    return "\n".join([lines or "no migration has begun on these servers", *missing, as_lines(_facts(found), arguments)])


def _facts(found: AllMigrations) -> ServerFacts:
    return ServerFacts(tuple(line.migration for line in found.migrations))


def _row(line: MigrationLine) -> tuple[str, ...]:
    marks = [line.state, *(["PAUSED"] if line.paused else [])]
    if not line.live and line.state != "finished":
        marks.append("no run")
    verified = "never" if line.verified_at is None else f"{line.verified_at:%Y-%m-%d %H:%M:%S}"
    return (
        line.migration,
        line.direction.value,
        ", ".join(marks),
        _lag(line),
        f"{line.rows_held:,}",
        f"{verified}, void" if line.verified_void else verified,
        line.ledger,
    )


def _lag(line: MigrationLine) -> str:
    """Where the sources were not asked, the age of the newest applied change is the most that it can be."""
    if line.lag_seconds is None:
        return "unknown" if line.at_end is None else "behind"
    return f"{'' if line.at_end is not None else '<= '}{line.lag_seconds:,.0f} s"
