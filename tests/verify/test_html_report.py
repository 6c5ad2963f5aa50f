"""The page: verdict first, everything escaped, nothing fetched."""

from __future__ import annotations

from dataclasses import replace

from shardwright.runtime.verify.html_report import as_html
from shardwright.runtime.verify.report import as_text
from shardwright.runtime.verify.result import (
    ColumnDifference,
    Mismatch,
    MismatchKind,
    ShardRows,
    TableResult,
    VerifyResult,
)

EVIL = "<script>alert(1)</script>"
BROKEN = Mismatch(MismatchKind.DIFFERENT, EVIL, (EVIL,), ("part_0.t_1",), None, (ColumnDifference(EVIL, EVIL, None),))
SHARDS = (ShardRows("part_0", 1), ShardRows("part_1", 1))

MOMENTS = "the row counts differ because rows changed while they were counted"


def page(*mismatches: Mismatch, rows: int = 2) -> str:
    table = TableResult(EVIL, rows, SHARDS if rows else (), 1, 1, mismatches, (), None, 0.1)
    return as_html(VerifyResult("split", "0123456789abcdef", (table,), 0.5, {"db<1>": "gtid&1"}))


def test_what_comes_from_outside_is_escaped() -> None:
    text = page(BROKEN)
    assert EVIL not in text and "db&lt;1&gt;" in text and "gtid&amp;1" in text
    assert text.count("&lt;script&gt;") >= 4


def test_the_verdict_is_first_and_nothing_is_fetched() -> None:
    for text, word in ((page(BROKEN), "Different"), (page(), "Equal"), (page(rows=0), "Inconclusive")):
        assert text.index(f"<h1>{word}</h1>") < text.index("<dl>")
        assert "http://" not in text and "https://" not in text and "<script" not in text


def test_mismatches_beyond_the_first_are_counted() -> None:
    text = page(*[BROKEN] * 60)
    assert "60 different" in text and "10 more" in text


def test_a_row_out_of_place_is_counted_where_it_should_be_and_named_so() -> None:
    lost = Mismatch(MismatchKind.MISSING, EVIL, ("3",), (), "part_1.t_1")
    text = page(lost, Mismatch(MismatchKind.MISSING, EVIL, ("4",), ()))
    assert "<td>part_1.t_1</td>" in text and "part_1.t_1 (1)" in text
    assert "1 missing rows are on no tile" in text


def test_counts_of_two_moments_are_said_to_be_so_where_the_rows_are_equal() -> None:
    table = TableResult("t", 3, SHARDS, 1, 1, (), (), None, 0.1)
    result = VerifyResult("split", "0123456789abcdef", (table,), 0.5)
    assert MOMENTS in as_text(result) and MOMENTS in as_html(result)
    for other in (
        replace(table, rows_source=2),
        replace(table, rows_source=1, copies=2),
        replace(table, rows_shards=()),
    ):
        same = replace(result, tables=(other,))
        assert MOMENTS not in as_text(same) and MOMENTS not in as_html(same)
