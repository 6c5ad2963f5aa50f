"""Which physical tables differ from their definition? In words, as data, and as statements for review.

Runs in the process of the command; reads the shards.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from shardwright.runtime.cli.connecting import deployment
from shardwright.runtime.cli.ddl_apply import connect_patiently
from shardwright.runtime.cli.exits import Exit
from shardwright.runtime.cli.next_commands import DdlFacts, as_json
from shardwright.runtime.ddl.tables.drift import Drift, DriftGroup, find_drift

_NAMED: Final = 12


def show_drift(arguments: argparse.Namespace) -> int:
    """Prints the statements that correct strays, and executes none. Exit code 3 while there are strays."""
    deployed = deployment(arguments)
    found = find_drift(deployed.plan, connect=lambda database: connect_patiently(deployed, database))
    if arguments.format == "json":
        facts = DdlFacts(missing=False)
        answer = {"definitions": [drift_data(drift) for drift in found], "next": as_json(facts, arguments)}
        print(json.dumps(answer, indent=2))
    else:
        print("\n".join(line for drift in found for line in _statements(drift)) or "-- no drift")
    return Exit.CHANGES_PRESENT if any(drift.groups for drift in found) else Exit.DONE


def _statements(drift: Drift) -> Iterator[str]:
    for group in drift.groups:
        for table in group.tables:
            for said in group.differences:
                # A definition (a comment in it, for example) may hold line ends. A comment of SQL ends there.
                yield f"-- {table.database}.{table.table}: {' '.join(said.split())}"
            yield f"{table.statement};\n" if table.statement else "-- no statement fixes it: restore it\n"


def drift_data(drift: Drift) -> Mapping[str, Any]:
    groups = [
        {
            "differences": list(group.differences),
            "tables": [f"{table.database}.{table.table}" for table in group.tables],
            "statements": [table.statement for table in group.tables],
        }
        for group in drift.groups
    ]
    return {"table": drift.logical, "identical": drift.identical, "by_majority": drift.by_majority, "groups": groups}


def drift_lines(drift: Drift) -> Iterator[str]:
    count = sum(len(group.tables) for group in drift.groups)
    compared = ", as most of them are" if drift.by_majority else ""
    differ = f"; {count} differ{'s' if count == 1 else ''}:" if count else ""
    yield f"definitions of {drift.logical}: identical on {drift.identical}{compared}{differ}"
    yield from map(_group_line, drift.groups)


def _group_line(group: DriftGroup) -> str:
    names = [f"{table.database}.{table.table}" for table in group.tables]
    more = f", and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"  {'; '.join(group.differences)}: {', '.join(names[:_NAMED])}{more}"
