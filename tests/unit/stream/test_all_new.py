"""When is a batch taken for new rows alone, so that nothing is merged?"""

from __future__ import annotations

from collections.abc import Collection

import pytest

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.sources.event_counts import EventCounts, combine
from shardwright.runtime.stream.batch.affected_tables import all_new, direct_insert_tables, placeable
from tests.compiler.projects import GOLDEN, compile_folder, compile_shop


@pytest.fixture(scope="module")
def plan() -> Plan:
    return compile_shop().plan


def _all_new(plan: Plan, *touched: str, inserts: Collection[str], known: Collection[str]) -> bool:
    sources = {logical: str(plan.table(logical).sources[0]) for logical in touched}
    counts = combine(
        EventCounts({source: 5}, {}, frozenset({source} if logical in inserts else ()))
        for logical, source in sources.items()
    )
    return all_new(plan, known, touched, counts)


def test_every_event_inserts_a_row_that_goes_in_place(plan: Plan) -> None:
    known = placeable(plan)
    assert {"order_info", "payment", "users"} <= known.keys() and "order_item" not in known
    assert _all_new(plan, "payment", inserts={"payment"}, known=known)
    assert not _all_new(plan, "payment", inserts=(), known=known), "there are updates"
    assert not _all_new(plan, "payment", inserts={"payment"}, known=()), "the rows are staged"
    assert _all_new(plan, "users", inserts={"users"}, known=known), "the server checks their unique key"
    assert not _all_new(plan, "order_item", inserts={"order_item"}, known=known), "these are staged"
    both = ("order_info", "payment")
    assert not _all_new(plan, *both, inserts=both, known=known), "the heavier table's rows are staged"


def test_rows_with_versions_go_in_place_where_there_are_inserts_alone() -> None:
    versioned = compile_folder(GOLDEN / "sharded").plan
    known = placeable(versioned)
    assert _all_new(versioned, "order_info", inserts={"order_info"}, known=known)
    assert not _all_new(versioned, "order_info", inserts=(), known=known)
    assert not direct_insert_tables(versioned, known, ["order_info"]), "the shards are asked for versions first"
