"""The page: verdict first, everything escaped, nothing fetched."""

from __future__ import annotations

from shardwright.runtime.verify.html_report import as_html
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


def page(*mismatches: Mismatch, rows: int = 2) -> str:
    table = TableResult(EVIL, rows, SHARDS if rows else (), 1, 1, mismatches, (), None, 0.1)
    return as_html(VerifyResult("split", "0123456789abcdef", (table,), 0.5, {"db<1>": "gtid&1"}))


def test_what_comes_from_outside_is_escaped() -> None:
    text = page(BROKEN)
    assert EVIL not in text and "db&lt;1&gt;" in text and "gtid&amp;1" in text
    assert text.count("&lt;script&gt;") >= 4


def test_the_verdict_is_first_and_nothing_is_fetched() -> None:
    for text, word in ((page(BROKEN), "Different"), (page(), "Equal"), (page(rows=0), "Could not check")):
        assert text.index(f"<h1>{word}</h1>") < text.index("<dl>")
        assert "http://" not in text and "https://" not in text and "<script" not in text


def test_mismatches_beyond_the_first_are_counted() -> None:
    text = page(*[BROKEN] * 60)
    assert "60 different" in text and "10 more" in text
