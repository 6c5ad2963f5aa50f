"""`ddl`: show, run and follow the routed DDL changes."""

from __future__ import annotations

import argparse

from shardwright.runtime.cli.ddl_apply import apply
from shardwright.runtime.cli.ddl_plan import show_plan
from shardwright.runtime.cli.ddl_status import show_status


def execute(arguments: argparse.Namespace) -> int:
    return {"plan": show_plan, "apply": apply, "status": show_status}[arguments.action](arguments)
