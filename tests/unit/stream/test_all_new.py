"""When is a batch taken for new rows alone, so that nothing is merged?"""

from __future__ import annotations

from collections.abc import Collection

import pytest

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.sources.event_counts import EventCounts, together
from shardwright.runtime.stream.batch.affected import all_new, placeable, placed_now
from tests.compiler.projects import compiled_shop


@pytest.fixture(scope="module")
def plan() -> Plan:
    return compiled_shop().plan


def _all_new(plan: Plan, *touched: str, inserts: Collection[str], known: Collection[str]) -> bool:
    sources = {logical: str(plan.table(logical).sources[0]) for logical in touched}
    counts = together(
        EventCounts({source: 5}, {}, frozenset({source} if logical in inserts else ()))
        for logical, source in sources.items()
    )
    return all_new(plan, placed_now(plan, known, touched), touched, counts)


def test_every_event_inserts_a_row_that_goes_in_place(plan: Plan) -> None:
    known = placeable(plan)
    assert {"order_info", "payment"} <= known.keys() and "users" not in known
    assert _all_new(plan, "payment", inserts={"payment"}, known=known)
    assert not _all_new(plan, "payment", inserts=(), known=known), "there are updates"
    assert not _all_new(plan, "payment", inserts={"payment"}, known=()), "the rows are staged"
    assert not _all_new(plan, "users", inserts={"users"}, known=known), "these are staged"
    both = ("order_info", "payment")
    assert not _all_new(plan, *both, inserts=both, known=known), "the heavier table's rows are staged"
