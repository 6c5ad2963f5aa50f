"""A mismatch as lines of text: expected and actual rows aligned in columns, with what differs marked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shardwright.runtime.rehearsal.spec_tests.compare import Mismatch, Pair
from shardwright.specs.findings.render import visible

_WIDEST = 40
_MOST_PAIRS = 20


def diff_lines(mismatch: Mismatch) -> Iterator[str]:
    """`-` is expected and missing, `+` stands there, `~` marks the columns that differ."""
    if mismatch.count is not None:
        wanted, found = mismatch.count
        yield f"expected {_rows(wanted)}, there {'is' if found == 1 else 'are'} {found}"
        return
    pairs = mismatch.pairs[:_MOST_PAIRS]
    names = _columns(pairs)
    table = [*(_lines(pair, names) for pair in pairs)]
    cells = [[visible(name) for name in names], *(cells for lines in table for _, cells, _ in lines)]
    widths = [max(_width(row[index]) for row in cells) for index in range(len(names))]
    yield f"  {_aligned(cells[0], widths)}"
    for lines in table:
        for sign, row, remark in lines:
            yield f"{sign} {_aligned(row, widths)}{f'   {remark}' if remark else ''}"
    if len(mismatch.pairs) > _MOST_PAIRS:
        yield f"and {_rows(len(mismatch.pairs) - _MOST_PAIRS)} more"
    if mismatch.fine:
        yield f"{_rows(mismatch.fine)} as expected"


def _columns(pairs: Sequence[Pair]) -> list[str]:
    """The columns that tests name, in their order; all of them when no expected row is among the pairs."""
    named = dict.fromkeys(name for pair in pairs if pair.expected is not None for name in pair.expected)
    if named:
        return list(named)
    return list(dict.fromkeys(name for pair in pairs if pair.actual is not None for name in pair.actual))


def _lines(pair: Pair, names: Sequence[str]) -> list[tuple[str, list[str], str]]:
    lines: list[tuple[str, list[str], str]] = []
    if pair.expected is not None:
        remark = f"found on {pair.elsewhere}" if pair.elsewhere else ""
        lines.append(("-", [_cell(pair.expected[name]) if name in pair.expected else "" for name in names], remark))
    if pair.actual is not None:
        lines.append(("+", [_cell(pair.actual.get(name)) for name in names], ""))
    if pair.differing:
        marks = [
            "~" * max(1, _width(cell)) if name in pair.differing else ""
            for name, cell in zip(names, lines[-1][1], strict=True)
        ]
        lines.append(("~", marks, ""))
    return lines


def _cell(value: str | None) -> str:
    if value is None:
        return "NULL"
    text = visible(value)
    if text == "NULL" or text != text.strip() or not text:
        text = f"'{text}'"
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 1]}…"


def _aligned(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(cell + " " * (width - _width(cell)) for cell, width in zip(cells, widths, strict=True)).rstrip()


def _width(text: str) -> int:
    return len(text)


def _rows(count: int) -> str:
    return f"{count} row{'' if count == 1 else 's'}"
