"""A migration of a few tables, as a user makes one: CREATE TABLEs at the source, `import`, `compile`, runs to the end
of the log, `verify`. The oracle reads both sides by itself: it shares no code with the product.
"""

from __future__ import annotations

import json
import signal
import subprocess
import threading
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pymysql

from shardwright.runtime.mysql.grants import ON_TARGETS, grant, quote_account
from shardwright.runtime.rehearsal.sandbox.accounts import RUNTIME_USER
from tests.servers import forks
from tests.servers.consent import with_consent
from tests.servers.testbed import Arena, Server
from tests.support.commands import Outcome, shardwright
from tests.support.job import ENVIRONMENT, SMALL_SPARK, kill_tree
from tests.support.waiting import PATIENCE, wait_until

SOURCE = "shop"
SHARDS = ("part_0", "part_1")
SUFFIXES = ("_0", "_1")
UNLIMITED = "SET SESSION sql_select_limit = 18446744073709551615, max_join_size = 18446744073709551615"
"""For sessions of the oracle, whatever all sessions have."""

_SPEC = """version: 1
migration: field
source: {{dialect: {dialect}, databases: [{source}], schema: schema/s.sql, stream: {stream}}}
target: {{databases: "part_{{0..1}}", tables_suffix: "_{{0..1}}"}}
sharding:
  by_id: {{shard_key: [id], database: crc32(id) % 2, table: (crc32(id) div 2) % 2}}
{tables}
"""

OWN_LEDGER = 'ledger: {database: "led_{database}"}'
"""In front of `tables:`; `let_in` gives the account its grants there."""


def let_in(arena: Arena, *, but: str = "") -> None:
    """The grants of a target database, without the privilege `but`, in the databases of OWN_LEDGER."""
    for database, server in arena.placement.items():
        account = quote_account(f"{RUNTIME_USER}@{server.sandbox.account_host}")
        server.query(grant([name for name in ON_TARGETS if name != but], f"led_{database}", account))


def place_of(value: object) -> tuple[str, str]:
    """The database and the suffix of the table where the rule `by_id` puts rows of this value."""
    digest = zlib.crc32(str(value).encode())
    return SHARDS[digest % 2], SUFFIXES[digest // 2 % 2]


ORPHANS = (SHARDS[0], SUFFIXES[0])
"""The place of rows without a parent."""


class Case:
    """`tables` are the spec's lines from `tables:` on; rows are placed by `id` unless a line says otherwise."""

    def __init__(
        self,
        arena: Arena,
        folder: Path,
        tables: str,
        *,
        setup: Iterable[str] = (),
        stream: str = "{format: binlog}",
        settings: Mapping[str, Any] = SMALL_SPARK,
        ignored: Iterable[str] = (),
    ) -> None:
        self.arena = arena
        self.project = folder / "project"
        for part in ("specs", "schema"):
            (self.project / part).mkdir(parents=True)
        if ignored:
            tables += f"\nignore_tables: [{', '.join(json.dumps(name) for name in ignored)}]"
        spec = _SPEC.format(dialect=arena.source.sandbox.kind, source=SOURCE, stream=stream, tables=tables)
        self.spec_file = self.project / "specs" / "field.yaml"
        self.spec_file.write_text(spec, encoding="utf-8")
        arena.prepare(
            self.project, source_databases=(SOURCE,), target_databases=SHARDS, name=ENVIRONMENT, settings=settings
        )
        self._background: list[subprocess.Popen[bytes]] = []
        self.write(*setup)

    @property
    def source(self) -> Server:
        return self.arena.source

    def write(self, *statements: str) -> None:
        """Statements at the source, each committed, in one session."""
        with self.source.connect(SOURCE) as connection, connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)

    @contextmanager
    def write_meanwhile(self, statements: Iterator[str], *, pause: float = 0.01) -> Iterator[None]:
        """Within, an application executes these statements at the source, one after the other."""
        over = threading.Event()
        failed: list[pymysql.err.MySQLError] = []

        def work() -> None:
            try:
                for statement in statements:
                    if over.wait(pause):
                        return
                    self.write(statement)
            except pymysql.err.MySQLError as error:
                failed.append(error)

        thread = threading.Thread(target=work)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()
        assert not failed, failed

    def call(self, *arguments: str, code: int = 0, saying: str = "") -> Outcome:
        outcome = shardwright(self.project, *arguments)
        assert outcome.code == code, f"{code} was expected: {outcome}"
        assert saying in outcome.out + outcome.err, f"'{saying}' was not said: {outcome}"
        assert "Traceback" not in outcome.err and "SW9000" not in outcome.err, outcome
        return outcome

    def plan(self) -> None:
        """The schema file from the live source, and the plan."""
        self.call("import", "--env", ENVIRONMENT)
        self.call("compile")

    def run(self, *more: str, code: int = 0, saying: str = "") -> Outcome:
        return self.call("run", "--env", ENVIRONMENT, "--until", "caught-up", *more, code=code, saying=saying)

    def kill_at(self, failpoint: str, *more: str) -> Outcome:
        """A run that dies there. What it prints goes into pipes."""
        command = ("run", "--env", ENVIRONMENT, "--until", "caught-up", *more)
        outcome = shardwright(self.project, *command, environ={"SHARDWRIGHT_FAILPOINTS": f"{failpoint}=kill"})
        assert outcome.code == -9, f"{failpoint}: {outcome}"
        return outcome

    @contextmanager
    def call_in_background(self, *arguments: str, saying: str = "") -> Iterator[subprocess.Popen[bytes]]:
        """Within, a command goes on, which has said so much; at the end it is interrupted and ends in good order."""
        log = self.project.parent / "background.log"
        with log.open("wb") as out:
            process = forks.start(self.project, *with_consent(arguments), out=out)
        self._background.append(process)
        try:
            wait_until(f"it says '{saying}'", lambda: saying in log.read_text(), run=process, show=log.read_text)
            yield process
            self._require_alive(process)
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=PATIENCE) == 130, log.read_text()
        finally:
            self._background.remove(process)
            kill_tree(process)

    def _require_alive(self, process: subprocess.Popen[bytes]) -> None:
        log = self.project.parent / "background.log"
        assert process.poll() is None, f"it ended by itself with {process.returncode}:\n{log.read_text()}"

    def wait_until_caught_up(self, migration: str = "field") -> None:
        """Until the shards have what the source has now, as `status` says. The commands in the background must live."""
        command = ("status", "--env", ENVIRONMENT, "--migration", migration, "--format", "json")

        def is_reported() -> bool:
            for process in self._background:
                self._require_alive(process)
            reported = shardwright(self.project, *command)
            return bool(reported.code == 0 and reported.out and json.loads(reported.out).get("caught_up"))

        wait_until("the stream has caught up", is_reported, show=lambda: shardwright(self.project, *command), pause=0.3)

    def drop_targets(self) -> None:
        """Everything in the target databases, ledgers included: a migration that is started over."""
        for database in SHARDS:
            with self.arena.shard(database) as connection, connection.cursor() as cursor:
                cursor.execute("SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()")
                names = [str(name) for (name,) in cursor.fetchall()]
                cursor.execute("SET foreign_key_checks = 0")
                for name in names:
                    cursor.execute(f"DROP TABLE `{name}`")

    def verify(self, *more: str, code: int = 0, saying: str = "") -> Outcome:
        return self.call("verify", "--env", ENVIRONMENT, *more, code=code, saying=saying)

    def shard_rows(self, table: str, columns: str = "*") -> list[tuple[str, str, tuple[Any, ...]]]:
        """Database, suffix and row of every row on the shards."""
        found = []
        for database in SHARDS:
            for suffix in SUFFIXES:
                with self.arena.shard(database) as connection, connection.cursor() as cursor:
                    cursor.execute(UNLIMITED)
                    cursor.execute(f"SELECT {columns} FROM `{table}{suffix}`")
                    found += [(database, suffix, tuple(row)) for row in cursor.fetchall()]
        return found

    def rows_copied(self, logical: str) -> int:
        """Rows of the table that chunks have brought, as the first shard's ledger says."""
        with self.arena.shard(SHARDS[0]) as connection, connection.cursor() as cursor:
            cursor.execute(
                "SELECT COALESCE(SUM(rows_read), 0) FROM _shardwright_chunk WHERE logical = %s AND state = 'done'",
                (logical,),
            )
            return int(cursor.fetchall()[0][0])

    def require_equal(self, table: str, columns: str = "*", *, key: int | None = 0) -> None:
        """Every row of the source once on the shards and nothing else; `key`: the column by whose text rows are
        placed."""
        rows = Counter(map(repr, self.source.query(f"SELECT {columns} FROM `{table}`", database=SOURCE)))
        found = self.shard_rows(table, columns)
        there = Counter(repr(row) for _, _, row in found)
        assert there == rows, f"{table}: only at the source {rows - there}, only on shards {there - rows}"
        for database, suffix, row in found if key is not None else ():
            place = place_of(row[key])
            assert (database, suffix) == place, f"{table}: {row} is in {database}{suffix}, not in {place}"
