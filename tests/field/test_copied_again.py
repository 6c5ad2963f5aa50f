"""`run --recopy`: a table whose rows on the shards were spoilt is copied again while an application writes to it,
whatever is killed on the way (hazards A1, A10); the other tables are not.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers.fixtures import Some
from tests.servers.testbed import Arena
from tests.support.case import SHARDS, SUFFIXES, Case
from tests.support.commands import SMALL_CHUNKS, shardwright

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]

_PLACES = (
    "before-recopy-recorded",
    "after-recopy-recorded",
    "after-recopy-shard-cleared",
    "before-recopy-begun",
    "after-recopy-begun",
)
DIED_AT = frozenset(_PLACES)
TABLES = """tables:
  - {table: "item_?", expect: 2, to: item, sharding: by_id}
  - {table: note, sharding: by_id}"""
_CREATE = "(id INT PRIMARY KEY, code VARCHAR(20) NOT NULL, v INT NOT NULL, UNIQUE KEY (code)) DEFAULT CHARSET=utf8mb4"
_ROWS = 3_000


def _make_case(arena: Arena, folder: Path) -> Case:
    case = Case(
        arena,
        folder,
        TABLES,
        setup=(
            *(f"CREATE TABLE {name} {_CREATE}" for name in ("item_0", "item_1", "note")),
            *(_insert_rows(name, first) for name, first in (("item_0", 0), ("item_1", 1), ("note", 0))),
        ),
        settings=SMALL_CHUNKS,
    )
    case.plan()
    return case


def _insert_rows(name: str, first: int) -> str:
    values = ", ".join(f"({number}, 'c{number}', 0)" for number in range(first, 2 * _ROWS, 2))
    return f"INSERT INTO {name} VALUES {values}"


def _writes(seed: int) -> Iterator[str]:
    """An application inserts, updates, deletes and puts back rows; values of the unique key change owners."""
    dice, fresh = random.Random(seed), 10 * _ROWS
    while True:
        source = dice.choice((0, 1))
        name, key = f"item_{source}", 2 * dice.randrange(_ROWS) + source
        fresh += 2
        yield dice.choice(
            (
                f"UPDATE {name} SET v = v + 1 WHERE id = {key}",
                f"DELETE FROM {name} WHERE id = {key}",
                f"INSERT IGNORE INTO {name} VALUES ({key}, 'again{key}', 5)",
                f"INSERT INTO {name} VALUES ({fresh + source}, 'n{fresh + source}', 1)",
                f"UPDATE {name} SET code = 'x{fresh + source}' WHERE id = {key}",
                f"UPDATE note SET v = v + 1 WHERE id = {2 * dice.randrange(_ROWS)}",
            )
        )


def _spoil(case: Case) -> None:
    for database in SHARDS:
        with case.arena.shard(database) as connection, connection.cursor() as cursor:
            for suffix in SUFFIXES:
                cursor.execute(f"DELETE FROM item{suffix} WHERE id % 3 = 0")
                cursor.execute(f"UPDATE item{suffix} SET v = 77 WHERE id % 3 = 1")
            connection.commit()


def _chunks(case: Case, logical: str) -> list[tuple[object, ...]]:
    found: list[tuple[object, ...]] = []
    for database in SHARDS:
        with case.arena.shard(database) as connection, connection.cursor() as cursor:
            cursor.execute("SELECT * FROM _shardwright_chunk_done WHERE logical = %s ORDER BY 2, 3, 4", (logical,))
            found += [(database, *row) for row in cursor.fetchall()]
    return found


def _require_equal(case: Case) -> None:
    case.verify(saying="equal")
    case.require_equal("note")
    with case.source.connect("shop") as connection, connection.cursor() as cursor:
        cursor.execute("SELECT * FROM item_0 UNION ALL SELECT * FROM item_1")
        rows = sorted(map(repr, cursor.fetchall()))
    assert sorted(repr(row) for _, _, row in case.shard_rows("item")) == rows


@pytest.mark.in_turn
def test_a1_a10_a_table_is_copied_again_under_writes_whatever_is_killed(
    arena: Arena, tmp_path: Path, dice: random.Random, some: Some
) -> None:
    case = _make_case(arena, tmp_path)
    case.call("run", "--env", "test", "--recopy", "item", code=6, saying="SW8464: --recopy item: nothing of it was")
    case.run()
    notes, items = _chunks(case, "note"), _chunks(case, "item")
    assert len(items) > 4, items
    _spoil(case)
    case.verify(code=1)
    with case.write_meanwhile(_writes(dice.randrange(1 << 30))):
        more: tuple[str, ...] = ("--recopy", "item")
        for place in some(_PLACES, 2):
            outcome = shardwright(
                case.project,
                *("run", "--env", "test", *more),
                environ={"SHARDWRIGHT_FAILPOINTS": f"{place}=kill"},
            )
            assert outcome.code == -9, f"{place}: {outcome}"
            if place != "before-recopy-recorded":
                more = ()  # whatever is recorded is finished without being asked for again
        case.run()
    case.run()
    _require_equal(case)
    assert _chunks(case, "note") == notes, "no other table is copied again"
    assert {row[-1] for row in _chunks(case, "item")}.isdisjoint(row[-1] for row in items)


def test_what_cannot_be_copied_again_by_itself_is_left_alone_and_started_over(arena: Arena, tmp_path: Path) -> None:
    case = _make_case(arena, tmp_path)
    case.run()
    before = case.shard_rows("note")
    case.call(
        "run", "--env", "test", "--recopy", "nobody", code=6, saying="SW8464: --recopy nobody: the plan has no such"
    )
    with case.arena.shard(SHARDS[1]) as connection, connection.cursor() as cursor:
        cursor.execute("ALTER TABLE note_1 ADD mine INT NULL")
    case.call("run", "--env", "test", "--recopy", "note", code=6, saying="part_1.note_1 has the column mine")
    with case.arena.shard(SHARDS[1]) as connection, connection.cursor() as cursor:
        cursor.execute("ALTER TABLE note_1 DROP mine")
        cursor.execute(
            "CREATE TABLE behind (id INT PRIMARY KEY, FOREIGN KEY (id) REFERENCES note_1 (id) ON DELETE CASCADE)"
        )
    case.call("run", "--env", "test", "--recopy", "note", "--allow", "SW8142", code=6, saying="part_1.behind refers to")
    assert case.shard_rows("note") == before
    case.drop_targets()
    case.run(saying="starting at")  # the way out that other messages name: the migration is started over
    _require_equal(case)


_NOT_ALONE = """tables:
  - {table: shared, sharding: by_id, write: changed}
  - {table: newest, sharding: by_id, version_column: v}
  - {table: ledger, sharding: by_id, deletes: ignore}
  - {table: kept, sharding: by_id, existing_rows: keep}"""
_WHY = {
    "shared": "it is written with `write: changed`",
    "newest": "it has the version column v",
    "ledger": "`deletes: ignore` keeps rows that are gone at the source",
    "kept": "`existing_rows: keep` holds rows that the source does not have",
}


def test_tables_whose_rows_on_the_shards_are_not_the_sources_alone_are_not_copied_again(
    arena: Arena, tmp_path: Path
) -> None:
    """Said before the run asks any server about them."""
    columns = "(id INT PRIMARY KEY, v INT NOT NULL) DEFAULT CHARSET=utf8mb4"
    case = Case(arena, tmp_path, _NOT_ALONE, setup=[f"CREATE TABLE {name} {columns}" for name in _WHY])
    case.plan()
    for name, why in _WHY.items():
        reported = case.call("run", "--env", "test", "--recopy", name, code=6, saying=f"SW8465: --recopy {name}: {why}")
        assert "Starting over" in reported.err, reported
