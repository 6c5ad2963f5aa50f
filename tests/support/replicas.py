"""Two servers that copy one another's log, and a reader that follows one of them into a plain dictionary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from shardwright.compiler.plan.catalogue import Column, ColumnType
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.rehearsal.sandbox.binary import find_server_binary
from shardwright.runtime.rehearsal.sandbox.lifecycle import remove_server, start_server, stop_server
from shardwright.runtime.rehearsal.sandbox.server import SandboxServer
from shardwright.runtime.sources.binlog.connection import connect_dump, log_head, server_identity
from shardwright.runtime.sources.binlog.failover import resume
from shardwright.runtime.sources.binlog.log import Log
from shardwright.runtime.sources.binlog.read import read_changes
from shardwright.runtime.sources.binlog.scan import next_boundary
from shardwright.runtime.sources.binlog.server_log import read_executed_at
from shardwright.runtime.sources.positions.earlier_place import EarlierPlace
from shardwright.runtime.sources.positions.log_position import LogPosition
from shardwright.specs.environment.environment import BatchLimits, FailoverSettings
from tests.servers.testbed import Server
from tests.support.waiting import wait_until

TABLES = {"shop.t": (Column("id", ColumnType("int"), nullable=False), Column("v", ColumnType("int"), nullable=True))}


def server_kind() -> str:
    """Which kind the local server program is; MySQL where containers are used."""
    binary = find_server_binary()
    return binary.kind if binary is not None else "mysql"


@dataclass
class Node:
    """A private server whose log also holds what it copies from another."""

    folder: Path
    number: int
    options: Mapping[str, str]
    server: SandboxServer = field(init=False)

    def __post_init__(self) -> None:
        self.start()

    def start(self, *, port: int | None = None) -> None:
        self.server = start_server(self.folder, server_id=self.number, port=port, extra=self.options)

    def stop(self) -> None:
        stop_server(self.server)

    def remove(self) -> None:
        remove_server(self.server)

    @property
    def is_mysql(self) -> bool:
        return self.server.kind == "mysql"

    @property
    def password(self) -> str:
        return self.server.admin_password_file.read_text(encoding="utf-8")

    @property
    def log(self) -> Endpoint:
        return Endpoint(self.server.host, self.server.port, "root", self.password)

    def run(self, *statements: str) -> list[tuple[Any, ...]]:
        """On one session; the rows of the last statement."""
        with self.server.connect() as connection, connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)
            return list(cursor.fetchall())

    def take_password_of(self, primary: Server) -> None:
        """What a test asks of `primary` is asked of this server from now on."""
        password = primary.sandbox.admin_password_file.read_text(encoding="utf-8")
        accounts = [f"root@'{host}'" for (host,) in self.run("SELECT host FROM mysql.user WHERE user = 'root'")]
        self.run("SET sql_log_bin = 0", *(f"ALTER USER {account} IDENTIFIED BY '{password}'" for account in accounts))
        self.server.admin_password_file.write_text(password, encoding="utf-8")

    def rows(self) -> dict[int, int]:
        return dict(self.run("SELECT id, v FROM shop.t"))  # type: ignore[arg-type]

    def forget_everything(self) -> None:
        """Log, GTIDs, replication and data as on a new server."""
        if self.is_mysql:
            self.run("SET sql_log_bin = 0", "STOP REPLICA", "RESET REPLICA ALL", "DROP DATABASE IF EXISTS shop",
                     "RESET BINARY LOGS AND GTIDS")  # fmt: skip
        else:
            self.run("SET sql_log_bin = 0", "STOP SLAVE", "RESET SLAVE ALL", "DROP DATABASE IF EXISTS shop", "RESET MASTER",
                     "SET GLOBAL gtid_slave_pos = ''", "SET GLOBAL gtid_strict_mode = 0")  # fmt: skip

    def copy_from(self, other: Node | Server) -> None:
        server = other.server if isinstance(other, Node) else other.sandbox
        host, port, password = server.host, server.port, server.admin_password_file.read_text(encoding="utf-8")
        account = f"HOST='{host}', {{0}}PORT={port}, {{0}}USER='root', {{0}}PASSWORD='{password}', {{0}}CONNECT_RETRY=1"
        if self.is_mysql:
            given = "SOURCE_" + account.format("SOURCE_")
            automatic = int(self.run("SELECT @@gtid_mode")[0][0] == "ON")
            more = f"SOURCE_AUTO_POSITION={automatic}, GET_SOURCE_PUBLIC_KEY=1"
            self.run(f"CHANGE REPLICATION SOURCE TO {given}, {more}", "START REPLICA")
        else:
            given = "MASTER_" + account.format("MASTER_")
            self.run(f"CHANGE MASTER TO {given}, MASTER_USE_GTID=slave_pos", "START SLAVE")

    def stop_copying(self) -> None:
        self.run("STOP REPLICA" if self.is_mysql else "STOP SLAVE")

    def start_copying(self) -> None:
        self.run("START REPLICA" if self.is_mysql else "START SLAVE")

    def flush(self) -> None:
        self.run("FLUSH BINARY LOGS")

    def purge_to_newest(self) -> None:
        self.flush()
        newest = log_head(self.log).file
        purge = (f"PURGE BINARY LOGS TO '{newest}'", "SHOW BINARY LOGS")  # a replica may be reading yet
        wait_until("one file is left", lambda: len(self.run(*purge)) == 1)

    def wait_for(self, rows: Mapping[int, int]) -> None:
        """Until the table, copied here, has these rows."""
        wait_until(f"the replica has {rows}", lambda: self.rows() == rows, show=self.rows)

    def wait_for_table(self) -> None:
        has_database, has_table = "SHOW DATABASES LIKE 'shop'", "SHOW TABLES FROM shop LIKE 't'"
        wait_until("the table is here", lambda: self.run(has_database) and self.run(has_table))

    def position(self) -> LogPosition:
        """The head, with all that a run records of its first position."""
        head = log_head(self.log)
        with connect_dump(self.log) as connection:
            gtids = read_executed_at(connection, head, mariadb=not self.is_mysql)
            named = replace(head, server=server_identity(connection), gtids=gtids)
        return resume(self.log, named, tables=("shop.t",)).position


@contextmanager
def replica_of(server: Server, folder: Path, number: int, options: Mapping[str, str]) -> Iterator[Node]:
    """A server that copies all that `server` does from now on, accounts too."""
    node = Node(folder, number, options)
    try:
        node.forget_everything()
        if node.is_mysql:
            node.run(f"SET GLOBAL gtid_purged = '{server.query('SELECT @@gtid_executed')[0][0]}'")
        else:
            node.run(f"SET GLOBAL gtid_slave_pos = '{server.query('SELECT @@gtid_binlog_pos')[0][0]}'")
        node.copy_from(server)
        yield node
    finally:
        node.remove()


@dataclass
class Reader:
    """Follows a node; every batch is merged to one change a row, as the stream does, and applied to `rows`."""

    node: Node
    position: LogPosition
    rows: dict[int, int] = field(default_factory=dict)
    events: int = 0
    batches: list[int] = field(default_factory=list)

    def follow(self, *, max_rows: int = 1_000_000, batches: int = 1_000_000) -> None:
        """Until nothing is new, or for so many batches."""
        for _ in range(batches):
            start = LogPosition.from_json(self.position.to_json())  # as ledgers keep it
            boundary = next_boundary(
                Log(self.node.log, TABLES), start, limits=BatchLimits(max_bytes=1 << 30, max_rows=max_rows)
            )
            if boundary.end == start:
                return
            self._apply(start, boundary.end)
            self.position = boundary.end

    def _apply(self, start: LogPosition, end: LogPosition) -> None:
        last: dict[int, Any] = {}
        count = 0
        for batch in read_changes(Log(self.node.log, TABLES), start, end):
            for change in batch.to_pylist():
                count += 1
                assert change["epoch"] == start.epoch
                for image in ("before", "after"):
                    if change[image] is not None:
                        last[int(change[image][0])] = change["after"] if image == "after" else None
        for key, image in last.items():
            if image is None:
                self.rows.pop(key, None)
            else:
                self.rows[key] = int(image[1])
        self.events += count
        self.batches.append(count)

    def go_over_to(
        self,
        node: Node,
        *,
        margin: float = 60.0,
        wait: float = 60.0,
        earlier: Sequence[EarlierPlace] = (),
        without: Sequence[str] = (),
    ) -> tuple[str, ...]:
        settled = FailoverSettings(margin_seconds=margin, wait_seconds=wait, reread_rows=10)
        found = resume(node.log, self.position, tables=("shop.t",), settled=settled, earlier=earlier, without=without)
        self.node, self.position = node, found.position
        return found.decisions
