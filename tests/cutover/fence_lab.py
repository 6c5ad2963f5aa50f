"""Two servers with a table each that an application writes, and the fences that stop it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pymysql
from pymysql.connections import Connection

from shardwright.runtime.cutover.fences.fence import Fence, FenceContext, FencedServer
from shardwright.runtime.cutover.fences.open import open_fence
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.grants import ROWS, grant, quote_account
from shardwright.runtime.rehearsal.sandbox.accounts import (
    APPLICATION_USER,
    RUNTIME_USER,
    allow_cutover,
    create_databases,
    create_source_accounts,
    password_file,
)
from shardwright.specs.environment.cutover import FenceKind, FenceSetting
from tests.servers.testbed import Arena, Server
from tests.support.waiting import wait_until

DATABASE = "shop"
TABLES = ("orders", "items")
SCHEMA = """
CREATE TABLE orders (id BIGINT PRIMARY KEY AUTO_INCREMENT, writer INT NOT NULL, note VARCHAR(40) NOT NULL DEFAULT '');
CREATE TABLE items (id BIGINT PRIMARY KEY AUTO_INCREMENT, writer INT NOT NULL, note VARCHAR(40) NOT NULL DEFAULT '');
CREATE TABLE other (id BIGINT PRIMARY KEY AUTO_INCREMENT, writer INT NOT NULL);
"""


class FenceLab:
    """`servers` are the first ones of the arena."""

    def __init__(self, arena: Arena, *, servers: int = 2) -> None:
        self.servers = (arena.source, *arena.targets)[:servers]
        self.secrets = arena.folder / "secrets"
        self.secrets.mkdir(mode=0o700, exist_ok=True)
        for server in self.servers:
            create_databases(server.sandbox, (DATABASE,))
            server.run_script(SCHEMA, database=DATABASE)
            create_source_accounts(server.sandbox, (DATABASE,), secrets=self.secrets)
            server.query(grant(ROWS, DATABASE, self.account(server, RUNTIME_USER)))
            for user in (RUNTIME_USER, APPLICATION_USER):
                server.learn_password(user, password_file(user, secrets=self.secrets))

    def allow(self, kind: FenceKind) -> None:
        for server in self.servers:
            allow_cutover(server.sandbox, (DATABASE,), kind)

    def account(self, server: Server, user: str) -> str:
        return quote_account(f"{user}@{server.sandbox.account_host}")

    def setting(self, kind: FenceKind) -> FenceSetting:
        if kind == "lock_accounts":
            return FenceSetting(kind, (f"{APPLICATION_USER}@{self.servers[0].sandbox.account_host}",))
        return FenceSetting(kind)

    def fence(self, setting: FenceSetting, *, servers: Sequence[Server] = ()) -> Fence:
        """A new object each time, as another process has it."""
        fenced = [FencedServer(self.endpoint(server), {DATABASE: TABLES}) for server in servers or self.servers]
        return open_fence(setting, fenced, context=FenceContext("orders-split", 1, "source"))

    def endpoint(self, server: Server) -> Endpoint:
        password = password_file(RUNTIME_USER, secrets=self.secrets).read_text(encoding="utf-8")
        return Endpoint(server.host, server.port, RUNTIME_USER, password)

    def connect(self, server: Server, user: str = APPLICATION_USER, **options: Any) -> Connection[Any]:
        password = password_file(user, secrets=self.secrets).read_text(encoding="utf-8")
        return server.connect(DATABASE, user=user, password=password, **options)

    def state(self) -> list[Any]:
        """Everything that a fence may change."""
        return [
            (
                server.query("SELECT @@global.read_only"),
                server.query(f"SHOW CREATE USER {self.account(server, APPLICATION_USER)}"),
                server.query(f"SHOW CREATE USER {self.account(server, RUNTIME_USER)}"),
                server.query(f"SHOW TRIGGERS FROM {DATABASE}"),
            )
            for server in self.servers
        ]

    def rows(self) -> list[Any]:
        return [server.query(f"SELECT * FROM {table} ORDER BY id", database=DATABASE)
                for server in self.servers for table in TABLES]  # fmt: skip

    def count(self, server: Server, note: str) -> int:
        return int(server.query("SELECT COUNT(*) FROM orders WHERE note = %s", (note,), database=DATABASE)[0][0])

    @contextmanager
    def write(self, *, writers: int = 3) -> Iterator[Writers]:
        """Within, threads write on every server as the application, in transactions and without."""
        found = Writers(self, writers)
        found.start()
        try:
            yield found
        finally:
            found.stop()


@dataclass
class Writers:
    lab: FenceLab
    number: int
    commits: int = 0
    errors: set[int] = field(default_factory=set)
    _end: threading.Event = field(default_factory=threading.Event)
    _threads: list[threading.Thread] = field(default_factory=list)

    def start(self) -> None:
        for server in self.lab.servers:
            for writer in range(self.number):
                self._threads.append(threading.Thread(target=self._write, args=(server, writer), daemon=True))
        for thread in self._threads:
            thread.start()
        self.until_written()

    def stop(self) -> None:
        self._end.set()
        for thread in self._threads:
            thread.join(30)

    def until_written(self) -> None:
        """Commits succeed."""
        enough = self.commits + 5 * self.number
        wait_until("commits succeed", lambda: self.commits >= enough, seconds=30, show=lambda: self.errors)

    def _write(self, server: Server, writer: int) -> None:
        connection: Connection[Any] | None = None
        turn = 0
        while not self._end.is_set():
            turn += 1
            try:
                if connection is None:
                    connection = self.lab.connect(server)
                self._transaction(connection, writer, turn)
                self.commits += 1
            except pymysql.err.MySQLError as error:
                self.errors.add(error.args[0])
                connection = None if connection is None or not self._roll_back(connection) else connection
                time.sleep(0.02)
        if connection is not None and connection.open:
            connection.close()

    def _transaction(self, connection: Connection[Any], writer: int, turn: int) -> None:
        table = TABLES[turn % 2]
        with connection.cursor() as cursor:
            if turn % 3:
                cursor.execute(f"INSERT INTO {table} (writer) VALUES (%s)", (writer,))
                return
            cursor.execute("BEGIN")
            cursor.execute(
                f"UPDATE {table} SET note = %s WHERE writer = %s ORDER BY id DESC LIMIT 1", (str(turn), writer)
            )
            time.sleep(0.005)
            cursor.execute(f"DELETE FROM {table} WHERE writer = %s ORDER BY id LIMIT 1", (writer,))
            cursor.execute("COMMIT")

    def _roll_back(self, connection: Connection[Any]) -> bool:
        try:
            connection.rollback()
        except pymysql.err.MySQLError:
            return False
        return True


def store(undo: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """As the ledger brings it back."""
    found: list[dict[str, Any]] = json.loads(json.dumps(undo))
    return found
