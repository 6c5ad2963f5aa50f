"""The page of one row: each entry is in the list and in the picture, and nothing of a value becomes markup."""

from __future__ import annotations

import re
from dataclasses import replace

from shardwright.runtime.history.entries import find_entries
from shardwright.runtime.history.facts import ChangedColumn, ChunkOnShard, DecisionOnRecord, Effect, HeldRow, Moment
from shardwright.runtime.history.forms import as_text
from shardwright.runtime.history.html_page import as_html, draw
from shardwright.runtime.history.verdict import judge
from tests.unit.history.test_verdict import CHUNK, DELETE, FACTS, HERE, UPDATE

AT = "2026-11-30 11:00:0"
APPLIED = replace(UPDATE, effects=(Effect(HERE, "upsert:0", "2026-11-30 12:00:01.5"),))
LONG = replace(
    FACTS,
    chunks=(replace(CHUNK, written=(ChunkOnShard("part_0", f"{AT}1", 8),)),),
    changes=(APPLIED, replace(DELETE, position="log.1:600", committed_at=None)),
    moments=(Moment(f"{AT}2", "DDL", "ALTER TABLE t ADD x INT"),),
    recorded=(DecisionOnRecord(2, HERE, "shop.t", "1:400:0", "update", "the row is there", f"{AT}3"),),
    foreign=(replace(UPDATE, log="part_0", committed_at="2026-11-30 13:00:00"),),
)


def test_each_entry_is_in_its_lanes() -> None:
    entries = find_entries(LONG)
    assert [entry.kind for entry in entries] == ["delete", "chunk", "moment", "recorded", "update", "foreign"]
    picture = draw(entries)
    assert {lane.name: [dot.number for dot in lane.dots] for lane in picture.lanes} == {
        "part_0": [2, 6],
        "migration": [3],
        HERE: [4, 5],
        "source": [5],
    }
    places = [dot.at for lane in picture.lanes for dot in lane.dots]
    assert picture.columns == 6 and len(set(places)) == 6 and all(0 < place < 100 for place in places)
    (effect,) = [dot for lane in picture.lanes for dot in lane.dots if dot.number == 5 and lane.name == HERE]
    (commit,) = [dot for lane in picture.lanes for dot in lane.dots if dot.number == 5 and lane.name == "source"]
    assert commit.at < effect.at
    assert picture.ticks[0][1] == f"{AT}1" and len(picture.ticks) <= 5


def test_the_page_has_what_the_text_has() -> None:
    page = as_html(LONG, judge(LONG), environment="prod")
    words = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", page))
    for entry in find_entries(LONG):
        assert entry.title in words and all(line in words for line in entry.lines)
        assert entry.title in as_text(LONG, judge(LONG))
    assert re.findall(r'href="#(entry-\d+)"', page) and set(re.findall(r'href="#(entry-\d+)"', page)) <= set(
        re.findall(r'id="(entry-\d+)"', page)
    )


def test_i3_values_are_text() -> None:
    bad = "<script>alert(1)</script>\"'&"
    row = HeldRow("shop.t", {"id": bad, "note": None}, 1)
    changed = replace(UPDATE, columns=(ChangedColumn("note", bad, None),), log=bad)
    page = as_html(replace(LONG, read_side=(row,), changes=(changed,)), judge(LONG), environment=bad)
    assert "<script" not in page and "&lt;script&gt;" in page


def test_a_row_without_a_history() -> None:
    nowhere = replace(FACTS, read_side=(), write_side=(), changes=(), chunks=())
    page = as_html(nowhere, judge(nowhere), environment="prod")
    assert "No entry of the history has a time." in page and "Neither side has the row." in page
