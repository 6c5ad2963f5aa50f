"""`explain`: what a code means, offline."""

from __future__ import annotations

import argparse

from shardwright.runtime.failures import RuntimeFailure
from shardwright.specs.codes import UnknownCode, explain


def execute(arguments: argparse.Namespace) -> int:
    try:
        print(explain(arguments.code.upper()))
    except UnknownCode:
        raise RuntimeFailure("SW8008", f"there is no code {arguments.code}") from None
    return 0
