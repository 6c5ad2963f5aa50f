"""`run`: a migration up to `--until`. What comes first? A line, then Spark's Java, then all that is slow to load.

Runs in the driver; the work is in `run_at_work`.
"""

from __future__ import annotations

import argparse
import sys

from shardwright.runtime.cli.event_log import report_events
from shardwright.runtime.events.run import CommandStarted


def execute(arguments: argparse.Namespace) -> int:
    with report_events(arguments, draws=True) as reporter:
        reporter.emit(CommandStarted(arguments.verb, arguments.env))
        from shardwright.runtime.cli.early_spark import begin_early

        begin_early(arguments)
        from shardwright.runtime.cli.run_at_work import migrate

        ending = migrate(arguments, reporter)
    for line in ending.lines:
        print(line, file=sys.stderr)
    return ending.code
