"""`ddl`: show, run and follow the routed DDL changes."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.plan import Plan
from shardwright.compiler.plan_files import read_plan
from shardwright.runtime.cli.connecting import Deployment, deployment, only_migration
from shardwright.runtime.cli.project import find_project
from shardwright.runtime.ddl.router import DdlProgress, route_changes
from shardwright.runtime.ddl.status import ddl_status
from shardwright.runtime.failures import Refused
from shardwright.runtime.takeover import take_over_everywhere
from shardwright.runtime.transactions import check_epoch

_DESTRUCTIVE = "SW8420"


def execute(arguments: argparse.Namespace) -> int:
    return {"plan": _plan, "apply": _apply, "status": _status}[arguments.action](arguments)


def _plan(arguments: argparse.Namespace) -> int:
    project = find_project(arguments.project)
    plan = read_plan(project.plan_folder(arguments.migration or only_migration(project)))
    for change in plan.ddl:
        table = plan.table(change.logical)
        count = len(plan.shards(table)) * len(plan.parts(table))
        mark = "  -- destructive" if change.destructive else ""
        print(f"-- {change.file} {change.ordinal}: {count} physical tables{mark}\n{change.template};\n")
    return 0


def _apply(arguments: argparse.Namespace) -> int:
    deployed = deployment(arguments)
    _refuse_destructive(deployed.plan, allowed=frozenset(arguments.allow.split(",")))
    # A role of its own, so that DDL is routed while a run follows the stream.
    epoch = take_over_everywhere(deployed.servers, role="ddl")

    def show(progress: DdlProgress) -> None:
        if not arguments.quiet:
            where = f"{progress.database}.{progress.table}"
            print(f"{progress.file} {progress.ordinal}: {where} ({progress.done} of {progress.total})", file=sys.stderr)

    def fence(connection: Connection[Any]) -> None:
        check_epoch(connection, role="ddl", epoch=epoch)

    result = route_changes(
        deployed.plan,
        connect=lambda database: _connect(deployed, database),
        databases=deployed.plan.databases,
        limit=arguments.parallel,
        on_progress=show,
        fence=fence,
    )
    print(f"{result.applied} physical tables changed, {result.already} were done before", file=sys.stderr)
    return 0


def _status(arguments: argparse.Namespace) -> int:
    deployed = deployment(arguments)
    for row in ddl_status(deployed.plan, connect=lambda database: _connect(deployed, database)):
        print(row)
    return 0


def _connect(deployed: Deployment, database: str) -> Connection[Any]:
    return deployed.servers.patient().connect_shard(deployed.servers.databases.index(database))


def _refuse_destructive(plan: Plan, *, allowed: frozenset[str]) -> None:
    names = [change.file for change in plan.ddl if change.destructive]
    if names and _DESTRUCTIVE not in allowed:
        raise Refused(_DESTRUCTIVE, f"{', '.join(names)} cannot be undone: run again with --allow {_DESTRUCTIVE}")
