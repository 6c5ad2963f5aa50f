"""References, designs and proposals of a small shop."""

from __future__ import annotations

import pytest

from shardwright.compiler.advise.candidates import find_candidates
from shardwright.compiler.advise.design import Candidate, Way, make_design
from shardwright.compiler.advise.proposal import propose_spec
from shardwright.compiler.advise.references import Ground, find_references
from shardwright.compiler.advise.spec_text import Target
from shardwright.compiler.build import build_plan
from shardwright.specs.spec.read import parse_spec
from tests.unit.advise.conftest import SCHEMA, STATEMENTS, Make, sizes

USERS = Candidate("users", "id")
TARGET = Target.with_numbers("shop", 4)


def test_references_have_their_grounds(make: Make) -> None:
    found = {
        (one.child, one.columns, one.parent): (one.ground, one.calls)
        for one in find_references(make(statements=STATEMENTS))
    }
    assert found == {
        ("orders", ("user_id",), "users"): (Ground.FOREIGN_KEY, 0),
        ("order_items", ("order_id",), "orders"): (Ground.FOREIGN_KEY, 900),
        ("orders", ("seller_id",), "users"): (Ground.JOINS, 300),
        ("order_items", ("product_id",), "products"): (Ground.NAME, 0),
        ("stock", ("product_id",), "products"): (Ground.NAME, 0),
        ("products", ("parent_id",), "products"): (Ground.NAME, 0),
    }


def test_a_design_places_every_table(make: Make) -> None:
    source = make(statements=STATEMENTS, statistics=sizes())
    design = make_design(USERS, source, find_references(source))
    assert {name: (one.way, one.columns, one.parent) for name, one in design.placements.items()} == {
        "users": (Way.KEY, ("id",), None),
        "orders": (Way.KEY, ("user_id",), None),
        "order_items": (Way.PARENT, ("order_id",), "orders"),
        "products": (Way.BROADCAST, (), None),
        "stock": (Way.SINGLE, (), None),
        "logs": (Way.SINGLE, (), None),
    }
    assert design.placements["orders"].others == ("seller_id",), "the column that more statements ask by places the row"
    assert [one.table for one in design.find_parents("order_items")] == ["orders"] and not design.find_parents("orders")


def test_without_sizes_and_statements_nothing_large_is_copied(make: Make) -> None:
    source = make()
    design = make_design(USERS, source, find_references(source))
    assert {one.table for one in design.of_way(Way.BROADCAST)} == {"products"}, (
        "others refer to it, and it refers to none"
    )
    assert design.placements["stock"].way is Way.OWN


def test_candidates_are_what_tables_refer_to_and_statements_ask_by(make: Make) -> None:
    source = make(statements=STATEMENTS, statistics=sizes())
    names = [key.name for key in find_candidates(source, find_references(source))]
    assert names[0] == "users.id" and {"orders.id", "products.id"} <= set(names)


@pytest.mark.parametrize(
    "key", [USERS, Candidate("orders", "id"), Candidate("products", "id"), Candidate(None, "status")]
)
def test_every_proposal_compiles_as_it_is_written(make: Make, key: Candidate) -> None:
    source = make(statements=STATEMENTS, statistics=sizes())
    proposal = propose_spec(make_design(key, source, find_references(source)), source, TARGET)
    text = proposal.text(source, {"orders": ["a note about it"]})
    assert "  # a note about it\n  - {table: orders" in text
    again = build_plan(parse_spec(text, "specs/again.yaml"), schema=SCHEMA, ddl={})
    assert {table.logical for table in again.plan.tables} == set(source.tables)
    assert again.plan.fingerprint == proposal.compiled.plan.fingerprint


def test_what_the_compiler_refuses_stays_at_the_source_with_its_words(make: Make) -> None:
    odd = (
        "CREATE TABLE counters (name TINYBLOB NOT NULL, n INT, PRIMARY KEY (name(128)));\n"
        "CREATE TABLE mem (id INT PRIMARY KEY, user_id BIGINT UNSIGNED NOT NULL) ENGINE=MEMORY;\n"
    )
    source = make(schema=SCHEMA + odd)
    proposal = propose_spec(make_design(USERS, source, find_references(source)), source, TARGET)
    text = proposal.text(source, {})
    assert "# counters stays at the source: SW4105" in text and "ignore_tables: [counters" in text
    build_plan(parse_spec(text, "specs/again.yaml"), schema=SCHEMA + odd, ddl={})


def test_many_tables_with_a_copy_each_are_one_entry(make: Make) -> None:
    small = "".join(f"CREATE TABLE kind_{n} (id INT PRIMARY KEY, t INT);\n" for n in range(9))
    source = make(schema=SCHEMA + small, statements=STATEMENTS, statistics=sizes())
    text = propose_spec(make_design(USERS, source, find_references(source)), source, TARGET).text(source, {})
    assert "  - {each: '*', expect: 10, sharding: broadcast}" in text, text


def test_a_key_that_may_be_null_has_a_place(make: Make) -> None:
    schema = SCHEMA.replace("user_id BIGINT UNSIGNED NOT NULL", "user_id BIGINT UNSIGNED")
    source = make(schema=schema)
    text = propose_spec(make_design(USERS, source, find_references(source)), source, TARGET).text(source, {})
    assert "COALESCE" in text
