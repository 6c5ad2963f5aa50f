"""Sources that are split already: which tables a name means, and plans that stay small."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shardwright.compiler.build import build_plan
from shardwright.compiler.plan.files import plan_files
from shardwright.compiler.plan.plan import Plan, StepName
from shardwright.compiler.tables.source_tables import stems
from shardwright.specs.spec.read import read_spec

CASE = Path(__file__).parents[1] / "cases" / "valid" / "source-of-4096-tables"

names = st.text("ab_0", min_size=1, max_size=6)
suffixes = st.lists(st.text("_01b", max_size=3), min_size=1, max_size=6, unique=True)


@pytest.fixture(scope="module")
def plan() -> Plan:
    return build_plan(read_spec(str(CASE / "spec.yaml")), schema=(CASE / "schema.sql").read_text("utf-8"), ddl={}).plan


def test_4096_source_tables_are_two_lists_of_64_names(plan: Plan) -> None:
    table = plan.table("orders")
    assert len(table.sources) == len(set(table.sources)) == 4096
    assert [str(table.sources[i]) for i in (0, 1, 64, -1)] == [
        "shop_00.orders_00",
        "shop_00.orders_01",
        "shop_01.orders_00",
        "shop_63.orders_63",
    ]
    assert len(plan.step("orders", StepName.DECODE).statement("decode")) < 8_000
    assert sum(map(len, plan_files(plan).values())) < 80_000


@given(names, suffixes)
def test_a_name_with_a_suffix_is_a_part_of_its_stem(stem: str, given_suffixes: list[str]) -> None:
    """The longest suffix is cut, so the stem may be shorter than the one the name was made of, but never another's."""
    stem_of = stems(given_suffixes)
    for suffix in given_suffixes:
        found = stem_of(stem + suffix)
        assert found is not None
        assert stem.startswith(found)
        assert (stem + suffix)[len(found) :] in given_suffixes


@given(names, suffixes)
def test_a_name_without_a_suffix_is_whole(name: str, given_suffixes: list[str]) -> None:
    if not any(name.endswith(suffix) for suffix in given_suffixes):
        assert stems(given_suffixes)(name) is None
