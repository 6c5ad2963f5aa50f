"""`explain`: what a code means, offline."""

from __future__ import annotations

import argparse
import sys

from shardwright.runtime.failures import RuntimeFailure
from shardwright.specs.codes import UnknownCode, explain


def execute(arguments: argparse.Namespace) -> int:
    try:
        sys.stdout.write(explain(arguments.code))
    except UnknownCode as error:
        raise RuntimeFailure("SW8008", str(error)) from None
    return 0
