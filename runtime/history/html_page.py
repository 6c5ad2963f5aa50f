"""The answer about one row as one HTML file that needs no network: the verdict first, the timeline as a picture, then
the row on both sides.

Pure, but for the clock and the template file; used in the process of the command.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version

from shardwright.runtime.history.entries import Entry, find_entries, value_text
from shardwright.runtime.history.facts import RowFacts
from shardwright.runtime.history.forms import ledger_lines, verdict_text
from shardwright.runtime.history.verdict import Verdict
from shardwright.runtime.verify.html_report import page_environment

_TICKS = 4
"""The most times that the axis names, beside the first."""


@dataclass(frozen=True, slots=True)
class Dot:
    """An entry in a lane of the picture."""

    number: int
    """The entry's, as the list below counts."""
    at: float
    """Percent of the axis."""
    kind: str
    """The entry's."""
    title: str
    """What the entry says, and when."""


@dataclass(frozen=True, slots=True)
class Lane:
    """A log, a physical table or a shard."""

    name: str
    dots: tuple[Dot, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """Times are in order and not to scale: a row may rest for weeks, and then change three times in a second."""

    lanes: tuple[Lane, ...]
    """Those that have a dot, in the order of their first."""
    ticks: tuple[tuple[float, str], ...]
    """Where, in percent, and which time that is (UTC)."""
    columns: int
    """How many different times there are."""


def as_html(facts: RowFacts, verdict: Verdict, *, environment: str, at: datetime | None = None) -> str:
    """The whole page. `environment` is its name, `at` when the row was read (default: now)."""
    entries = find_entries(facts)
    held = [*facts.read_side, *facts.write_side]
    page = page_environment("shardwright.runtime.history")
    page.filters["value"] = value_text
    return page.get_template("page.html.j2").render(
        facts=facts,
        verdict=verdict,
        judged=verdict_text(verdict),
        colour="equal" if verdict.is_right else "could_not_check" if verdict.is_under_way else "different",
        key=", ".join(f"{name}={value}" for name, value in facts.key.items()),
        environment=environment,
        version=version("shardwright"),
        at=(at or datetime.now(UTC)).strftime("%Y-%m-%d %H:%M:%S UTC"),
        entries=entries,
        picture=draw(entries),
        held=held,
        columns=list(dict.fromkeys(name for row in held for name in row.values)),
        ledger=list(ledger_lines(facts)),
    )


def draw(entries: Sequence[Entry]) -> Picture:
    """The picture of the entries whose time is known."""
    times = sorted({mark.at for entry in entries for mark in entry.marks if mark.at})
    places = {time: round(100 * (number + 0.5) / len(times), 2) for number, time in enumerate(times)}
    lanes: dict[str, list[Dot]] = {}
    for number, entry in enumerate(entries, 1):
        for mark in entry.marks:
            if mark.at:
                dot = Dot(number, places[mark.at], entry.kind, f"{mark.at} {entry.title}")
                lanes.setdefault(mark.lane, []).append(dot)
    step = max(1, -(-len(times) // _TICKS))
    ticks = tuple((places[time], time.partition(".")[0]) for time in times[::step])
    return Picture(tuple(Lane(name, tuple(dots)) for name, dots in lanes.items()), ticks, len(times))
