"""The ranking of the small shop, its traps, and both forms of the answer."""

from __future__ import annotations

import json

from shardwright.compiler.advise.advice import Advice, advise
from shardwright.compiler.advise.forms import as_data, as_text
from shardwright.compiler.advise.spec_text import Target
from shardwright.compiler.advise.spread import largest_part
from shardwright.compiler.advise.statistics import ColumnStatistics, TableStatistics
from shardwright.compiler.advise.trap import Kind
from tests.unit.advise.conftest import STATEMENTS, Make, sizes

TARGET = Target.with_numbers("shop", 4)
KNOWN = {
    "orders": {
        "user_id": ColumnStatistics(180_000, 0.0, (("7", 0.4), ("8", 0.01))),
        "status": ColumnStatistics(5, 0.0, (("2", 0.9),)),
    },
    "users": {"id": ColumnStatistics(200_000, 0.0, (("1", 0.000005),))},
}


def _advise(make: Make, statistics: dict[str, TableStatistics] | None = None) -> Advice:
    return advise(make(statements=STATEMENTS, statistics=sizes(KNOWN) if statistics is None else statistics), TARGET)


def test_the_key_that_most_calls_name_is_first(make: Make) -> None:
    advice = _advise(make)
    assert advice.designs[0].key.name == "users.id" and not advice.is_suggested
    costs = [one.assessment.cost for one in advice.designs]
    assert costs == sorted(costs)
    best = advice.designs[0].assessment
    # By hand: of 2,125 calls with a table 900 name the user of orders, whose fullest shard has 0.4 + 0.6 / 4 of them, and
    # 500 a user, of which it has a quarter; 200 read a copy, 110 are on the one shard of a whole table, 90 go everywhere.
    fullest = (3_000_000 * 0.55 + 200_000 * 0.25) / 3_200_000
    assert best.largest == largest_part(advice.designs[0].assessment.proposal.design, advice.source, 4)
    assert round(best.largest, 3) == round(fullest, 3)
    changed = 300 + 20 + 5
    assert round(best.change, 4) == round(changed / 2125, 4)
    assert round(best.load, 4) == round((900 * 0.55 + (500 + 200) / 4 + 110 + 90 + changed) / 2125, 4)


def test_a_parent_becomes_visible_after_its_child_rows(make: Make) -> None:
    """orders: over its items, which the primary key says; users has no such child table."""
    source = make(statements=STATEMENTS, statistics=sizes(KNOWN))
    entries = [line for line in advise(source, TARGET).designs[0].spec_text(source).splitlines() if "{table: " in line]
    assert [line.split("table: ")[1].split(",")[0] for line in entries if "weight: 10}" in line] == ["orders"]
    assert sum("weight" in line for line in entries) == 1, entries


def test_traps_name_their_places(make: Make) -> None:
    found = {(trap.kind, trap.table, trap.column) for trap in _advise(make).designs[0].traps}
    assert {
        (Kind.UPDATED_KEY, "orders", "user_id"),
        (Kind.HOT_KEY, "orders", "user_id"),
        (Kind.MONOTONIC_KEY, "users", "id"),
        (Kind.NO_KEY, "order_items", "order_id"),
        (Kind.OWN_PARENT, "products", "parent_id"),
        (Kind.TWO_KEYS, "orders", "seller_id"),
        (Kind.UNIQUE, "users", "email"),
        (Kind.BUSY_COPY, "stock", ""),
        (Kind.NUMBERS, "users", "id"),
        (Kind.JOIN, "users", ""),
        (Kind.ANSWER, "orders", ""),
        (Kind.LOOKUP, "orders", ""),
    } <= found
    assert not any(kind is Kind.FEW_VALUES for kind, _, _ in found)


def test_keys_that_are_not_looked_at_closely_have_their_traps(make: Make) -> None:
    advice = advise(make(statements=STATEMENTS, statistics=sizes(KNOWN)), TARGET, most=1)
    assert len(advice.designs) == 1
    [status] = [one for one in advice.others if one.key.name == "status"]
    assert Kind.FEW_VALUES in {trap.kind for trap in status.traps}
    assert "orders.id" in {one.key.name for one in advice.others}


def test_without_a_workload_the_schema_suggests_one(make: Make) -> None:
    advice = advise(make(), TARGET)
    text = as_text(advice, None)
    assert advice.is_suggested and advice.designs
    assert "no workload: each table is read by its key" in text and "sizes of the tables are not known" in text


def test_a_database_without_references_is_spread_by_own_keys(make: Make) -> None:
    advice = advise(make(schema="CREATE TABLE a (id INT PRIMARY KEY);\nCREATE TABLE b (no INT PRIMARY KEY);\n"), TARGET)
    assert {one.key.name for one in advice.designs} <= {"a.id", "b.no"} and advice.designs


def test_a_database_without_keys_has_no_advice(make: Make) -> None:
    advice = advise(make(schema="CREATE TABLE a (at DATETIME);\n"), TARGET)
    assert advice.designs == () and "no key was found" in as_text(advice, None)


def test_both_forms_say_the_same(make: Make) -> None:
    advice = _advise(make)
    text, data = as_text(advice, None, everything=True), json.loads(json.dumps(as_data(advice)))
    first = data["designs"][0]
    assert first["key"] == "users.id" and "users.id:" in text
    assert sum(first["calls"].values()) == 2125 == data["workload"]["calls"]
    assert {one["table"] for one in first["placements"]} == set(advice.source.tables)
    assert all(trap["text"] in text.replace("\n", " ") for trap in first["traps"])
    assert first["heaviest_values"] == [["7", 0.4], ["8", 0.01]]
