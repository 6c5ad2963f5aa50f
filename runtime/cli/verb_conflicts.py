"""`conflicts`: which rows have both sides changed without knowledge of each other, and what became of them?

Runs in the process of the command, beside a run; reads the first shard's ledger. `resolve` records whose row counts,
and the run writes it to the other side.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from contextlib import closing
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.cli.attempts import operator, record_attempt
from shardwright.runtime.cli.connecting import Deployment, deployment
from shardwright.runtime.cli.consent import require_consent
from shardwright.runtime.failures import InputAtFault
from shardwright.runtime.ledger.audit import audit
from shardwright.runtime.ledger.conflicts import (
    Conflict,
    Image,
    all_conflicts,
    count_conflicts,
    last_conflicts,
    read_conflict,
    read_held_conflicts,
    take_side,
)
from shardwright.specs.findings.text_table import text_table

_HEADER = ("id", "table", "key", "kind", "decision", "state", "changed columns", "last seen")
_UNKNOWN = "SW8938"


def execute(arguments: argparse.Namespace) -> int:
    deployed = deployment(arguments)
    if arguments.action != "resolve":
        return _execute(deployed, arguments)
    with record_attempt(deployed.servers, deployed.plan.migration, arguments):
        require_consent(deployed.environment, arguments, f"resolve conflict {arguments.id}")
        return _execute(deployed, arguments)


def _execute(deployed: Deployment, arguments: argparse.Namespace) -> int:
    with closing(deployed.servers.connect_shard(0)) as home:
        match arguments.action:
            case "list":
                _list(deployed.plan, home, arguments)
            case "show":
                _show(deployed.plan, home, arguments)
            case "resolve":
                _resolve(deployed.plan, home, arguments)
            case _:
                for one in all_conflicts(home, deployed.plan.migration):
                    print(json.dumps(as_json(deployed.plan, one), ensure_ascii=False))
    return 0


def _list(plan: Plan, home: Connection[Any], arguments: argparse.Namespace) -> None:
    held = read_held_conflicts(home, plan.migration)
    known = {one.id for one in held}
    others = () if arguments.held else last_conflicts(home, plan.migration, arguments.last)
    found = [*held, *(one for one in others if one.id not in known)]
    counts = count_conflicts(home, plan.migration)
    if arguments.format == "json":
        by_kind = [{"kind": one.kind, "decision": one.decision, "state": one.state, "rows": one.rows} for one in counts]
        print(json.dumps({"counts": by_kind, "conflicts": [as_json(plan, one) for one in found]}, indent=2))
        return
    if found:
        print(text_table([_row(plan, one) for one in found], header=_HEADER, right=(0,)))
    print(f"{sum(one.rows for one in counts)} conflicts, of which {len(held)} wait for a decision")
    if held:
        print(f"next: shardwright conflicts show {held[0].id} --env {arguments.env}")


def _row(plan: Plan, one: Conflict) -> tuple[str, ...]:
    key, columns = ", ".join(one.key), ", ".join(_columns_that_differ(plan, one))
    return str(one.id), one.logical, key, one.kind, one.decision, one.state, columns, str(one.last_seen)


def _show(plan: Plan, home: Connection[Any], arguments: argparse.Namespace) -> None:
    one = _find(plan, home, arguments.id)
    if arguments.format == "json":
        print(json.dumps(as_json(plan, one), indent=2, ensure_ascii=False))
        return
    print(f"conflict {one.id}: {one}: {one.kind}, decision {one.decision}, {one.state}; round {one.round}")
    for side, changes in one.changes.items():
        if changes.count and changes.first and changes.last:
            print(f"  {side}: {changes.count} changes, from {_place(changes.first)} to {_place(changes.last)}")
    rows = [
        (name, *(_value(image, at) for image in (one.base, one.at_source, one.at_shards, one.result)))
        for at, name in enumerate(_columns(plan, one.logical))
    ]
    print(text_table(rows, header=("column", "both knew", "source", "shards", "what counts")))
    if one.state == "held":
        taken = f"; the run takes that of the {one.take}" if one.take else ""
        print(f"both rows stay as they are{taken}")


def _resolve(plan: Plan, home: Connection[Any], arguments: argparse.Namespace) -> None:
    one = _find(plan, home, arguments.id)
    if not take_side(home, plan.migration, one.id, arguments.take, by=operator()):
        raise InputAtFault(_UNKNOWN, f"conflict {one.id} waits for no decision: it is {one.state}")
    audit(home, plan.migration, "conflict resolved", detail=f"{one.id}: {one}: takes the row of the {arguments.take}")
    print(f"conflict {one.id}: the run writes the row of the {arguments.take} to the other side")


def _find(plan: Plan, home: Connection[Any], number: int) -> Conflict:
    found = read_conflict(home, plan.migration, number)
    if found is None:
        raise InputAtFault(_UNKNOWN, f"there is no conflict {number}: `shardwright conflicts list` shows them")
    return found


def as_json(plan: Plan, one: Conflict) -> dict[str, Any]:
    """With the rows by column."""
    columns = _columns(plan, one.logical)
    return {
        "id": one.id,
        "version": one.version,
        "table": one.logical,
        "key": list(one.key),
        "kind": one.kind,
        "decision": one.decision,
        "state": one.state,
        "round": one.round,
        "take": one.take,
        "taken_by": one.taken_by,
        "base": _by_column(columns, one.base),
        "source": _by_column(columns, one.at_source),
        "shards": _by_column(columns, one.at_shards),
        "result": _by_column(columns, one.result),
        "changes": {
            side: {
                "count": found.count,
                "first": found.first and list(found.first),
                "last": found.last and list(found.last),
            }
            for side, found in one.changes.items()
        },
        "first_seen": str(one.first_seen),
        "last_seen": str(one.last_seen),
    }


def _columns(plan: Plan, logical: str) -> Sequence[str]:
    return [column.target for column in plan.table(logical).columns]


def _by_column(columns: Sequence[str], image: Image) -> dict[str, str | None] | None:
    return None if image is None else dict(zip(columns, image, strict=True))


def _value(image: Image, at: int) -> str:
    if image is None:
        return "(no row)"
    value = image[at]
    return "NULL" if value is None else value


def _columns_that_differ(plan: Plan, one: Conflict) -> Sequence[str]:
    """The columns that the two sides have otherwise; none where one of them has no row."""
    if one.at_source is None or one.at_shards is None:
        return ()
    pairs = zip(_columns(plan, one.logical), one.at_source, one.at_shards, strict=True)
    return [name for name, source, shards in pairs if source != shards]


def _place(place: Sequence[int]) -> str:
    _, file, offset, row = place
    return f"log {file}:{offset} row {row}"
