"""`control`: shall a migration pause, go on, or copy more slowly? The run reads the order about once a second.

Runs in the process of the command, beside a run; writes the order to the first shard's ledger.
"""

from __future__ import annotations

import argparse
import getpass
import json
import os
import socket
from dataclasses import asdict
from typing import Any

from pymysql.connections import Connection

from shardwright.runtime.cli.connecting import Deployment, deployment
from shardwright.runtime.cli.consent import require_consent
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.batches import read_migration
from shardwright.runtime.ledger.orders import TABLE, Order, cap_rows, pause, read_order, resume
from shardwright.runtime.mysql import transactions
from shardwright.runtime.mysql.transactions import if_there


def execute(arguments: argparse.Namespace) -> int:
    deployed = deployment(arguments).in_force()
    migration = deployed.plan.migration
    if arguments.action != "status":
        require_consent(deployed.environment, arguments, f"{arguments.action} migration {migration}")
    control = deployed.servers.connect_shard(0)
    try:
        _require_begun(control, migration)
        transactions.execute(control, TABLE)  # ledgers of an older version lack this table
        order = _carried_out(arguments, control, migration)
    finally:
        control.close()
    if arguments.action == "status" and arguments.format == "json":
        print(json.dumps(asdict(order), indent=2, default=str))
    else:
        print(_text(arguments, deployed, order))
    return 0


def _require_begun(control: Connection[Any], migration: str) -> None:
    if if_there(lambda: read_migration(control, migration)) is None:
        raise Refused("SW8206", f"migration {migration} has not begun here: there is nothing to pause or to throttle")


def _carried_out(arguments: argparse.Namespace, control: Connection[Any], migration: str) -> Order:
    match arguments.action:
        case "pause":
            return pause(control, migration, by=_operator(), reason=arguments.reason)
        case "resume":
            return resume(control, migration, by=_operator(), reason=arguments.reason)
        case "throttle":
            return cap_rows(control, migration, arguments.rows_per_second or None, by=_operator())
        case _:
            return read_order(control, migration)


def _text(arguments: argparse.Namespace, deployed: Deployment, order: Order) -> str:
    """What holds from now on, and how it is undone."""
    name = deployed.plan.migration
    if order.paused:
        state = f"{name} is {order.pause_sentence}"
        goes_on = f"`shardwright control resume --env {arguments.env}` resumes it"
        lines = [f"{state}: a run drains in-flight work and starts none; {goes_on}"]
        if arguments.action == "pause":
            lines.append("binlog retention keeps counting while paused: a run warns when half of it is used up")
    else:
        lines = [f"{name} is not paused" + (f" (resumed by {order.paused_by})" if order.paused_by else "")]
    if order.rows_per_second is not None:
        lines.append(
            f"copy rate: at most {order.cap_sentence}; "
            f"`shardwright control throttle --rows-per-second default --env {arguments.env}` removes that limit"
        )
    else:
        cap = deployed.environment.throttle.rows_per_second
        lines.append(f"copy rate: at most {cap:,} rows/s (environment file)" if cap else "copy rate: unlimited")
    return "\n".join(lines)


def _operator() -> str:
    try:
        user = getpass.getuser()
    except (KeyError, OSError):  # a container without a name for its user
        user = f"uid {os.getuid()}"
    return f"{user}@{socket.gethostname()}"[:255]
