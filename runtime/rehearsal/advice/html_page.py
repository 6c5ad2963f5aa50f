"""Advice as one HTML file that needs no network: the ranking as bars first, then each design.

Pure, but for the clock and the template file; used in the process of the command.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version

from shardwright.compiler.advise.advice import Advice, JudgedDesign
from shardwright.compiler.advise.design import Placement, Way
from shardwright.compiler.advise.forms import (
    ALL_SHARDS,
    COPIES,
    LOCAL,
    in_percent,
    name_crossing,
    name_key,
    name_log,
    name_workload,
)
from shardwright.compiler.advise.source import SourceDatabase
from shardwright.compiler.advise.spread import GROWTH, heaviest_values, largest_part
from shardwright.compiler.advise.trap import Trap
from shardwright.compiler.conform.conformance import JudgedGroup
from shardwright.runtime.verify.html_report import page_environment

_STATEMENTS = 60
"""The most statements to change that a design lists."""


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a bar. `length` is percent of all calls."""

    kind: str
    """The style's name."""
    length: float
    """Percent of the bar."""
    title: str
    """What it is, for who points at it."""


@dataclass(frozen=True, slots=True)
class Row:
    """Where one table goes."""

    placement: Placement
    """Where, and why."""
    table: str
    """As the schema writes it."""
    columns: str
    """Those that decide, with commas."""
    rows: str
    """Empty where sizes are not known."""
    calls: str
    """Of the statements that name it; empty without a workload."""
    read: str
    """So many rows of it were read, as the server counts; empty where it does not."""
    changed: str
    """The same of rows that were changed."""


@dataclass(frozen=True, slots=True)
class LoggedTable:
    """What the binary log has of one table."""

    table: str
    """As the schema writes it."""
    rows: tuple[int, int, int]
    """Inserted, updated and deleted."""
    keys: str
    """The columns that may be keys of which rows got another value, each with how many."""


@dataclass(frozen=True, slots=True)
class DesignView:
    """One design."""

    name: str
    """The key, as the schema writes it."""
    parts: tuple[Part, ...]
    """The bar of the ranking."""
    load: str
    """The busiest shard's work."""
    change: str
    """The part of the calls that have to change."""
    growth: tuple[tuple[int, float, str], ...]
    """Numbers of shards, each with the part of the rows that the fullest one has, in percent and as text."""
    heaviest: str
    """The heaviest values of the key; empty where they are not known."""
    crossing: str
    """The transactions of the binary log with several values of the key; empty where no log was read."""
    ways: tuple[tuple[Way, tuple[Row, ...]], ...]
    """The tables by how they are placed."""
    stays: Mapping[str, str]
    """Tables that stay at the source, each with the reason."""
    traps: Sequence[Trap]
    """All of them, by kind."""
    statements: Sequence[JudgedGroup]
    """Those that have to change, most calls first."""
    more: int
    """So many more statements have to change."""
    is_open: bool
    """Whether the page shows it unfolded."""


def as_html(advice: Advice, chosen: JudgedDesign | None, *, at: datetime | None = None) -> str:
    """The whole page. `chosen`: the design that is open; `at`: when the advice was made (default: now)."""
    template = page_environment("shardwright.runtime.rehearsal.advice").get_template("page.html.j2")
    return template.render(
        advice=advice,
        designs=[_show(advice, one, is_open=one is chosen) for one in advice.designs],
        rows=sum(one.rows for one in advice.source.statistics.values()),
        workload=name_workload(advice),
        log="" if advice.source.logged is None else name_log(advice.source.logged),
        logged=tuple(_find_logged_tables(advice.source)),
        version=version("shardwright"),
        at=(at or datetime.now(UTC)).strftime("%Y-%m-%d %H:%M:%S UTC"),
    )


def _show(advice: Advice, design: JudgedDesign, *, is_open: bool) -> DesignView:
    found = design.assessment
    placements = found.proposal.design
    change = found.statements_to_change
    heavy = heaviest_values(placements, advice.source)
    return DesignView(
        name=name_key(advice, design),
        parts=tuple(_parts(design)),
        load=in_percent(found.load),
        change=in_percent(found.change),
        growth=tuple(
            (number, round(100 * part, 1), in_percent(part))
            for number in GROWTH
            for part in (largest_part(placements, advice.source, number),)
        ),
        heaviest=", ".join(f"{value} ({in_percent(share)})" for value, share in heavy),
        crossing=name_crossing(advice, design),
        ways=tuple(
            (way, tuple(_row(advice, one) for one in placements.of_way(way))) for way in Way if placements.of_way(way)
        ),
        stays=advice.source.tables_that_stay(found.proposal.tables_left_out),
        traps=design.traps,
        statements=change[:_STATEMENTS],
        more=max(0, len(change) - _STATEMENTS),
        is_open=is_open,
    )


def _find_logged_tables(source: SourceDatabase) -> Iterator[LoggedTable]:
    logged = source.logged
    if logged is None:
        return
    for name, table in source.tables.items():
        rows = (logged.inserted.get(name, 0), logged.updated.get(name, 0), logged.deleted.get(name, 0))
        changed = {column: count for (at, column), count in sorted(logged.changed.items()) if at == name}
        if any(rows):
            words = (f"{source.column(name, column).name} ({count:,} rows)" for column, count in changed.items())
            yield LoggedTable(table.name, rows, ", ".join(words))


def _parts(design: JudgedDesign) -> list[Part]:
    found = design.assessment
    shares = (
        ("local", found.share(*LOCAL), "on one shard"),
        ("copies", found.share(*COPIES), "from a shard's own copy"),
        ("scatter", found.share(*ALL_SHARDS), "on all shards, with the same answer"),
        ("change", found.change, "have to change"),
    )
    return [Part(kind, round(100 * share, 2), f"{in_percent(share)} {words}") for kind, share, words in shares if share]


def _row(advice: Advice, placement: Placement) -> Row:
    source = advice.source
    columns = ", ".join(source.column_names(placement.table, placement.columns))
    counts = source.row_counts(placement.table)
    return Row(
        placement,
        source.tables[placement.table].name,
        columns,
        f"{source.rows(placement.table):,}" if source.has_sizes else "",
        f"{source.usage.calls_of(placement.table):,}" if source.groups else "",
        "" if counts is None else f"{counts.read:,}",
        "" if counts is None else f"{counts.changed:,}",
    )
