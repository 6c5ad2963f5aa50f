"""A source and two sharded databases filled alike, to be broken by a test."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.verify.barrier import Moving
from shardwright.runtime.verify.result import VerifyResult
from shardwright.runtime.verify.verify import CompareRequest, OnProgress, verify
from tests.servers.testbed import Arena, Server
from tests.verify.plans import DATABASES, SOURCE, SUFFIXES

Row = Sequence[object]
SESSION = "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION,ALLOW_INVALID_DATES', time_zone = '+00:00'"


def home(value: object) -> tuple[int, int]:
    """Database and table of a shard key."""
    number = zlib.crc32(str(value).encode())
    return number % 2, number // 2 % 2


class Layout:
    def __init__(self, arena: Arena) -> None:
        self._servers: dict[str, Server] = {SOURCE: arena.source}
        self._servers |= dict(zip(DATABASES, arena.targets, strict=True))
        self.plan: Plan | None = None
        for database, server in self._servers.items():
            server.query(f"CREATE DATABASE {database} CHARACTER SET utf8mb4")

    def create(self, definition: str, *names: str, databases: Sequence[str]) -> None:
        for database in databases:
            with self.connect(database) as connection, connection.cursor() as cursor:
                for name in names:
                    cursor.execute(f"CREATE TABLE `{name}` ({definition})")

    def create_sharded(self, definition: str, logical: str, *, sources: Sequence[str] | None = None) -> None:
        self.create(definition, *(sources or (logical,)), databases=[SOURCE])
        self.create(definition, *(logical + suffix for suffix in SUFFIXES), databases=DATABASES)

    def fill(self, logical: str, rows: Sequence[Row], *, shard_key: int, sources: Sequence[str] | None = None) -> None:
        """The same rows on both sides, each where its shard key (by index) belongs, dealt out among the sources."""
        names = sources or (logical,)
        for number, name in enumerate(names):
            self.insert(SOURCE, name, rows[number :: len(names)])
        for database in range(2):
            for part in range(2):
                mine = [row for row in rows if home(row[shard_key]) == (database, part)]
                self.insert(DATABASES[database], logical + SUFFIXES[part], mine)

    def insert(self, database: str, table: str, rows: Sequence[Row]) -> None:
        if rows:
            marks = ", ".join(["%s"] * len(rows[0]))
            with self.connect(database) as connection, connection.cursor() as cursor:
                cursor.executemany(f"INSERT INTO `{table}` VALUES ({marks})", rows)

    def execute(self, database: str, sql: str, *values: object) -> int:
        with self.connect(database) as connection, connection.cursor() as cursor:
            return int(cursor.execute(sql, values or None))

    def connect(self, database: str) -> Connection[Any]:
        return self._servers[database].connect(database, init_command=SESSION)

    def verify(
        self,
        plan: Plan,
        *tables: str,
        moving: Moving | None = None,
        on_progress: OnProgress = lambda progress: None,
        **asked: Any,
    ) -> VerifyResult:
        return verify(
            plan,
            CompareRequest(tables or None, **asked),
            source=lambda _database: self.connect(SOURCE),
            shard=lambda index: self.connect(DATABASES[index]),
            moving=moving,
            on_progress=on_progress,
        )
