"""`preflight`: everything that `run` asks before its first write; exit 0, 6 (refused) or 4 (could not be asked)."""

from __future__ import annotations

import argparse
import json

from shardwright.runtime.cli.connecting import deployment
from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.preflight.preflight import checks
from shardwright.runtime.preflight.table import as_json, as_text, exit_code
from shardwright.runtime.stream_ddl.tolerance import Tolerance, tolerance


def execute(arguments: argparse.Namespace) -> int:
    deployed = deployment(arguments)
    servers = deployed.servers.patient()
    try:
        tolerated = tolerance(deployed.plan, servers)
    except RuntimeFailure:
        tolerated = Tolerance.NONE  # the checks name the server that does not answer
    tasks = deployed.environment.snapshot.parallel
    found = checks(deployed.plan, servers, tolerated, tasks=tasks)
    if arguments.format == "json":
        print(json.dumps(as_json(found), indent=2, ensure_ascii=False))
    else:
        print(as_text(found))
    return exit_code(found)
