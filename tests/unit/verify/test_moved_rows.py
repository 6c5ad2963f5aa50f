"""Which rows that differ are of the buckets that move? Those of other buckets are in flight."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from shardwright.runtime.verify.moved_rows import _is_in


def _side(bucket: int | None) -> Any:
    rows = {} if bucket is None else {(1,): bucket}
    return SimpleNamespace(buckets=lambda sessions, table, keys: rows), None


@pytest.mark.parametrize(
    ("losing", "gaining", "is_ours"),
    [(5, 5, True), (5, None, True), (None, 5, True), (700, 5, False), (None, 700, False), (None, None, False)],
)
def test_h8_a_row_that_is_gone_on_both_sides_was_in_flight(
    losing: int | None, gaining: int | None, is_ours: bool
) -> None:
    """A delete of another bucket arrives between the comparison and the question for the row's bucket."""
    wrong: Any = SimpleNamespace(table="t", key=(1,), kind="extra")
    assert _is_in({5, 6}, wrong, (_side(losing), _side(gaining))) is is_ours
