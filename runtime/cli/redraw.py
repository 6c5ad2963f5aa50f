"""How is an answer shown again and again? In its place on a terminal, else one below the other, until an interrupt.

Runs in the process of the command; writes stdout.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

import pymysql

from shardwright.runtime.cli.signals import end_on_signals
from shardwright.runtime.failures import RuntimeFailure
from shardwright.specs.findings.safe_output import harmless, raw_stream

_FAILS: Final = "cannot be read now: "
_END: Final = "\n\n"


def redraw(answer: Callable[[], str], *, every: float, in_place: bool) -> int:
    """Shows the answer each `every` seconds. The first one must be there; what fails later is shown beside the last
    answer. `in_place`: on a terminal. Returns 0 when it is interrupted."""
    end_on_signals()
    try:
        shown = answer()
        if in_place and sys.stdout.isatty():
            return _on_terminal(shown, answer, every)
        while True:
            print(shown, flush=True)
            time.sleep(every)
            shown = _next_answer(shown, answer)
    except KeyboardInterrupt:
        return 0


def _on_terminal(shown: str, answer: Callable[[], str], every: float) -> int:
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    try:
        with Live(console=Console(file=raw_stream(sys.stdout)), screen=True, auto_refresh=False) as live:
            while True:
                head = f"{datetime.now(UTC):%H:%M:%SZ}, again every {every:g} s; Ctrl-C ends"
                live.update(Text(f"{head}\n\n{harmless(shown)}"), refresh=True)
                time.sleep(every)
                shown = _next_answer(shown, answer)
    finally:
        print(shown)  # the screen that was drawn on is gone


def _next_answer(shown: str, answer: Callable[[], str]) -> str:
    try:
        return answer()
    except (RuntimeFailure, pymysql.err.MySQLError) as failure:
        return f"{_FAILS}{failure}{_END}{shown if not shown.startswith(_FAILS) else shown.partition(_END)[2]}"
