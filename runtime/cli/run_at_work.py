"""The work of `run`: a migration up to `--until`, resumed from the ledgers. How are its arguments and signals handled?

Runs in the driver; the work is in `run.run`.
"""

from __future__ import annotations

import argparse
import csv
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pymysql

from shardwright.compiler.plan.summary import few
from shardwright.runtime.cli.attempts import record_attempt
from shardwright.runtime.cli.connecting import Deployment, deployment, deployment_of
from shardwright.runtime.cli.consent import require_consent, require_final_consent
from shardwright.runtime.cli.exits import Exit
from shardwright.runtime.cli.notifying import add_channels
from shardwright.runtime.cli.signals import stop_on_signals
from shardwright.runtime.ddl.guards import FOREIGN_KEYS, TRIGGERS
from shardwright.runtime.events.run import DirectionTurned, PlanRead, RunFinished
from shardwright.runtime.failures import Refused, RuntimeFailure
from shardwright.runtime.ledger.cutover import FINISHED
from shardwright.runtime.ledger.dead_letters import DeadLetter, count_rows, read_dead_letters
from shardwright.runtime.ledger.takeover import was_ended_by_cutover
from shardwright.runtime.run.both_ways import execute_together
from shardwright.runtime.run.existing_rows import REMOVED
from shardwright.runtime.run.order import RunOrder, RunResult, Until
from shardwright.runtime.run.progress.listeners import Reporter
from shardwright.runtime.run.run import Run
from shardwright.runtime.sources.binlog.rewind import LACKING
from shardwright.runtime.sources.binlog.table_changed import CODE as TABLE_CHANGED
from shardwright.runtime.sources.positions.message_ref import SKIPPABLE, Where, parse_place
from shardwright.runtime.sources.positions.message_ref import TABLE_CHANGED as MESSAGE_CHANGED
from shardwright.runtime.stream.apply.ceiling import CODE
from shardwright.runtime.stream.schema_change.handler import NOT_STRICT
from shardwright.runtime.verify.table_sizes import estimate_sides

if TYPE_CHECKING:
    from shardwright.runtime.stream.rounds.rounds import Rounds

_ALLOWED = frozenset({CODE, TRIGGERS, FOREIGN_KEYS, REMOVED, NOT_STRICT}) | LACKING
_ENDED_FROM_OUTSIDE = frozenset({"SW8201", "SW8217"})
_PLACE = re.compile(r"\S+\.\d+:\d+")


@dataclass(frozen=True, slots=True)
class Ending:
    """How the command ends."""

    code: Exit
    lines: tuple[str, ...]
    """What it prints then."""


def migrate(arguments: argparse.Namespace, reporter: Reporter) -> Ending:
    home = deployment(arguments)
    deployed = home.in_force()
    with record_attempt(deployed.servers, deployed.plan.migration, arguments):
        return _run(home, deployed, arguments, reporter)


def _run(home: Deployment, deployed: Deployment, arguments: argparse.Namespace, reporter: Reporter) -> Ending:
    plan = deployed.plan
    reporter.emit(PlanRead(plan.migration, plan.fingerprint, plan.direction.value))
    require_consent(deployed.environment, arguments, f"run migration {deployed.plan.migration}")
    if lost := list(_describe_losses(deployed, arguments)):
        what = f"run migration {deployed.plan.migration}"
        require_final_consent(deployed.environment, arguments, what, lost="; ".join(lost))
    add_channels(reporter, deployed.environment, deployed.servers, plan.migration)
    stop = threading.Event()
    stop_on_signals(stop)
    with _watch(home, arguments, reporter):
        result = _until_the_end(home, arguments, reporter, stop)
    if result is None:
        return Ending(Exit.DONE, (f"{deployed.plan.migration} is finished: nothing is left to follow",))
    ending = _run_end(result)
    reporter.emit(ending)
    lines = [ending.sentence]
    if ending.dead_letters:
        lines.append(f"{ending.dead_letters} rows are dead letters: shardwright dead-letters list")
    code = Exit.ROWS_HELD if ending.dead_letters else Exit.DONE
    return Ending(Exit.INTERRUPTED if ending.interrupted else code, tuple(lines))


@contextmanager
def _watch(home: Deployment, arguments: argparse.Namespace, reporter: Reporter) -> Iterator[None]:
    """Within, the run is shown where that was asked for. Only then what shows it is loaded."""
    if arguments.metrics is None and arguments.page is None:
        yield
        return
    from shardwright.runtime.cli.watching import watch_run

    with watch_run(home, arguments) as listeners:
        for listener in listeners:
            reporter.add(listener)
        yield


def _describe_losses(deployed: Deployment, arguments: argparse.Namespace) -> Iterator[str]:
    """What the options take away for good, with estimates where the servers answer. Where they do not, or the names
    are wrong, the run says so."""
    recopied, left_out = _names(arguments.recopy), _names(arguments.leave_out)
    if recopied:
        rows: Mapping[str, int] = {}
        with suppress(RuntimeFailure, pymysql.err.MySQLError):
            rows = estimate_sides(deployed.plan, deployed.servers)
        about = sum(rows.get(name, 0) for name in recopied)
        shards = len(deployed.plan.databases)
        yield f"the rows of {few(sorted(recopied))} are removed from {shards} shards (about {about:,}) and copied again"
    if left_out:
        letters: Sequence[DeadLetter] = ()
        with suppress(RuntimeFailure, pymysql.err.MySQLError), closing(deployed.servers.connect_shard(0)) as home:
            letters = read_dead_letters(home, deployed.plan.migration)
        theirs = count_rows(one for one in letters if one.held.logical in left_out)
        yield (
            f"nothing keeps {few(sorted(left_out))} up to date on the shards any more, and {theirs} dead letters of "
            "them are closed"
        )


def _until_the_end(
    home: Deployment, arguments: argparse.Namespace, reporter: Reporter, stop: threading.Event
) -> RunResult | None:
    """A cutover ends a direction while this run follows it, or begins another one beside it. A run without an end then
    follows what is live. None: `cutover finish` has ended the migration. `home` is the deployment of the way there."""
    continues = False
    legs: Sequence[Deployment] = home.live_deployments()
    while True:
        if len(legs) > 1:
            legs[0].require_same_buckets()
        halt = threading.Event() if len(legs) > 1 else stop
        directions = frozenset(leg.plan.direction for leg in legs)
        rounds = _rounds_of(legs)
        orders = [replace(_order(leg, arguments, reporter, halt), rounds=rounds) for leg in legs]
        runs = [Run(one, continues, directions=directions, is_finished=home.is_finished) for one in orders]
        try:
            return execute_together(runs, stop=stop, halt=halt)
        except Refused as failure:
            if failure.code == FINISHED or home.is_finished():
                return None
            is_over = Until(arguments.until) is not Until.FOREVER or stop.is_set()
            if failure.code not in _ENDED_FROM_OUTSIDE or is_over:
                raise
            was_ended = any(was_ended_by_cutover(leg.servers) for leg in legs)
            # Another migration may have been compiled meanwhile.
            legs, continues = deployment_of(arguments, home.plan.migration).live_deployments(), True
            if not was_ended and directions == {leg.plan.direction for leg in legs}:
                raise
            for leg in legs:
                reporter.emit(DirectionTurned(leg.plan.direction))


def _rounds_of(legs: Sequence[Deployment]) -> Rounds | None:
    """Where both sides write all rows, both directions go on together."""
    forward = next((leg.plan for leg in legs if leg.plan.direction.reads_source), None)
    if len(legs) == 1 or forward is None or not forward.both_write:
        return None
    from shardwright.runtime.stream.rounds.rounds import Rounds

    return Rounds(forward)


def _order(deployed: Deployment, arguments: argparse.Namespace, reporter: Reporter, halt: threading.Event) -> RunOrder:
    return RunOrder(
        deployed.plan,
        deployed.servers,
        deployed.environment,
        reporter,
        Until(arguments.until),
        halt,
        *_read_allowed(arguments.allow),
        recopy=_names(arguments.recopy),
        leave_out=_names(arguments.leave_out),
    )


def _run_end(result: RunResult) -> RunFinished:
    state = "caught up" if result.caught_up else ("snapshot complete" if result.snapshot_complete else "part-way")
    return RunFinished(
        state,
        str(result.position),
        round(result.seconds, 3),
        result.rows_copied,
        round(result.copy_seconds, 3),
        result.changes,
        result.held,
        result.interrupted,
    )


def _read_allowed(text: str) -> tuple[frozenset[str], frozenset[str], Mapping[Where, str]]:
    """Codes that are allowed once, the places of DDL statements to skip, and unreadable messages to skip, with their
    codes."""
    codes: set[str] = set()
    places: set[str] = set()
    passed: dict[Where, str] = {}
    for item in (item.strip() for item in text.split(",") if item.strip()):
        code, _, place = item.partition("@")
        where = parse_place(place)
        if code.upper() in _ALLOWED and not place:
            codes.add(code.upper())
        elif (code.upper() == TABLE_CHANGED and _PLACE.fullmatch(place)) or (code.upper() == MESSAGE_CHANGED and where):
            places.add(place)
        elif code.upper() in SKIPPABLE and where:
            passed[where] = code.upper()
        else:
            raise RuntimeFailure(
                "SW8007",
                f"--allow {item}: {', '.join(sorted(_ALLOWED))} can be allowed, {TABLE_CHANGED}@FILE:POS, and "
                f"{MESSAGE_CHANGED} or the code of a message that cannot be read with @TOPIC/PARTITION:OFFSET, each as "
                "the run has printed it",
            )
    return frozenset(codes), frozenset(places), passed


def _names(given: str) -> frozenset[str]:
    """The names in a list with commas. A name that holds a comma is in double quotes."""
    return frozenset(
        name.strip() for line in csv.reader([given], skipinitialspace=True) for name in line if name.strip()
    )
