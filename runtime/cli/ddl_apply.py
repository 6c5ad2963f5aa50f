"""`ddl apply`: which physical tables lack a routed change? It applies the change to them.

Runs in the process of the command, beside a run, under a role of its own; changes tables and records it on all shards.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping
from functools import cache
from threading import Event, Lock
from typing import Any

from pymysql.connections import Connection

from shardwright.runtime.cli.attempts import note, record_attempt
from shardwright.runtime.cli.connecting import Deployment, deployment
from shardwright.runtime.cli.consent import require_consent
from shardwright.runtime.cli.event_log import report_events
from shardwright.runtime.cli.signals import end_on_signals
from shardwright.runtime.ddl.online.hand_over import HandOver
from shardwright.runtime.ddl.online.tools import MAX_LOAD
from shardwright.runtime.ddl.routing.consent import parse_codes
from shardwright.runtime.ddl.routing.policy import DdlPolicy
from shardwright.runtime.ddl.routing.router import DdlProgress, route_changes
from shardwright.runtime.ddl.session import DdlPatience
from shardwright.runtime.ddl.shard_access import ShardAccess
from shardwright.runtime.events.cutover import ChangeApplied
from shardwright.runtime.events.event import Emit
from shardwright.runtime.failures import InputAtFault, Refused
from shardwright.runtime.ledger.databases import create_ledger_databases
from shardwright.runtime.ledger.fencing import Writer
from shardwright.runtime.ledger.takeover import take_over_everywhere
from shardwright.runtime.mysql.monitor import Probe
from shardwright.runtime.run.preflight.tolerance import read_state
from shardwright.runtime.run.throttle.replica_lag import replica_gauges
from shardwright.runtime.run.throttle.throttle import shard_gauges, shard_probes
from shardwright.runtime.run.throttle.throttler import Throttler


def apply(arguments: argparse.Namespace) -> int:
    allowed = parse_codes(arguments.allow)
    deployed = deployment(arguments)
    with (
        report_events(arguments) as reporter,
        record_attempt(deployed.servers, deployed.plan.migration, arguments),
    ):
        return _apply(deployed, allowed, arguments, reporter.emit)


def _apply(deployed: Deployment, allowed: frozenset[str], arguments: argparse.Namespace, emit: Emit) -> int:
    require_consent(deployed.environment, arguments, "change the tables of its shards")
    end_on_signals()
    if any(live.writes_source for live in deployed.live_directions()):
        raise Refused(
            "SW8218",
            f"changes of {deployed.plan.migration} go back to the source now, whose tables would not have it, and "
            "the stream would stop at it: finish the migration, or roll it back",
        )

    read_state(deployed.plan, deployed.servers)  # refuses a migration whose ledger is in another database
    if deployed.servers.makes_ledgers:
        create_ledger_databases(deployed.servers)

    @cache
    def take_over() -> Writer:
        """The writer of the role `ddl`, so that DDL is routed while a run follows the stream.

        It is taken before the first statement: an apply that is refused, or finds nothing to do, ends no other one.
        """
        return take_over_everywhere(deployed.servers, role="ddl")

    def show(progress: DdlProgress) -> None:
        change, table = f"{progress.file} {progress.ordinal}", f"{progress.database}.{progress.table}"
        emit(ChangeApplied(change, table, progress.done, progress.total))

    def fence(connection: Connection[Any]) -> None:
        with one_at_a_time:  # without it, several shards that begin at once would end each other
            writer = take_over()
        writer.require(connection)

    one_at_a_time = Lock()
    ended = Event()
    probes = shard_probes(deployed.servers)
    throttler = _throttler(deployed, probes, ended, emit)
    try:
        result = route_changes(
            deployed.plan,
            ShardAccess(
                connect=lambda database: connect_patiently(deployed, database),
                limit=arguments.parallel,
                server_of=lambda database: str(deployed.servers.shards[deployed.servers.targets.index(database)]),
                fence=fence,
            ),
            DdlPolicy(
                allowed,
                DdlPatience(lock_wait_seconds=arguments.lock_wait_timeout),
                pause=throttler.wait,
                ended=ended,
                hand_over=_hand_over(arguments, deployed, throttler, ended, emit),
            ),
            on_progress=show,
        )
    finally:
        for probe in probes.values():
            probe.close()
    said = f"{result.applied} physical tables changed, {result.already} were done before"
    note(deployed.servers, deployed.plan.migration, "ddl apply", detail=said)
    print(said, file=sys.stderr)
    return 0


def _hand_over(
    arguments: argparse.Namespace, deployed: Deployment, throttler: Throttler, ended: Event, emit: Emit
) -> HandOver | None:
    if arguments.online is None:
        if arguments.remove_leftovers:
            raise InputAtFault("SW8445", "--remove-leftovers goes with --online: leftovers are those of its tools")
        return None
    plan, servers = deployed.plan, deployed.servers
    return HandOver(
        arguments.online,
        endpoint_of=lambda database: servers.shards[servers.targets.index(database)],
        ours=frozenset(name for table in plan.tables for _, _, name in plan.physical_tables(table)),
        logs=deployed.project.own("build/ddl-logs"),
        emit=emit,
        remove_leftovers=arguments.remove_leftovers,
        threads_running=deployed.environment.throttle.threads_running or MAX_LOAD,
        holding=throttler.why_pause,
        ended=ended,
    )


def _throttler(deployed: Deployment, probes: Mapping[str, Probe], ended: Event, emit: Emit) -> Throttler:
    """Holds up DDL between tables, for the reasons that hold up a run's writing: replicas that lag, busy servers."""
    environment, settings = deployed.environment, deployed.environment.throttle
    replicas = replica_gauges(environment, settings.replicas, os.environ)
    busy = shard_gauges(settings, probes)

    return Throttler("DDL", [*replicas, *busy], emit, ended.is_set)


def connect_patiently(deployed: Deployment, database: str) -> Connection[Any]:
    return deployed.servers.patient().connect_shard_of(database)
