"""Which tables' changes may wait alone while DDL keeps writers out of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from shardwright.compiler.plan.plan import ParentLink, Plan
from shardwright.runtime.ddl.routing.apart import why_not
from shardwright.specs.spec.stream_format import StreamFormat
from tests.ddl.plans import shop_plan


def _plan(**weights: int) -> Plan:
    plan = shop_plan({})
    return replace(plan, tables=tuple(replace(table, weight=weights.get(table.logical, 1)) for table in plan.tables))


def test_one_of_several_tables_without_weights() -> None:
    assert why_not(_plan(), "orders", regardless=False) == ""


def test_weights_are_kept_unless_told() -> None:
    plan = _plan(orders=2)
    assert "--apart" in why_not(plan, "orders", regardless=False)
    assert "--apart" in why_not(plan, "region", regardless=False)
    assert why_not(plan, "orders", regardless=True) == ""


@pytest.mark.parametrize("logical", ["orders", "region"])
def test_families_stay_together(logical: str) -> None:
    plan = _plan()
    link = ParentLink("region", ("id",), "places", "departed")
    family = tuple(replace(table, parent=link) if table.logical == "orders" else table for table in plan.tables)
    assert "another table's rows" in why_not(replace(plan, tables=family), logical, regardless=True)


def test_two_tables_of_one_source_table_stay_together() -> None:
    plan = _plan()
    orders = plan.table("orders")
    databases, tables = orders.source_databases, orders.source_tables
    alike = tuple(replace(table, source_databases=databases, source_tables=tables) for table in plan.tables)
    assert "same source table" in why_not(replace(plan, tables=alike), "orders", regardless=True)


@pytest.mark.parametrize("kind", ["events", "changed"])
def test_what_must_not_be_written_twice_is_not_read_again(kind: str) -> None:
    plan = _plan()
    region = plan.table("region")
    once = replace(region, events_table="region_events") if kind == "events" else replace(region, write="changed")
    tables = tuple(once if table is region else table for table in plan.tables)
    assert "region writes" in why_not(replace(plan, tables=tables), "orders", regardless=True)


def test_queues_cannot_be_read_again() -> None:
    assert "queue" in why_not(replace(_plan(), stream=StreamFormat(name="canal-json")), "orders", regardless=True)


def test_a_table_of_the_shards_own_is_none_of_the_stream() -> None:
    assert why_not(_plan(), "audit_trail", regardless=True) == "no spec names it"
