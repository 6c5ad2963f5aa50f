"""What can stderr show: which colours, and how wide a line? And where do lines of progress go?

Used in the process of the command; writes to stderr.
"""

from __future__ import annotations

import os
import shutil
import sys

from shardwright.runtime.events.event import Emit, RunEvent, ignore
from shardwright.specs.findings.safe_output import COLOURED, PLAIN, Palette

_MARGIN = 8
_WITHOUT_TERMINAL = 160


def palette_of(choice: str) -> Palette:
    """`choice` is --color: "always", "never", or "auto": on a terminal that shows colours, unless NO_COLOR is set."""
    if choice == "auto":
        plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or not sys.stderr.isatty()
        return PLAIN if plain else COLOURED
    return COLOURED if choice == "always" else PLAIN


def stderr_lines(*, quiet: bool) -> Emit:
    """Writes the sentences of a command's events; `quiet` drops them."""
    return ignore if quiet else _write_line


def _write_line(event: RunEvent) -> None:
    sys.stderr.write(f"{event.sentence}\n")  # at once: other threads write lines, too
    sys.stderr.flush()


def line_width() -> int:
    """Characters of a source line that fit beside its number."""
    if not sys.stderr.isatty():
        return _WITHOUT_TERMINAL
    return max(40, shutil.get_terminal_size().columns - _MARGIN)
