"""`spark-cache`: how does Spark start sooner on this machine? It makes the archive of Spark's classes.

Runs in the process of the command; starts a Spark of its own and writes the archive.
"""

from __future__ import annotations

import argparse
import sys

from shardwright.runtime.spark.archive import make_archive


def execute(arguments: argparse.Namespace) -> int:
    message = make_archive()
    if not arguments.quiet:
        print(message, file=sys.stderr)
    return 0
