"""Which tables the query of a batch has: those of earlier batches, too, where it touches many."""

from __future__ import annotations

import pytest

from shardwright.compiler.build import build_plan
from shardwright.compiler.plan.plan import Plan
from shardwright.compiler.sql.batch_sql import tables_alike
from shardwright.runtime.stream.batch.query import Decider, DecisionInput
from shardwright.specs.spec.read import read_spec
from tests.bench.compile.project import write_project

COUNT = 25


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    folder = tmp_path_factory.mktemp("many")
    schema = write_project(folder, tables=240)
    (spec,) = (folder / "specs").iterdir()
    return build_plan(read_spec(str(spec)), schema=schema, ddl={}).plan


@pytest.fixture(scope="module")
def names(plan: Plan) -> tuple[str, ...]:
    """Tables that are like no other one, and whose shards are not asked."""
    alike = tables_alike(plan)
    found = tuple(t.logical for t in plan.tables if not t.asks_shards and len(alike.get(t.logical, "1")) == 1)
    assert len(found) >= COUNT
    return found[:COUNT]


def test_a_batch_has_all_tables_that_are_like_its_own(plan: Plan, names: tuple[str, ...]) -> None:
    """One branch of its query reads them, whichever of them have events."""
    largest = max(set(tables_alike(plan).values()), key=len)
    assert len(largest) > 20
    decider = Decider(plan)
    for touched in (largest[:1], largest[5:9], largest):
        assert set(decider.widen(DecisionInput((*touched, names[0]), False)).logicals) == {*largest, names[0]}


def test_batches_of_many_tables_soon_have_one_query(plan: Plan, names: tuple[str, ...]) -> None:
    decider = Decider(plan)
    first, second = DecisionInput(names[:16], False), DecisionInput(names[4:20], False)
    assert decider.widen(first) == first
    decider.remember(first)
    assert decider.widen(second).logicals == names[:20]
    decider.remember(second)
    assert decider.widen(first) == decider.widen(second)


def test_a_batch_of_few_tables_has_a_query_of_its_own(plan: Plan, names: tuple[str, ...]) -> None:
    decider = Decider(plan)
    decider.remember(DecisionInput(names, False))
    few, some = DecisionInput(names[:7], False), DecisionInput(names[:12], False)
    assert (decider.widen(few), decider.widen(some)) == (few, some)
    assert decider.widen(DecisionInput(names[:13], False)).logicals == names


def test_whether_deletes_leave_tombstones_is_never_mixed(plan: Plan, names: tuple[str, ...]) -> None:
    decider = Decider(plan)
    decider.remember(DecisionInput(names, True))
    assert decider.widen(DecisionInput(names[:16], False)) == DecisionInput(names, False)


def test_tables_whose_shards_are_asked_are_added_to_no_other_batch(plan: Plan, names: tuple[str, ...]) -> None:
    asking = tuple(table.logical for table in plan.tables if table.asks_shards)
    decider = Decider(plan)
    decider.remember(DecisionInput(names[:16] + asking[:5], False))
    assert decider.widen(DecisionInput(names[9:25], False)) == DecisionInput(names, False)
