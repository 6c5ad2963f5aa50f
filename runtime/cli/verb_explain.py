"""`explain`: what does a code mean? Runs in the process of the command, offline; prints only."""

from __future__ import annotations

import argparse
import sys

from shardwright.runtime.failures import RuntimeFailure
from shardwright.specs.findings.codes.registry import UnknownCode, explain, list_codes


def execute(arguments: argparse.Namespace) -> int:
    if arguments.list:
        sys.stdout.write(list_codes())
        return 0
    try:
        sys.stdout.write(explain(arguments.code))
    except UnknownCode as error:
        raise RuntimeFailure("SW8008", str(error)) from None
    return 0
