"""`version`: which versions of the tool and of sqlglot are installed?

Runs in the process of the command; prints only.
"""

from __future__ import annotations

import argparse
from importlib.metadata import version


def execute(arguments: argparse.Namespace) -> int:
    del arguments
    print(f"shardwright {version('shardwright')}, sqlglot {version('sqlglot')}")
    return 0
