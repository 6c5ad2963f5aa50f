"""A lab with two source databases whose tables have equal keys: a column of the shards says where a row is from."""

from __future__ import annotations

import random
from typing import Any

from tests.support.lab import SUFFIXES
from tests.support.way_back_lab import BackLab

SOURCES = ("lab", "depot")
CHILDREN = tuple(f"{database}.child_{letter}" for database in SOURCES for letter in "ab")


class OriginLab(BackLab):
    """`parent` comes from two databases, `child` from two tables in each of them."""

    def create_source(self) -> None:
        for database in SOURCES:
            self.arena.source.run_script(self.example / "schema" / "lab.sql", database=database)

    def fill_all(self, ids: int = 40) -> None:
        """The same keys and the same unique values everywhere, in places of their own."""
        for number, database in enumerate(SOURCES):
            rows = ", ".join(f"({n}, {(n + number) % 4}, 'n{n}', '{database}', {number})" for n in range(ids))
            self.write(f"INSERT INTO {database}.parent VALUES {rows}")
        for number, table in enumerate(CHILDREN):
            rows = ", ".join(f"('Key{n % 9}', {n}, {(n + number) % 4}, '{table}')" for n in range(ids))
            self.write(f"INSERT INTO {table} VALUES {rows}")

    def work_on_shards(self, dice: random.Random, count: int, *, ids: int = 40) -> None:
        """An application that knows the rule. It keeps every key in one place."""
        for _ in range(count):
            id_, origin, place = dice.randrange(ids), dice.choice(SOURCES), dice.randrange(4)
            at = self._place_of(id_, origin)
            where = f"WHERE id = {id_} AND origin = '{origin}'"
            if at is None:
                values = f"({id_}, {place}, 'n{id_}', 'born', '{origin}')"
                self.on(
                    place, f"INSERT INTO parent{SUFFIXES[place // 2]} (id, place, name, remark, origin) VALUES {values}"
                )
                continue
            table = f"parent{SUFFIXES[at // 2]}"
            match dice.choice(("change", "delete", "move", "child")):
                case "change":
                    self.on(at, f"UPDATE {table} SET remark = '{dice.random()}' {where}")
                case "delete":
                    self.on(at, f"DELETE FROM {table} {where}")
                case "move":
                    ((name, remark),) = self.at(at, f"SELECT name, remark FROM {table} {where}")
                    self.on(at, f"DELETE FROM {table} {where}")
                    values = f"({id_}, {place}, '{name}', '{remark}', '{origin}')"
                    columns = "(id, place, name, remark, origin)"
                    self.on(place, f"INSERT INTO parent{SUFFIXES[place // 2]} {columns} VALUES {values}")
                case _:
                    child = f"child{SUFFIXES[at // 2]}"
                    self.on(at, f"UPDATE {child} SET note = 'shard', code = LOWER(code) WHERE line % 5 = {id_ % 5}")

    def _place_of(self, id_: int, origin: str) -> int | None:
        for place in range(4):
            sql = f"SELECT 1 FROM parent{SUFFIXES[place // 2]} WHERE id = {id_} AND origin = '{origin}'"
            if self.at(place, sql):
                return place
        return None

    def differences(self) -> list[str]:
        """An oracle that shares nothing with the product: all rows of both sides, each in its place and from its
        source."""
        wanted, found = [], []
        for database in SOURCES:
            sql = f"SELECT id, place, name, note FROM {database}.parent"
            wanted += [("parent", int(row[1]), *row, database) for row in self.source(sql)]
        for table in CHILDREN:
            sql = f"SELECT code, line, place, note FROM {table}"
            wanted += [("child", int(row[2]), *row, table) for row in self.source(sql)]
        for place in range(4):
            suffix = SUFFIXES[place // 2]
            for name, columns in (("parent", "id, place, name, remark"), ("child", "code, line, place, note")):
                rows = self.at(place, f"SELECT {columns}, origin FROM {name}{suffix}")
                found += [(name, place, *row) for row in rows]
        assert len(found) == len(set(found)), "a row is there twice"
        only = (("only at the source", set(wanted) - set(found)), ("only on the shards", set(found) - set(wanted)))
        return [f"{words}: {row}" for words, rows in only for row in sorted(rows, key=repr)[:10]]

    def require_all_equal(self) -> None:
        differences = self.differences()
        assert not differences, "\n".join(differences)


def happenings(dice: random.Random, count: int, *, ids: int = 40) -> list[list[str]]:
    """Transactions at the sources that follow one another. Statements may find nothing to do; none may fail."""
    return [[dice.choice(_CHANGES_AT_RANDOM)(dice, ids) for _ in range(dice.randint(1, 4))] for _ in range(count)]


def _of_parent(dice: random.Random) -> str:
    return f"{dice.choice(SOURCES)}.parent"


def _move(dice: random.Random, ids: int) -> str:
    return f"UPDATE {_of_parent(dice)} SET place = {dice.randrange(4)} WHERE id = {dice.randrange(ids)}"


def _insert(dice: random.Random, ids: int) -> str:
    id_ = dice.randrange(ids)
    return f"INSERT IGNORE INTO {_of_parent(dice)} VALUES ({id_}, {dice.randrange(4)}, 'n{id_}', 'new', 3)"


def _remove(dice: random.Random, ids: int) -> str:
    return f"DELETE FROM {_of_parent(dice)} WHERE id = {dice.randrange(ids)}"


def _rekey(dice: random.Random, ids: int) -> str:
    return f"UPDATE IGNORE {_of_parent(dice)} SET id = {dice.randrange(ids)} WHERE id = {dice.randrange(ids)}"


def _child_comes(dice: random.Random, ids: int) -> str:
    n = dice.randrange(ids)
    spelling = dice.choice(("Key", "KEY", "key"))
    return f"INSERT IGNORE INTO {dice.choice(CHILDREN)} VALUES ('{spelling}{n % 9}', {n}, {dice.randrange(4)}, 'new')"


def _child_goes(dice: random.Random, ids: int) -> str:
    n = dice.randrange(ids)
    return f"DELETE FROM {dice.choice(CHILDREN)} WHERE code = 'key{n % 9}' AND line = {n}"


def _child_moves(dice: random.Random, ids: int) -> str:
    return (
        f"UPDATE {dice.choice(CHILDREN)} SET place = {dice.randrange(4)}, note = 'm' WHERE line = {dice.randrange(ids)}"
    )


def _child_respelt(dice: random.Random, ids: int) -> str:
    return f"UPDATE {dice.choice(CHILDREN)} SET code = UPPER(code) WHERE line = {dice.randrange(ids)}"


_CHANGES_AT_RANDOM: tuple[Any, ...] = (
    *(_move, _move, _insert, _insert, _remove, _rekey),
    *(_child_comes, _child_comes, _child_goes, _child_moves, _child_respelt),
)
