"""`status`: where a migration stands."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from shardwright.runtime.cli.connecting import deployment
from shardwright.runtime.status import Status, read_status


def execute(arguments: argparse.Namespace) -> int:
    deployed = deployment(arguments)
    status = read_status(deployed.plan, deployed.servers)
    print(json.dumps(asdict(status), indent=2) if arguments.format == "json" else _text(status))
    return 0


def _text(status: Status) -> str:
    lag = "unknown" if status.lag_bytes is None else f"{status.lag_bytes} bytes"
    stream = "caught up" if status.caught_up else f"behind by {lag}"
    lines = [
        f"migration  {status.migration}, plan {status.fingerprint}",
        f"snapshot   {'complete' if status.snapshot_complete else 'under way'}",
        f"stream     {stream}: at {status.position}, source at {status.source_position}, batch {status.batch}",
        f"open batch {status.open_batch or 'none'}",
        "",
        f"{'table':<24} {'chunks':>12} {'rows copied':>14} {'tombstones':>11}",
    ]
    for table in status.tables:
        chunks = f"{table.chunks_done}/{table.chunks_planned}"
        lines.append(f"{table.table:<24} {chunks:>12} {table.rows_copied:>14} {table.tombstones:>11}")
    return "\n".join(lines)
