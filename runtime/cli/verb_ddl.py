"""`ddl`: show, run and follow the routed DDL changes."""

from __future__ import annotations

import argparse

from shardwright.runtime.cli.connecting import deployment
from shardwright.runtime.cli.ddl_apply import apply, connect_patiently
from shardwright.runtime.cli.ddl_plan import show_plan
from shardwright.runtime.ddl.status import ddl_status


def execute(arguments: argparse.Namespace) -> int:
    return {"plan": show_plan, "apply": apply, "status": _status}[arguments.action](arguments)


def _status(arguments: argparse.Namespace) -> int:
    deployed = deployment(arguments)
    for row in ddl_status(deployed.plan, connect=lambda database: connect_patiently(deployed, database)):
        print(row)
    return 0
