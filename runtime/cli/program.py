"""Where the command begins: an interrupt ends it in good order also while its modules are imported.

Runs in the process of the command.
"""

from __future__ import annotations

import sys


def main() -> int:
    """Returns the exit code; 130 (as `exits.Exit.INTERRUPTED`) when it is interrupted before anything was begun."""
    try:
        from shardwright.runtime.cli.main import main as carry_out

        return carry_out()
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        return 130
