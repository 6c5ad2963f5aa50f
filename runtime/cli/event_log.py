"""Where do the events of a command go? To stderr, as lines, as a table on a terminal, or as JSON; and to a file.

Runs in the process of the command; writes stderr and files. Nothing heavy is imported here: it gives a command's first
line.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from shardwright.runtime.events.run import RunFailed
from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.run.progress.listeners import JsonLines, JsonMessages, Listener, PlainLines, Reporter
from shardwright.runtime.run.progress.waits import Waits, WaitWatch
from shardwright.specs.files.private_files import open_private
from shardwright.specs.findings.safe_output import SafeStream


@contextmanager
def report_events(arguments: argparse.Namespace, *, draws: bool = False) -> Iterator[Reporter]:
    """Within, what is emitted goes where the arguments say. With `draws`, a terminal shows a table.
    Raises RuntimeFailure (SW8007, SW8051) before anything has begun."""
    waits = Waits()
    reporter = Reporter([waits, *_listeners(arguments, waits, draws=draws)])
    watch = WaitWatch(waits, reporter.emit)
    watch.begin()
    try:
        yield reporter
    except Exception as error:
        reporter.emit(RunFailed(getattr(error, "code", ""), getattr(error, "message", type(error).__name__)))
        raise
    finally:
        watch.end()
        reporter.close()


@contextmanager
def messages_as_json() -> Iterator[None]:
    """Within, stderr has JSON lines only."""
    before = sys.stderr
    sys.stderr = JsonMessages(before)
    try:
        yield
    finally:
        sys.stderr = before


def _listeners(arguments: argparse.Namespace, waits: Waits, *, draws: bool) -> Iterator[Listener]:
    files = [*_reports(arguments)]
    if arguments.log_file:
        files.append((arguments.log_format, arguments.log_file))
    for form, path in files:
        file = _open(Path(path))
        yield JsonLines(file) if form == "json" else PlainLines(SafeStream(file), is_file=True)  # type: ignore[arg-type]
    if isinstance(sys.stderr, JsonMessages):
        yield JsonLines(sys.stderr.raw, is_file=False)
    elif not arguments.quiet:
        if draws and sys.stderr.isatty():
            from shardwright.runtime.run.progress.screen import Screen  # loads rich, which only a terminal needs

            yield Screen(waits)
        else:
            yield PlainLines()


def _reports(arguments: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """Those of `run --report json=PATH`: each is a log file in JSON. `verify` has reports of another kind."""
    for report in arguments.report if arguments.verb == "run" else ():
        kind, _, path = report.partition("=")
        if kind != "json" or not path:
            raise RuntimeFailure("SW8007", f"--report {report}: only json=PATH is known")
        yield kind, path


def _open(path: Path) -> TextIO:
    """Opens the file; the reporter closes it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return open_private(path, append=True)
    except OSError as error:
        raise RuntimeFailure("SW8051", f"cannot write the report {path}: {error.strerror}") from None
