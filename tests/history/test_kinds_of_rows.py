"""`explain-row` of a child, of masked values, and of a row that a target refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.servers.testbed import Arena
from tests.support.case import SHARDS, SUFFIXES, Case, place_of
from tests.support.job import ENVIRONMENT

pytestmark = [pytest.mark.server, pytest.mark.spark]

TABLES = """tables:
  - table: visit
    sharding: {rule: by_id, shard_key: {parent: customer, via: [customer_id]}}
    weight: 1
  - table: customer
    sharding: by_id
    weight: 2
    columns: {mask: {phone: {keep_last: 2}}, exclude: [secret]}
    errors: {policy: quarantine, at_most: 3}
"""
SETUP = (
    "CREATE TABLE customer (id INT PRIMARY KEY, name VARCHAR(20), phone VARCHAR(20), secret VARCHAR(20))",
    "CREATE TABLE visit (customer_id INT, no INT, note VARCHAR(20), PRIMARY KEY (no, customer_id))",
    "INSERT INTO customer VALUES (1, 'one', 'canary-1', 'canary-2'), (2, 'two', NULL, NULL), (3, 'three', '', '')",
    "INSERT INTO visit VALUES (1, 1, 'a'), (2, 1, 'b'), (9, 1, 'orphan')",
)


@pytest.mark.in_turn
def test_i3_d12_a_child_masked_values_and_a_refused_row(arena: Arena, tmp_path: Path) -> None:
    case = Case(arena, tmp_path, TABLES, setup=SETUP)
    case.plan()
    begun = ("explain-row", "--env", ENVIRONMENT, "--table", "customer", "--key", "id=1")
    case.call(*begun, code=6, saying="SW8206")
    case.run()
    for database in SHARDS:
        for suffix in SUFFIXES:
            check = f"ALTER TABLE customer{suffix} ADD CONSTRAINT c{suffix} CHECK (name <> 'refused')"
            arena.placement[database].query(check, database=database)
    case.write(
        "UPDATE customer SET phone = 'canary-3', secret = 'canary-4', name = 'uno' WHERE id = 1",
        "UPDATE customer SET name = 'refused' WHERE id = 3",
        "UPDATE visit SET note = 'changed' WHERE no = 1 AND customer_id = 2",
        "UPDATE customer SET name = 'again' WHERE id = 3",
        "UPDATE customer SET name = 'refused' WHERE id = 3",
    )
    case.run(code=7)

    one = _explain(case, "customer", "id=1")
    assert one["verdict"]["step"] == "right"
    assert [(c["name"], c["old"], c["new"]) for c in one["changes"][-1]["columns"]] == [
        ("name", "one", "uno"),
        ("phone", "(masked, 8 characters)", "(masked, 8 characters)"),
    ]
    assert one["read_side"][0]["values"] == {"id": "1", "name": "uno", "phone": "(masked, 8 characters)"}
    said = case.call(*begun).out
    assert "canary" not in said + json.dumps(one) and "phone: (masked, 8 characters) -> (masked" in said

    child = _explain(case, "visit", "no=1", "customer_id=2")
    assert child["belongs"]["places"] == ["{}.visit{}".format(*place_of(2))]
    assert "co-located with its parent customer" in child["belongs"]["why"] and child["verdict"]["step"] == "right"
    assert child["changes"][-1]["columns"] == [{"name": "note", "old": "b", "new": "changed"}]
    orphan = _explain(case, "visit", "customer_id=9", "no=1")
    assert "the place of orphans" in orphan["belongs"]["why"] and orphan["verdict"]["step"] == "right"

    held = _explain(case, "customer", "id=3")
    assert held["verdict"]["step"] == "dead letter" and held["dead_letters"][0]["code"] == "SW8511"
    assert [change["columns"][0]["new"] for change in held["changes"]] == ["refused", "again", "refused"]
    case.write("UPDATE customer SET name = 'drei' WHERE id = 3")
    case.call("dead-letters", "retry", "--env", ENVIRONMENT)
    case.run()
    assert _explain(case, "customer", "id=3")["verdict"]["step"] == "right"


def _explain(case: Case, table: str, *key: str) -> dict[str, Any]:
    pairs = [word for pair in key for word in ("--key", pair)]
    out = case.call("explain-row", "--env", ENVIRONMENT, "--table", table, *pairs, "--format", "json").out
    found: dict[str, Any] = json.loads(out)
    return found
