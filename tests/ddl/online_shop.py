"""A small project whose `ddl apply` copies tables, its shards with rows in them, and an application that writes
meanwhile.
"""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import pymysql

from shardwright.compiler.plan.files import read_plan
from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.ddl.routing.targets import targets
from shardwright.runtime.ddl.tables.create import create_tables
from shardwright.runtime.ledger.ddl_record import Entry
from shardwright.runtime.mysql.servers import Servers, servers_of
from shardwright.runtime.rehearsal.sandbox.accounts import RUNTIME_USER
from shardwright.specs.environment.read import read_environment
from tests.servers.forks import SHARDWRIGHT
from tests.servers.testbed import Arena
from tests.support.commands import Outcome, own_process
from tests.support.waiting import wait_until

DATABASES: Final = ("order_db_0", "order_db_1")
TABLES: Final = tuple((database, f"orders_{number}") for database in DATABASES for number in range(2))
SPEC = """
version: 1
migration: orders
source: {dialect: mariadb, databases: [shop], schema: schema/shop.sql, stream: {format: binlog}}
target: {databases: "order_db_{0..1}", tables_suffix: "_{0..1}"}
sharding:
  by_user: {shard_key: [user_id], algorithm: crc32_mod}
tables:
  - {table: orders, sharding: by_user}
ddl: ddl/
"""
SCHEMA = """
CREATE TABLE orders (order_id BIGINT NOT NULL, user_id INT NOT NULL, PRIMARY KEY (order_id))
DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
"""
NOTE = "ALTER TABLE orders ADD COLUMN note VARCHAR(40);\n"
WIDER = "ALTER TABLE orders MODIFY COLUMN note TEXT, COMMENT 'it''s, wider';\n"
GRANTS: Final = (
    "SUPER, PROCESS, REPLICATION SLAVE, REPLICATION CLIENT ON *.*",
    "SELECT ON performance_schema.*",
)
LEAVE: Final = ("--allow", "SW8420")
"""MODIFY counts as destructive."""

_FILL = (
    "INSERT INTO orders_{} (order_id, user_id, note)"
    " WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {}) SELECT i, i % 97, CONCAT('n', i) FROM n"
)


class OnlineShop:
    """Two databases of two tables, `note` already there. `rows` in each table."""

    def __init__(self, folder: Path, arena: Arena, *, change: str = WIDER, rows: int = 2_000) -> None:
        self.folder, self.arena = folder, arena
        self.write({"specs/orders.yaml": SPEC, "schema/shop.sql": SCHEMA, "ddl/0001_note.sql": NOTE})
        self.calls("compile").require(0)
        environment = arena.prepare(folder, source_databases=["shop"], target_databases=DATABASES)
        plan = read_plan(folder / "build" / "orders")
        self.servers: Servers = servers_of(
            read_environment(str(environment), databases=plan.databases), plan, os.environ
        )
        create_tables(
            plan,
            connect=lambda name: self.servers.connect_shard(plan.databases.index(name)),
            limit=2,
            on_progress=lambda _progress: None,
        )
        for server in set(arena.placement.values()):
            # What the tools' manuals ask for beyond the database.
            for given in GRANTS:
                server.query(f"GRANT {given} TO {RUNTIME_USER}@'{server.sandbox.account_host}'")
        self.calls("ddl", "apply", "--env", "test").require(0)
        self.write({"ddl/0002_wider.sql": change})
        self.calls("compile").require(0)
        self.plan: Plan = read_plan(folder / "build" / "orders")
        for database, table in TABLES:
            server = arena.placement[database]
            with server.connect(database) as connection, connection.cursor() as cursor:
                with suppress(pymysql.err.MySQLError):
                    cursor.execute("SET SESSION max_recursive_iterations = 10000000")  # MariaDB's name
                with suppress(pymysql.err.MySQLError):
                    cursor.execute("SET SESSION cte_max_recursion_depth = 10000000")
                cursor.execute(_FILL.format(table[-1], rows))

    def write(self, files: Mapping[str, str]) -> None:
        for name, text in files.items():
            (self.folder / name).parent.mkdir(exist_ok=True)
            (self.folder / name).write_text(text, "utf-8")

    def calls(self, *arguments: str, environ: Mapping[str, str] | None = None) -> Outcome:
        return own_process(self.folder, *arguments, environ=environ)

    def apply(self, tool: str, *arguments: str, environ: Mapping[str, str] | None = None) -> Outcome:
        return self.calls("ddl", "apply", "--env", "test", "--online", tool, *LEAVE, *arguments, environ=environ)

    def starts(self, tool: str) -> subprocess.Popen[str]:
        """An apply of its own, which a test may kill."""
        command = [SHARDWRIGHT, "--project", str(self.folder), "ddl", "apply", "--env", "test", "--online", tool]
        return subprocess.Popen(
            [*command, *LEAVE], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=self.folder
        )

    def entries(self, file: str, table: str) -> Iterator[Entry]:
        """As the shards' records have them, of the first shard."""
        for change in self.plan.ddl:
            for target in targets(self.plan, change, DATABASES[:1]):
                if Path(change.file).name == file and target.entry.table == table:
                    yield target.entry

    def query(self, database: str, sql: str) -> list[tuple[Any, ...]]:
        return self.arena.placement[database].query(sql, database=database)

    def types(self) -> list[str]:
        """Of the column `note`, of all tables."""
        sql = (
            "SELECT data_type FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = '{}'"
            " AND column_name = 'note'"
        )
        return [str(self.query(database, sql.format(table))[0][0]) for database, table in TABLES]

    def foreign_objects(self) -> set[str]:
        """Tables and triggers that are neither the plan's nor the ledgers'."""
        tables = "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()"
        triggers = "SELECT trigger_name FROM information_schema.triggers WHERE trigger_schema = DATABASE()"
        found = {
            str(row[0]) for database in DATABASES for sql in (tables, triggers) for row in self.query(database, sql)
        }
        known = {table for _, table in TABLES}
        return {name for name in found if name not in known and not name.startswith(("_shardwright", "_sw_"))}

    @contextmanager
    def change_rows(self, database: str, table: str, *, rows: int = 2_000) -> Iterator[dict[int, str]]:
        """Within, an application inserts, updates and deletes rows; yields what must stand there at the end, by key."""
        expected = {key: f"n{key}" for key in range(1, rows + 1)}
        ends = threading.Event()
        failures: list[BaseException] = []

        def write() -> None:
            try:
                with self.arena.placement[database].connect(database) as connection, connection.cursor() as cursor:
                    for turn in range(10_000_000):
                        if ends.is_set():
                            return
                        new, changed, gone = 10_000_000 + turn, 1 + turn * 7 % rows, 1 + turn * 13 % rows
                        cursor.execute(
                            f"INSERT INTO {table} (order_id, user_id, note) VALUES (%s, 1, %s)", (new, f"a{turn}")
                        )
                        expected[new] = f"a{turn}"
                        cursor.execute(f"UPDATE {table} SET note = %s WHERE order_id = %s", (f"u{turn}", changed))
                        if changed in expected:
                            expected[changed] = f"u{turn}"
                        if turn % 5 == 0:
                            cursor.execute(f"DELETE FROM {table} WHERE order_id = %s", (gone,))
                            expected.pop(gone, None)
                        time.sleep(0.002)
            except BaseException as error:  # noqa: BLE001 - the test raises it
                failures.append(error)

        thread = threading.Thread(target=write)
        thread.start()
        try:
            yield expected
        finally:
            ends.set()
            thread.join(30)
        if failures:
            raise failures[0]

    def rows(self, database: str, table: str) -> dict[int, str]:
        return {int(key): str(note) for key, note in self.query(database, f"SELECT order_id, note FROM {table}")}


def tool_of(apply: subprocess.Popen[str], program: str) -> int | None:
    """The process of the tool that this apply runs now."""
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            stat = (folder / "stat").read_text("utf-8").rpartition(")")[2].split()
            words = (folder / "cmdline").read_bytes().decode("utf-8", "replace")
            if int(stat[1]) == apply.pid and program in words and "setpriv" not in words.split("\0")[0]:
                return int(folder.name)
    return None


def wait_for(what: str, report: Any, *, seconds: float = 60.0) -> Any:
    return wait_until(what, report, seconds=seconds)
