"""A comparison's result as one HTML file that needs no network: the verdict first, the rows that differ below it, then
the evidence.

Pure, but for the clock and the template file; runs in the driver.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

from shardwright.runtime.verify.cause import WORDS
from shardwright.runtime.verify.last_report import LastReport
from shardwright.runtime.verify.result import Mismatch, TableResult, Verdict, VerifyResult

_SHOWN = 50
_PARTS_SHOWN = 12
_VALUE_WIDTH = 300
_WORDS = {Verdict.EQUAL: "Equal", Verdict.DIFFERENT: "Different", Verdict.COULD_NOT_CHECK: "Inconclusive"}


@dataclass(frozen=True, slots=True)
class Circumstances:
    """Where a comparison was made, and what it is compared with."""

    environment: str = ""
    """The environment's name; empty where it is not known."""
    servers: tuple[str, ...] = ()
    """Each server with what it is for, as "source: 10.0.0.7:3306"."""
    version: str = ""
    """Of this program."""
    last: LastReport | None = None
    """The result that this one is compared with."""


_UNKNOWN = Circumstances()


@dataclass(frozen=True, slots=True)
class Row:
    """A mismatch that the page lists."""

    mismatch: Mismatch
    is_new: bool
    """Whether the last report does not have it; False without one."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A shard of a table in the heat map."""

    database: str
    rows: int
    mismatches: int
    heat: int
    """0 (no mismatch) to 4 (as many as the worst shard of any table)."""


@dataclass(frozen=True, slots=True)
class Strip:
    """One table's part of the page."""

    table: TableResult
    """The table's result."""
    anchor: str
    """Where the page lists its mismatches."""
    word: str
    """The verdict in words."""
    cells: tuple[Cell, ...]
    """One for each shard."""
    parts: tuple[tuple[str, int], ...]
    """The physical tables with the most mismatches, and how many each has."""
    nowhere: int
    """How many missing rows there are for which it is not known which table should have them."""
    kinds: tuple[tuple[str, int], ...]
    """Kind of mismatch, and how many there are."""
    shown: tuple[Row, ...]
    """The mismatches that the page lists."""
    more: int
    """How many mismatches the page does not list."""


def as_html(result: VerifyResult, *, at: datetime | None = None, where: Circumstances = _UNKNOWN) -> str:
    """The whole page. `at` is when the comparison ended (default: now)."""
    strips = _strips(result.tables, where.last)
    environment = page_environment("shardwright.runtime.verify")
    environment.filters |= {"value": _value, "word": _WORDS.__getitem__, "cause": WORDS.__getitem__}
    return environment.get_template("page.html.j2").render(
        result=result,
        word=_WORDS[result.verdict],
        where=where,
        change=None if where.last is None else where.last.change_to(result),
        equal=[strip for strip in strips if strip.table.verdict is Verdict.EQUAL],
        others=[strip for strip in strips if strip.table.verdict is not Verdict.EQUAL],
        strips=strips,
        mismatches=sum(table.mismatch_count for table in result.tables),
        at=(at or datetime.now(UTC)).strftime("%Y-%m-%d %H:%M:%S UTC"),
    )


def page_environment(package: str) -> Environment:
    """For the templates of a package; they may include our `style.css.j2`."""
    environment = Environment(
        loader=ChoiceLoader([PackageLoader(one, ".") for one in (package, "shardwright.runtime.verify")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["number"] = "{:,}".format
    return environment


def _strips(tables: Sequence[TableResult], last: LastReport | None) -> list[Strip]:
    counted = [_by_place(table) for table in tables]
    worst = max((count for by_shard, _ in counted for count in by_shard.values()), default=0)
    return [
        _strip(table, f"rows-{number}", counts, worst, last)
        for number, (table, counts) in enumerate(zip(tables, counted, strict=True), 1)
    ]


def _by_place(table: TableResult) -> tuple[Counter[str], Counter[str]]:
    """Mismatches by database and by physical table. One in two tables counts in both."""
    places, shards = Counter[str](), Counter[str]()
    for mismatch in table.mismatches:
        concerned = _tables_of(mismatch)
        places.update(concerned)
        shards.update({place.partition(".")[0] for place in concerned})
    return shards, places


def _tables_of(mismatch: Mismatch) -> set[str]:
    """The tables that hold the row; where none does, the one that should."""
    return set(mismatch.places) or ({mismatch.belongs} if mismatch.belongs else set())


def _strip(
    table: TableResult, anchor: str, counts: tuple[Counter[str], Counter[str]], worst: int, last: LastReport | None
) -> Strip:
    by_shard, by_part = counts
    word = "Empty on both sides" if table.is_empty else _WORDS[table.verdict]
    return Strip(
        table=table,
        anchor=anchor,
        word=word,
        cells=tuple(
            Cell(shard.database, shard.rows, by_shard[shard.database], _heat(by_shard[shard.database], worst))
            for shard in table.rows_shards
        ),
        parts=tuple(by_part.most_common(_PARTS_SHOWN)),
        nowhere=sum(1 for mismatch in table.mismatches if not _tables_of(mismatch)),
        kinds=tuple(Counter(mismatch.kind.value for mismatch in table.mismatches).most_common()),
        shown=tuple(Row(one, last is not None and not last.has(one)) for one in table.mismatches[:_SHOWN]),
        more=max(0, table.mismatch_count - _SHOWN),
    )


def _heat(count: int, worst: int) -> int:
    return -(-4 * count // worst) if count else 0


def _value(value: str | None) -> str:
    if value is None:
        return "NULL"
    return value if len(value) <= _VALUE_WIDTH else value[:_VALUE_WIDTH] + "…"
