"""Shards that a migration has made become the source of the next one: two projects' worth of servers, and one run."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

from shardwright.runtime.mysql.grants import grant, quote_account
from shardwright.runtime.mysql.servers import ledger_database_of
from shardwright.runtime.rehearsal.sandbox.accounts import (
    APPLICATION_USER,
    RUNTIME_USER,
    allow_cutover,
    allow_way_back,
    create_databases,
    create_source_accounts,
    create_target_accounts,
    let_application_in,
    password_file,
)
from tests.rescale.application import Application
from tests.rescale.judge import Side, require_equal
from tests.servers import forks
from tests.servers.testbed import Arena, Server
from tests.support.commands import SMALL_CHUNKS
from tests.support.job import ENVIRONMENT, Job, kill_tree
from tests.support.waiting import repeat_until_it_passes, wait_until

PROJECT = Path(__file__).with_name("project")
NEXT = "next"
"""The environment of the second migration."""
PATIENCE = 240.0
_CUTOVER = {"fence": {"source": "triggers", "shards": "triggers"}, "max_lag": "60s", "max_pause": "60s"}


class Rescaled:
    """`old` x `old` shards on `holders`, which become 2 `old` x 2 `old` on `arena.source`; `beside`: every other one of
    them on the last holder, beside old shards."""

    def __init__(
        self, arena: Arena, folder: Path, holders: Sequence[Server], *, old: int = 2, beside: bool = False
    ) -> None:
        self.arena, self.folder, self.migration = arena, folder, f"depot-{2 * old}x{2 * old}"
        project = shutil.copytree(PROJECT, folder / "example")
        spec = project / "specs" / "depot.yaml"
        text = spec.read_text(encoding="utf-8").replace("{0..1}", f"{{0..{old - 1}}}")
        spec.write_text(text.replace("% 2", f"% {old}").replace("div 2", f"div {old}"), encoding="utf-8")
        arena.targets = tuple(holders)
        self.job = Job(arena, project, folder, settings=SMALL_CHUNKS)
        self.old = Side("depot", old, dict(arena.placement))
        places = (arena.source, holders[-1] if beside else arena.source)
        self.new = Side("wide", 2 * old, {f"wide_{number}": places[number % 2] for number in range(2 * old)})
        self.secrets = folder / "secrets"

    def fill(self, rows: int) -> None:
        """The first migration, begun and ended."""
        source = self.arena.source
        source.run_script(PROJECT / "schema" / "depot.sql", database="depot")
        accounts = ", ".join(f"({id_}, 'a{id_}')" for id_ in range(500))
        source.query(f"INSERT INTO account (id, name) VALUES {accounts}", database="depot")
        parcels = ", ".join(f"({id_}, {id_ % 500}, 'first')" for id_ in range(rows))
        source.query(f"INSERT INTO parcel VALUES {parcels}", database="depot")
        source.query("INSERT INTO country VALUES (1, 'north'), (2, 'south')", database="depot")
        source.query("INSERT INTO job_lock VALUES ('sweep', 0)", database="depot")
        self.job.call("compile")
        self.job.call("run", "--env", ENVIRONMENT, "--until", "caught-up")
        self.job.call("ddl", "apply", "--env", ENVIRONMENT, "--yes")

    def rescale(self) -> str:
        """The next spec, as the command writes it, and its environment."""
        count = self.new.count - 1
        said = self.job.call(
            "rescale",
            "specs/depot.yaml",
            "--databases",
            f"{self.new.stem}_{{0..{count}}}",
            "--suffix",
            f"_{{0..{count}}}",
        )
        self._allow()
        self._write_environment()
        self.job.call("compile", "--fail-on", "warning")
        return said

    def allow_first_cutover(self) -> None:
        """What the first migration needs for a cutover of its own."""
        held = _by_server(self.old).values()
        allow_way_back(self.arena.source.sandbox, ["depot"], [server.sandbox for server, _ in held])
        allow_cutover(self.arena.source.sandbox, ["depot"], kind="triggers")
        for server, databases in held:
            allow_cutover(server.sandbox, databases, kind="triggers")
        file = self.job.project / "environments" / f"{ENVIRONMENT}.yaml"
        environment = yaml.safe_load(file.read_text(encoding="utf-8"))
        file.write_text(yaml.safe_dump({**environment, "cutover": _CUTOVER}, sort_keys=False), encoding="utf-8")

    def _allow(self) -> None:
        for server, databases in _by_server(self.new).values():
            create_databases(server.sandbox, databases)
            create_target_accounts(server.sandbox, databases, secrets=self.secrets)
            let_application_in(server.sandbox, databases, secrets=self.secrets)
            allow_cutover(server.sandbox, databases, kind="triggers")
        targets = [server.sandbox for server, _ in _by_server(self.new).values()]
        for server, databases in _by_server(self.old).values():
            create_source_accounts(server.sandbox, databases, secrets=self.secrets)
            allow_way_back(server.sandbox, databases, targets)
            allow_cutover(server.sandbox, databases, kind="triggers")
            account = quote_account(f"{APPLICATION_USER}@{server.sandbox.account_host}")
            for database in databases:
                server.query(grant(("SELECT",), ledger_database_of(database), account))

    def _write_environment(self) -> None:
        old, new = _by_server(self.old), _by_server(self.new)
        first, *others = old
        named = {name: self._connection(server) for name, (server, _) in {**new, **old}.items() if name != first}
        environment = {
            "environment": NEXT,
            "protected": False,
            "source": self._connection(old[first][0]),
            "servers": named,
            "source_databases": {database: name for name in others for database in old[name][1]},
            "shards": {database: name for name, (_, databases) in new.items() for database in databases},
            "work_dir": str(self.folder / "work-next"),
            "cutover": _CUTOVER,
            **SMALL_CHUNKS,
        }
        file = self.job.project / "environments" / f"{NEXT}.yaml"
        file.write_text(yaml.safe_dump(environment, sort_keys=False), encoding="utf-8")

    def _connection(self, server: Server) -> dict[str, Any]:
        password = {"file": str(password_file(RUNTIME_USER, secrets=self.secrets))}
        return {"host": server.host, "port": server.port, "user": RUNTIME_USER, "password": password}

    # -- the run of the second migration --------------------------------------------------------------------------

    def application(self) -> Application:
        password = password_file(APPLICATION_USER, secrets=self.secrets).read_text(encoding="utf-8")
        return Application({"source": self.old, "shards": self.new}, password, self.migration)

    def call(self, *arguments: str, expect: int = 0) -> str:
        return self.job.call(*arguments, "--env", NEXT, "--migration", self.migration, expect=expect)

    def first(self, *arguments: str) -> str:
        """A command of the first migration."""
        return self.job.call(*arguments, "--env", ENVIRONMENT, "--migration", "depot")

    @contextmanager
    def run(self, *, ends: bool = False) -> Iterator[subprocess.Popen[bytes]]:
        """`ends`: the migration is finished within, and its run ends by itself."""
        command = ("run", "--env", NEXT, "--migration", self.migration, "--until", "forever")
        with self.job.log.open("ab") as log:
            log.write(f"\n$ shardwright run --env {NEXT}\n".encode())
            log.flush()
            process = forks.start(self.job.project, *command, out=log)
        try:
            yield process
            assert ends or process.poll() is None, self.job.end_of_log()
        except BaseException:
            print(self.job.end_of_log(80))
            raise
        finally:
            kill_tree(process)

    def until(self, what: str, holds: Callable[[], bool]) -> None:
        wait_until(what, holds, seconds=PATIENCE, show=self.job.end_of_log)

    def until_copied(self) -> None:
        """The run says so in its own words; the first migration's run has ended before."""
        self.until_log("caught up with", after=f"run --env {NEXT}")

    def until_turned(self) -> None:
        """After a cutover: the run follows the new shards, so that a rollback finds it connected."""
        self.until_log("resuming at", after=f"$ shardwright cutover --env {NEXT} --migration {self.migration}")

    def until_log(self, words: str, *, after: str) -> None:
        """A run says so after it was started by the command that ends with `after`."""
        self.until(f"the run says '{words}'", lambda: words in self._log().partition(f"{after}\n")[2])

    def _log(self) -> str:
        return self.job.log.read_text(encoding="utf-8", errors="replace")

    def writes_on(self, application: Application, side: str) -> None:
        """The application writes there, for a while."""
        before = application.written
        self.until(
            f"the application writes to {side}",
            lambda: bool(application.failures) or (application.writes_to == side and application.written > before + 30),
        )
        if application.failures:
            raise application.failures[0]

    def switch_rows(self) -> set[str]:
        """Where applications write, as all the rows on both sides say it."""
        sql = f"SELECT writes_to FROM `_shardwright_switch` WHERE migration = '{self.migration}'"
        beside = [self.old.servers[name].query(sql, database=ledger_database_of(name)) for name in self.old.databases]
        return {
            str(row)
            for rows in (*beside, *(self.new.query(name, sql) for name in self.new.databases))
            for (row,) in rows or [("none",)]
        }

    def equal(self, application: Application) -> None:
        """Both sides hold the same, and the application's parcels are as it has written them. Nobody writes."""
        found = repeat_until_it_passes(lambda: require_equal(self.old, self.new), seconds=60)
        own = {row[0]: (row[1], row[2]) for row in found["parcel"] if row[0] >= 1_000_000}
        assert own == application.parcels


def _by_server(side: Side) -> dict[str, tuple[Server, list[str]]]:
    """The servers of a side with their databases, by their names in the environment."""
    found: dict[str, tuple[Server, list[str]]] = {}
    for database, server in side.servers.items():
        found.setdefault(f"at_{server.port}", (server, []))[1].append(database)
    return found
