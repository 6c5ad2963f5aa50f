"""`cutover status`: how far is the cutover, and which fences are in force?

Runs in the process of the command; reads ledgers and servers.
"""

from __future__ import annotations

import argparse
import json

from shardwright.runtime.cli.cutover_at_work import ways_of
from shardwright.runtime.cutover.status import read_status, status_lines


def show_status(arguments: argparse.Namespace) -> int:
    status = read_status(ways_of(arguments))
    print(json.dumps(status, indent=2) if arguments.format == "json" else status_lines(status))
    return 0
