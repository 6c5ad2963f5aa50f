"""Tables without any key (`key: all_columns`): equal rows are counted (hazard B7). The oracle counts the rows of both
sides by itself.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.servers.testbed import Arena
from tests.support.case import SHARDS, SOURCE, SUFFIXES, Case
from tests.support.job import ENVIRONMENT

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


def make_case(arena: Arena, tmp_path: Path, *, setup: Iterable[str] = SETUP, tables: str = TABLES) -> Case:
    case = Case(arena, tmp_path, tables, setup=setup)
    case.plan()
    return case


def test_b7_equal_rows_of_a_table_without_a_key_are_counted(arena: Arena, tmp_path: Path) -> None:
    case = make_case(arena, tmp_path)
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
    case.run(code=6, saying="the row (2, NULL, NULL, NULL, NULL, NULL)")
    assert at_a_shard(case, "INSERT INTO {0} (id) SELECT id FROM {0} WHERE id = 2 LIMIT 1") == 1
    case.run()
    require_equal(case)
    case.verify(saying="equal")


BEFORE_IT_BEGINS = ("after-counted-rows-staged", "after-counted-stage-recorded")
WHILE_IT_BEGINS = ("after-begin-on-shard", "before-begin", "after-begin", "before-upsert", "after-upsert")
WHILE_FOLLOWING = ("before-mark-staged", "after-mark-staged", "after-upsert", "before-delete", "after-delete")
DIED_AT = frozenset(BEFORE_IT_BEGINS)


@pytest.mark.long
def test_a1_b7_killed_while_rows_without_a_key_are_copied_and_followed(
    arena: Arena, tmp_path: Path, dice: random.Random
) -> None:
    """Before each new start rows come, go and become equal: what was counted twice or not at all is seen."""
    tables = f"{TABLES}\n  - {{table: thing, sharding: by_id, weight: -3}}"
    thing = ("CREATE TABLE thing (id INT PRIMARY KEY, n INT)", "INSERT INTO thing VALUES (1, 1), (2, 2)")
    case = make_case(arena, tmp_path, setup=(*SETUP, *thing), tables=tables.replace("visit, ", "visit, weight: 7, "))
    for place in (*BEFORE_IT_BEGINS, *WHILE_IT_BEGINS, *WHILE_FOLLOWING):
        case.write(*changes(dice))
        case.kill_at(place)
    case.run()
    require_equal(case)
    case.require_equal("thing")
    case.verify(saying="equal")


def changes(dice: random.Random) -> list[str]:
    """Some that are about rows with equal ones, and some that change nothing."""
    id_, other, word = dice.randrange(4), dice.randrange(4), dice.choice(("'a'", "'A'", "'b '", "NULL"))
    found = [
        f"INSERT INTO visit (id, word, f) VALUES ({id_}, {word}, 0.1), ({id_}, {word}, 0.1), ({id_}, {word}, -0.0)",
        f"UPDATE visit SET id = {other}, word = {word} WHERE id = {id_} LIMIT 2",
        f"DELETE FROM visit WHERE id = {other} LIMIT 2",
        f"UPDATE visit SET f = 0.1 WHERE id = {id_}",
        f"INSERT INTO word VALUES ({word}), ({word})",
        "DELETE FROM word LIMIT 1",
        f"REPLACE INTO thing VALUES ({id_}, {dice.randrange(99)})",
    ]
    return [*found, *dice.sample(found, len(found))]


@pytest.mark.long
def test_b7_rows_of_several_sources_are_counted_together_and_verified_beside_the_stream(
    arena: Arena, tmp_path: Path, dice: random.Random
) -> None:
    tables = """tables:
  - {table: "visit_?", expect: 2, to: visit, sharding: by_id, key: all_columns}"""
    create, fill = SETUP[:2]
    setup = [text.replace(" visit ", f" visit_{number} ") for number in range(2) for text in (create, fill)]
    case = make_case(arena, tmp_path, setup=setup, tables=tables)

    def write() -> None:
        about_visits = [text for text in changes(dice) if " visit " in text]
        case.write(*(text.replace(" visit ", f" visit_{dice.randrange(2)} ") for text in about_visits))

    with case.call_in_background("run", "--env", ENVIRONMENT, "--until", "forever", saying="snapshot complete"):
        for _ in range(5):
            write()
        case.wait_until_caught_up()
        case.verify(saying="equal")
        planted = at_a_shard(case, "INSERT INTO {0} SELECT * FROM {0} LIMIT 1")
        write()
        case.verify(code=1, saying="extra")
        case.verify("--recent", code=8, saying="SW8532")
    both = f"SELECT {VISIT} FROM visit_0 UNION ALL SELECT {VISIT} FROM visit_1"
    wanted = Counter(map(repr, case.source.query(both, database=SOURCE)))
    found = Counter(repr(row) for _, _, row in case.shard_rows("visit", VISIT))
    assert not wanted - found, "nothing lacks"
    assert sum((found - wanted).values()) == planted > 0, "and only what was inserted by hand is too much"


@pytest.mark.long
def test_b7_what_would_count_twice_is_refused_by_name(arena: Arena, tmp_path: Path) -> None:
    case = make_case(arena, tmp_path)
    case.run()
    case.call("forecast", "--env", ENVIRONMENT, saying="not forecast: it has no key")
    case.call("dry-run", saying="passed")
    case.call("status", "--env", ENVIRONMENT)
    assert at_a_shard(case, "DELETE FROM {} WHERE id = 2 LIMIT 1") == 1
    report = tmp_path / "verified.json"
    case.verify("--report", f"json={report}", code=1)
    case.call("repair", str(report), "--env", ENVIRONMENT, code=1, saying="shardwright run --recopy visit brings the")
    case.run("--recopy", "visit")
    case.verify(saying="equal")
    case.call(
        "cutover", "--env", ENVIRONMENT, code=6, saying="SW8922: there is no way back for visit, word: rows have no key"
    )
    case.write("ALTER TABLE visit ADD more INT")
    case.run(code=6, saying="SW8114")
    case.spec_file.write_text(case.spec_file.read_text().replace("{format: binlog}", "{format: binlog, ddl: apply}"))
    case.call("compile")
    case.run(code=6, saying="SW8543")


@pytest.mark.long
def test_b7_values_that_are_mapped_and_a_truncate(arena: Arena, tmp_path: Path) -> None:
    """What the shards hold is compared with what the source's server makes of its rows by itself."""
    tables = """tables:
  - table: visit
    sharding: by_id
    key: all_columns
    where: id < 3
    columns:
      exclude: [f, at]
      rename: {b: bytes}
      cast: {d: {type: "decimal(14,3)"}}
      mask: {word: {hash: sha256}}
      derive: {tenth: {expr: id % 10, type: int}}"""
    case = Case(arena, tmp_path, tables, setup=SETUP, stream="{format: binlog, ddl: apply}", ignored=["word"])
    case.plan()
    case.run()
    case.write(
        "UPDATE visit SET f = 7, at = NOW() WHERE id = 2 LIMIT 1",  # of what is copied nothing changes
        "UPDATE visit SET word = 'ä', d = d + 1 WHERE id = 1 LIMIT 2",
        "UPDATE visit SET id = 2 WHERE id = 3 LIMIT 1",
        "UPDATE visit SET id = 3 WHERE id = 2 AND word IS NULL LIMIT 1",
    )
    case.run()
    case.verify(saying="equal")
    made = "SELECT id, SHA2(CONVERT(word USING utf8mb4), 256), d, HEX(b), id % 10 FROM visit WHERE id < 3"
    wanted = Counter(map(repr, case.source.query(made, database=SOURCE)))
    columns = "id, word, d, HEX(bytes), tenth"
    assert Counter(repr(row) for _, _, row in case.shard_rows("visit", columns)) == wanted
    case.write("TRUNCATE TABLE visit", "INSERT INTO visit (id) VALUES (1), (1), (2)")
    case.run()
    case.verify(saying="equal")
    assert Counter(row for _, _, row in case.shard_rows("visit", "id")) == {(1,): 2, (2,): 1}
