"""`control`: shall a migration pause, go on, or copy more slowly? The run reads the order about once a second.

Runs in the process of the command, beside a run; writes the order to the first shard's ledger.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict
from typing import Any

from pymysql.connections import Connection

from shardwright.runtime.cli.attempts import operator, record_attempt
from shardwright.runtime.cli.connecting import Deployment, deployment
from shardwright.runtime.cli.consent import require_consent
from shardwright.runtime.cli.next_commands import MigrationFacts, as_json
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.batches import read_migration
from shardwright.runtime.ledger.orders import TABLE, Cap, Order, cap_copy, caps_sentence, pause, read_order, resume
from shardwright.runtime.ledger.tables import require_format
from shardwright.runtime.mysql import transactions
from shardwright.runtime.mysql.transactions import if_there


def execute(arguments: argparse.Namespace) -> int:
    live = deployment(arguments).live_deployments()
    deployed, migration = live[0], live[0].plan.migration
    if arguments.action == "status":
        return _execute(arguments, live)
    with record_attempt(deployed.servers, migration, arguments):
        require_consent(deployed.environment, arguments, f"{arguments.action} migration {migration}")
        return _execute(arguments, live)


def _execute(arguments: argparse.Namespace, live: Sequence[Deployment]) -> int:
    """In each direction that is live."""
    orders = [_order_in(one, arguments) for one in live]
    deployed, order = live[0], orders[0]
    if arguments.action == "status" and arguments.format == "json":
        facts = MigrationFacts(begun=True, paused=order.paused, verified=None)
        print(json.dumps({**asdict(order), "next": as_json(facts, arguments)}, indent=2, default=str))
    else:
        print(_text(arguments, deployed, order))
    return 0


def _order_in(deployed: Deployment, arguments: argparse.Namespace) -> Order:
    migration = deployed.plan.migration
    with closing(deployed.servers.connect_shard(0)) as control:
        _require_started(control, migration)
        require_format(control)
        transactions.execute(control, TABLE)  # a ledger may lack this table
        return _carry_out(arguments, control, migration)


def _require_started(control: Connection[Any], migration: str) -> None:
    if if_there(lambda: read_migration(control, migration)) is None:
        raise Refused("SW8206", f"migration {migration} has not begun here: there is nothing to pause or to throttle")


def _carry_out(arguments: argparse.Namespace, control: Connection[Any], migration: str) -> Order:
    match arguments.action:
        case "pause":
            return pause(control, migration, by=operator(), reason=arguments.reason)
        case "resume":
            return resume(control, migration, by=operator(), reason=arguments.reason)
        case "throttle":
            which: Cap = "rows_per_second" if arguments.bytes_per_second is None else "bytes_per_second"
            return cap_copy(control, migration, which, getattr(arguments, which) or None, by=operator())
        case _:
            return read_order(control, migration)


def _text(arguments: argparse.Namespace, deployed: Deployment, order: Order) -> str:
    """What holds from now on, and how it is undone."""
    name = deployed.plan.migration
    if order.paused:
        state = f"{name} is {order.pause_sentence}"
        resumed_by = f"`shardwright control resume --env {arguments.env}` resumes it"
        lines = [f"{state}: a run drains in-flight work and starts none; {resumed_by}"]
        if arguments.action == "pause":
            lines.append("binlog retention keeps counting while paused: a run warns when half of it is used up")
    else:
        lines = [f"{name} is not paused" + (f" (resumed by {order.paused_by})" if order.paused_by else "")]
    if order.caps:
        flags = [
            f"--{name.replace('_', '-')}" for name in ("rows_per_second", "bytes_per_second") if getattr(order, name)
        ]
        undo = " and ".join(f"`shardwright control throttle {flag} default --env {arguments.env}`" for flag in flags)
        lines.append(
            f"copy rate: at most {order.cap_sentence}; {undo} {'remove' if flags[1:] else 'removes'} that limit"
        )
    else:
        settings = deployed.environment.throttle
        found = caps_sentence(settings.rows_per_second, settings.bytes_per_second)
        lines.append(f"copy rate: at most {found} (environment file)" if found else "copy rate: unlimited")
    return "\n".join(lines)
