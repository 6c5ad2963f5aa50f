"""How does a table of texts look to people? The one place that lays out columns.

Runs in the process of the command; writes nothing. On a terminal, cells wrap between words so that lines fit. In a pipe
or a file nothing wraps. No cell is cut in either, and there are neither colours nor boxes.
"""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Collection, Sequence
from typing import Final

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
    from rich.console import Console  # loading rich takes longer than a verb that prints no table
    from rich.table import Table
    from rich.text import Text

    lines = [[harmless(cell.expandtabs(4)) for cell in row] for row in ([header] if header else []) + [*rows]]
    if not lines:
        return ""
    grid = Table.grid(padding=(0, _GAP, 0, 0))
    room = (output_width() or _UNLIMITED) if wraps else _UNLIMITED
    for number, width in enumerate(_widths(lines, room=room - indent)):
        grid.add_column(width=width, justify="right" if number in right else "left")
    for line in lines:
        grid.add_row(*(Text(cell, overflow="fold") for cell in line))
    console = Console(file=io.StringIO(), width=_UNLIMITED, color_system=None, force_terminal=False)
    with console.capture() as shown:
        console.print(grid)
    return "\n".join((" " * indent + line).rstrip() for line in shown.get().splitlines())


def _widths(lines: Sequence[Sequence[str]], *, room: int) -> list[int]:
    """The columns' widths. The widest column that has words to wrap gives way first; no word is broken."""
    from rich.cells import cell_len

    columns = [*zip(*lines, strict=True)]
    widths = [max(cell_len(line) for cell in column for line in cell.split("\n")) for column in columns]
    least = [max(cell_len(word) for cell in column for word in cell.split() or [""]) for column in columns]
    for _ in range(sum(widths) + _GAP * (len(widths) - 1) - room):
        wrapping = [number for number, width in enumerate(widths) if width > least[number]]
        if not wrapping:
            break
        widths[max(wrapping, key=widths.__getitem__)] -= 1
    return widths
