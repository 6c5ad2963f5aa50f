"""Servers for tests, and the arena that one test works in."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pymysql
from pymysql.connections import Connection
from pymysql.cursors import Cursor

from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.md5_component import INSTALL
from shardwright.runtime.mysql.servers import mariadb_version
from shardwright.runtime.rehearsal.sandbox.accounts import (
    APPLICATION_USER,
    RUNTIME_USER,
    create_databases,
    create_source_accounts,
    create_target_accounts,
    password_file,
)
from shardwright.runtime.rehearsal.sandbox.docker import restart_container
from shardwright.runtime.rehearsal.sandbox.environment_file import ServerLayout, write_environment
from shardwright.runtime.rehearsal.sandbox.lifecycle import is_running, start_server, stop_server
from shardwright.runtime.rehearsal.sandbox.sandbox import spread
from shardwright.runtime.rehearsal.sandbox.script import statements
from shardwright.runtime.rehearsal.sandbox.server import SandboxServer
from shardwright.runtime.sources.binlog.connection import log_status
from shardwright.specs.spec.model import Spec
from tests.servers.quick_connection import QuickConnection

_CANNOT_REMOVE = 1010
_SYSTEM_DATABASES = {"mysql", "information_schema", "performance_schema", "sys"}
_AS_STARTED = (
    "SET GLOBAL binlog_format = 'ROW'",
    "SET GLOBAL binlog_row_image = 'FULL'",
    "SET GLOBAL read_only = 0",
    "SET GLOBAL local_infile = 1",
)


class Server:
    """A database server the tests may do anything to: also stop, freeze and start it again."""

    def __init__(self, name: str, server: SandboxServer, *, extra: Mapping[str, str]) -> None:
        self.name = name
        self.sandbox = server
        self._extra = extra

    @property
    def host(self) -> str:
        return self.sandbox.host

    @property
    def port(self) -> int:
        return self.sandbox.port

    @property
    def endpoint(self) -> Endpoint:
        """The server as the administrator reaches it."""
        return Endpoint(self.host, self.port, "root", self._password())

    def _password(self) -> str:
        return self.sandbox.admin_password_file.read_text(encoding="utf-8")

    def connect(self, database: str | None = None, **options: Any) -> Connection[Cursor]:
        """An autocommit connection of the administrator; `options` are PyMySQL's."""
        given = {
            "user": "root",
            "password": self._password(),
            "charset": "utf8mb4",
            "autocommit": True,
            "connect_timeout": 10,
        }
        return QuickConnection(host=self.host, port=self.port, database=database, **{**given, **options})

    def query(
        self, sql: str, arguments: Sequence[object] = (), *, database: str | None = None
    ) -> list[tuple[Any, ...]]:
        """Run one statement on a connection of its own and return its rows."""
        with self.connect(database) as connection, connection.cursor() as cursor:
            cursor.execute(sql, arguments or None)
            return list(cursor.fetchall())

    def lacks_generated_columns_in_the_log(self) -> bool:
        """A plan that reads them is refused there (SW8172)."""
        with self.connect() as connection:
            return log_lacks_generated_columns(connection)

    def waiting_transactions(self) -> set[str]:
        """Those that wait for another one's locks. InnoDB gathers them anew only when nobody has asked for 0.1 s:
        whoever asks more often is told the same for ever."""
        time.sleep(0.15)
        rows = self.query("SELECT trx_id FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'")
        return {str(row[0]) for row in rows}

    def run_script(self, script: str | Path, *, database: str | None = None) -> None:
        """Run the statements of a script (text, or a file), which may change the DELIMITER."""
        text = script.read_text(encoding="utf-8") if isinstance(script, Path) else script
        with self.connect(database) as connection, connection.cursor() as cursor:
            for statement in statements(text):
                cursor.execute(statement)

    def learn_md5(self) -> None:
        """MySQL's has been in a component of its own since 9.6; without it MD5 is taken for a stored function (1046,
        1305)."""
        try:
            self.query("SELECT MD5('')")
        except pymysql.err.OperationalError:
            self.query(INSTALL)

    def learn_password(self, user: str, file: Path) -> None:
        """MySQL must have had the password over TLS before it takes a proof of it in plain text, as through a proxy of
        the tests."""
        if self.sandbox.kind == "mysql":
            self.connect(user=user, password=file.read_text(encoding="utf-8")).close()

    def log_end(self) -> tuple[str, int]:
        """File and offset up to which the server has written its log."""
        with self.connect() as connection:
            status = log_status(connection)
        return str(status["file"]), int(status["position"])

    def stop(self) -> None:
        """Shut it down; open connections break."""
        stop_server(self.sandbox)

    def start(self) -> None:
        """Start it again on the same data and port; nothing when it runs."""
        if is_running(self.sandbox):
            return
        if self.sandbox.container:
            self.sandbox = restart_container(self.sandbox)
        else:
            server = self.sandbox
            self.sandbox = start_server(server.folder, server_id=server.server_id, port=server.port, extra=self._extra)

    @contextmanager
    def freeze(self) -> Iterator[None]:
        """Within, the server answers nothing and drops nothing (local servers only)."""
        if self.sandbox.pid is None:
            raise NotImplementedError("freezing a container")
        os.kill(self.sandbox.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(self.sandbox.pid, signal.SIGCONT)

    def _drop_database(self, cursor: Cursor, database: str) -> None:
        """Also when an ALTER TABLE whose process was killed has left a file of its own there."""
        statement = f"DROP DATABASE `{database.replace('`', '``')}`"
        try:
            cursor.execute(statement)
        except pymysql.err.OperationalError as error:
            left = list((self.sandbox.folder / "data" / database).glob("*"))
            if error.args[0] != _CANNOT_REMOVE or not all(map(_is_left_over, left)):
                raise AssertionError(f"{error}: {sorted(file.name for file in left)}") from error
            for file in left:
                file.unlink()
            cursor.execute(statement)

    def make_empty(self) -> None:
        """As it was when new: no databases, no accounts of ours, nobody connected. The binary log stays."""
        self.start()
        with self.connect() as connection, connection.cursor() as cursor:
            _end_other_connections(cursor)
            cursor.execute("SHOW DATABASES")
            for (database,) in cursor.fetchall():
                if database not in _SYSTEM_DATABASES:
                    self._drop_database(cursor, database)
            for user in (RUNTIME_USER, APPLICATION_USER):
                cursor.execute("DROP USER IF EXISTS %s@%s", (user, self.sandbox.account_host))
            for statement in _AS_STARTED:
                cursor.execute(statement)


def log_lacks_generated_columns(connection: Connection[Any]) -> bool:
    version = mariadb_version(connection)
    return version is not None and version >= (11, 8)


def _is_left_over(file: Path) -> bool:
    """What ALTER TABLE or CREATE TRIGGER leaves when its server is killed."""
    return file.name.startswith("#sql") or file.name.endswith((".TRG-", ".TRN-", ".TRG~", ".TRN~"))


class Arena:
    """One source and two targets, all empty, and a folder for the secrets of the accounts made here."""

    def __init__(self, source: Server, targets: tuple[Server, ...], folder: Path) -> None:
        self.source = source
        self.targets = targets
        self.folder = folder
        self.placement: dict[str, Server] = {}
        """Which server holds which target database, once they were made."""

    def prepare(
        self,
        project: Path,
        *,
        source_databases: Sequence[str],
        target_databases: Sequence[str],
        name: str = "test",
        settings: Mapping[str, Any] | None = None,
    ) -> Path:
        """Make the databases and the runtime's accounts, write `environments/NAME.yaml` in `project` and return it.

        `settings` are further keys of the environment file (spark, batch, snapshot).
        """
        secrets = self.folder / "secrets"
        secrets.mkdir(mode=0o700, exist_ok=True)
        layout = spread(target_databases, min(len(self.targets), len(target_databases)))
        servers = dict(zip(layout, self.targets, strict=False))
        create_databases(self.source.sandbox, source_databases)
        create_source_accounts(self.source.sandbox, source_databases, secrets=secrets)
        for target, databases in layout.items():
            create_databases(servers[target].sandbox, databases)
            create_target_accounts(servers[target].sandbox, databases, secrets=secrets)
            self.placement |= dict.fromkeys(databases, servers[target])
        for server in {self.source, *servers.values()}:
            server.learn_password(RUNTIME_USER, password_file(RUNTIME_USER, secrets=secrets))
        file = project / "environments" / f"{name}.yaml"
        sandboxes = {target: server.sandbox for target, server in servers.items()}
        where = ServerLayout(self.source.sandbox, sandboxes, layout, secrets)
        write_environment(file, where, work_dir=self.folder / "work", settings=settings)
        return file

    def prepare_for(
        self, spec: Spec, project: Path, *, name: str = "test", settings: Mapping[str, Any] | None = None
    ) -> Path:
        """`prepare` for the databases a spec names."""
        return self.prepare(
            project,
            source_databases=spec.source.databases,
            target_databases=spec.target.databases,
            name=name,
            settings=settings,
        )

    def shard(self, database: str) -> Connection[Cursor]:
        """A connection to a target database on whichever server holds it."""
        return self.placement[database].connect(database)

    def application_password_file(self) -> Path:
        return password_file(APPLICATION_USER, secrets=self.folder / "secrets")


def _end_other_connections(cursor: Cursor) -> None:
    """A run that a test killed may have left transactions open; their locks would stop the DROPs."""
    cursor.execute(
        "SELECT id FROM information_schema.processlist WHERE id <> CONNECTION_ID()"
        " AND user NOT IN ('system user', 'event_scheduler') AND command NOT IN ('Daemon')"
    )
    for (connection,) in cursor.fetchall():
        try:
            cursor.execute("KILL %s", (connection,))
        except pymysql.err.OperationalError as gone:
            if gone.args[0] != 1094:  # unknown thread: it ended by itself
                raise
