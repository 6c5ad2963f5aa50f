"""Which columns a comparison names, because it does not read them."""

from __future__ import annotations

from pathlib import Path

from shardwright.compiler.build import build_plan
from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.verify.result import columns_not_compared
from shardwright.specs.spec.read import read_spec

CASES = Path(__file__).parents[2] / "cases" / "valid"


def _plan(case: str) -> Plan:
    folder = CASES / case
    return build_plan(
        read_spec(str(folder / "spec.yaml")), schema=(folder / "schema.sql").read_text("utf-8"), ddl={}
    ).plan


def test_those_that_are_not_copied_and_those_that_servers_compute() -> None:
    named = {table.logical: columns_not_compared(table) for table in _plan("generated-columns").tables}
    assert [(one.column, one.why) for one in named["notes"]] == [
        ("long_text", "not copied"),
        ("short", "computed by the servers"),
        ("day", "computed by the servers"),
        ("shown_day", "computed by the servers"),
    ]
    assert {one.column for one in named["orders"] if one.why == "not copied"} == {"secret", "shown", "odd", "unused"}
    assert "doubled" in {one.column for one in named["orders"]}, "as the target calls it"


def test_renamed_masked_and_derived_columns_are_compared() -> None:
    (orders,) = _plan("where-and-mappings").tables
    assert [one.column for one in columns_not_compared(orders)] == ["doubled"]
