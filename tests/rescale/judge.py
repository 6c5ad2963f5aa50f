"""What a side holds, by a reading of its own: every row of every physical table, each in its place. Shares no code with
the product.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.servers.testbed import Server

Row = tuple[Any, ...]
TABLES = {"account": "id, id, shown_name", "parcel": "id, owner_id, note, grams"}
"""Each begins with the key and the column that places the row."""


@dataclass(frozen=True)
class Side:
    """`count` databases of `count` tables, called STEM_0 and on; `servers` holds each database."""

    stem: str
    count: int
    servers: Mapping[str, Server]

    @property
    def databases(self) -> tuple[str, ...]:
        return tuple(f"{self.stem}_{number}" for number in range(self.count))

    @property
    def suffixes(self) -> tuple[str, ...]:
        return tuple(f"_{number}" for number in range(self.count))

    def place(self, owner: int) -> tuple[str, str]:
        """Database and suffix, as the rule says it."""
        code = zlib.crc32(str(owner).encode())
        return self.databases[code % self.count], self.suffixes[code // self.count % self.count]

    def query(self, database: str, sql: str) -> list[Row]:
        return self.servers[database].query(sql, database=database)

    def rows(self) -> dict[str, list[Row]]:
        """By table, sorted. Fails for a row in a wrong place, and where copies differ."""
        found: dict[str, list[Row]] = {name: [] for name in TABLES}
        for name, columns in TABLES.items():
            for database in self.databases:
                for suffix in self.suffixes:
                    for row in self.query(database, f"SELECT {columns} FROM {name}{suffix}"):
                        assert self.place(row[1]) == (database, suffix), f"{database}.{name}{suffix} has {row}"
                        found[name].append(row)
        copies = {
            database: sorted(self.query(database, "SELECT code, name FROM country")) for database in self.databases
        }
        first = copies[self.databases[0]]
        assert all(copy == first for copy in copies.values()), f"copies differ: {copies}"
        found["country"] = first
        found["job_lock"] = [
            row
            for database in self.databases
            if self.query(database, "SHOW TABLES LIKE 'job\\_lock'")
            for row in self.query(database, "SELECT name, held FROM job_lock")
        ]
        return {name: sorted(rows) for name, rows in found.items()}


def require_equal(one: Side, other: Side) -> dict[str, list[Row]]:
    """Both hold the same rows; gives them."""
    here, there = one.rows(), other.rows()
    for name, rows in here.items():
        only_here, only_there = set(rows) - set(there[name]), set(there[name]) - set(rows)
        assert not (only_here or only_there), f"{name}: only old {list(only_here)[:5]}, only new {list(only_there)[:5]}"
        assert len(rows) == len(there[name]), name
    return here
