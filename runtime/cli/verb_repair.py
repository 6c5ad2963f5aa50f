"""`repair`: how do rows that `verify` named get back to what the source has? Exit 0 when none is left wrong, 1 else.

Runs in the process of the command; enqueues the rows in the first shard's ledger. A run repairs them: one that is under
way, or with `--run` one that it starts itself.
"""

from __future__ import annotations

import argparse
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import pymysql

from shardwright.runtime.cli.attempts import record_attempt
from shardwright.runtime.cli.connecting import Deployment, deployment
from shardwright.runtime.cli.consent import require_consent, require_final_consent
from shardwright.runtime.cli.event_log import report_events
from shardwright.runtime.cli.signals import end_on_signals, stop_on_signals
from shardwright.runtime.events.compare import RepairProgress
from shardwright.runtime.events.event import RunEvent
from shardwright.runtime.events.stream import Following
from shardwright.runtime.failures import Refused, RuntimeFailure
from shardwright.runtime.ledger.buckets import read_buckets
from shardwright.runtime.ledger.cutover import BOTH_WAYS
from shardwright.runtime.ledger.fencing import is_alive
from shardwright.runtime.run.order import RunOrder, Until
from shardwright.runtime.run.progress.listeners import Reporter
from shardwright.runtime.run.run import Run
from shardwright.runtime.verify.barrier import open_barrier
from shardwright.runtime.verify.moved_rows import ReadSide
from shardwright.runtime.verify.repair.advice import advise
from shardwright.runtime.verify.repair.by_side import Keys, keys_by_side
from shardwright.runtime.verify.repair.plan_repairs import wrong_keys
from shardwright.runtime.verify.repair.repair import Repairer, RepairPlan, RepairResult
from shardwright.runtime.verify.sessions import Sessions

_LOOK_EVERY: Final = 1.0


def execute(arguments: argparse.Namespace) -> int:
    end_on_signals()
    stream = _StreamSeen()
    with report_events(arguments) as reporter:
        reporter.add(stream)
        deployed = deployment(arguments).in_force()
        recorded = (
            nullcontext() if arguments.dry_run else record_attempt(deployed.servers, deployed.plan.migration, arguments)
        )
        with recorded:
            return _repair(_Work(deployed, arguments, reporter, stream))


class _StreamSeen:
    """Whether the run's stream has begun: Spark's start and the copy are not what `--timeout` is about."""

    seen = False

    def handle(self, event: RunEvent) -> None:
        self.seen = self.seen or isinstance(event, Following)

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class _Work:
    deployed: Deployment
    arguments: argparse.Namespace
    reporter: Reporter
    stream: _StreamSeen


def _repair(work: _Work) -> int:
    keys = wrong_keys(Path(work.arguments.result), work.deployed.plan)
    for line in advise(Path(work.arguments.result)):
        print(line, file=sys.stderr)
    parts = [(deployed, some) for deployed, some in _by_direction(work.deployed, keys) if some]
    return max((_repair_keys(replace(work, deployed=deployed), some) for deployed, some in parts), default=0)


def _by_direction(deployed: Deployment, keys: Keys) -> Sequence[tuple[Deployment, Keys]]:
    """While buckets move one by one, each row is repaired by the direction that reads the side that may write it."""
    live = deployed.live_deployments()
    if len(live) == 1:
        return [(deployed, keys)]
    deployed.require_same_buckets()
    if deployed.plan.both_write:
        raise Refused(
            BOTH_WAYS,
            "both sides write all rows: change the right one, and the run brings it to the other side; or repair once "
            "one side takes all writes",
        )
    with closing(deployed.servers.connect_shard(0)) as home:
        owners = read_buckets(home, deployed.plan.migration)
    source, shards = (ReadSide(one.plan, one.servers) for one in live)
    return list(zip(live, keys_by_side(source, shards, owners, keys), strict=True))


def _repair_keys(work: _Work, keys: Keys) -> int:
    deployed, arguments, emit = work.deployed, work.arguments, work.reporter.emit
    servers = deployed.servers.patient()
    beside = open_barrier(deployed.plan, servers, deployed.environment, patience=arguments.timeout, emit=emit)
    if beside is None:
        raise Refused("SW8206", f"{deployed.plan.migration} has not begun: there is nothing to repair")
    sessions = Sessions(servers.connect_source, servers.connect_shard)
    try:
        repairing = Repairer(deployed.plan, servers, beside, sessions, emit)
        planned = repairing.make_plan(
            keys, delete_extra=arguments.delete_extra, at_most=arguments.max_rows, stream_runs=not arguments.run
        )
        if arguments.dry_run:
            print("\n".join(repairing.statements(planned)))
            return _print_result(RepairResult(0, planned.left, planned.right), would=len(planned.repairs))
        what, removed = f"repair {len(planned.repairs)} rows", sum(repair.removes for repair in planned.repairs)
        require_consent(deployed.environment, arguments, what)
        if removed:
            lost = f"{removed} rows that are not at the {deployed.plan.direction.read_side} are removed"
            require_final_consent(deployed.environment, arguments, what, lost=lost)
        return _print_result(_carry_out(work, repairing, planned))
    finally:
        sessions.close()


def _carry_out(work: _Work, repairing: Repairer, planned: RepairPlan) -> RepairResult:
    if not planned.repairs:
        return RepairResult(0, planned.left, planned.right)
    arguments = work.arguments
    _require_run(work.deployed, arguments.run)

    def show(done: int) -> None:
        repairing.emit(RepairProgress(done, len(planned.repairs)))

    patience = arguments.timeout
    if arguments.run:
        if not _run_until_repaired(work, repairing, planned, show):
            patience = 0.0
    else:
        repairing.hand_over(planned)
    return repairing.finish(planned, patience=patience, on_progress=show)


def _run_until_repaired(work: _Work, repairing: Repairer, planned: RepairPlan, show: Callable[[int], None]) -> bool:
    """False when its stream repaired no row for `--timeout`, and it was stopped."""
    deployed, patience = work.deployed, work.arguments.timeout
    stop, late, ended = threading.Event(), threading.Event(), threading.Event()
    stop_on_signals(stop)

    def watch() -> None:
        left, moved = len(planned.repairs), time.monotonic()
        while left and not ended.wait(_LOOK_EVERY):
            if not work.stream.seen:
                moved = time.monotonic()
            try:
                now = repairing.count_waiting(planned)
            except (RuntimeFailure, pymysql.err.MySQLError):
                continue  # the run meets the same
            if now != left:
                left, moved = now, time.monotonic()
                show(len(planned.repairs) - left)
            elif time.monotonic() - moved >= patience:
                late.set()
                stop.set()
                return

    watching = threading.Thread(target=watch, name="repair", daemon=True)

    def begin() -> None:
        repairing.hand_over(planned)
        if not watching.is_alive() and watching.ident is None:
            watching.start()

    try:
        order = RunOrder(deployed.plan, deployed.servers, deployed.environment, work.reporter, Until.CAUGHT_UP, stop)
        result = Run(order, before_it_starts=begin).execute()
    except RuntimeFailure:
        if late.is_set():  # stopped while it waited for a server, or for rows that others have locked
            return False
        raise
    finally:
        ended.set()
        end_on_signals()
    if result.interrupted and not late.is_set():
        raise KeyboardInterrupt
    return not late.is_set()


def _require_run(deployed: Deployment, starts_one: bool) -> None:
    with closing(deployed.servers.connect_shard(0)) as control:
        alive = is_alive(control, role="data")
    if starts_one and alive:
        raise Refused("SW8525", "a run is live and will repair the rows: leave --run out")
    if not starts_one and not alive:
        raise Refused("SW8523", "no run is live: start `shardwright run --until forever`, or repeat this with --run")


def _print_result(repaired: RepairResult, *, would: int | None = None) -> int:
    for one in repaired.left:
        print(f"left: {one}", file=sys.stderr)
    done = f"{repaired.rows} rows repaired" if would is None else f"{would} rows would be repaired"
    print(f"{done}, {repaired.right} are right by now, {len(repaired.left)} are left as they are", file=sys.stderr)
    return 1 if repaired.left else 0
