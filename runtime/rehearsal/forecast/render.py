"""How is a forecast shown: as text, as JSON, as a picture (SVG)? Pure; used in the process of the command."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from shardwright.runtime.rehearsal.forecast.result import Forecast, PlaceForecast, TableForecast
from shardwright.runtime.run.preflight.context import bytes_in_words
from shardwright.specs.findings.text_table import output_width, text_table

_PICTURE_WIDTH, _LEFT, _RIGHT = 900, 220, 250
_BAR, _ROW, _HEAD, _GAP = 14, 20, 26, 14
_EVEN, _HIGH = "#4477aa", "#cc6677"
"""A bar that is twice as long as the mean has the second colour. Readers who see red as green can distinguish both."""


def as_svg(forecast: Forecast) -> str:
    lines: list[str] = []
    top = 40
    for table in forecast.tables:
        lines += _draw_table(table, top)
        top += _HEAD + _ROW * max(len(table.shards), 1) + _GAP
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_PICTURE_WIDTH}" height="{top}" viewBox="0 0 '
        f'{_PICTURE_WIDTH} {top}" font-family="sans-serif" font-size="12">'
    )
    title = f'<text x="10" y="24" font-size="16">{escape(forecast.migration)}: rows for each shard</text>'
    return "\n".join(
        [head, f'<rect width="{_PICTURE_WIDTH}" height="{top}" fill="white"/>', title, *lines, "</svg>", ""]
    )


def _draw_table(table: TableForecast, top: int) -> Iterator[str]:
    said = f"{table.table} ({table.distribution}), {table.rows:,} rows"
    yield f'<text x="10" y="{top + 14}" font-weight="bold">{escape(said)}</text>'
    if not table.shards:
        yield f'<text x="20" y="{top + _HEAD + 11}">{escape(table.note)}</text>'
    total = sum(place.rows for place in table.shards)
    most = max((place.rows / total + place.error for place in table.shards), default=1.0) if total else 1.0
    for number, place in enumerate(table.shards):
        yield from _bar(place, top + _HEAD + number * _ROW, total, most, mean=1 / len(table.shards))


def _bar(place: PlaceForecast, top: int, total: int, most: float, *, mean: float) -> Iterator[str]:
    room = _PICTURE_WIDTH - _LEFT - _RIGHT
    share = place.rows / total if total else 0.0
    length, error = room * share / most, room * place.error / most
    colour = _HIGH if share >= 2 * mean else _EVEN
    label = f"{place.rows:,} rows, {share:.1%}, {bytes_in_words(place.bytes)}"
    yield f"<g><title>{escape(place.name)}: {label}</title>"
    yield f'<text x="{_LEFT - 8}" y="{top + 11}" text-anchor="end">{escape(place.name)}</text>'
    yield f'<rect x="{_LEFT}" y="{top}" width="{length:.1f}" height="{_BAR}" fill={quoteattr(colour)}/>'
    if place.error:
        low, high = _LEFT + max(length - error, 0.0), _LEFT + length + error
        yield f'<path d="M{low:.1f} {top + _BAR / 2}H{high:.1f}" stroke="black"/>'
    yield f'<text x="{_PICTURE_WIDTH - _RIGHT + 12}" y="{top + 11}">{label}</text></g>'


_WIDTH, _BESIDE, _UNLIMITED = 40, 60, 1_000
"""Characters of the longest bar, and of a line without it."""
_SHOWN = 32


def as_json(forecast: Forecast) -> dict[str, Any]:
    shards = {name: {"rows": rows, "bytes": size} for name, (rows, size) in forecast.shards().items()}
    return {**asdict(forecast), "shards": shards}


def as_text(forecast: Forecast) -> str:
    blocks = ["\n".join(_table(table)) for table in forecast.tables]
    totals = [PlaceForecast(name, rows, size, 0.0) for name, (rows, size) in forecast.shards().items()]
    return "\n\n".join([*blocks, "\n".join(["all tables", *_bars(totals)])])


def _table(table: TableForecast) -> Iterator[str]:
    how = (
        f"all {table.looked_at:,} looked at" if table.is_whole else f"from {table.looked_at:,} of them, confidence 95 %"
    )
    yield f"{table.table} ({table.distribution}): {table.rows:,} rows, {how}"
    if table.note:
        yield f"  {table.note}"
    yield from _bars(table.shards)
    if table.parts:
        fullest = sorted(table.parts, key=lambda part: (-part.rows, part.name))
        yield f"  physical tables: the fullest {min(5, len(fullest))} of {len(fullest)}"
        yield from _bars(fullest[:5])
    if table.keys:
        yield "  largest keys"
        for item in table.keys[:5]:
            yield f"    ({', '.join(item.key)})  {item.rows:,} rows, {item.share:.1%}"
    if table.short:
        yield f"    each may have {table.short:,} rows more: there are more keys than are counted one by one"
    for met in table.collisions:
        yield (
            f"  unique key {met.key}: {met.pairs:,} values are in both {met.left} and {met.right} (as {met.example}), "
            f"{met.together:,} of them would meet in one physical table"
        )


def _bars(places: Sequence[PlaceForecast]) -> Iterator[str]:
    shown = places[:_SHOWN]
    most = max((place.rows for place in shown), default=0)
    total = sum(place.rows for place in places)
    longest = min(_WIDTH, max(10, (output_width() or _UNLIMITED) - _BESIDE))
    rows = []
    for place in shown:
        bar = "#" * round(longest * place.rows / most) if most else ""
        error = f" ±{100 * place.error:.1f}" if place.error else ""
        share = f"{100 * place.rows / total:.1f}{error} %" if total else "-"
        rows.append((place.name, bar, f"{place.rows:,} rows", share, bytes_in_words(place.bytes)))
    yield text_table(rows, right=(2, 3, 4), indent=4)
    if len(places) > _SHOWN:
        yield f"    and {len(places) - _SHOWN} more: see --format json"
