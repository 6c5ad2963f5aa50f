"""`ddl`: show, run and follow the routed DDL changes, and write new ones."""

from __future__ import annotations

import argparse

from shardwright.runtime.cli.ddl_apply import apply
from shardwright.runtime.cli.ddl_new import write_new
from shardwright.runtime.cli.ddl_plan import show_plan
from shardwright.runtime.cli.ddl_status import show_status


def execute(arguments: argparse.Namespace) -> int:
    verbs = {"plan": show_plan, "apply": apply, "status": show_status, "new": write_new}
    return verbs[arguments.action](arguments)
