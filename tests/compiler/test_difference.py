"""Differences in tests/compiler/differences: two versions of a project, and the exact text of what changed between
them.

A new case needs no Python: make `before/` and `after/`, run `SHARDWRIGHT_REWRITE=1 pytest
tests/compiler/test_difference.py`, and read the text that was written. Continuous integration never rewrites.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from zlib import crc32

import pytest

from shardwright.compiler.build import CompiledPlan, build_plan
from shardwright.compiler.review.difference.changes import Risk, RowsMove, SqlChanged
from shardwright.compiler.review.difference.columns import looks_personal
from shardwright.compiler.review.difference.compare import Difference, compare
from shardwright.compiler.review.difference.render_json import render_json
from shardwright.compiler.review.difference.render_markdown import LIMIT, MARKER, render_markdown
from shardwright.compiler.review.difference.render_text import render_text
from shardwright.specs.spec.read import read_spec

_FINGERPRINT = re.compile(r"\b[0-9a-f]{16}\b")  # changes with every change of any step's SQL
CASES = sorted(path for path in (Path(__file__).parent / "differences").iterdir() if path.is_dir())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case: Path) -> None:
    text = _FINGERPRINT.sub("PLAN", render_text([_difference(case)], base="main", with_sql=False))
    expected = case / "expected.txt"
    if os.environ.get("SHARDWRIGHT_REWRITE") and not os.environ.get("CI"):
        expected.write_text(text, "utf-8")
    assert text == expected.read_text("utf-8")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_json_says_the_same(case: Path) -> None:
    difference = _difference(case)
    (data,) = json.loads(render_json([difference], base="main"))["migrations"]
    assert [item["words"] for item in data["changes"]] == [change.words for change in difference.changes]
    assert [item["risk"] for item in data["changes"]] == [change.risk.value for change in difference.changes]
    assert data["reversible"] == all(change.reversible for change in difference.changes)


def test_the_share_of_moved_rows_is_exact_for_a_sample() -> None:
    """Against the definition of crc32_mod, reckoned here by zlib."""
    case = _case_of("more-shards")
    rows: list[dict[str, object]] = [{"user_id": number * 7919 - 5000} for number in range(997)]
    difference = compare(_compile(case / "before"), _compile(case / "after"), sample=lambda table, columns: rows)
    (moved,) = (change for change in difference.changes if isinstance(change, RowsMove))

    def place(row: dict[str, object], databases: int) -> tuple[int, int]:
        digest = crc32(str(row["user_id"]).encode())
        return digest % databases, digest // databases % 2

    elsewhere = sum(place(row, 2) != place(row, 4) for row in rows)
    other_database = sum(place(row, 2)[0] != place(row, 4)[0] for row in rows)
    assert moved.share == elsewhere / len(rows)
    assert moved.database_share == other_database / len(rows)
    assert sum(flow.share for flow in moved.flows) == pytest.approx(moved.database_share)


def test_every_difference_of_sql_is_reported() -> None:
    difference = _difference(_case_of("column-dropped-renamed-retyped"))
    text = render_text([difference], base="main", with_sql=True)
    assert "-  `amount` DECIMAL(10, 2) DEFAULT NULL," in text
    assert {change.step for change in difference.changes if isinstance(change, SqlChanged)} >= {
        "20-decode",
        "31-upsert",
    }


def test_removed_comments_of_a_statement_are_not_lost() -> None:
    """A removed line that starts with `--` looks like a heading of a unified difference."""
    difference = _difference(_case_of("settings"))
    diffs = [change.diff for change in difference.changes if isinstance(change, SqlChanged)]
    assert diffs and all(diff.startswith("@@") for diff in diffs)


def test_a_comment_fits_and_says_when_it_was_cut() -> None:
    difference = _difference(_case_of("more-shards"))
    long = replace(difference, changes=difference.changes * 400)
    for given in (difference, long):
        text = render_markdown([given], base="main")
        assert text.startswith(MARKER) and len(text) <= LIMIT
        assert text.count("<details>") == text.count("</details>")
    assert "_Truncated: " in render_markdown([long], base="main")


def test_dangerous_changes_come_first() -> None:
    order = [Risk.DANGER, Risk.REVIEW, Risk.NOTE]
    for case in CASES:
        ranks = [order.index(change.risk) for change in _difference(case).changes]
        assert ranks == sorted(ranks)


@pytest.mark.parametrize(
    ("name", "personal"),
    [
        ("email", True), ("userEmail", True), ("phone_2", True), ("ip_address", True), ("date_of_birth", True),
        ("password_hash", True), ("iban", True), ("last_name", True), ("shipping_address", True),
        ("amount", False), ("order_id", False), ("description", False), ("shipped_at", False), ("cellar", False),
        ("pinned", False), ("recipient_count", False), ("company", False), ("name", False),
    ],
)  # fmt: skip
def test_names_that_look_personal(name: str, personal: bool) -> None:
    assert (looks_personal(name) is not None) == personal


def _case_of(name: str) -> Path:
    return next(case for case in CASES if case.name == name)


def _difference(case: Path) -> Difference:
    return compare(_compile(case / "before"), _compile(case / "after"))


@cache
def _compile(folder: Path) -> CompiledPlan:
    spec = read_spec(str(folder / "spec.yaml"))
    changes = {path.name: path.read_text("utf-8") for path in sorted((folder / "ddl").glob("*.sql"))}
    return build_plan(spec, schema=(folder / "schema.sql").read_text("utf-8"), ddl=changes)
