"""`report`: what an auditor gets, in a folder, and whether such a folder is still what was written.

Runs in the process of the command; reads ledgers, with `--compare` also rows. Writes the folder, and a line of the
audit with the last digest.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from shardwright.runtime.cli.attempts import actor_of, note
from shardwright.runtime.evidence.chain import Record
from shardwright.runtime.evidence.folder import check_folder, write_folder
from shardwright.runtime.failures import InputAtFault

if TYPE_CHECKING:
    from shardwright.runtime.cli.connecting import Deployment
    from shardwright.runtime.events.event import Emit


def execute(arguments: argparse.Namespace) -> int:
    if arguments.action == "check":
        if arguments.folder is None:
            raise InputAtFault("SW8007", "name the folder: report check DIR")
        summary = check_folder(Path(arguments.folder), head=arguments.head)
        print(f"{arguments.folder}: {summary.records:,} records, unchanged; last digest {summary.head}")
        return 0
    if arguments.folder is not None or arguments.head is not None:
        raise InputAtFault("SW8007", "DIR and --head go with `report check`")
    if arguments.env is None or arguments.out is None:
        raise InputAtFault("SW8007", "a report needs --env NAME and --out DIR")
    return _write(arguments)


def _write(arguments: argparse.Namespace) -> int:
    from shardwright.runtime.cli.connecting import deployment
    from shardwright.runtime.cli.event_log import report_events
    from shardwright.runtime.evidence.collect import read_ledgers, read_ledgers_if_there, read_project

    deployed = deployment(arguments)
    other = deployed.find_way_back()
    actor = actor_of(arguments, deployed.plan)
    header = {
        "migration": deployed.plan.migration,
        "environment": deployed.environment.name,
        "plan": deployed.plan.fingerprint,
        "version": actor.version,
        "written_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "written_by": actor.who,
    }

    def records(deployed: Deployment) -> Iterator[Record]:
        yield from read_ledgers(deployed.servers, deployed.plan.migration)
        if other is not None:
            yield from read_ledgers_if_there(other.servers, deployed.plan.migration)
        if arguments.compare:
            yield from _compare(deployed.in_force(), reporter.emit)

    files = read_project(deployed.project, deployed.plan.migration, arguments.env)
    with report_events(arguments) as reporter:
        summary = write_folder(Path(arguments.out), Record("report", header), files, records(deployed))
    note(deployed.servers, deployed.plan.migration, "report written", detail=f"last digest {summary.head}")
    print(f"{arguments.out}: {summary.records:,} records; last digest {summary.head}")
    print("note the digest elsewhere: `shardwright report check DIR --head DIGEST` proves the report by it")
    return 0


def _compare(deployed: Deployment, emit: Emit) -> Iterator[Record]:
    """Compares all rows. The records of ranges come once it has ended: they are few."""
    from shardwright.runtime.cli.comparing import compare
    from shardwright.runtime.cli.verb_verify import VerifyLines
    from shardwright.runtime.evidence.collect import range_record, verdict_record
    from shardwright.runtime.verify.table_run import Manner
    from shardwright.runtime.verify.verify import CompareRequest

    ranges: list[Record] = []
    manner = replace(Manner(), ranges=lambda table, result: ranges.append(range_record(table, result)))
    result = compare(deployed, CompareRequest(manner=manner), on_progress=VerifyLines(emit).show, emit=emit)
    yield from ranges
    yield verdict_record(result)
