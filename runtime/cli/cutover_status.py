"""`cutover status`: how far is the cutover, and which fences are in force?

Runs in the process of the command; reads ledgers and servers.
"""

from __future__ import annotations

import argparse
import json

from shardwright.runtime.cli.cutover_at_work import ways_of
from shardwright.runtime.cli.next_commands import CutoverFacts, as_json, as_lines
from shardwright.runtime.cutover.status import read_status, status_lines


def show_status(arguments: argparse.Namespace) -> int:
    ways = ways_of(arguments)
    status, by_bucket = read_status(ways), not ways.forward.plan.both_write
    held = status["conflicts_held"]
    facts = CutoverFacts(status["state"], status["to"], tuple(status["fences"]), by_bucket, held)
    if arguments.format == "json":
        print(json.dumps({**status, "next": as_json(facts, arguments)}, indent=2))
    else:
        print("\n\n".join(filter(None, (status_lines(status), as_lines(facts, arguments)))))
    return 0
