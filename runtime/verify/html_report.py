"""A comparison's result as one HTML file that needs no network: the verdict first, then the evidence.

Pure, but for the clock and the template file; runs in the driver.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from shardwright.runtime.verify.cause import WORDS
from shardwright.runtime.verify.page_templates import page_templates, time_of_page
from shardwright.runtime.verify.result import Mismatch, TableResult, Verdict, VerifyResult

_SHOWN = 50
_PARTS_SHOWN = 12
_VALUE_WIDTH = 300
_WORDS = {Verdict.EQUAL: "Equal", Verdict.DIFFERENT: "Different", Verdict.COULD_NOT_CHECK: "Inconclusive"}


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

    anchor: str
    """The name within the page of its mismatches."""
    table: TableResult
    """The table's result."""
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
    shown: tuple[Mismatch, ...]
    """The mismatches that the page lists."""
    more: int
    """How many mismatches the page does not list."""

    @property
    def is_equal(self) -> bool:
        return self.table.verdict is Verdict.EQUAL

    @property
    def rows(self) -> int:
        """Rows of both sides."""
        return self.table.rows_source + self.table.rows_target


def as_html(result: VerifyResult, *, at: datetime | None = None) -> str:
    """The whole page. `at` is when the comparison ended (default: now)."""
    environment = page_templates("shardwright.runtime.verify")
    environment.filters |= {"value": _value, "word": _WORDS.__getitem__, "cause": WORDS.__getitem__}
    return environment.get_template("page.html.j2").render(
        result=result,
        trend=result.trend,
        word=_WORDS[result.verdict],
        strips=_strips(result.tables),
        mismatches=sum(table.mismatch_count for table in result.tables),
        at=time_of_page(at),
    )


def _strips(tables: Sequence[TableResult]) -> list[Strip]:
    counted = [_by_place(table) for table in tables]
    worst = max((count for by_shard, _ in counted for count in by_shard.values()), default=0)
    return [
        _strip(f"t{number}", table, *counts, worst=worst)
        for number, (table, counts) in enumerate(zip(tables, counted, strict=True), start=1)
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


def _strip(anchor: str, table: TableResult, by_shard: Counter[str], by_part: Counter[str], *, worst: int) -> Strip:
    word = "Empty on both sides" if table.is_empty else _WORDS[table.verdict]
    return Strip(
        anchor=anchor,
        table=table,
        word=word,
        cells=tuple(
            Cell(shard.database, shard.rows, by_shard[shard.database], _heat(by_shard[shard.database], worst))
            for shard in table.rows_shards
        ),
        parts=tuple(by_part.most_common(_PARTS_SHOWN)),
        nowhere=sum(1 for mismatch in table.mismatches if not _tables_of(mismatch)),
        kinds=tuple(Counter(mismatch.kind.value for mismatch in table.mismatches).most_common()),
        shown=table.mismatches[:_SHOWN],
        more=max(0, table.mismatch_count - _SHOWN),
    )


def _heat(count: int, worst: int) -> int:
    return -(-4 * count // worst) if count else 0


def _value(value: str | None) -> str:
    if value is None:
        return "NULL"
    return value if len(value) <= _VALUE_WIDTH else value[:_VALUE_WIDTH] + "…"
