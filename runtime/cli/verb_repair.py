"""`repair`: how do rows that `verify` named get back to what the source has? Exit 0 when none is left wrong, 1 else.

Runs in the process of the command; enqueues the rows in the first shard's ledger. A run repairs them: one that is under
way, or with `--run` one that it starts itself.
"""

from __future__ import annotations

import argparse
import sys
import threading
from contextlib import closing
from pathlib import Path

from shardwright.runtime.cli.connecting import Deployment, deployment
from shardwright.runtime.cli.consent import require_consent
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.fencing import is_alive
from shardwright.runtime.run.order import RunOrder, Until
from shardwright.runtime.run.progress.events import PlainLines, Reporter
from shardwright.runtime.run.run import Run
from shardwright.runtime.verify.beside_stream import beside_stream
from shardwright.runtime.verify.repair.plan_repairs import wrong_keys
from shardwright.runtime.verify.repair.repair import Planned, Repaired, Repairing
from shardwright.runtime.verify.sessions import Sessions


def execute(arguments: argparse.Namespace) -> int:
    deployed = deployment(arguments).in_force()
    keys = wrong_keys(Path(arguments.result), deployed.plan)
    servers = deployed.servers.patient()
    beside = beside_stream(deployed.plan, servers, deployed.environment, patience=arguments.timeout)
    if beside is None:
        raise Refused("SW8206", f"{deployed.plan.migration} has not begun: there is nothing to repair")
    sessions = Sessions(servers.connect_source, servers.connect_shard)
    try:
        repairing = Repairing(deployed.plan, servers, beside, sessions)
        planned = repairing.planned(
            keys, delete_extra=arguments.delete_extra, at_most=arguments.max_rows, stream_runs=not arguments.run
        )
        if arguments.dry_run:
            print("\n".join(repairing.statements(planned)))
            return _print_result(Repaired(0, planned.left, planned.right), would=len(planned.repairs))
        require_consent(deployed.environment, arguments, f"repair {len(planned.repairs)} rows")
        return _print_result(_carry_out(deployed, repairing, planned, arguments))
    finally:
        sessions.close()


def _carry_out(deployed: Deployment, repairing: Repairing, planned: Planned, arguments: argparse.Namespace) -> Repaired:
    if not planned.repairs:
        return Repaired(0, planned.left, planned.right)
    _require_run(deployed, arguments.run)
    if arguments.run:
        reporter = Reporter([] if arguments.quiet else [PlainLines()])
        try:
            order = RunOrder(
                deployed.plan, deployed.servers, deployed.environment, reporter, Until.CAUGHT_UP, threading.Event()
            )
            Run(order, before_it_starts=lambda: repairing.hand_over(planned)).execute()
        finally:
            reporter.close()
    else:
        repairing.hand_over(planned)

    def show(done: int) -> None:
        if not arguments.quiet:
            print(f"{done} of {len(planned.repairs)} rows read again", file=sys.stderr)

    return repairing.finish(planned, patience=arguments.timeout, on_progress=show)


def _require_run(deployed: Deployment, starts_one: bool) -> None:
    with closing(deployed.servers.connect_shard(0)) as control:
        alive = is_alive(control, role="data")
    if starts_one and alive:
        raise Refused("SW8525", "a run is live and will repair the rows: leave --run out")
    if not starts_one and not alive:
        raise Refused("SW8523", "no run is live: start `shardwright run --until forever`, or repeat this with --run")


def _print_result(repaired: Repaired, *, would: int | None = None) -> int:
    for one in repaired.left:
        print(f"left: {one}", file=sys.stderr)
    done = f"{repaired.rows} rows repaired" if would is None else f"{would} rows would be repaired"
    print(f"{done}, {repaired.right} are right by now, {len(repaired.left)} are left as they are", file=sys.stderr)
    return 1 if repaired.left else 0
