"""A forecast as one SVG file that needs nothing else: a group of bars for each table, one bar a shard, with its error. The same
forecast is the same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from shardwright.runtime.rehearsal.forecast.result import Forecast, PlaceForecast, TableForecast
from shardwright.runtime.run.preflight.context import bytes_in_words

_WIDTH, _LEFT, _RIGHT = 900, 220, 250
_BAR, _ROW, _HEAD, _GAP = 14, 20, 26, 14
_EVEN, _HIGH = "#4477aa", "#cc6677"
"""A bar that is twice as long as the mean is drawn in the second colour: told apart also by who sees red as green."""


def as_svg(forecast: Forecast) -> str:
    lines: list[str] = []
    top = 40
    for table in forecast.tables:
        lines += _table(table, top)
        top += _HEAD + _ROW * max(len(table.shards), 1) + _GAP
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{top}" viewBox="0 0 {_WIDTH} {top}" '
        'font-family="sans-serif" font-size="12">'
    )
    title = f'<text x="10" y="24" font-size="16">{escape(forecast.migration)}: rows for each shard</text>'
    return "\n".join([head, f'<rect width="{_WIDTH}" height="{top}" fill="white"/>', title, *lines, "</svg>", ""])


def _table(table: TableForecast, top: int) -> Iterator[str]:
    said = f"{table.table} ({table.distribution}), {table.rows:,} rows"
    yield f'<text x="10" y="{top + 14}" font-weight="bold">{escape(said)}</text>'
    if not table.shards:
        yield f'<text x="20" y="{top + _HEAD + 11}">{escape(table.note)}</text>'
    total = sum(place.rows for place in table.shards)
    most = max((place.rows / total + place.error for place in table.shards), default=1.0) if total else 1.0
    for number, place in enumerate(table.shards):
        yield from _bar(place, top + _HEAD + number * _ROW, total, most, mean=1 / len(table.shards))


def _bar(place: PlaceForecast, top: int, total: int, most: float, *, mean: float) -> Iterator[str]:
    room = _WIDTH - _LEFT - _RIGHT
    share = place.rows / total if total else 0.0
    length, error = room * share / most, room * place.error / most
    colour = _HIGH if share >= 2 * mean else _EVEN
    told = f"{place.rows:,} rows, {share:.1%}, {bytes_in_words(place.bytes)}"
    yield f"<g><title>{escape(place.name)}: {told}</title>"
    yield f'<text x="{_LEFT - 8}" y="{top + 11}" text-anchor="end">{escape(place.name)}</text>'
    yield f'<rect x="{_LEFT}" y="{top}" width="{length:.1f}" height="{_BAR}" fill={quoteattr(colour)}/>'
    if place.error:
        low, high = _LEFT + max(length - error, 0.0), _LEFT + length + error
        yield f'<path d="M{low:.1f} {top + _BAR / 2}H{high:.1f}" stroke="black"/>'
    yield f'<text x="{_WIDTH - _RIGHT + 12}" y="{top + 11}">{told}</text></g>'
