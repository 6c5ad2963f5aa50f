"""Tables without a primary key, copied and followed: rows go by a unique key without NULL, by an invisible column that
the source has got for it, as SW2106 says, or by MySQL's generated invisible primary key (hazard B7).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.servers.testbed import Arena
from tests.support.case import Case
from tests.support.job import ENVIRONMENT

pytestmark = [pytest.mark.server, pytest.mark.spark]

SETUP = (
    "CREATE TABLE tag (id INT NOT NULL, maybe INT, word VARCHAR(20) CHARACTER SET latin1 NOT NULL, n INT,"
    " UNIQUE KEY maybe (maybe), UNIQUE KEY both_ (word, id), UNIQUE KEY later (id))",
    "INSERT INTO tag VALUES (1, NULL, 'a', 1), (2, NULL, 'a', 1), (3, 7, 'b', 1)",
    "CREATE TABLE log (id INT NOT NULL, word VARCHAR(20))",
    "INSERT INTO log VALUES (1, 'x'), (1, 'x'), (5, NULL)",
)
GIPK = (
    "SET SESSION sql_generate_invisible_primary_key = 1",
    "CREATE TABLE gipk (id INT NOT NULL, word VARCHAR(20))",
    "INSERT INTO gipk VALUES (1, 'x'), (1, 'x'), (5, NULL)",
)
HINT = "ADD COLUMN row_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT INVISIBLE, ADD PRIMARY KEY (row_id)"


def test_b7_tables_without_a_primary_key(arena: Arena, tmp_path: Path) -> None:
    names = ["tag", "log"]
    setup = SETUP
    if arena.source.sandbox.kind == "mysql":
        names, setup = [*names, "gipk"], (*SETUP, *GIPK)
    tables = "\n".join(["tables:", *(f"  - {{table: {name}, sharding: by_id}}" for name in names)])
    case = Case(arena, tmp_path, tables, setup=setup)
    case.call("import", "--env", ENVIRONMENT)
    refused = case.call("compile", code=1, saying="SW2106")
    assert HINT in refused.err, refused
    case.write(f"ALTER TABLE log {HINT}")
    case.plan()
    case.run()
    case.write(
        "UPDATE tag SET word = 'c', id = 9, n = 2 WHERE id = 1",
        "UPDATE tag SET n = 3 WHERE id = 2",
        "DELETE FROM tag WHERE id = 3",
        "INSERT INTO tag VALUES (4, 7, 'b', 1)",
        *(
            statement
            for name in names[1:]
            for statement in (
                f"DELETE FROM {name} WHERE id = 1 LIMIT 1",
                f"UPDATE {name} SET word = 'z' WHERE word IS NULL",
                f"INSERT INTO {name} VALUES (2, 'x'), (2, 'x'), (5, NULL)",
            )
        ),
    )
    case.run()
    case.verify(saying="equal")
    case.require_equal("tag")
    for name, column in (("log", "row_id"), ("gipk", "my_row_id"))[: len(names) - 1]:
        case.require_equal(name, f"id, word, {column}")
