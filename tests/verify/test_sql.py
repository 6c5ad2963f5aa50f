"""The SQL itself, in files a reviewer can read. SHARDWRIGHT_REWRITE=1 writes them anew; review the difference."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.plan.plan import Step, TablePlan
from shardwright.compiler.steps.verify import elsewhere_than, verify_source, verify_target
from tests.verify.plans import BIGINT, INT, NAME, UTF8, column, place, table

GOLDEN = Path(__file__).parent / "golden"

ORDERS = table(
    "orders",
    (
        column("id", ColumnType("bigint", unsigned=True)),
        column("uid", INT, target="user_id"),
        column("name", NAME, nullable=True),
        column("amount", ColumnType("decimal", precision=12, scale=2), nullable=True),
        column("small", ColumnType("float")),
        column("flags", ColumnType("bit", length=8)),
        column("at", ColumnType("datetime", precision=6)),
        column("kind", ColumnType("enum", labels=("a", "b"), **UTF8)),
        column("body", ColumnType("longtext", **UTF8), nullable=True),
        column("data", ColumnType("longblob")),
    ),
    ("id",),
)
ITEMS = table("items", (column("order_id", BIGINT), column("sku", NAME)), ("order_id", "sku"))
REGION = table("region", (column("code", NAME),), ("code",), distribution="broadcast")
STEPS = {
    "source": verify_source(ORDERS),
    "target": verify_target(ORDERS, misplaced=elsewhere_than(place("user_id"))),
    "source-composite-key": verify_source(ITEMS),
    "target-broadcast": verify_target(REGION, misplaced=None),
}


@pytest.mark.parametrize("name", STEPS)
def test_sql_is_as_reviewed(name: str) -> None:
    file = GOLDEN / f"{name}.sql"
    if os.environ.get("SHARDWRIGHT_REWRITE") and not os.environ.get("CI"):
        file.write_text(_text(STEPS[name]), encoding="utf-8")
    assert _text(STEPS[name]) == file.read_text(encoding="utf-8")


def _text(step: Step) -> str:
    return "\n".join(f"-- {one.name}: {one.comment}\n{one.sql};\n" for one in step.texts)


@pytest.mark.parametrize("one", [ORDERS, ITEMS], ids=lambda one: one.logical)
def test_the_same_plan_gives_the_same_text(one: TablePlan) -> None:
    assert verify_source(one) == verify_source(one)
