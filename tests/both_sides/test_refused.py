"""One side's server refuses a row that the other side has: both keep theirs, the row is listed, and nothing is lost."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from shardwright.runtime.cli.exits import Exit
from tests.both_sides.lab import BothLab, Gate, Key
from tests.servers.testbed import Arena
from tests.support.job import ENVIRONMENT
from tests.support.waiting import repeat_until_it_passes, wait_until

pytestmark = [pytest.mark.server, pytest.mark.spark]

POINTS = ("after-row-held", "after-held-row-taken-out", "after-refused-rows-held")
DIED_AT = {"after-refused-rows-held"}
_ACCOUNTS = [(3, 1, "'c'"), (3, 2, "'d'"), (5, 1, "'e'"), (5, 2, "NULL")]


@pytest.mark.in_turn
def test_two_rows_with_one_unique_value_are_held(arena: Arena, tmp_path: Path) -> None:
    lab = BothLab(arena, tmp_path)
    lab.begin(only_source=[_insert(*row) for row in _ACCOUNTS])
    with lab.both() as run:
        lab.until_equal()
        _both_take_a_value(lab, run)
        _two_shards_take_a_value(lab)
        _one_gives_it_to_the_other(lab)


def _both_take_a_value(lab: BothLab, run: Any) -> None:
    """A new row on each side, and the collation says that both values are one."""
    with lab.freeze(run):
        lab.write_source(_insert(1, 10, "'New'"), "UPDATE account SET credit = 7 WHERE owner_id = 3 AND id = 1")
        lab.write_shards("account", (1, 11), "INSERT INTO {t} VALUES (1, 11, 'new', 0)")
    one, other = ("account", (1, 10)), ("account", (1, 11))
    _until_held(lab, (1, 10), (1, 11))
    lab.until_equal([one, other])
    assert lab.at_shards("account")[3, 1] == ("c", 7)
    assert lab.at_source("account")[1, 10] == ("New", 0) and (1, 10) not in lab.at_shards("account")
    assert lab.at_shards("account")[1, 11] == ("new", 0) and (1, 11) not in lab.at_source("account")
    lab.cutover(expect=Exit.REFUSED)  # SW8937: it waits for the decision
    # In this order the first one is refused again: the value is not free.
    _resolve(lab, (1, 10), "source")
    _until_held(lab, (1, 10), (1, 11), versions=3)
    _resolve(lab, (1, 10), "shards")
    lab.until_equal([other])
    _resolve(lab, (1, 11), "shards")
    lab.until_equal()
    assert lab.at_source("account")[1, 11] == ("new", 0)


def _two_shards_take_a_value(lab: BothLab) -> None:
    """No shard sees the values of another one: the source refuses the second row."""
    lab.write_shards("account", (0, 20), "INSERT INTO {t} VALUES (0, 20, 'same', 0)")
    lab.write_shards("account", (1, 21), "INSERT INTO {t} VALUES (1, 21, 'same', 0)")

    def require_one() -> Key:
        held = _list_held(lab)
        assert len(held) == 1
        return held[0]

    held = repeat_until_it_passes(require_one, seconds=60)
    lab.until_equal([("account", held)])
    # The application gives it another value: only that side has changed the row, so nobody has to decide.
    lab.write_shards("account", held, "UPDATE {t} SET email = 'another' WHERE {k}")
    lab.until_equal()
    assert _list_held(lab) == []


def _one_gives_it_to_the_other(lab: BothLab) -> None:
    """No conflict: the value is free when it is taken again."""
    lab.write_source(
        "UPDATE account SET email = 'f' WHERE owner_id = 3 AND id = 1",
        "UPDATE account SET email = 'c' WHERE owner_id = 3 AND id = 2",
    )
    lab.write_shards("account", (5, 1), "UPDATE {t} SET email = NULL WHERE {k}")
    lab.write_shards("account", (5, 2), "UPDATE {t} SET email = 'e' WHERE {k}")
    lab.until_equal()
    assert _list_held(lab) == []
    assert (lab.at_shards("account")[3, 2], lab.at_source("account")[5, 2]) == (("c", 0), ("e", 0))


@pytest.mark.in_turn
def test_a_row_that_the_source_refuses_is_held(arena: Arena, tmp_path: Path) -> None:
    lab, row = BothLab(arena, tmp_path), ("account", (3, 1))
    check = "ALTER TABLE account ADD CONSTRAINT little CHECK (credit < 100)"
    lab.begin(only_source=[*(_insert(*row) for row in _ACCOUNTS), check])
    with lab.both():
        lab.write_shards("account", (3, 1), "UPDATE {t} SET credit = 100 WHERE {k}")
        _until_held(lab, (3, 1), kind="refused")
        lab.write_shards("account", (3, 2), "UPDATE {t} SET credit = 1 WHERE {k}")
        lab.until_equal([row])
        lab.write_source("UPDATE account SET email = 'x' WHERE owner_id = 3 AND id = 1")
        repeat_until_it_passes(partial(_require_version, lab, 2), seconds=60)
        assert (lab.at_source("account")[3, 1], lab.at_shards("account")[3, 1]) == (("x", 0), ("c", 100))
        _resolve(lab, (3, 1), "source")
        lab.until_equal()
        assert lab.at_shards("account")[3, 1] == ("x", 0)


@pytest.mark.in_turn
def test_a_value_is_taken_after_the_round_has_read(arena: Arena, tmp_path: Path) -> None:
    lab, gate = BothLab(arena, tmp_path), Gate(tmp_path / "gate")
    lab.begin()
    with lab.both_with_gate(gate):
        gate.close()
        lab.write_source(_insert(2, 30, "'race'"))
        wait_until("the batch is about to be written", gate.reached.exists, seconds=60)
        lab.write_shards("account", (2, 31), "INSERT INTO {t} VALUES (2, 31, 'race', 0)")
        gate.open()
        _until_held(lab, (2, 30), (2, 31))
        lab.until_equal([("account", (2, 30)), ("account", (2, 31))])


@pytest.mark.long
def test_a1_a_killed_run_has_held_the_rows(arena: Arena, tmp_path: Path) -> None:
    lab = BothLab(arena, tmp_path)
    lab.begin_both()
    keys: list[Key] = []
    for number, point in enumerate(POINTS):
        one, other = (number, 40), (number, 41)
        lab.write_source(_insert(*one, f"'{point}'"))
        lab.write_shards("account", other, f"INSERT INTO {{t}} VALUES ({number}, 41, '{point}', 0)")
        lab.die_at(point)
        keys += [one, other]
        with lab.job.run():
            _until_held(lab, *keys)
            lab.until_equal([("account", key) for key in keys])


def _insert(owner: int, id_: int, email: str) -> str:
    return f"INSERT INTO account VALUES ({owner}, {id_}, {email}, 0)"


def _list_held(lab: BothLab) -> list[Key]:
    return sorted(map(_key, lab.list_held()))


def _key(conflict: dict[str, Any]) -> Key:
    owner, id_ = map(int, conflict["key"])
    return owner, id_


def _until_held(lab: BothLab, *keys: Key, kind: str = "unique", versions: int = 0) -> None:
    """`versions`: of all of them together, at least."""

    def require() -> None:
        held = lab.list_held()
        assert sorted((_key(one), one["kind"], one["take"]) for one in held) == [(key, kind, None) for key in keys]
        assert sum(one["version"] for one in held) >= versions

    repeat_until_it_passes(require, seconds=60)


def _require_version(lab: BothLab, number: int) -> None:
    held = lab.list_held()
    assert [one["version"] for one in held] == [number], held


def _resolve(lab: BothLab, key: Key, side: str) -> None:
    [found] = [one for one in lab.list_held() if _key(one) == key]
    lab.call("conflicts", "resolve", str(found["id"]), "--take", side, "--env", ENVIRONMENT)
