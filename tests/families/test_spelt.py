"""Families whose keys may be spelt in several ways: a row is where the parent is that the source's server finds for it
(C1, C3, A2).
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from tests.servers.testbed import Arena
from tests.support.job import ENVIRONMENT
from tests.support.lab import SPARK, SUFFIXES, Lab
from tests.support.ledger_state import require_sound

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.long]

PROJECT = Path(__file__).with_name("spelt")
IDS = 25
KILLED_AT = ("after-chunk-read", "after-chunk-commit", "after-children-read", "after-stage", "after-upsert")


class SpeltLab(Lab):
    def __init__(self, arena: Arena, folder: Path, *, collation: str = "utf8mb4_general_ci") -> None:
        self.collation = collation
        schema = PROJECT / "schema" / "lab.sql"
        own = folder / "own"
        for part in ("specs", "ddl", "schema"):
            (own / part).mkdir(parents=True)
        for file in (*PROJECT.glob("specs/*"), *PROJECT.glob("ddl/*"), schema):
            text = file.read_text(encoding="utf-8").replace("utf8mb4_general_ci", collation)
            (own / file.parent.name / file.name).write_text(text, encoding="utf-8")
        settings: dict[str, Any] = {"spark": {**SPARK, "master": "local[3]"}, "snapshot": {"chunk_rows": 20}}
        super().__init__(arena, folder, settings=settings, example=own)
        self.create_source()

    def fill_spelt(self) -> None:
        self.write(
            "INSERT INTO parent VALUES " + ", ".join(f"('{spelt(n, n % 3)}', {n % 4}, '')" for n in range(IDS)),
            "INSERT INTO child VALUES "
            + ", ".join(f"('N{n}', '{spelt(n % (IDS + 5), n % 4)}', '{n}')" for n in range(3 * IDS)),
            "INSERT INTO child VALUES ('none', NULL, ''), ('long', REPEAT('x', 35), ''), ('tail', 'öde1   ', 'spaces')",
        )

    def differences(self) -> list[str]:
        """What the source's server says of parents and children, and what is on the shards."""
        source = self.arena.source
        wanted = {("parent", int(row[1]), *row) for row in source.query("SELECT code, place, note FROM lab.parent")}
        sql = (
            "SELECT COALESCE(p.place, 0), c.name, c.parent_code, c.note FROM lab.child AS c LEFT JOIN lab.parent AS p "
            "ON p.code = c.parent_code"
        )
        wanted |= {("child", int(place), *row) for place, *row in source.query(sql)}
        found = [
            (table, place, *row)
            for place in range(4)
            for table, columns in (("parent", "code, place, note"), ("child", "name, parent_code, note"))
            for row in self.at(place, f"SELECT {columns} FROM {table}{SUFFIXES[place // 2]}")
        ]
        assert len(found) == len(set(found)), "a row is there twice"
        only = (("only at the source", wanted - set(found)), ("only on the shards", set(found) - wanted))
        return [f"{words}: {row}" for words, rows in only for row in sorted(rows, key=repr)[:10]]

    def require_placed(self) -> None:
        differences = self.differences()
        assert not differences, "\n".join(differences)


def spelt(number: int, how: int) -> str:
    return (f"öde{number}", f"ODE{number}", f"Öde{number}", f"ode{number} ")[how]


def happenings(dice: random.Random, count: int) -> list[list[str]]:
    return [[_statement(dice) for _ in range(dice.randint(1, 4))] for _ in range(count)]


def _statement(dice: random.Random) -> str:
    one, other = (spelt(dice.randrange(IDS + 5), dice.randrange(4)) for _ in range(2))
    name = dice.choice(("N", "n")) + str(dice.randrange(3 * IDS))
    return dice.choice(
        (
            f"UPDATE parent SET place = {dice.randrange(4)} WHERE code = '{one}'",
            f"UPDATE parent SET place = (place + 1) % 4, code = UPPER(code) WHERE code = '{one}'",
            f"UPDATE parent SET code = '{one.strip()}' WHERE code = '{one}'",
            f"UPDATE IGNORE parent SET code = '{other.strip()}' WHERE code = '{one}'",
            f"DELETE FROM parent WHERE code = '{one}'",
            f"INSERT IGNORE INTO parent VALUES ('{one.strip()}', {dice.randrange(4)}, 'new')",
            f"INSERT IGNORE INTO child VALUES ('{name}', '{one}', 'new {dice.random()}')",
            f"UPDATE child SET parent_code = '{one}' WHERE parent_code = '{other}' LIMIT 2",
            f"UPDATE child SET name = LOWER(name), note = 'respelt' WHERE name = '{name}'",
            f"UPDATE child SET note = '{dice.random()}' WHERE parent_code = '{one}'",
            f"DELETE FROM child WHERE name = '{name}'",
        )
    )


def test_d1_children_are_where_the_server_finds_their_parent(arena: Arena, tmp_path: Path, dice: random.Random) -> None:
    lab = SpeltLab(arena, tmp_path)
    lab.fill_spelt()
    lab.finish()
    lab.require_placed()
    with lab.run(gated=False) as run:
        for _ in range(3):
            lab.write_all(happenings(dice, 15))
            lab.drain(run)
    lab.finish()
    lab.require_placed()
    assert "equal" in lab.job.call("verify", "--env", ENVIRONMENT)


@pytest.mark.long
def test_a1_d1_killed(arena: Arena, tmp_path: Path, dice: random.Random) -> None:
    lab = SpeltLab(arena, tmp_path)
    lab.fill_spelt()
    for name in KILLED_AT:
        lab.write("UPDATE parent SET place = (place + 1) % 4, code = IF(place % 2, UPPER(code), LOWER(code))")
        lab.write_all(happenings(dice, 10))
        lab.gates.open_all()
        lab.gates.forget()
        lab.gates.hold(name)
        with lab.run() as run:
            lab.reach(run, name)
        require_sound(lab.arena, lab.ledger_state())
    lab.finish()
    lab.require_placed()


@pytest.mark.long
def test_d1_of_the_servers_usual_collation(arena: Arena, tmp_path: Path, dice: random.Random) -> None:
    """Accents are equal there, and MySQL's does not ignore spaces at the end."""
    ((version,),) = arena.source.query("SELECT VERSION()")
    collation = "utf8mb4_unicode_ci" if "MariaDB" in str(version) else "utf8mb4_0900_ai_ci"
    lab = SpeltLab(arena, tmp_path, collation=collation)
    lab.fill_spelt()
    lab.finish()
    lab.write_all(happenings(dice, 60))
    lab.finish()
    lab.require_placed()
    assert "equal" in lab.job.call("verify", "--env", ENVIRONMENT)
