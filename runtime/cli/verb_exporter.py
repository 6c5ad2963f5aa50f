"""`exporter`: metrics of migrations, from ledgers and servers alone. No run is needed, and it may run anywhere.

Runs in the process of the command until a signal ends it; reads only.
"""

from __future__ import annotations

import argparse
import sys
import threading

from shardwright.runtime.cli.exits import Exit
from shardwright.runtime.cli.signals import end_on_signals
from shardwright.runtime.cli.watching import observers_of, serve_at
from shardwright.runtime.watch.metrics.serve import registry_of, text_of
from shardwright.runtime.watch.newest import Newest


def execute(arguments: argparse.Namespace) -> int:
    observers = observers_of(arguments, arguments.migration)
    if arguments.once:
        sys.stdout.write(text_of(observer.observe() for observer in observers))
        return Exit.DONE
    end_on_signals()
    try:
        with serve_at(registry_of(Newest(observer.observe) for observer in observers), arguments.listen):
            threading.Event().wait()
    except KeyboardInterrupt:
        print("exporter: ended", file=sys.stderr)
    return Exit.DONE
