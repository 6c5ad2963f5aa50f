"""Tables without any key (`key: all_columns`): equal rows are counted (hazard B7). The oracle counts the rows of both
sides by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.field.case import SHARDS, SOURCE, SUFFIXES, Case
from tests.servers.testbed import Arena

pytestmark = [pytest.mark.server, pytest.mark.spark]

TABLES = """tables:
  - {table: visit, sharding: by_id, key: all_columns}
  - {table: word, sharding: broadcast, key: all_columns}"""
SETUP = (
    "CREATE TABLE visit (id INT NOT NULL, word VARCHAR(20) COLLATE utf8mb4_general_ci, f FLOAT, d DECIMAL(12,3),"
    " b VARBINARY(9), at DATETIME(3), KEY word (word)) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci",
    "INSERT INTO visit VALUES (1,'a',0.1,1.5,0x00FF,'2026-01-01 00:00:00.5'), (1,'a',0.1,1.5,0x00FF,'2026-01-01 00:00:00.5'),"
    " (1,'A',0.1,1.5,0x00FF,'2026-01-01 00:00:00.5'), (2,NULL,NULL,NULL,NULL,NULL), (2,NULL,NULL,NULL,NULL,NULL),"
    " (2,NULL,NULL,NULL,NULL,NULL), (3,'a ',0,0,'',NULL), (3,'a',-0.0,0,'',NULL), (3,'a',0,0,'',NULL)",
    "CREATE TABLE word (w VARCHAR(20)) DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci",
    "INSERT INTO word VALUES ('x'), ('x'), (NULL), ('X')",
)
VISIT = "id, HEX(word), CAST(f AS CHAR), f = 0, d, HEX(b), at"


def require_equal(case: Case) -> None:
    case.require_equal("visit", VISIT)
    require_copies(case)


def require_copies(case: Case) -> None:
    """Each shard has all rows of `word`, each as often."""
    rows = Counter(case.source.query("SELECT HEX(w) FROM word", database=SOURCE))
    for database in SHARDS:
        with case.arena.shard(database) as connection, connection.cursor() as cursor:
            cursor.execute("SELECT HEX(w) FROM word")
            assert Counter(cursor.fetchall()) == rows, database


def at_a_shard(case: Case, statement: str) -> int:
    """Executes the statement for every physical table of `visit`; returns the rows that it changed."""
    changed = 0
    for database in SHARDS:
        for suffix in SUFFIXES:
            with case.arena.shard(database) as connection, connection.cursor() as cursor:
                changed += cursor.execute(statement.format(f"visit{suffix}"))
                connection.commit()
    return changed


def tried(arena: Arena, tmp_path: Path, *, setup: Iterable[str] = SETUP, tables: str = TABLES) -> Case:
    case = Case(arena, tmp_path, tables, setup=setup)
    case.plan()
    return case


def test_b7_equal_rows_of_a_table_without_a_key_are_counted(arena: Arena, tmp_path: Path) -> None:
    case = tried(arena, tmp_path)
    case.run()
    require_equal(case)
    case.write(
        "DELETE FROM visit WHERE id = 1 AND BINARY word = 'a' LIMIT 1",  # one of two equal rows
        "UPDATE visit SET word = 'a' WHERE id = 3",  # rows become equal
        "UPDATE visit SET id = 5 WHERE id = 2 LIMIT 1",  # one copy moves
        "INSERT INTO visit SELECT * FROM visit WHERE id = 2",
        "DELETE FROM visit WHERE id = 3 AND f IS NOT NULL LIMIT 1",
        "INSERT INTO word VALUES ('x'), (NULL)",
        "DELETE FROM word WHERE w = 'x' LIMIT 1",
        "UPDATE word SET w = 'y' WHERE w = 'y' OR w IS NULL LIMIT 1",
    )
    case.run()
    require_equal(case)
    case.verify(saying="equal")
    assert at_a_shard(case, "DELETE FROM {} WHERE id = 2 LIMIT 1") == 1
    found = case.verify(code=1, saying="missing")
    assert "equal rows: source '4', target '3'" in found.out, found
    case.write("DELETE FROM visit WHERE id = 2")
    case.run(code=6, saying="SW8486")
    assert at_a_shard(case, "INSERT INTO {0} (id) SELECT id FROM {0} WHERE id = 2 LIMIT 1") == 1
    case.run()
    require_equal(case)
    case.verify(saying="equal")
