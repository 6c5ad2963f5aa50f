"""What can stderr show: which colours, and how wide a line?

Used in the process of the command; writes nothing.
"""

from __future__ import annotations

import os
import shutil
import sys

from shardwright.specs.findings.safe_output import COLOURED, PLAIN, Palette

_MARGIN = 8
_WITHOUT_TERMINAL = 160


def palette_of(choice: str) -> Palette:
    """`choice` is --color: "always", "never", or "auto": on a terminal that shows colours, unless NO_COLOR is set."""
    if choice == "auto":
        plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or not sys.stderr.isatty()
        return PLAIN if plain else COLOURED
    return COLOURED if choice == "always" else PLAIN


def line_width() -> int:
    """Characters of a source line that fit beside its number."""
    if not sys.stderr.isatty():
        return _WITHOUT_TERMINAL
    return max(40, shutil.get_terminal_size().columns - _MARGIN)
