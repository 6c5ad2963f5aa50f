"""Who loads the table: a run of ours, LOAD DATA of ready-made files, mydumper with myloader, Spark from JDBC to
JDBC."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pymysql
from pymysql.cursors import Cursor

from tests.bench.snapshot.measured import Used, measure
from tests.bench.snapshot.rows import DATABASE, project
from tests.servers.jars import JarSet, jars
from tests.servers.testbed import Arena, Server
from tests.support.job import Job, kill_tree, session_members

SHARDS = tuple(f"{DATABASE}_{number}" for number in range(4))
PARTS = tuple(f"orders_{number}" for number in range(4))
MARIADB_JDBC = JarSet("mariadb-jdbc-2.7.12", ("org.mariadb.jdbc:mariadb-java-client:2.7.12",), alone=True)
_SESSIONS = 2
_MILESTONES = (
    "SELECT COUNT(*) FROM _shardwright_chunk",
    "SELECT COUNT(*) FROM _shardwright_chunk_done",
    "SELECT COUNT(*) FROM _shardwright_migration WHERE snapshot_end IS NOT NULL",
)
_NO_SUCH_TABLE = 1146
_PATIENCE = 3600.0


class Contender:
    """`load` brings all rows from the source, or ready-made files, to the target; `forget` makes room for the next
    one."""

    name: str

    def __init__(self, source: Server, target: Server, folder: Path) -> None:
        self.source = source
        self.target = target
        self.folder = folder

    def load(self) -> Used:
        raise NotImplementedError

    def tables(self) -> list[tuple[str, str]]:
        """Where the rows are afterwards."""
        raise NotImplementedError

    def forget(self) -> None:
        for database in {database for database, _ in self.tables()}:
            self.target.query(f"DROP DATABASE IF EXISTS `{database}`")
            self.target.query(f"CREATE DATABASE `{database}`")


class Ours(Contender):
    name = "shardwright"

    def __init__(self, arena: Arena, kind: str, folder: Path, settings: dict[str, object]) -> None:
        super().__init__(arena.source, arena.targets[0], folder)
        self.job = Job(arena, project(kind), folder, settings=settings)
        self.job.call("compile")

    def load(self) -> Used:
        command = self.job.command("run", "--env", "test", "--until", "snapshot")
        with self.job.log.open("ab") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
        try:
            with measure(self.parties(process.pid)) as used:
                began = time.monotonic()
                planned, first, last = self._follow(process, used)
                used.clock, used.first_row = last - planned, first - began
            assert process.returncode == 0, self.job.end_of_log()
            return used
        finally:
            kill_tree(process)

    def parties(self, driver: int) -> dict[str, Callable[[], Sequence[int]]]:
        """Whose processor time is measured, each with its processes."""
        return {
            "source": lambda: [self.source.sandbox.pid or 0],
            "target": lambda: [self.target.sandbox.pid or 0],
            "us": lambda: list(session_members(driver)),
        }

    def _follow(self, process: subprocess.Popen[bytes], used: Used) -> tuple[float, float, float]:
        """When the first chunk was planned, when the first rows stood on a shard, when the copy was complete. By one
        connection that asks ten times a second: whoever looks takes processor time from whoever is measured."""
        with self.target.connect(SHARDS[0]) as connection, connection.cursor() as cursor:
            connection.autocommit(True)
            planned = self._wait(process, cursor, _MILESTONES[0])
            used.starting = dict(used.processor)
            first, last = (self._wait(process, cursor, question) for question in _MILESTONES[1:])
        process.wait(timeout=_PATIENCE)
        return planned, first, last

    def _wait(self, process: subprocess.Popen[bytes], cursor: Cursor, question: str) -> float:
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end:
            over = process.poll() is not None
            try:
                cursor.execute(question)
                if next(iter(cursor.fetchone() or ())):
                    return time.monotonic()
            except pymysql.err.ProgrammingError as error:
                if error.args[0] != _NO_SUCH_TABLE:  # it is not there yet
                    raise
            assert not over, self.job.end_of_log()
            time.sleep(0.1)
        raise AssertionError(self.job.end_of_log())

    def tables(self) -> list[tuple[str, str]]:
        return [(database, part) for database in SHARDS for part in PARTS]


class LoadData(Contender):
    """The yardstick of every loader: files as LOAD DATA wants them, one a physical table, by two sessions."""

    name = "LOAD DATA"

    def __init__(self, source: Server, target: Server, folder: Path, kind: str) -> None:
        ((allowed,),) = source.query("SELECT @@secure_file_priv")
        super().__init__(source, target, Path(allowed))
        self.definition = (project(kind) / "schema" / "bench.sql").read_text(encoding="utf-8")
        for shard in range(4):
            for part in range(4):
                where = f"user_id % 4 = {shard} AND (user_id DIV 4) % 4 = {part} ORDER BY id"
                source.query(
                    f"SELECT * FROM orders WHERE {where} INTO OUTFILE '{self._file(shard, part)}'", database=DATABASE
                )

    def load(self) -> Used:
        for database, table in self.tables():
            self.target.run_script(self.definition.replace("orders", table, 1), database=database)
        work = [(shard, part) for shard in range(4) for part in range(4)]
        with (
            measure({"target": lambda: [self.target.sandbox.pid or 0]}) as used,
            ThreadPoolExecutor(max_workers=_SESSIONS) as pool,
        ):
            list(pool.map(lambda number: self._session(work[number::_SESSIONS]), range(_SESSIONS)))
        return used

    def _session(self, files: list[tuple[int, int]]) -> None:
        statements = "".join(
            f"LOAD DATA LOCAL INFILE '{self._file(shard, part)}' INTO TABLE `load_{shard}`.`orders_{part}` CHARACTER SET utf8mb4;\n"
            for shard, part in files
        )
        command = ["mariadb", "--no-defaults", "--local-infile=1", *account(self.target)]
        subprocess.run(command, input=statements, text=True, check=True)

    def _file(self, shard: int, part: int) -> Path:
        return self.folder / f"{shard}_{part}.txt"

    def tables(self) -> list[tuple[str, str]]:
        return [(f"load_{shard}", part) for shard in range(4) for part in PARTS]


class MyDumper(Contender):
    name = "mydumper"

    def load(self) -> Used:
        out = self.folder / "dump"
        dump = ["mydumper", *account(self.source), "--database", DATABASE, "--threads", "2", "--rows", "100000"]
        load = ["myloader", *account(self.target), "--database", "loaded", "--threads", "2", "--enable-binlog"]
        processes = {
            "source": lambda: [self.source.sandbox.pid or 0],
            "target": lambda: [self.target.sandbox.pid or 0],
        }
        with measure(processes) as used:
            subprocess.run([*dump, "--outputdir", str(out)], check=True)
            subprocess.run([*load, "--directory", str(out)], check=True)
        subprocess.run(["rm", "-rf", str(out)], check=True)
        return used

    def tables(self) -> list[tuple[str, str]]:
        return [("loaded", "orders")]


class SparkJdbc(Contender):
    """What a data team writes first: one frame read by ranges of the key, appended."""

    name = "Spark JDBC"

    def load(self) -> Used:
        ((low, high),) = self.source.query("SELECT MIN(id), MAX(id) FROM orders", database=DATABASE)
        self.target.run_script("CREATE DATABASE IF NOT EXISTS appended")
        definition = self.source.query("SHOW CREATE TABLE orders", database=DATABASE)[0][1]
        self.target.query(definition, database="appended")
        script = str(Path(__file__).with_name("spark_jdbc.py"))
        names = [*(str(jar) for jar in jars(MARIADB_JDBC)), self._url(self.source, DATABASE), self._url(self.target, "appended")]  # fmt: skip
        process = subprocess.Popen(
            [sys.executable, script, *names, str(low), str(high)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True,
        )  # fmt: skip
        try:
            parties = {
                "source": lambda: [self.source.sandbox.pid or 0],
                "target": lambda: [self.target.sandbox.pid or 0],
                "Spark": lambda: list(session_members(process.pid)),
            }
            with measure(parties) as used:
                passwords = "\n".join(password(server) for server in (self.source, self.target))
                out, _ = process.communicate(passwords + "\n", timeout=_PATIENCE)
                used.clock = float(out.split()[-1])
            return used
        finally:
            kill_tree(process)

    def _url(self, server: Server, database: str) -> str:
        return f"jdbc:mysql://{server.host}:{server.port}/{database}"

    def tables(self) -> list[tuple[str, str]]:
        return [("appended", "orders")]


def account(server: Server) -> list[str]:
    return [f"--host={server.host}", f"--port={server.port}", "--user=root", f"--password={password(server)}"]


def password(server: Server) -> str:
    return server.sandbox.admin_password_file.read_text(encoding="utf-8")
