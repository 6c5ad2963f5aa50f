"""The page: verdict first, everything escaped, nothing fetched."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from shardwright.runtime.failures import InputAtFault
from shardwright.runtime.verify.html_report import Circumstances, as_html
from shardwright.runtime.verify.last_report import read_last_report
from shardwright.runtime.verify.report import as_json, as_text
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


def test_rows_that_differ_are_right_below_the_verdict_and_a_red_table_leads_to_them() -> None:
    equal = TableResult("calm", 7, (), 1, 0, (), (), None, 0.1)
    wrong = replace(equal, table="t", mismatches=(BROKEN,))
    text = as_html(VerifyResult("split", "0123456789abcdef", (equal, wrong), 0.5))
    assert text.index("<h1>") < text.index('<h2 id="rows-2">t: 1 different') < text.index("<dl>")
    folded = text[text.index("<details>") : text.index("</details>")]
    assert "1 equal table, 7 rows" in folded and '<td data-is="table">calm</td>' in folded
    assert '<td data-is="table"><a href="#rows-2">t</a></td>' in text[: text.index("<details>")]
    assert "<details open>" in page(), "nothing else is to be seen"


def test_the_page_names_where_it_was_made_and_what_changed_since_the_last_report(tmp_path: Path) -> None:
    before, after = (
        VerifyResult("split", "0123456789abcdef", (TableResult("t", 2, (), 1, 1, found, (), None, 0.1),), 0.5)
        for found in ((BROKEN, replace(BROKEN, key=("2",))), (BROKEN, *(replace(BROKEN, key=(key,)) for key in "345")))
    )
    file = tmp_path / "result.json"
    file.write_text(json.dumps(as_json(before)))
    last = read_last_report(file, "split")
    text = as_html(after, where=Circumstances("prod", ("source: 10.0.0.7:3306",), "1.2.3", last))
    assert "Since result.json (different): 1 mismatches are gone, 3 are new, 1 are still there." in text
    assert text.count(">new</span>") == 3
    for said in ("<dd>prod</dd>", "<dd>source: 10.0.0.7:3306</dd>", "<dd>shardwright 1.2.3</dd>"):
        assert said in text
    with pytest.raises(InputAtFault, match=r"SW8520: .*of migration split, not of other"):
        read_last_report(file, "other")
    file.write_text('{"migration": "split"}')
    with pytest.raises(InputAtFault, match="SW8520"):
        read_last_report(file, "split")


def test_each_cell_of_a_narrow_page_has_its_column_s_name() -> None:
    cells = re.findall(r"<td([^>]*)>(.)", page(BROKEN))
    assert len(cells) > 12 and [cell for cell, begin in cells if begin != "<" and "data-is=" not in cell] == []


def test_mismatches_beyond_the_first_are_counted() -> None:
    text = page(*[BROKEN] * 60)
    assert "60 different" in text and "10 more" in text


def test_a_row_out_of_place_is_counted_where_it_should_be_and_named_so() -> None:
    lost = Mismatch(MismatchKind.MISSING, EVIL, ("3",), (), "part_1.t_1")
    text = page(lost, Mismatch(MismatchKind.MISSING, EVIL, ("4",), ()))
    assert '<td data-is="should be in">part_1.t_1</td>' in text and "part_1.t_1 (1)" in text
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
