"""How is a forecast shown: as text, as JSON? Pure; used in the process of the command."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from shardwright.runtime.rehearsal.forecast.result import Forecast, PlaceForecast, TableForecast
from shardwright.runtime.run.preflight.context import bytes_in_words
from shardwright.specs.findings.text_table import output_width, text_table

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
