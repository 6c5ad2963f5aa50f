"""Which module executes which verb? Each is imported when it is needed: most import Spark, a driver or sqlglot.

Runs in the process of the command.
"""

from __future__ import annotations

import argparse


def carry_out(arguments: argparse.Namespace) -> int:
    """Executes the verb `arguments.verb`, one of the parser's. Returns the exit code."""
    match arguments.verb:
        case "init":
            from shardwright.runtime.cli.verb_init import execute
        case "validate":
            from shardwright.runtime.cli.verb_validate import execute
        case "compile":
            from shardwright.runtime.cli.verb_compile import execute
        case "dry-run":
            from shardwright.runtime.cli.verb_dry_run import execute
        case "test":
            from shardwright.runtime.cli.verb_test import execute
        case "diff":
            from shardwright.runtime.cli.verb_diff import execute
        case "route":
            from shardwright.runtime.cli.verb_route import execute
        case "import":
            from shardwright.runtime.cli.verb_import import execute
        case "forecast":
            from shardwright.runtime.cli.verb_forecast import execute
        case "preflight":
            from shardwright.runtime.cli.verb_preflight import execute
        case "run":
            from shardwright.runtime.cli.verb_run import execute
        case "status":
            from shardwright.runtime.cli.verb_status import execute
        case "control":
            from shardwright.runtime.cli.verb_control import execute
        case "verify":
            from shardwright.runtime.cli.verb_verify import execute
        case "repair":
            from shardwright.runtime.cli.verb_repair import execute
        case "ddl":
            from shardwright.runtime.cli.verb_ddl import execute
        case "dead-letters":
            from shardwright.runtime.cli.verb_dead_letters import execute
        case "sandbox":
            from shardwright.runtime.cli.verb_sandbox import execute
        case "show":
            from shardwright.runtime.cli.verb_show import execute
        case "schema":
            from shardwright.runtime.cli.verb_schema import execute
        case "explain":
            from shardwright.runtime.cli.verb_explain import execute
        case "prepare":
            from shardwright.runtime.cli.verb_prepare import execute
        case "completion":
            from shardwright.runtime.cli.verb_completion import execute
        case "version":
            from shardwright.runtime.cli.verb_version import execute
        case unknown:
            raise AssertionError(unknown)
    return int(execute(arguments))
