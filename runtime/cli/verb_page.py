"""`page`: a live page of a migration for a browser, from ledgers and servers alone. No run is needed, and it may run
anywhere.

Runs in the process of the command until a signal ends it; reads only.
"""

from __future__ import annotations

import argparse
import sys
import threading
from pathlib import Path
from typing import Final

from shardwright.runtime.cli.connecting import deployment
from shardwright.runtime.cli.exits import Exit
from shardwright.runtime.cli.signals import end_on_signals
from shardwright.runtime.cli.watching import access_of, migration_of_deployment, show_page
from shardwright.runtime.watch.newest import Newest
from shardwright.runtime.watch.observer import Observer
from shardwright.runtime.watch.page.differences import read_differences
from shardwright.runtime.watch.page.feed import feed_of
from shardwright.runtime.watch.page.history import History

_LOOK_SECONDS: Final = 1.0


def execute(arguments: argparse.Namespace) -> int:
    access = access_of(arguments.listen, arguments.token_file)
    report = None if arguments.verify_report is None else Path(arguments.verify_report)
    if report is not None:
        read_differences(report)
    migration = migration_of_deployment(deployment(arguments))
    feed = feed_of(migration, Newest(Observer(migration).observe), History(), report=report)
    end_on_signals()
    try:
        with show_page(feed, access):
            while not threading.Event().wait(_LOOK_SECONDS):
                pass  # a signal that another thread got is seen now
    except KeyboardInterrupt:
        print("page: ended", file=sys.stderr)
    return Exit.DONE
