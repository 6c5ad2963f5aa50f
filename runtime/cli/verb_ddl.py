"""`ddl`: which action on routed DDL changes is meant: show, apply, follow, or write new ones?

Runs in the process of the command; the actions' modules say what they touch.
"""

from __future__ import annotations

import argparse

from shardwright.runtime.cli.ddl_apply import apply
from shardwright.runtime.cli.ddl_new import write_new
from shardwright.runtime.cli.ddl_plan import show_plan
from shardwright.runtime.cli.ddl_status import show_status


def execute(arguments: argparse.Namespace) -> int:
    verbs = {"plan": show_plan, "apply": apply, "status": show_status, "new": write_new}
    return verbs[arguments.action](arguments)
