"""Random rows for any table, from what information_schema says of its columns. Nothing of the product."""

from __future__ import annotations

import json
import random
import re
from dataclasses import dataclass
from typing import Any

from pymysql.connections import Connection
from pymysql.cursors import Cursor

_COLUMNS = (
    "SELECT column_name, data_type, column_type, is_nullable, character_maximum_length, character_set_name, "
    "numeric_precision, numeric_scale, datetime_precision, COALESCE(generation_expression, ''), extra "
    "FROM information_schema.columns WHERE table_schema = %s AND table_name = %s ORDER BY ordinal_position"
)
_KEYS = (
    "SELECT index_name, column_name FROM information_schema.statistics WHERE table_schema = %s AND table_name = %s AND "
    "non_unique = 0 ORDER BY index_name <> 'PRIMARY', index_name, seq_in_index"
)
_BITS = {"tinyint": 8, "smallint": 16, "mediumint": 24, "int": 32, "bigint": 64}
_SIGNS = {
    "latin1": "abcXYZ é",
    "ascii": "abcXYZ09",
    "cp1251": "abжЖ ",
    "gbk": "ab中 ",
    "utf8mb3": "abC ☃é",
    "utf8mb4": "abC ☃é😀'\\\n",
    "ucs2": "ab☃",
    "utf16": "ab😀",
}
_GEOMETRIES = ("POINT(1 2)", "LINESTRING(0 0,1 1,2 0.5)", "POLYGON((0 0,4 0,4 4,0 0))")


@dataclass(frozen=True)
class Column:
    name: str
    kind: str
    written: str
    nullable: bool
    length: int | None
    charset: str
    precision: int | None
    scale: int | None
    fraction: int
    generated: bool

    def value(self, dice: random.Random, *, in_key: bool) -> tuple[str, Any]:
        """A placeholder for a statement, and its value."""
        if self.nullable and not in_key and dice.random() < 0.15:
            return "%s", None
        if self.kind in _BITS:
            return "%s", self._integer(dice, in_key=in_key)
        if self.kind == "decimal":
            assert self.precision is not None and self.scale is not None
            digits = "".join(dice.choices("0123456789", k=min(self.precision, 12 + self.scale)))
            whole = digits[: len(digits) - self.scale] or "0"
            return "%s", f"{whole}.{digits[len(digits) - self.scale :]}" if self.scale else whole
        if self.kind in ("float", "double"):
            return "%s", dice.choice((0, 1.5, -2.25, 3.402823e30, dice.random() * 1e-5))
        if self.kind == "bit":
            return "%s", dice.getrandbits(min(self.precision or 1, 63))
        if self.kind in ("enum", "set"):
            labels = [label.replace("''", "'") for label in re.findall(r"'((?:[^']|'')*)'", self.written)]
            some = dice.sample(labels, dice.randint(0, len(labels))) if self.kind == "set" else [dice.choice(labels)]
            return "%s", ",".join(some)
        if self.kind == "json" or (self.kind == "longtext" and self.name in ("settings", "traversal", "options")):
            return "%s", json.dumps(dice.choice(({"a": [1, 2.5, None]}, [], {"é": {"x": "☃" * dice.randint(0, 9)}}, 7)))
        if self.kind in ("geometry", "point"):
            return "ST_GeomFromText(%s)", _GEOMETRIES[0] if self.kind == "point" else dice.choice(_GEOMETRIES)
        if "binary" in self.kind or "blob" in self.kind:
            room = min(self.length or 1, 3 if in_key else 40)
            return "%s", dice.randbytes(dice.randint(1, room))
        if "char" in self.kind or "text" in self.kind:
            signs, room = _SIGNS[self.charset], min(self.length or 1, 3 if in_key else 30)
            return "%s", "".join(dice.choices("abcd" if in_key else signs, k=dice.randint(0, room)))
        return "%s", self._moment(dice)

    def _integer(self, dice: random.Random, *, in_key: bool) -> int:
        bits, unsigned = _BITS[self.kind], "unsigned" in self.written
        if in_key or dice.random() < 0.8:
            return dice.randrange(9 if self.name == "kind" else 100)
        return dice.choice((0, 2**bits - 1)) if unsigned else dice.choice((-(2 ** (bits - 1)), 2 ** (bits - 1) - 1))

    def _moment(self, dice: random.Random) -> str:
        day = f"{dice.randint(1971, 2037)}-{dice.randint(1, 12):02}-{dice.randint(1, 28):02}"
        clock = f"{dice.randint(0, 23):02}:{dice.randint(0, 59):02}:{dice.randint(0, 59):02}"
        clock += f".{dice.randrange(10**self.fraction):0{self.fraction}}" if self.fraction else ""
        return {"year": day[:4], "date": day, "time": clock}.get(self.kind, f"{day} {clock}")


@dataclass(frozen=True)
class Shape:
    """A table as it is now."""

    name: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]

    def statement(self, dice: random.Random) -> tuple[str, list[Any]]:
        """One statement that writes up to a few rows of it."""
        table, written = quote(self.name), [column for column in self.columns if not column.generated]
        key = {name: self._of(name).value(dice, in_key=True) for name in self.key}
        where = " AND ".join(f"{quote(name)} = {hole}" for name, (hole, _) in key.items())
        one = [value for _, value in key.values()]
        match dice.choice(("insert", "insert", "insert", "update", "update", "update", "move", "delete", "several")):
            case "insert":
                values = {c.name: key.get(c.name) or c.value(dice, in_key=False) for c in written}
                names, holes = ", ".join(map(quote, values)), ", ".join(hole for hole, _ in values.values())
                return f"INSERT INTO {table} ({names}) VALUES ({holes})", [value for _, value in values.values()]
            case "delete":
                return f"DELETE FROM {table} WHERE {where}", one
            case "several":
                first = quote(self.key[0])
                return f"DELETE FROM {table} WHERE {first} = %s LIMIT 3", one[:1]
            case "move":
                column = self._of(dice.choice(self.key))
                hole, value = column.value(dice, in_key=True)
                return f"UPDATE {table} SET {quote(column.name)} = {hole} WHERE {where}", [value, *one]
            case _:
                others = [c for c in written if c.name not in self.key] or written
                some = dice.sample(others, dice.randint(1, min(3, len(others))))
                made = [(c.name, *c.value(dice, in_key=c.name in self.key)) for c in some]
                sets = ", ".join(f"{quote(name)} = {hole}" for name, hole, _ in made)
                return f"UPDATE {table} SET {sets} WHERE {where}", [*(value for _, _, value in made), *one]

    def _of(self, name: str) -> Column:
        return next(column for column in self.columns if column.name == name)


def read_shape(connection: Connection[Cursor], database: str, name: str) -> Shape:
    with connection.cursor() as cursor:
        cursor.execute(_COLUMNS, (database, name))
        columns = tuple(
            Column(
                str(row[0]), row[1].lower(), str(row[2]), row[3] == "YES", row[4], str(row[5] or ""), row[6], row[7],
                row[8] or 0, bool(row[9]) or "GENERATED" in row[10].upper().replace("DEFAULT_GENERATED", ""),
            )
            for row in cursor.fetchall()
        )  # fmt: skip
        cursor.execute(_KEYS, (database, name))
        keys = cursor.fetchall()
    first = keys[0][0]
    return Shape(name, columns, tuple(str(column) for index, column in keys if index == first))


def quote(name: str) -> str:
    return "`" + name.replace("`", "``").replace("%", "%%") + "`"
