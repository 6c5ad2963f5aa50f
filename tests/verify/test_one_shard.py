"""`--shard`: only what belongs to one database, and what stands there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from shardwright.compiler.steps.verify import verify_source, verify_target
from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.verify.report import as_json, as_text
from shardwright.runtime.verify.result import MismatchKind, Verdict
from tests.verify.layout import Layout, home
from tests.verify.plans import BIGINT, DATABASES, NAME, SUFFIXES, column, plan, table

pytestmark = pytest.mark.server

SQL = "id BIGINT NOT NULL PRIMARY KEY, name VARCHAR(60) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL"
USERS = table("users", (column("id", BIGINT), column("name", NAME, nullable=True)), ("id",))
REGION = table("region", (column("id", BIGINT), column("name", NAME, nullable=True)), ("id",), distribution="broadcast")
ALONE = table(
    "alone", (column("id", BIGINT), column("name", NAME, nullable=True)), ("id",), distribution="single", database=0
)
PLAN = plan((USERS, "id"), (REGION, None), (ALONE, None))


@pytest.fixture
def full(layout: Layout) -> Layout:
    layout.create_sharded(SQL, "users")
    layout.fill("users", [(number, f"n{number}") for number in range(2_000)], shard_key=0)
    layout.create(SQL, "region", databases=["shop", *DATABASES])
    layout.create(SQL, "alone", databases=["shop", DATABASES[0]])
    for database in ("shop", *DATABASES):
        layout.insert(database, "region", [(1, "north"), (2, "south")])
    for database in ("shop", DATABASES[0]):
        layout.insert(database, "alone", [(1, "one")])
    return layout


def _of(database: int, *, part: int = 0) -> list[int]:
    """Keys that belong there."""
    return [number for number in range(2_000) if home(number) == (database, part)]


def test_only_one_shard_is_compared(full: Layout) -> None:
    whole, first, second = (full.verify(PLAN, only_shard=name) for name in (None, *DATABASES))
    assert {one.verdict for one in (whole, first, second)} == {Verdict.EQUAL}
    users = [next(one for one in result.tables if one.table == "users") for result in (whole, first, second)]
    assert users[0].rows_source == 2_000 == users[1].rows_source + users[2].rows_source
    assert [[shard.database for shard in one.rows_shards] for one in users[1:]] == [[name] for name in DATABASES]
    assert "alone" not in {one.table for one in second.tables}, "it has no table there"
    assert as_json(second)["only_shard"] == DATABASES[1]
    assert f"{DATABASES[1]} ONLY" in as_text(second).splitlines()[-1]


def test_what_is_wrong_is_found_on_its_own_shard_only(full: Layout) -> None:
    lost, other, strayed = _of(0)[3], _of(0)[4], _of(0)[5]
    wrong_there = _of(1)[0]
    here, there = DATABASES
    full.execute(here, f"DELETE FROM users{SUFFIXES[0]} WHERE id = %s", lost)
    full.execute(here, f"UPDATE users{SUFFIXES[0]} SET name = 'other' WHERE id = %s", other)
    full.execute(here, f"DELETE FROM users{SUFFIXES[0]} WHERE id = %s", strayed)
    full.insert(there, f"users{SUFFIXES[1]}", [(strayed, f"n{strayed}")])
    full.insert(here, f"users{SUFFIXES[1]}", [(77_777, "from nowhere")])
    full.execute(there, f"UPDATE users{SUFFIXES[0]} SET name = 'other' WHERE id = %s", wrong_there)
    full.execute(there, "UPDATE region SET name = 'west' WHERE id = 2")

    found = full.verify(PLAN, only_shard=here)
    assert {(one.kind, one.key) for one in found.tables[0].mismatches} == {
        (MismatchKind.MISSING, (str(lost),)),
        (MismatchKind.DIFFERENT, (str(other),)),
        (MismatchKind.MISPLACED, (str(strayed),)),
        (MismatchKind.EXTRA, ("77777",)),
    }
    assert found.tables[1].mismatches == ()

    found = full.verify(PLAN, only_shard=there)
    assert {(one.kind, one.key) for one in found.tables[0].mismatches} == {
        (MismatchKind.DIFFERENT, (str(wrong_there),)),
        (MismatchKind.MISPLACED, (str(strayed),)),
    }
    assert [(one.kind, one.key, one.places) for one in found.tables[1].mismatches] == [
        (MismatchKind.DIFFERENT, ("2",), (f"{there}.region",))
    ]


def test_a_table_whose_places_the_source_cannot_say_is_not_called_equal(full: Layout) -> None:
    whole = plan((USERS, "id"))
    unplaced = replace(whole, steps=(verify_source(USERS), verify_target(USERS, misplaced=None)))
    found = full.verify(unplaced, only_shard=DATABASES[0])
    assert found.verdict is Verdict.COULD_NOT_CHECK and "SW8532" in str(found.tables[0].problem)


def test_an_unknown_shard_is_refused(full: Layout) -> None:
    with pytest.raises(RuntimeFailure, match="no database shard_9; it has") as refused:
        full.verify(PLAN, only_shard="shard_9")
    assert refused.value.code == "SW8531"
