"""Unique keys over how values begin, `UNIQUE (name(3), shop)`, and on MySQL over expressions: the shards have them, and
what rows begin with changes hands within batches, beside the copy, and on the way through several source tables
(hazards D8, D10, D11)."""

from __future__ import annotations

import itertools
import random
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pymysql
import pytest

from tests.field.test_generated import FOREVER, wait_for_copy
from tests.servers.testbed import Arena
from tests.support.case import SHARDS, SOURCE, SUFFIXES, Case
from tests.support.job import ENVIRONMENT

pytestmark = [pytest.mark.server, pytest.mark.spark]

PAGE = """(
    id INT PRIMARY KEY, name VARCHAR(40) NOT NULL, shop INT NOT NULL, digest BLOB NOT NULL, url TEXT, note VARCHAR(20),
    low VARCHAR(40) AS (lower(name)) VIRTUAL,
    UNIQUE KEY by_name (name(3), shop), UNIQUE KEY by_digest (digest(4)), UNIQUE KEY by_url (shop, url(2)),
    UNIQUE KEY by_note (note)) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci"""
ON_MYSQL = (
    "UNIQUE KEY by_start ((upper(left(name, 3))), shop), UNIQUE KEY by_sum ((shop + 1), url(2)), UNIQUE KEY by_note"
)
COLUMNS = "id, name, shop, digest, url, note, low"
TABLES = """
tables:
  - {table: page, sharding: by_id}
  - {table: "leaf_*", expect: 2, to: leaf, sharding: by_id}
"""
LETTERS = "aäbßcdé😀fg"
ROWS = 60


def names(number: int, *, tail: str = "") -> Sequence[object]:
    """What is unique of the row that holds place `number`: places 0 to 99 differ, whatever the collation."""
    start = f"{chr(ord('a') + number // 10)}{LETTERS[number % 10]}{number % 10}"
    return (
        f"{start}{tail}",
        number % 3,
        f"{number:04}{tail}".encode(),
        f"{number // 3 % 10}{number // 30}{tail}",
        f"n{number}",
    )


def insert(table: str, ids: Sequence[int]) -> str:
    rows = []
    for id_ in ids:
        name, shop, digest, url, note = names(id_)
        assert isinstance(digest, bytes)
        rows.append(f"({id_}, '{name}', {shop}, 0x{digest.hex()}, '{url}', '{note}')")
    return f"INSERT INTO {table} (id, name, shop, digest, url, note) VALUES {', '.join(rows)}"


def give(cursor: pymysql.cursors.Cursor, id_: int, place: int, *, tail: str) -> None:
    cursor.execute(
        "UPDATE page SET name = %s, shop = %s, digest = %s, url = %s, note = %s WHERE id = %s",
        (*names(place, tail=tail), id_),
    )


def exchange(cursor: pymysql.cursors.Cursor, places: dict[int, int], one: int, other: int, *, tail: str) -> None:
    """Two rows exchange what is unique of them, by way of a place that no row has."""
    held, wanted = places[one], places[other]
    give(cursor, one, 99, tail=tail)
    give(cursor, other, held, tail=tail)
    give(cursor, one, wanted, tail=tail.upper())
    places[one], places[other] = wanted, held


def write_at_random(case: Case, seed: int, copied: threading.Event) -> None:
    """Transactions that exchange what is unique, delete a row, and give what it began with to a new one."""
    dice = random.Random(seed)
    places = {id_: id_ for id_ in range(ROWS)}
    fresh = itertools.count(1000)
    with case.source.connect(SOURCE, autocommit=False) as connection, connection.cursor() as cursor:
        for number in itertools.count():
            if copied.is_set() and number % 40 == 0:
                return
            one, other = dice.sample(sorted(places), 2)
            exchange(cursor, places, one, other, tail=f"x{number}")
            if number % 3 == 0:
                new = next(fresh)
                cursor.execute("DELETE FROM page WHERE id = %s", (one,))
                cursor.execute(insert("page", [place := places.pop(one)]).replace(f"({place}, ", f"({new}, "))
                places[new] = place
            connection.commit()
            time.sleep(0.02)


def require_right(case: Case) -> None:
    case.require_equal("page", COLUMNS)
    for database in SHARDS:
        with case.arena.shard(database) as connection, connection.cursor() as cursor:
            for table in (f"{name}{suffix}" for name in ("page", "leaf") for suffix in SUFFIXES):
                cursor.execute(f"SHOW CREATE TABLE {table}")
                (_, shown) = cursor.fetchone() or ("", "")
                for key in ("by_name` (`name`(3),`shop`)", "by_digest` (`digest`(4))", "by_url` (`shop`,`url`(2))"):
                    assert f"UNIQUE KEY `{key}" in shown
                assert ("UNIQUE KEY `by_start` ((" in shown) == (case.source.sandbox.kind == "mysql")


@pytest.mark.in_turn
def test_d8_d10_d11_what_rows_begin_with_changes_hands(arena: Arena, tmp_path: Path) -> None:
    is_mysql = arena.source.sandbox.kind == "mysql"
    page = PAGE.replace("UNIQUE KEY by_note", ON_MYSQL) if is_mysql else PAGE
    setup = [f"CREATE TABLE page {page}", insert("page", range(ROWS))]
    for half in (0, 1):
        setup += [f"CREATE TABLE leaf_{half} {page}", insert(f"leaf_{half}", range(half, ROWS, 2))]
    case = Case(arena, tmp_path, TABLES, setup=setup)
    case.plan()
    case.call("dry-run")
    copied = threading.Event()
    with case.call_in_background(*FOREVER, saying="starting Spark"):
        writer = threading.Thread(target=write_at_random, args=(case, 1, copied))
        writer.start()
        try:
            wait_for_copy(case)
        finally:
            copied.set()
            writer.join()
        case.wait_until_caught_up()
    require_right(case)
    case.verify(saying="equal")

    # In one batch, of rows of one physical table and of several.
    with case.source.connect(SOURCE, autocommit=False) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT id, note FROM page")
        places = {int(id_): int(str(note)[1:]) for id_, note in cursor.fetchall()}
        ids = sorted(places)
        for one, other in [*itertools.pairwise(ids), *zip(ids, reversed(ids), strict=False)]:
            if one != other:
                exchange(cursor, places, one, other, tail=f"y{one}")
                connection.commit()
    case.write("UPDATE leaf_0 SET note = 'between' WHERE id = 2", "UPDATE leaf_0 SET name = concat(name, 'é')")
    case.run()
    require_right(case)
    case.verify(saying="equal")


@pytest.mark.long
def test_d8_e14_a_begun_migration_gets_such_a_key(arena: Arena, tmp_path: Path) -> None:
    """The source adds it, or a newer release knows it: the targets get it by a DDL file, before the run takes the plan."""
    case = Case(
        arena,
        tmp_path,
        "\ntables:\n  - {table: t, sharding: by_id}\nddl: ddl\n",
        stream="{format: binlog, ddl: apply}",
        setup=("CREATE TABLE t (id INT PRIMARY KEY, a VARCHAR(20))", "INSERT INTO t VALUES (1, 'abc'), (4, 'def')"),
    )
    (case.project / "ddl").mkdir()
    case.plan()
    case.run()
    key = "(left(a, 2))" if case.source.sandbox.kind == "mysql" else "a(2)"
    case.write(f"ALTER TABLE t ADD UNIQUE KEY two ({key})", "INSERT INTO t VALUES (3, 'xyz')")
    case.run(saying="a unique key is added, not on the targets")
    case.plan()
    case.run(code=6, saying="index 'two' is missing")
    case.call("ddl", "new", "--env", ENVIRONMENT, code=3, saying="ADD UNIQUE `two`")
    case.call("compile")
    case.call("ddl", "apply", "--env", ENVIRONMENT, "--allow", "SW8421", saying="4 physical tables changed")
    case.write(
        "UPDATE t SET a = '~' WHERE id = 3",
        "UPDATE t SET a = 'xylo' WHERE id = 1",
        "UPDATE t SET a = 'abba' WHERE id = 3",
    )
    case.run()
    case.require_equal("t")
