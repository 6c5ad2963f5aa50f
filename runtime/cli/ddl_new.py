"""`ddl new`: which numbered DDL file brings the existing tables to what the spec says now? It is for review.

Runs in the process of the command; reads the shards, writes the file.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from shardwright.compiler.ddl.routing.catching_up import creates_of
from shardwright.compiler.ddl.routing.lead_to import Proposal, lead_to, proposal_lines
from shardwright.compiler.plan.plan import Plan
from shardwright.compiler.project.checking import read_specs
from shardwright.compiler.project.project import Project
from shardwright.compiler.sql.sql_text import quote
from shardwright.runtime.cli.connecting import deployment
from shardwright.runtime.cli.ddl_apply import connect_patiently
from shardwright.runtime.cli.exits import Exit
from shardwright.runtime.ddl.routing.status import ddl_status
from shardwright.runtime.ddl.session import Connect
from shardwright.runtime.ddl.tables.drift import Drift, DriftGroup, find_drift
from shardwright.runtime.failures import InputAtFault, Refused
from shardwright.specs.files.project_files import make_folder

_NUMBER: Final = re.compile(r"^(\d{4})_")
_WORDS: Final = re.compile(r"^[a-z0-9_]+$")
_NAMED: Final = 6
_NOTHING_DIFFERS: Final = "every existing table is as the spec says"


def write_new(arguments: argparse.Namespace) -> int:
    """Where nothing differs: a file without a statement when it was given a name, else none. Exit code 3 when a file
    was written: it needs a review."""
    named = arguments.name or arguments.words
    name = named or "match_spec"
    if not _WORDS.match(name):
        raise InputAtFault("SW8449", f"NAME is a part of a file's name: a-z, 0-9 and _, not '{name}'")
    deployed = deployment(arguments)
    plan, project = deployed.plan, deployed.project
    folder = _folder(project, plan)
    _refuse_uncompiled(project, plan, folder)
    found = find_drift(plan, connect=lambda database: connect_patiently(deployed, database))
    _refuse_waiting(plan, found, lambda database: connect_patiently(deployed, database))
    proposals = [proposal for drift in found if (proposal := _proposal(plan, drift)) is not None]
    if not proposals and named is None:
        print(f"{_NOTHING_DIFFERS}: nothing to write (give a name, and an empty file is written)", file=sys.stderr)
        return Exit.DONE
    path = folder / f"{_next_number(folder):04d}_{name}.sql"
    lines = _lines(found, proposals, arguments.env) if proposals else _template(plan)
    text = "\n".join(lines).rstrip("\n") + "\n"
    make_folder(folder, root=project.root)
    with path.open("x", encoding="utf-8") as opened:
        opened.write(text)
    print(text, end="")
    if not arguments.quiet:
        what = "a guess; review it" if proposals else f"{_NOTHING_DIFFERS}; write your statements into it"
        print(
            f"written {project.display_path(path)}: {what}, then compile, `ddl plan`, and `ddl apply`", file=sys.stderr
        )
    return Exit.CHANGES_PRESENT


def _folder(project: Project, plan: Plan) -> Path:
    for item in read_specs(project, project.specs()):
        if item.draft is not None and item.draft.migration == plan.migration:
            if item.draft.ddl is None:
                raise InputAtFault(
                    "SW8448", f"{item.file} names no folder for DDL files: add `ddl: ddl/`, then run again"
                )
            return project.own(item.draft.ddl)
    raise InputAtFault(
        "SW8448", f"no spec in {project.display_path(project.root / 'specs')} is called {plan.migration}"
    )


def _refuse_uncompiled(project: Project, plan: Plan, folder: Path) -> None:
    known = {change.file for change in plan.ddl}
    new = sorted(path.name for path in folder.glob("*.sql") if path.name not in known)
    if new:
        raise Refused(
            "SW8447",
            f"{', '.join(new[:_NAMED])} is in {project.display_path(folder)} and not in the plan: compile first",
        )


def _refuse_waiting(plan: Plan, found: Iterable[Drift], connect: Connect) -> None:
    """Refuses while a change of a file is missing on a table: that is no difference between table and spec."""
    gone = {
        f"{table.database}.{table.table}"
        for drift in found
        for group in drift.groups
        if not group.found
        for table in group.tables
    }
    for row in ddl_status(plan, connect=connect):
        if lacking := [name for name in row.missing if name not in gone]:
            more = f" and {len(lacking) - _NAMED} more" if len(lacking) > _NAMED else ""
            raise Refused(
                "SW8447",
                f"statement {row.ordinal} of {row.file} is missing on {', '.join(lacking[:_NAMED])}{more}: "
                "`ddl apply` it first, so that only what no file says is left",
            )


def _proposal(plan: Plan, drift: Drift) -> Proposal | None:
    """The statements for one logical table. Raises Refused when its tables differ in different ways: then no one
    statement is right for all."""
    groups = [group for group in drift.groups if group.found]
    if len(groups) > 1:
        said = "; ".join(f"{_places(group)}: {', '.join(group.differences)}" for group in groups[:_NAMED])
        raise Refused(
            "SW8446",
            f"tables of {drift.logical} differ among themselves ({said}): `ddl plan --drift` has a statement for each",
        )
    create = creates_of(plan.steps).get(drift.logical)
    if not groups or create is None:
        return None
    return lead_to(create, groups[0].found, logical=drift.logical)


def _places(group: DriftGroup) -> str:
    first = group.tables[0]
    more = f" and {len(group.tables) - 1} more" if len(group.tables) > 1 else ""
    return f"{first.database}.{first.table}{more}"


def _lines(found: Iterable[Drift], proposals: Iterable[Proposal], environment: str) -> Iterator[str]:
    yield f"-- Brings the tables of {environment} to the spec. Tables that are as the spec says are left alone."
    for drift in found:
        for group in drift.groups:
            if group.found:
                yield f"-- {drift.logical}: {len(group.tables)} of {drift.identical + len(group.tables)} tables differ:"
                yield from (f"--   {' '.join(said.split())}" for said in group.differences)
    yield ""
    for proposal in proposals:
        yield from proposal_lines(proposal)


def _template(plan: Plan) -> Iterator[str]:
    example = plan.tables[0].logical if plan.tables else "orders"
    yield "-- One change of the tables on every shard. Name tables as the spec does, without the suffixes of shards."
    yield "-- ALTER TABLE, CREATE and DROP INDEX, CREATE, RENAME and DROP TABLE are understood. For example:"
    yield f"-- ALTER TABLE {quote(example)} ADD INDEX `by_note` (`note`);"


def _next_number(folder: Path) -> int:
    numbers = [int(found[1]) for path in folder.glob("*.sql") if (found := _NUMBER.match(path.name))]
    return max(numbers, default=0) + 1
