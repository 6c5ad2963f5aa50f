"""Tables without any key (`key: all_columns`) that come to a begun migration, or are copied again, under writes and
whatever is killed: each row counts once (hazards B7, A1). The oracle counts the rows of both sides by itself.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from tests.field.test_all_columns import SETUP, at_a_shard, changes, require_equal
from tests.field.test_all_columns import VISIT as VISIT_COLUMNS
from tests.servers.testbed import Arena
from tests.support.case import Case
from tests.support.job import ENVIRONMENT

pytestmark = [pytest.mark.server, pytest.mark.spark]

THING = ("CREATE TABLE thing (id INT PRIMARY KEY, n INT)", "INSERT INTO thing VALUES (1, 1), (2, 2)")
FIRST = """tables:
  - {table: word, sharding: broadcast, key: all_columns}
  - {table: thing, sharding: by_id, weight: 3}"""
VISIT = "\n  - {table: visit, sharding: by_id, key: all_columns}"
_PLACES = ("before-counted-batch-staged", "after-counted-batch-staged")
DIED_AT = frozenset(_PLACES)
WHILE_IT_IS_READ = ("after-counted-rows-staged", "after-counted-stage-recorded", *_PLACES, "before-upsert")
AGAIN = ("after-recopy-recorded", "after-recopy-shard-cleared", "after-recopy-begun", *WHILE_IT_IS_READ)


def writes(dice: random.Random) -> Iterator[str]:
    """An application changes rows of all tables."""
    while True:
        yield from changes(dice)


def write_to(case: Case, seed: int) -> AbstractContextManager[None]:
    return case.write_meanwhile(writes(random.Random(seed)), pause=0.02)


def begin_case(arena: Arena, folder: Path) -> Case:
    """A migration of `word` and `thing` that is caught up. Nothing follows `visit`."""
    case = Case(arena, folder, FIRST, setup=(*SETUP, *THING), ignored=["visit"])
    case.plan()
    case.run()
    return case


def take_visits(case: Case) -> None:
    """The spec has `visit`, too."""
    text = case.spec_file.read_text("utf-8").replace('\nignore_tables: ["visit"]', VISIT)
    case.spec_file.write_text(text, encoding="utf-8")
    case.plan()


def end_case(case: Case) -> None:
    case.run()
    require_equal(case)
    case.require_equal("thing")
    case.verify(saying="equal")


def kill_under_writes(case: Case, dice: random.Random, places: Sequence[str], *more: str) -> None:
    """The first run has the arguments `more`. What the source has written meanwhile is on no shard yet when the next
    one begins."""
    for number, place in enumerate(places):
        case.write(*changes(dice))
        with write_to(case, dice.randrange(1_000_000)):
            case.kill_at(place, *(more if number == 0 else ()))


@pytest.mark.in_turn
def test_b7_rows_of_a_table_without_a_key_that_comes_later_count_once(
    arena: Arena, tmp_path: Path, dice: random.Random
) -> None:
    """Its events before the read are behind the stream's position. Then it is copied again, since it was spoilt."""
    case = begin_case(arena, tmp_path)
    take_visits(case)
    case.write(*changes(dice))
    with write_to(case, dice.randrange(1_000_000)):
        case.run(saying="visit has no key")
    end_case(case)
    assert at_a_shard(case, "DELETE FROM {} WHERE id < 3 LIMIT 1") > 0
    case.verify(code=1, saying="missing")
    case.write(*changes(dice))
    with write_to(case, dice.randrange(1_000_000)):
        case.run("--recopy", "visit", saying="to be copied again: visit")
    end_case(case)


@pytest.mark.long
def test_a1_b7_killed_while_a_table_without_a_key_comes_later_and_is_copied_again(
    arena: Arena, tmp_path: Path, dice: random.Random
) -> None:
    case = begin_case(arena, tmp_path)
    take_visits(case)
    kill_under_writes(case, dice, ("after-plan-adopted", *WHILE_IT_IS_READ, "after-upsert"))
    end_case(case)
    kill_under_writes(case, dice, AGAIN, "--recopy", "visit,word")
    end_case(case)


@pytest.mark.long
def test_b7_a_table_without_a_key_gets_another_filter(arena: Arena, tmp_path: Path, dice: random.Random) -> None:
    """Other rows count from then on, so it is copied again. `summary.md` and the run say so."""
    case = begin_case(arena, tmp_path)
    take_visits(case)
    whole = case.spec_file.read_text("utf-8")
    case.spec_file.write_text(whole.replace("{table: visit,", '{table: visit, where: "id <> 2",'), encoding="utf-8")
    case.call("compile")
    case.run()
    assert not [row for _, _, row in case.shard_rows("visit", "id") if row[0] == 2]
    case.spec_file.write_text(whole, encoding="utf-8")
    case.call("compile")
    case.run(code=6, saying="visit differs in filter")
    with write_to(case, dice.randrange(1_000_000)):
        case.run("--recopy", "visit", saying="to be copied again: visit")
    end_case(case)


@pytest.mark.long
def test_b7_e14_columns_of_a_table_without_a_key_change(arena: Arena, tmp_path: Path, dice: random.Random) -> None:
    """The stream stops before it. With the new columns in the plan and on the targets the table is copied again, and
    the stream passes the statement, as well as a TRUNCATE that is before the read."""
    case = Case(
        arena, tmp_path, f"ddl: ddl/\n{FIRST}{VISIT}", setup=(*SETUP, *THING), stream="{format: binlog, ddl: apply}"
    )
    (case.project / "ddl").mkdir()
    case.plan()
    case.run()
    case.write(*changes(dice), "ALTER TABLE visit ADD more INT", "UPDATE visit SET more = id", *changes(dice))
    case.run(code=6, saying="and run: shardwright run --recopy visit")
    case.plan()
    case.run(code=6, saying="SW8221")
    case.run("--recopy", "visit", code=6, saying="SW8402")
    case.call("ddl", "new", "--env", ENVIRONMENT, code=3)
    case.call("compile")
    case.call("ddl", "apply", "--env", ENVIRONMENT)
    case.write("TRUNCATE TABLE visit", "INSERT INTO visit (id, more) VALUES (1, 1), (1, 1), (2, NULL)", *changes(dice))
    case.run("--recopy", "visit", saying="passed over; shop.visit was read behind it")
    case.require_equal("visit", f"{VISIT_COLUMNS}, more")
    end_case(case)
