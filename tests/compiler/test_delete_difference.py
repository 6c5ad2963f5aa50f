"""Ceilings in a difference: one that rises, goes or becomes another kind lets more deletes pass."""

from __future__ import annotations

from dataclasses import replace

import pytest

from shardwright.compiler.plan.plan import TablePlan
from shardwright.compiler.review.difference.changes import DeletesChanged
from shardwright.compiler.review.difference.policies import delete_changes
from tests.ddl.plans import shop_tables


@pytest.mark.parametrize(
    ("old", "new", "loosened"),
    [
        (None, "10", False),
        ("10", "9", False),
        ("10", "11", True),
        ("5%", "6%", True),
        ("5%", "100", True),
        ("10", None, True),
    ],
)
def test_a_ceiling_that_changes(old: str | None, new: str | None, loosened: bool) -> None:
    table = shop_tables()["orders"]
    (change,) = delete_changes(_with_ceiling(table, old), _with_ceiling(table, new))
    assert isinstance(change, DeletesChanged)
    assert change.loosened is loosened


def _with_ceiling(table: TablePlan, ceiling: str | None) -> TablePlan:
    return replace(table, deletes=replace(table.deletes, stop_above=ceiling))


def test_equal_ceilings_are_no_change() -> None:
    table = _with_ceiling(shop_tables()["orders"], "5%")
    assert list(delete_changes(table, table)) == []
