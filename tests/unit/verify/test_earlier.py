"""What is new, lasting and gone since an earlier report; and when nothing can be said of a table."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from shardwright.runtime.failures import InputAtFault
from shardwright.runtime.verify.earlier import read_earlier, trend
from shardwright.runtime.verify.report import as_json, as_text
from shardwright.runtime.verify.result import Mismatch, MismatchKind, ShardRows, TableResult, VerifyResult
from shardwright.runtime.verify.trend import Trend


def _wrong(key: str, kind: MismatchKind = MismatchKind.DIFFERENT) -> Mismatch:
    return Mismatch(kind, "t", (key,), ("part_0.t",))


def _result(*mismatches: Mismatch) -> VerifyResult:
    table = TableResult("t", 9, (ShardRows("part_0", 9),), 1, 1, mismatches, (), None, 0.1)
    return VerifyResult("split", "0" * 64, (table,), 0.1)


def _trend(folder: Path, earlier: VerifyResult, now: VerifyResult) -> Trend:
    file = folder / "last.json"
    file.write_text(json.dumps(as_json(earlier)), "utf-8")
    return trend(now, read_earlier(file, "split"), report="last.json")


def _keys(some: object) -> set[str]:
    return {one.key_text for one in some}  # type: ignore[attr-defined]


def test_new_lasting_and_gone(tmp_path: Path) -> None:
    now = _result(_wrong("2"), _wrong("3"), _wrong("4", MismatchKind.MISSING))
    found = _trend(tmp_path, _result(_wrong("1"), _wrong("2"), _wrong("4")), now)
    assert (_keys(found.new), _keys(found.lasting), _keys(found.gone)) == ({"3", "4"}, {"2"}, {"1", "4"})
    assert str(found) == "since last.json: 2 new, 1 lasting, 2 gone" and str(found) in as_text(
        replace(now, trend=found)
    )
    written = as_json(replace(now, trend=found))["trend"]
    assert (len(written["new"]), written["lasting"], written["gone"][0]) == (
        2,
        1,
        {"table": "t", "kind": "different", "key": ("1",)},
    )


@pytest.mark.parametrize("change", [{"problem": "broken off"}, {"not_listed": 1}, {"rows_shards": ()}])
def test_h7_a_row_that_was_not_looked_at_is_not_called_gone(tmp_path: Path, change: dict[str, object]) -> None:
    part = _result(_wrong("2"))
    part = replace(part, tables=(replace(part.tables[0], **change),))  # type: ignore[arg-type]
    found = _trend(tmp_path, _result(_wrong("1")), part)
    assert (_keys(found.new), _keys(found.gone), found.not_compared) == ({"2"}, set(), ("t",))
    found = _trend(tmp_path, part, _result(_wrong("1")))
    assert (_keys(found.new), _keys(found.gone), found.not_compared) == (set(), {"2"}, ("t",))
    assert str(found).endswith("; not all mismatches are known of t")


def test_h7_a_row_that_kept_changing_is_not_called_gone(tmp_path: Path) -> None:
    now = _result()
    now = replace(now, tables=(replace(now.tables[0], still_changing=(("1",),)),))
    assert _trend(tmp_path, _result(_wrong("1")), now).gone == ()


@pytest.mark.parametrize("text", ["", "[]", "{}", json.dumps(as_json(replace(_result(), migration="other")))])
def test_a_file_that_is_no_report_of_this_migration(tmp_path: Path, text: str) -> None:
    (tmp_path / "last.json").write_text(text, "utf-8")
    with pytest.raises(InputAtFault, match="SW8520"):
        read_earlier(tmp_path / "last.json", "split")
