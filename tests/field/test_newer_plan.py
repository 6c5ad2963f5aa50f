"""A begun migration goes on with a newer plan: a table is added, left out and added again, one is copied again by
another rule, one gets other settings; an application writes meanwhile, and the run is killed on the way (hazards A1,
J7). The oracle reads both sides by itself.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers.testbed import Arena
from tests.support.case import SHARDS, Case
from tests.support.commands import SMALL_CHUNKS, shardwright

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]

DIED_AT = frozenset({"before-plan-adopted", "after-plan-adopted"})
_ROWS = 1_500
_NAMES = ("kept", "late", "turned")
KEPT, LATE, TURNED = (f"  - {{table: {name}, sharding: by_id}}\n" for name in _NAMES)
BEGUN = f"tables:\n{KEPT}{TURNED}"


def _make_case(arena: Arena, folder: Path) -> Case:
    values = ", ".join(f"({number}, {number % 7}, 'n{number}')" for number in range(_ROWS))
    case = Case(
        arena,
        folder,
        BEGUN,
        setup=[
            statement
            for name in _NAMES
            for statement in (
                f"CREATE TABLE {name} (id INT PRIMARY KEY, v INT NOT NULL, note VARCHAR(40)) DEFAULT CHARSET=utf8mb4",
                f"INSERT INTO {name} VALUES {values}",
            )
        ],
        settings=SMALL_CHUNKS,
        ignored=["late"],
    )
    case.plan()
    return case


def _with(case: Case, *changes: tuple[str, str]) -> None:
    """Changes the spec as a reviewed change would, and compiles."""
    text = case.spec_file.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text, (old, text)
        text = text.replace(old, new, 1)
    case.spec_file.write_text(text, encoding="utf-8")
    case.call("compile")


def _writes(seed: int) -> Iterator[str]:
    """An application inserts, updates, deletes and puts back rows of all tables."""
    dice = random.Random(seed)
    while True:
        name, key = dice.choice(_NAMES), dice.randrange(_ROWS)
        yield dice.choice(
            (
                f"UPDATE {name} SET v = v + 1 WHERE id = {key}",
                f"DELETE FROM {name} WHERE id = {key}",
                f"INSERT IGNORE INTO {name} VALUES ({key}, 5, 'again')",
                f"INSERT IGNORE INTO {name} VALUES ({_ROWS + dice.randrange(10 * _ROWS)}, 1, 'new')",
            )
        )


def _chunks(case: Case, logical: str) -> int:
    found = 0
    for database in SHARDS:
        with case.arena.shard(database) as connection, connection.cursor() as cursor:
            cursor.execute("SELECT COUNT(*) FROM _shardwright_chunk_done WHERE logical = %s", (logical,))
            found += int(cursor.fetchall()[0][0])
    return found


def _kill(case: Case, place: str, *more: str) -> None:
    environ = {"SHARDWRIGHT_FAILPOINTS": f"{place}=kill"}
    outcome = shardwright(case.project, "run", "--env", "test", *more, environ=environ)
    assert outcome.code == -9, f"{place}: {outcome}"


@pytest.mark.in_turn
def test_a1_j7_a_begun_migration_continues_with_newer_plans_under_writes(
    arena: Arena, tmp_path: Path, dice: random.Random
) -> None:
    case = _make_case(arena, tmp_path)
    _kill(case, "after-begin")
    other = TURNED.replace("by_id", "by_id, where: v < 6")
    _with(case, (TURNED, other))
    case.run(code=6, saying="SW8221")
    case.run("--recopy", "turned", code=6, saying="nothing of it was copied yet")
    _with(case, (other, TURNED))
    case.run()
    copied = _chunks(case, "kept")
    with case.write_meanwhile(_writes(dice.randrange(1 << 30))):
        # A table is added and another one gets other settings. The run dies before and after the plan is adopted.
        _with(case, (KEPT, KEPT.replace("by_id", "by_id, weight: 3") + LATE), ('ignore_tables: ["late"]', ""))
        case.call("preflight", "--env", "test", saying="new, copied beside the stream: late")
        _kill(case, "before-plan-adopted")
        _kill(case, "after-plan-adopted")
        case.run()
        assert _chunks(case, "kept") == copied, "no other table is copied again"
        assert _chunks(case, "late") > 2

        # A table gets another filter, and so other rows.
        _with(case, (TURNED, TURNED.replace("by_id", "by_id, where: v < 6")))
        case.run(code=6, saying="SW8221: the rows on the shards are not those of this plan: turned differs in filter")
        case.call("preflight", "--env", "test", code=6, saying="SW8221")
        _kill(case, "after-plan-adopted", "--recopy", "turned")
        case.run()
    case.run()
    for name in ("kept", "late"):
        case.require_equal(name)
    case.verify(saying="equal")

    # A table is left out, and its rows are left as they are. When it is added again, it is copied again.
    _with(case, (LATE, ""), ("tables:", 'ignore_tables: ["late"]\ntables:'))
    case.run(code=6, saying="run with --leave-out late when that is meant")
    case.run("--leave-out", "late")
    case.run("--leave-out", "kept", code=6, saying="SW8222: --leave-out kept: the plan has this table")
    stays = case.shard_rows("late")
    case.write("UPDATE late SET v = 1000", "DELETE FROM late WHERE id % 3 = 0", "UPDATE kept SET v = 1000")
    case.run()
    case.require_equal("kept")
    assert case.shard_rows("late") == stays
    again = ('ignore_tables: ["late"]\n', "")
    _with(
        case,
        again,
        (TURNED.replace("by_id", "by_id, where: v < 6"), LATE + TURNED.replace("by_id", "by_id, where: v < 6")),
    )
    case.run(code=6, saying="SW8130")
    _with(case, (LATE, LATE.replace("by_id", "by_id, existing_rows: replace")))
    case.run()
    case.require_equal("late")
    case.verify(saying="equal")
