"""MySQL's JSON columns, copied and streamed: the shards hold the documents, `verify` finds them equal, names a changed
one and one whose number was rounded, and `repair` brings the first back (hazards C15, C16). MySQL only.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.servers.testbed import Arena
from tests.support.case import SHARDS, SUFFIXES, Case
from tests.support.job import ENVIRONMENT

pytestmark = [pytest.mark.server, pytest.mark.spark]

SETUP = (
    "CREATE TABLE item (id INT PRIMARY KEY, doc JSON, made JSON NOT NULL, kept JSON, price DECIMAL(10,2), at DATETIME)",
    """CREATE TABLE note (id INT PRIMARY KEY, name VARCHAR(20) NOT NULL UNIQUE, doc JSON, other INT)""",
)
TABLES = """
tables:
  - {table: item, sharding: by_id, where: doc IS NULL OR id > 0, columns: {cast: {kept: {type: longtext}}}}
  - {table: note, sharding: by_id, write: changed, groups: {text: {columns: [doc, other], on_change: event}}}
"""
TEXTS = (
    """'{"b": [1, 2.5, -3e-7, 18446744073709551615], "a": {"": null, "é😀": true}, "aa": "x\\\\n\\\\"\\\\\\\\\\\\u0001\\\\/"}'""",
    *(
        "'null'",
        "NULL",
        "'\"null\"'",
        "'[]'",
        "'{}'",
        "'-0.0'",
        "'\"\\\\\\\\N\\\\t\"'",
        "JSON_ARRAY(CAST(REPEAT('z', 200) AS BINARY), 'x')",
        "JSON_QUOTE(REPEAT('é', 70000))",
    ),
)
MADE = """JSON_OBJECT('price', price, 'at', at, 'raw', x'00FF', 'id', 1234567890123456789, 'none', NULL)"""


def insert(first: int) -> list[str]:
    rows = [
        f"INSERT INTO item VALUES ({first + n}, {doc}, '[]', {doc}, {n}.10, '2024-05-06 07:08:09')"
        for n, doc in enumerate(TEXTS)
    ]
    return [*rows, f"UPDATE item SET made = {MADE} WHERE id >= {first}"]


def documents(case: Case, names: str) -> dict[int, Any]:
    """By id; of documents the values."""
    rows = {int(row[0]): row[1:] for _, _, row in case.shard_rows("item", names)}
    assert len(rows) == len(case.shard_rows("item", "id"))
    return rows


def test_c15_c16_documents_are_copied_followed_compared_and_repaired(arena: Arena, tmp_path: Path) -> None:
    if arena.source.sandbox.kind != "mysql":
        pytest.skip("MySQL only: its binary JSON")
    case = Case(
        arena, tmp_path, TABLES, setup=(*SETUP, *insert(1), "INSERT INTO note VALUES (1, 'a', '{\"n\": 1}', 0)")
    )
    case.plan()
    case.run()
    case.verify(saying="equal")
    case.write(
        *insert(101),
        "UPDATE item SET doc = JSON_SET(doc, '$.b[0]', 'in place', '$.c', price), kept = doc WHERE id IN (1, 2, 3)",
        "UPDATE item SET doc = JSON_REMOVE(doc, '$.aa') WHERE id = 101",
        "DELETE FROM item WHERE id = 4",
        "UPDATE note SET doc = JSON_SET(doc, '$.n', 2)",
        "UPDATE note SET name = 'b'",
    )
    case.run()
    case.verify(saying="equal")
    shown = {
        row[0]: tuple(row[1:]) for row in case.source.query("SELECT id, CAST(kept AS CHAR) FROM item", database="shop")
    }
    assert documents(case, "id, kept") == shown
    wanted = {
        int(id_): (doc and json.loads(doc), json.loads(made))
        for id_, doc, made in case.source.query("SELECT id, doc, made FROM item", database="shop")
    }
    found = {
        id_: (doc and json.loads(doc), json.loads(made))
        for id_, (doc, made) in documents(case, "id, doc, made").items()
    }
    assert found == wanted
    assert found[102][1]["price"] == 1.1 and found[102][1]["raw"] == "base64:type15:AP8="

    _change_on_a_shard(case, 103, "doc = JSON_ARRAY(7)")
    result = tmp_path / "result.json"
    case.verify("--report", f"json={result}", code=1, saying="DIFFERENT")
    case.call("repair", str(result), "--env", ENVIRONMENT, "--run")
    case.verify(saying="equal")

    # A number that no DOUBLE holds arrives rounded, and verify says so.
    case.write("UPDATE item SET doc = JSON_ARRAY(12345678901234567890.25, at) WHERE id = 105")
    case.run()
    case.verify(code=1, saying="12345678901234567890.25")


def _change_on_a_shard(case: Case, id_: int, assignment: str) -> None:
    changed = 0
    for database in SHARDS:
        with case.arena.shard(database) as connection, connection.cursor() as cursor:
            for suffix in SUFFIXES:
                changed += cursor.execute(f"UPDATE item{suffix} SET {assignment} WHERE id = {id_}")
            connection.commit()
    assert changed == 1
