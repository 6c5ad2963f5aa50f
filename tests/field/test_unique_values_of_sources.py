"""Unique values that rows of several source tables have: each table's own key allows it, and a physical table has room
for one of them (C6, B11). Nothing is left out without a word, and nothing is overwritten.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers.testbed import Arena
from tests.support.case import Case
from tests.support.commands import SMALL_CHUNKS
from tests.support.job import ENVIRONMENT

pytestmark = [pytest.mark.server, pytest.mark.spark]

SINGLE = 'tables:\n  - {table: "item_?", expect: 2, to: item, sharding: {single: part_0}%s}'
ROWS = 6_000
KEYS = {"whole": "UNIQUE KEY (code)", "prefix": "UNIQUE KEY (code(9))"}


def make_case(arena: Arena, folder: Path, key: str, more: str = "") -> Case:
    table = f"(id INT PRIMARY KEY, code VARCHAR(20) NOT NULL, v INT NOT NULL, {KEYS[key]}) DEFAULT CHARSET=utf8mb4"
    setup = (
        *(f"CREATE TABLE item_{number} {table}" for number in (0, 1)),
        "INSERT INTO item_0 VALUES (1, 'x', 1), (3, 'y', 1)",
        "INSERT INTO item_1 VALUES (2, 'X', 2), (4, 'z', 1)",
    )
    case = Case(arena, folder, SINGLE % more, setup=setup)
    case.plan()
    return case


def rows(case: Case) -> list[tuple[object, ...]]:
    with case.arena.shard("part_0") as connection, connection.cursor() as cursor:
        cursor.execute("SELECT id, code, v FROM item ORDER BY id")
        return list(cursor.fetchall())


@pytest.mark.in_turn
@pytest.mark.parametrize("key", KEYS)
def test_c6_b11_a_unique_value_of_two_source_tables_ends_the_copy_and_names_it(
    arena: Arena, tmp_path: Path, key: str
) -> None:
    case = make_case(arena, tmp_path, key)
    found = case.run(code=6, saying="SW8303: table item: row (")
    assert "a unique value that a row of another source table has" in found.err, found
    if key == "whole":
        assert any(
            f"row ({one}) of shop.item_{(one + 1) % 2} cannot be copied" in found.err
            and f"row ({other}) of shop.item_{(other + 1) % 2}." in found.err
            for one, other in ((1, 2), (2, 1))
        ), found
    case.write("UPDATE item_1 SET code = 'w' WHERE id = 2")
    case.run()
    assert rows(case) == [(1, "x", 1), (2, "w", 2), (3, "y", 1), (4, "z", 1)]
    case.verify(saying="equal")
    case.write("UPDATE item_0 SET code = 'W' WHERE id = 3")
    case.run(code=6, saying="SW8303")


def test_c6_b11_the_stream_does_not_overwrite_a_copied_row_of_another_source_table(
    arena: Arena, tmp_path: Path
) -> None:
    """No event follows that would restore that row."""
    case = make_case(arena, tmp_path, "whole")
    case.write("UPDATE item_1 SET code = 'v' WHERE id = 2")
    case.kill_at("after-chunk-done")
    copied = next(row for row in rows(case) if row[0] in (3, 4))
    changed, table = {3: (4, "item_1"), 4: (3, "item_0")}[int(str(copied[0]))]
    case.write(f"UPDATE {table} SET code = '{copied[1]}' WHERE id = {changed}")
    case.run(code=6, saying="SW8303")
    assert copied in rows(case)
    other = {"item_0": "item_1", "item_1": "item_0"}[table]
    case.write(f"UPDATE {other} SET code = 'q' WHERE id = {copied[0]}")
    with case.arena.shard("part_0") as connection, connection.cursor() as cursor:
        cursor.execute("UPDATE item SET code = 'q' WHERE id = %s", (copied[0],))  # a batch may be staged already
        connection.commit()
    case.run()
    assert [row[0] for row in rows(case)] == [1, 2, 3, 4]
    case.verify(saying="equal")


@pytest.mark.long
def test_c6_b11_a_refused_copy_is_a_dead_letter(arena: Arena, tmp_path: Path) -> None:
    case = make_case(arena, tmp_path, "whole", ", errors: quarantine")
    case.run(code=7)
    assert len(rows(case)) == 3
    case.call(
        "dead-letters", "list", "--env", ENVIRONMENT, saying="a unique value that a row of another source table has"
    )
    case.write("UPDATE item_1 SET code = 'w' WHERE id = 2", "UPDATE item_0 SET code = 'u' WHERE id = 1")
    case.run(code=7)
    case.call("dead-letters", "retry", "--env", ENVIRONMENT)
    case.run()
    assert rows(case) == [(1, "u", 1), (2, "w", 2), (3, "y", 1), (4, "z", 1)]
    case.verify(saying="equal")


def passing_on(dice: random.Random) -> Iterator[str]:
    """A row gives its value up, and a row of the other source table takes it; rows change otherwise, too."""
    codes = {id_: f"c{id_}" for id_ in range(ROWS)}
    for number in itertools.count():
        one, other = dice.randrange(0, ROWS, 2), dice.randrange(1, ROWS, 2)
        if dice.random() < 0.5:
            one, other = other, one
        given, codes[one] = codes[one], f"f{number}"
        codes[other] = given
        yield f"UPDATE item_{one % 2} SET code = 'f{number}' WHERE id = {one}"
        yield f"UPDATE item_{other % 2} SET code = '{given}' WHERE id = {other}"
        yield f"UPDATE item_{one % 2} SET v = v + 1 WHERE id = {dice.randrange(one % 2, ROWS, 2)}"


@pytest.mark.long
def test_c6_b11_values_pass_from_one_source_table_to_the_other_while_rows_are_copied(
    arena: Arena, tmp_path: Path, dice: random.Random
) -> None:
    """No two rows have one value at any moment, and no run stops."""
    case = Case(
        arena,
        tmp_path,
        'tables:\n  - {table: "item_?", expect: 2, to: item, sharding: by_id}\n  - {table: note, sharding: by_id}',
        setup=(
            *(
                f"CREATE TABLE {name} (id INT PRIMARY KEY, code VARCHAR(20) NOT NULL, v INT NOT NULL, UNIQUE KEY (code))"
                for name in ("item_0", "item_1", "note")
            ),
            *(
                f"INSERT INTO {name} VALUES " + ", ".join(f"({n}, 'c{n}', 0)" for n in range(first, ROWS, 2))
                for name, first in (("item_0", 0), ("item_1", 1), ("note", 0))
            ),
        ),
        settings=SMALL_CHUNKS,
    )
    case.plan()
    with case.write_meanwhile(passing_on(random.Random(dice.randrange(1_000_000)))):
        case.run()
    case.run()
    case.verify(saying="equal")
