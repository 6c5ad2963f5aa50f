"""`ddl status`: how many physical tables have each change, which lack it, and which differ from their definition?

Runs in the process of the command; reads the shards.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from shardwright.runtime.cli.connecting import deployment
from shardwright.runtime.cli.ddl_apply import connect_patiently
from shardwright.runtime.cli.ddl_drift import drift_data, drift_lines
from shardwright.runtime.cli.exits import Exit
from shardwright.runtime.cli.next_commands import DdlFacts, as_json, as_lines
from shardwright.runtime.ddl.routing.status import DdlStatus, ddl_status
from shardwright.runtime.ddl.tables.drift import find_drift
from shardwright.specs.findings.text_table import text_table

_NAMED: Final = 12


def show_status(arguments: argparse.Namespace) -> int:
    """Exit code 3 while a physical table lacks a change or differs from its definition."""
    deployed = deployment(arguments)
    found = ddl_status(deployed.plan, connect=lambda database: connect_patiently(deployed, database))
    drifts = find_drift(deployed.plan, connect=lambda database: connect_patiently(deployed, database))
    facts = DdlFacts(any(row.missing for row in found), any(drift.groups for drift in drifts))
    if arguments.format == "json":
        data = {"changes": [*map(status_data, found)], "definitions": [*map(drift_data, drifts)]}
        print(json.dumps({**data, "next": as_json(facts, arguments)}, indent=2))
    else:
        changes = status_table(found) if found else "no DDL changes in this plan"
        advice = as_lines(facts, arguments)
        lines = [changes, *(line for drift in drifts for line in drift_lines(drift)), *([advice] if advice else [])]
        print("\n".join(lines))
    return Exit.CHANGES_PRESENT if facts.missing or facts.drift else Exit.DONE


def status_data(row: DdlStatus) -> Mapping[str, Any]:
    """`missing` names every physical table without the change. `started` are those in which an apply stopped within
    it."""
    return {
        "file": row.file,
        "ordinal": row.ordinal,
        "table": row.logical,
        "done": row.done,
        "total": row.total,
        "missing": list(row.missing),
        "started": list(row.started),
    }


def status_table(found: Sequence[DdlStatus]) -> str:
    return text_table([*map(_status_row, found)], header=("change", "table", "physical tables", "missing"))


def _status_row(row: DdlStatus) -> tuple[str, str, str, str]:
    started = frozenset(row.started)
    names = [f"{name} (started)" if name in started else name for name in row.missing[:_NAMED]]
    rest = len(row.missing) - len(names)
    missing = f"{', '.join(names)}{f', and {rest} more' if rest else ''}"
    return f"{row.file} {row.ordinal}", row.logical, f"{row.done} of {row.total}", missing
