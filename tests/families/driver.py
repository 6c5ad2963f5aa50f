"""Labs whose children have no shard key: they stand where their parent stands. And what may happen to such families."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pymysql.connections import Connection
from pymysql.cursors import Cursor

from tests.oracle.tables import Placement, Table
from tests.servers.testbed import Arena
from tests.support.lab import SHARDS, SPARK, SUFFIXES, Lab, place_of

PROJECT = Path(__file__).with_name("project")
NOWHERE = (SHARDS[0], SUFFIXES[0])
"""Where rows without a parent stand."""


class FamilyLab(Lab):
    """One migration of parents, children (weight 5) and details (weight 7) to two shards with two tables each."""

    def __init__(self, arena: Arena, folder: Path, *, chunk_rows: int = 50, cores: int = 3) -> None:
        """A task that waits at a gate holds a core: give the stream one more than there are such tasks."""
        settings: dict[str, Any] = {
            "spark": {**SPARK, "master": f"local[{cores}]"},
            "snapshot": {"chunk_rows": chunk_rows},
        }
        super().__init__(arena, folder, settings=settings, example=PROJECT)

    def tables(self, source: Connection[Cursor]) -> Sequence[Table]:
        """Placed by what the source itself says about the parents: no word of the product's is believed."""
        with source.cursor() as cursor:
            cursor.execute("SELECT id, place FROM parent")
            places = {str(id_).encode(): str(place).encode() for id_, place in cursor.fetchall()}
        beside: Placement = lambda values: place_of((places[values[0]],)) if values[0] in places else NOWHERE  # noqa: E731
        return (
            Table("parent", ("lab.parent",), ("id",), SHARDS, SUFFIXES, ("place",), place_of),
            Table("child", ("lab.child",), ("cid",), SHARDS, SUFFIXES, ("parent_id",), beside),
            Table(
                "detail",
                ("lab.detail",),
                ("belongs_to", "line"),
                SHARDS,
                SUFFIXES,
                ("belongs_to",),
                beside,
                renamed={"of": "belongs_to"},
            ),
        )

    def _pulse(self) -> None:
        self._pulses += 1
        self.write(f"INSERT INTO parent VALUES ({1_000_000 + self._pulses}, {self._pulses % 4}, NULL, 'pulse')")

    def children(self, id_: int) -> dict[int, int]:
        """place -> how many children of the parent stand there, where there are any."""
        counts = {}
        for place in range(4):
            sql = f"SELECT COUNT(*) FROM child{SUFFIXES[place // 2]} WHERE parent_id = {id_}"
            if count := int(self.at(place, sql)[0][0]):
                counts[place] = count
        return counts


def family(id_: int, place: int, *, children: int = 2, details: int = 2) -> list[str]:
    """A parent with its rows, the parent last."""
    rows = [f"INSERT INTO child VALUES ('{id_}-{n}', {id_}, 'm{id_}-{n}', X'00FF{n:02x}', '')" for n in range(children)]
    rows += [
        f"INSERT INTO detail VALUES ({id_}, {n}, '2024-01-0{n % 9 + 1} 00:00:00.5', {n}.125, '')"
        for n in range(details)
    ]
    return [*rows, f"INSERT INTO parent VALUES ({id_}, {place}, 'n{id_}', '')"]


def happenings(dice: random.Random, count: int, *, ids: int = 60) -> list[list[str]]:
    """Transactions that follow one another. Statements may find nothing to do; none may fail."""
    return [_transaction(dice, ids) for _ in range(count)]


def _transaction(dice: random.Random, ids: int) -> list[str]:
    done = []
    for _ in range(dice.randint(1, 3)):
        done += dice.choice(_CHANGES_AT_RANDOM)(dice, dice.randrange(ids), dice.randrange(ids))
    return done


def _move(dice: random.Random, one: int, _other: int) -> list[str]:
    return [f"UPDATE parent SET place = {dice.randrange(4)} WHERE id = {one}"]


def _to_and_fro(dice: random.Random, one: int, _other: int) -> list[str]:
    return [f"UPDATE parent SET place = (place + {step}) % 4 WHERE id = {one}" for step in (1, 2, 1)]


def _move_and_touch(dice: random.Random, one: int, _other: int) -> list[str]:
    touch = f"UPDATE child SET note = 'touched {dice.random()}' WHERE parent_id = {one} LIMIT 1"
    return dice.sample([*_move(dice, one, 0), touch], 2)


def _new_parent(dice: random.Random, one: int, _other: int) -> list[str]:
    return [f"INSERT IGNORE INTO parent VALUES ({one}, {dice.randrange(4)}, NULL, 'new')"]


def _new_child(dice: random.Random, one: int, _other: int) -> list[str]:
    number = dice.randrange(6)
    return [f"INSERT IGNORE INTO child VALUES ('{one}-{number}', {one}, NULL, X'FF', 'new {dice.random()}')"]


def _new_detail(dice: random.Random, one: int, _other: int) -> list[str]:
    return [f"INSERT IGNORE INTO detail VALUES ({one}, {dice.randrange(6)}, NULL, NULL, 'new {dice.random()}')"]


def _parent_goes(_dice: random.Random, one: int, _other: int) -> list[str]:
    return [f"DELETE FROM parent WHERE id = {one}"]


def _family_goes(dice: random.Random, one: int, _other: int) -> list[str]:
    all_of_it = [
        f"DELETE FROM parent WHERE id = {one}",
        f"DELETE FROM child WHERE parent_id = {one}",
        f"DELETE FROM detail WHERE `of` = {one}",
    ]
    return dice.sample(all_of_it, 3)


def _family_comes(dice: random.Random, one: int, _other: int) -> list[str]:
    rows = [*_new_child(dice, one, 0), *_new_detail(dice, one, 0), *_new_parent(dice, one, 0)]
    return dice.sample(rows, 3)


def _again_elsewhere(dice: random.Random, one: int, _other: int) -> list[str]:
    return [*_parent_goes(dice, one, 0), *_new_parent(dice, one, 0)]


def _child_goes(dice: random.Random, one: int, _other: int) -> list[str]:
    return [f"DELETE FROM child WHERE cid = '{one}-{dice.randrange(6)}'"]


def _other_parent(_dice: random.Random, one: int, other: int) -> list[str]:
    return [f"UPDATE child SET parent_id = {other} WHERE parent_id = {one} LIMIT 2"]


def _no_parent(dice: random.Random, one: int, _other: int) -> list[str]:
    return [f"UPDATE child SET parent_id = NULL WHERE cid = '{one}-{dice.randrange(6)}'"]


def _new_key(_dice: random.Random, one: int, other: int) -> list[str]:
    return [f"UPDATE IGNORE parent SET id = {other} WHERE id = {one}"]


def _family_gets_a_key(_dice: random.Random, one: int, other: int) -> list[str]:
    return [
        f"UPDATE child SET parent_id = {other} WHERE parent_id = {one}",
        f"UPDATE IGNORE detail SET `of` = {other} WHERE `of` = {one}",
        f"UPDATE IGNORE parent SET id = {other} WHERE id = {one}",
    ]


def _child_gets_a_key(dice: random.Random, one: int, other: int) -> list[str]:
    return [f"UPDATE IGNORE child SET cid = '{other}-{dice.randrange(6)}' WHERE cid = '{one}-{dice.randrange(6)}'"]


def _marks_swap(dice: random.Random, one: int, other: int) -> list[str]:
    first, second = f"'{one}-{dice.randrange(6)}'", f"'{other}-{dice.randrange(6)}'"
    return [
        f"SET @a = (SELECT mark FROM child WHERE cid = {first}), @b = (SELECT mark FROM child WHERE cid = {second})",
        f"UPDATE child SET mark = NULL WHERE cid IN ({first}, {second})",
        f"UPDATE child SET mark = @b WHERE cid = {first} AND {first} <> {second}",
        f"UPDATE child SET mark = @a WHERE cid = {second} AND {first} <> {second}",
    ]


def _touch(dice: random.Random, one: int, _other: int) -> list[str]:
    return [
        f"UPDATE parent SET note = '{dice.random()}' WHERE id = {one}",
        f"UPDATE detail SET note = '{dice.random()}' WHERE `of` = {one}",
    ]


_CHANGES_AT_RANDOM = (
    _move, _move, _move, _to_and_fro, _move_and_touch, _move_and_touch, _new_parent, _new_child, _new_detail, _parent_goes,
    _family_goes, _family_comes, _family_comes, _again_elsewhere, _child_goes, _other_parent, _other_parent, _no_parent,
    _new_key, _family_gets_a_key, _child_gets_a_key, _marks_swap, _touch,
)  # fmt: skip
