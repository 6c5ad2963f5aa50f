"""The two that drain a backlog: MariaDB's own parallel replication, and a run of ours that is kept warm."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from tests.bench.stream import processes
from tests.bench.stream.backlog import DATABASE
from tests.bench.stream.position import read_applied_position
from tests.servers.testbed import Arena, Server
from tests.support.job import Job, kill_tree, session_members

PATIENCE = 900.0
Head = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Drained:
    """Seconds by the clock, and of processors: of the database server, and of what writes to it."""

    clock: float
    server: float
    writer: float

    @property
    def processor(self) -> float:
        return self.server + self.writer


class Drain(Protocol):
    """Stands still outside of `drain`, so that the other one has the machine for itself."""

    def drain(self, head: Head) -> Drained: ...


def source_head(source: Server) -> Head:
    ((name, offset, *_),) = source.query("SHOW MASTER STATUS")
    return str(name), int(offset)


class Replica:
    """A replica from a dump, with as many applier threads as given, optimistic. Its own log holds what it applies, as
    our target's does."""

    def __init__(self, server: Server, source: Server, *, threads: int) -> None:
        self._server = server
        _restore(source, server)
        server.query("SET GLOBAL slave_parallel_mode = 'optimistic'")
        server.query(f"SET GLOBAL slave_parallel_threads = {threads}")
        name, offset = source_head(source)
        password = source.sandbox.admin_password_file.read_text(encoding="utf-8")
        server.query(
            "CHANGE MASTER TO master_host = %s, master_port = %s, master_user = 'root', master_password = %s, "
            "master_log_file = %s, master_log_pos = %s, master_ssl = 0, master_use_gtid = no",
            (source.host, source.port, password, name, offset),
        )

    def drain(self, head: Head) -> Drained:
        pids = [self._server.sandbox.pid or 0]
        used, began = processes.processor_seconds(pids), time.monotonic()
        self._server.query("START SLAVE")
        ((waited,),) = self._server.query("SELECT MASTER_POS_WAIT(%s, %s, %s)", (*head, PATIENCE))
        took = time.monotonic() - began
        assert waited is not None and waited >= 0, self._server.query("SHOW SLAVE STATUS")
        spent = processes.processor_seconds(pids) - used
        self._server.query("STOP SLAVE")
        return Drained(took, spent, 0.0)


class Stream:
    """`shardwright run`, warm, frozen while others work."""

    def __init__(self, arena: Arena, job: Job, process: subprocess.Popen[bytes]) -> None:
        self._arena = arena
        self._job = job
        self.process = process

    @property
    def servers(self) -> list[int]:
        return [server.sandbox.pid or 0 for server in self._arena.targets]

    def members(self) -> list[int]:
        return list(session_members(self.process.pid))

    def drain(self, head: Head) -> Drained:
        members = self.members()
        used = processes.processor_seconds(self.servers), processes.processor_seconds(members)
        began = time.monotonic()
        processes.thaw(members)
        try:
            self.wait(head)
            took = time.monotonic() - began
            members = self.members()
            spent = processes.processor_seconds(self.servers), processes.processor_seconds(members)
        finally:
            processes.freeze(self.members())
        return Drained(took, spent[0] - used[0], spent[1] - used[1])

    def wait(self, head: Head) -> None:
        first = self._job.spec.target.databases[0]
        with self._arena.shard(first) as connection:
            self._until(lambda: (at := read_applied_position(connection)) is not None and at >= _comparable(head))

    def _until(self, holds: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not holds():
            assert self.process.poll() is None, self._job.end_of_log()
            assert time.monotonic() < end, self._job.end_of_log()
            time.sleep(0.02)


@contextmanager
def running_stream(arena: Arena, job: Job, *arguments: str) -> Iterator[Stream]:
    """A run with these arguments that has copied what stands at the source and follows the stream. It runs; freeze it by draining."""
    job.call("compile")
    process = job.start_run(*arguments)
    try:
        stream = Stream(arena, job, process)
        stream.wait(source_head(arena.source))
        yield stream
    finally:
        processes.thaw(stream.members())
        kill_tree(process)


def _comparable(head: Head) -> tuple[int, int]:
    return int(head[0].rpartition(".")[2]), head[1]


def _restore(source: Server, replica: Server) -> None:
    def account(server: Server) -> list[str]:
        password = server.sandbox.admin_password_file.read_text(encoding="utf-8")
        return ["--host=127.0.0.1", f"--port={server.port}", "--user=root", f"--password={password}"]

    dump = ["mariadb-dump", "--no-defaults", *account(source), "--single-transaction", "--databases", DATABASE]
    load = ["mariadb", "--no-defaults", *account(replica)]
    with subprocess.Popen(dump, stdout=subprocess.PIPE) as dumping:
        subprocess.run(load, stdin=dumping.stdout, check=True)
    assert dumping.returncode == 0


def table_state(server: Server, tables: list[tuple[str, str]]) -> tuple[int, int]:
    """Rows of all tables together, and a sum of a hash of each."""
    rows = total = 0
    columns = "id, user_id, status, amount, currency, title, IFNULL(note, '~'), quantity, IFNULL(weight, '~'), created_at, updated_at"
    for database, table in tables:
        ((count, hashes),) = server.query(
            f"SELECT COUNT(*), COALESCE(SUM(CAST(CONV(LEFT(MD5(CONCAT_WS('|', {columns})), 14), 16, 10) AS UNSIGNED)), 0) "
            f"FROM `{database}`.`{table}`"
        )
        rows, total = rows + int(count), total + int(hashes)
    return rows, total
