"""A forecast as one HTML file that needs no network: what each shard gets of all tables together, then of each table.

Pure, but for the clock and the template file; used in the process of the command.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version

from shardwright.runtime.rehearsal.forecast.result import Forecast, PlaceForecast, TableForecast
from shardwright.runtime.run.preflight.context import bytes_in_words
from shardwright.runtime.verify.html_report import page_environment

_TICKS = 5
"""The most marks of an axis, beside the 0."""
_HEAVY = 2
"""A bar of so many times the mean is marked."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One shard. Lengths are percent of the axis."""

    name: str
    """The database."""
    length: float
    """Its rows."""
    low: float
    """Where the confidence interval begins."""
    high: float
    """Where it ends."""
    is_heavy: bool
    """Whether it gets twice the mean or more."""
    label: str
    """Rows, their share and bytes."""


@dataclass(frozen=True, slots=True)
class Chart:
    """The shards of one table, or of all of them."""

    title: str
    """The table."""
    bars: tuple[Bar, ...]
    """In the order of the spec."""
    mean: float
    """Where the mean is on the axis, in percent."""
    mean_rows: int
    """The mean itself."""
    ticks: tuple[tuple[float, str], ...]
    """Marks of the axis: where, in percent, and how many rows that is."""
    notes: tuple[str, ...]
    """What is to be said above it."""


def as_html(forecast: Forecast, environment: str, *, at: datetime | None = None) -> str:
    """The whole page. `environment` is its name, `at` when the forecast was made (default: now)."""
    totals = [PlaceForecast(name, rows, size, 0.0) for name, (rows, size) in forecast.shards().items()]
    charts = [_chart(table.shards, _title(table), _notes(table)) for table in forecast.tables]
    template = page_environment("shardwright.runtime.rehearsal.forecast").get_template("page.html.j2")
    return template.render(
        forecast=forecast,
        environment=environment,
        version=version("shardwright"),
        at=(at or datetime.now(UTC)).strftime("%Y-%m-%d %H:%M:%S UTC"),
        rows=sum(place.rows for place in totals),
        size=bytes_in_words(sum(place.bytes for place in totals)),
        charts=[_chart(totals, "All tables", ()), *charts],
    )


def _title(table: TableForecast) -> str:
    return f"{table.table} ({table.distribution})"


def _notes(table: TableForecast) -> tuple[str, ...]:
    how = f"all {table.looked_at:,} rows" if table.is_whole else f"{table.looked_at:,} rows, confidence 95 %"
    keys = [f"({', '.join(one.key)}): {one.rows:,} rows, {one.share:.1%}" for one in table.keys[:5]]
    largest = (f"Largest keys: {'; '.join(keys)}",) if keys else ()
    met = tuple(
        f"Unique key {one.key}: {one.pairs:,} values are in both {one.left} and {one.right}, {one.together:,} of them "
        "would meet in one physical table"
        for one in table.collisions
    )
    return (*((table.note,) if table.note else ()), f"{table.rows:,} rows, from {how}", *largest, *met)


def _chart(places: Sequence[PlaceForecast], title: str, notes: tuple[str, ...]) -> Chart:
    total = sum(place.rows for place in places)
    most = max((place.rows + place.error * total for place in places), default=0.0)
    step = _nice_step(most)
    end = max(step, -(-most // step) * step)

    def on_axis(rows: float) -> float:
        return round(min(max(100 * rows / end, 0.0), 100.0), 2)

    mean = total / len(places) if places else 0.0
    bars = tuple(
        Bar(
            place.name,
            on_axis(place.rows),
            on_axis(place.rows - place.error * total),
            on_axis(place.rows + place.error * total),
            is_heavy=total > 0 and place.rows >= _HEAVY * mean and len(places) > 1,
            label=f"{place.rows:,} rows, {place.rows / total if total else 0:.1%}, {bytes_in_words(place.bytes)}",
        )
        for place in places
    )
    marks = tuple((on_axis(step * number), f"{step * number:,}") for number in range(int(end // step) + 1))
    return Chart(title, bars, on_axis(mean), round(mean), marks, notes)


def _nice_step(most: float) -> int:
    """1, 2 or 5 with zeros behind it, so that the axis has few marks."""
    size = 1
    while True:
        for step in (size, 2 * size, 5 * size):
            if most <= step * _TICKS:
                return step
        size *= 10
