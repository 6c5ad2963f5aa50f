"""Empty shards on two servers, seen from outside: what stands on them, read without the product."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pymysql.connections import Connection

from tests.ddl.plans import DATABASES, SUFFIXES
from tests.servers.testbed import Arena, Server

ROOT = Path(__file__).resolve().parents[2]
ORDERS = tuple(f"{database}.orders{suffix}" for database in DATABASES for suffix in SUFFIXES)


class Shards:
    """`placement` says which server holds which database."""

    def __init__(self, arena: Arena, databases: Sequence[str] = DATABASES, suffixes: Sequence[str] = SUFFIXES) -> None:
        self.databases, self.suffixes = databases, suffixes
        self.placement: Mapping[str, Server] = {name: arena.targets[i % 2] for i, name in enumerate(databases)}
        for name, server in self.placement.items():
            server.query(f"CREATE DATABASE {name} DEFAULT CHARACTER SET latin1")

    def connect(self, database: str) -> Connection[Any]:
        return self.placement[database].connect(database)

    def query(self, database: str, sql: str) -> list[tuple[Any, ...]]:
        return self.placement[database].query(sql, database=database)

    def having_column(self, column: str) -> set[str]:
        """The physical tables that have it."""
        sql = f"SELECT table_schema, table_name FROM information_schema.columns WHERE table_schema = DATABASE() AND column_name = '{column}'"
        return {f"{schema}.{table}" for database in self.databases for schema, table in self.query(database, sql)}

    def shapes(self, logical: str) -> set[str]:
        """The CREATE TABLEs of its physical tables with the names made equal: one when they are all alike."""
        found = set()
        for database in self.databases:
            for suffix in self.suffixes:
                shown = self.query(database, f"SHOW CREATE TABLE {logical}{suffix}")[0][1]
                found.add(str(shown).replace(f"{suffix}`", "`"))
        return found

    def read_records(self) -> dict[str, set[str]]:
        """Physical tables by the state of their records of DDL files."""
        states: dict[str, set[str]] = {}
        for database in self.databases:
            for table, state in self.query(
                database, "SELECT physical_table, state FROM _shardwright_ddl WHERE file <> 'CREATE TABLE'"
            ):
                states.setdefault(state, set()).add(f"{database}.{table}")
        return states

    def server_of(self, database: str) -> str:
        return self.placement[database].name

    def start_process(self, folder: Path, files: Mapping[str, str], *, pause: float = 0.0) -> subprocess.Popen[str]:
        """A process of its own that routes `files`, printing a line for each physical table. It sleeps `pause` seconds
        between the record `started` and the statement."""
        addresses = {
            name: {
                "host": server.host,
                "port": server.port,
                "password": server.sandbox.admin_password_file.read_text(encoding="utf-8"),
            }
            for name, server in self.placement.items()
        }
        job = folder / "job.json"
        job.write_text(json.dumps({"addresses": addresses, "files": dict(files), "pause": pause}), encoding="utf-8")
        return subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("routing_process.py")), str(job)],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
