"""The page: verdict first, everything escaped, nothing fetched."""

from __future__ import annotations

from dataclasses import replace

from shardwright.runtime.verify.html_report import as_html
from shardwright.runtime.verify.provenance import Provenance
from shardwright.runtime.verify.report import as_text
from shardwright.runtime.verify.result import (
    ColumnDifference,
    Mismatch,
    MismatchKind,
    ShardRows,
    TableResult,
    VerifyResult,
)
from shardwright.runtime.verify.trend import Identity, Trend

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


def test_rows_that_differ_come_first_and_equal_tables_are_folded() -> None:
    equal = TableResult("fine", 2, SHARDS, 1, 0, (), (), None, 0.1)
    wrong = TableResult("bad", 2, SHARDS, 1, 1, (replace(BROKEN, key=("17",)),), (), None, 0.1)
    text = as_html(VerifyResult("split", "0123456789abcdef", (equal, wrong), 0.5))
    assert text.index("<h1>") < text.index('<td data-of="key">17</td>') < text.index("<h2>Tables</h2>")
    tables = text[text.index("<h2>Tables</h2>") : text.index("<h2>What was not checked</h2>")]
    shown, _, folded = tables.partition("<details>")
    assert "bad" in shown and "fine" not in shown and "fine" in folded and "1 table is equal" in folded
    assert 'href="#t2"' in shown and 'id="t2"' in text, "a red table leads to its rows"


def test_the_page_names_environment_servers_version_and_what_is_new() -> None:
    new, lasting = (replace(BROKEN, key=(key,)) for key in ("new", "old"))
    gone = Identity("t", "missing", ("5",))
    trend = Trend("last.json", frozenset({new.identity}), frozenset({lasting.identity}), (gone,), ())
    about = Provenance("production", "9.8.7", {"db-1:3306": ("shop",)}, {"db-2:3307": ("part_0", "part_1")})
    result = VerifyResult("split", "0123456789abcdef", (), 0.5, provenance=about, trend=trend)
    text = as_html(replace(result, tables=(TableResult("t", 2, SHARDS, 1, 1, (new, lasting), (), None, 0.1),)))
    for word in ("in production, shardwright 9.8.7", "db-1:3306: shop", "db-2:3307: part_0, part_1", "last.json"):
        assert word in text, word
    assert "<strong>1 new</strong>, 1 lasting, 1 gone" in text and "t 5: was missing" in text
    assert text.count('<span class="new">new</span>') == 1


def test_mismatches_beyond_the_first_are_counted() -> None:
    text = page(*[BROKEN] * 60)
    assert "60 different" in text and "10 more" in text


def test_a_row_out_of_place_is_counted_where_it_should_be_and_named_so() -> None:
    lost = Mismatch(MismatchKind.MISSING, EVIL, ("3",), (), "part_1.t_1")
    text = page(lost, Mismatch(MismatchKind.MISSING, EVIL, ("4",), ()))
    assert '<td data-of="should be in">part_1.t_1</td>' in text and "part_1.t_1 (1)" in text
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
