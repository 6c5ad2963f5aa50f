"""`run`: everything up to `--until`, resumed from the ledgers."""

from __future__ import annotations

import argparse
import re
import signal
import sys
import threading
from typing import Any

from shardwright.runtime.binlog.table_changed import CODE as TABLE_CHANGED
from shardwright.runtime.cli.connecting import deployment
from shardwright.runtime.cli.exits import Exit
from shardwright.runtime.copy_progress import expected_rows
from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.progress import Bars, JsonLines, PlainLines, Reporter
from shardwright.runtime.run import Run
from shardwright.runtime.run_order import RunOrder, Until
from shardwright.runtime.stream.ceiling import CODE
from shardwright.runtime.target_guards import FOREIGN_KEYS, TRIGGERS

_ALLOWED = frozenset({CODE, TRIGGERS, FOREIGN_KEYS})
_PLACE = re.compile(r"\S+\.\d+:\d+")


def execute(arguments: argparse.Namespace) -> int:
    deployed = deployment(arguments)
    stop = threading.Event()
    reporter = _reporter(arguments, lambda: expected_rows(deployed.plan, deployed.servers))
    _stop_on_signals(stop)
    try:
        order = RunOrder(
            deployed.plan,
            deployed.servers,
            deployed.environment,
            reporter,
            Until(arguments.until),
            stop,
            *_allowed(arguments.allow),
        )
        result = Run(order).execute()
    finally:
        reporter.close()
    rate = result.rows_copied / result.seconds if result.seconds else 0.0
    state = "caught up" if result.caught_up else ("snapshot complete" if result.snapshot_complete else "part-way")
    print(
        f"{state} at {result.position}: {result.rows_copied} rows copied in {result.seconds:.1f} s ({rate:.0f} rows/s)",
        file=sys.stderr,
    )
    if result.held:
        print(f"{result.held} rows are held as dead letters: shardwright dead-letters list", file=sys.stderr)
    if result.interrupted:
        return Exit.INTERRUPTED
    return Exit.ROWS_HELD if result.held else Exit.DONE


def _allowed(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Codes that pass once, and the places of DDL statements to step over."""
    wanted = [item.strip() for item in text.split(",") if item.strip()]
    places = frozenset(item.partition("@")[2] for item in wanted if item.upper().startswith(f"{TABLE_CHANGED}@"))
    codes = frozenset(item.upper() for item in wanted if not item.upper().startswith(f"{TABLE_CHANGED}@"))
    unknown = sorted(codes - _ALLOWED)
    if unknown or not all(_PLACE.fullmatch(place) for place in places):
        told = ", ".join(unknown or sorted(places))
        raise RuntimeFailure(
            "SW8007",
            f"--allow {told}: {', '.join(sorted(_ALLOWED))} can be allowed, and {TABLE_CHANGED}@FILE:POS as the run has "
            "printed it",
        )
    return codes, places


def _reporter(arguments: argparse.Namespace, totals: Any) -> Reporter:
    listeners: list[Any] = []
    for report in arguments.report:
        kind, _, path = report.partition("=")
        if kind != "json" or not path:
            raise RuntimeFailure("SW8007", f"--report {report}: only json=PATH is known")
        listeners.append(JsonLines(open(path, "a", encoding="utf-8")))  # noqa: SIM115 closed by the reporter
    if not arguments.quiet:
        listeners.append(Bars(totals()) if sys.stderr.isatty() else PlainLines())
    return Reporter(listeners)


def _stop_on_signals(stop: threading.Event) -> None:
    """The first signal stops after the unit of work under way, the second one kills."""

    def handle(number: int, _frame: object) -> None:
        if stop.is_set():
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)
        print("stopping after the unit of work under way (again: at once)", file=sys.stderr)
        stop.set()

    signal.signal(signal.SIGINT, handle)
    signal.signal(signal.SIGTERM, handle)
