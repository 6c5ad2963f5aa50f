"""How does a table of texts look to people? The one place that lays out columns.

Runs in the process of the command; writes nothing. On a terminal, cells wrap between words so that lines fit. In a pipe
or a file nothing wraps. No cell is cut in either, and there are neither colours nor boxes.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Collection, Iterator, Sequence
from itertools import zip_longest
from typing import Final

from wcwidth import ljust, rjust, width, wrap

from shardwright.specs.findings.safe_output import harmless

_GAP: Final = 2
_UNLIMITED: Final = 1_000_000


def output_width() -> int | None:
    """The columns of stdout's terminal; None when stdout is no terminal."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def text_table(
    rows: Collection[Sequence[str]],
    *,
    header: Sequence[str] = (),
    right: Collection[int] = (),
    indent: int = 0,
    wraps: bool = True,
) -> str:
    """Lines without a line break at the end. `right` are the columns of numbers. A cell may have several lines. Without
    `wraps` the text is the same on a terminal: for tables that are kept as well."""
    lines = [[harmless(cell.expandtabs(4)) for cell in row] for row in ([header] if header else []) + [*rows]]
    if not lines:
        return ""
    room = (output_width() or _UNLIMITED) if wraps else _UNLIMITED
    widths = _widths(lines, room=room - indent)
    return "\n".join((" " * indent + line).rstrip() for row in lines for line in _row_lines(row, widths, right))


def _row_lines(row: Sequence[str], widths: Sequence[int], right: Collection[int]) -> Iterator[str]:
    """A row's cells beside each other."""
    cells = [_cell_lines(cell, most) for cell, most in zip(row, widths, strict=True)]
    for beside in zip_longest(*cells, fillvalue=""):
        placed = (
            rjust(line, most) if number in right else ljust(line, most)
            for number, (line, most) in enumerate(zip(beside, widths, strict=True))
        )
        yield (" " * _GAP).join(placed)


def _cell_lines(cell: str, most: int) -> list[str]:
    """With lines of so many columns at most, as far as no word is broken."""
    found: list[str] = []
    for line in cell.split("\n"):
        fits = width(line) <= most
        found += [line] if fits else wrap(line, most, break_long_words=False, break_on_hyphens=False)
    return found


def _widths(lines: Sequence[Sequence[str]], *, room: int) -> list[int]:
    """The columns' widths. The widest column that has words to wrap gives way first; no word is broken."""
    columns = [*zip(*lines, strict=True)]
    widths = [max(width(line) for cell in column for line in cell.split("\n")) for column in columns]
    least = [max(width(word) for cell in column for word in cell.split() or [""]) for column in columns]
    for _ in range(sum(widths) + _GAP * (len(widths) - 1) - room):
        wrapping = [number for number, wide in enumerate(widths) if wide > least[number]]
        if not wrapping:
            break
        widths[max(wrapping, key=widths.__getitem__)] -= 1
    return widths
