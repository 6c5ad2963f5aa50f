"""`prepare`."""

from __future__ import annotations

import argparse
import sys

from shardwright.runtime.spark.archive import make_archive


def execute(arguments: argparse.Namespace) -> int:
    told = make_archive()
    if not arguments.quiet:
        print(told, file=sys.stderr)
    return 0
