"""A migration whose source and shards both take all writes, and what each side has of it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from shardwright.runtime.failpoints import VARIABLE
from shardwright.runtime.rehearsal.sandbox.accounts import allow_cutover, allow_way_back
from tests.both_sides.judge import begin_log
from tests.servers import forks
from tests.servers.consent import with_consent
from tests.servers.testbed import Arena
from tests.support.commands import SMALL_CHUNKS
from tests.support.job import ENVIRONMENT, Job, kill_tree
from tests.support.waiting import repeat_until_it_passes

PROJECT = Path(__file__).with_name("project")
TABLES = ("account", "offer", "person", "purse", "seat", "ticket")
SHARDS = ("pair_0", "pair_1")
Row = tuple[Any, ...]
Key = tuple[int, int]
_CUTOVER = {"fence": {"source": "triggers", "shards": "triggers"}, "max_lag": "60s", "max_pause": "60s"}


class Gate:
    """Batches wait in front of their upserts as long as it is closed."""

    def __init__(self, path: Path) -> None:
        self.path, self.reached = path, path.with_name(f"{path.name}.reached")
        self.open()

    def open(self) -> None:
        self.path.touch()

    def close(self) -> None:
        self.reached.unlink(missing_ok=True)
        self.path.unlink()


class BothLab:
    """`begin` first: rows are copied and compared."""

    def __init__(self, arena: Arena, folder: Path) -> None:
        self.arena = arena
        self.job = Job(arena, PROJECT, folder, settings={**SMALL_CHUNKS, "cutover": _CUTOVER})

    def begin(self, owners: int = 8, ids: int = 4, *, only_source: Sequence[str] = ()) -> None:
        """`only_source`: statements that change the source's tables alone."""
        source = self.arena.source
        self.since = {name: begin_log(server) for name, server in {"pair": source, **self.arena.placement}.items()}
        source.run_script(PROJECT / "schema" / "pair.sql", database="pair")
        keys = [(owner, id_) for owner in range(owners) for id_ in range(ids)]
        for table in ("offer", "purse", "seat", "ticket"):
            values = ", ".join(f"({owner}, {id_}, 0)" for owner, id_ in keys)
            source.query(f"INSERT INTO {table} VALUES {values}", database="pair")
        people = ", ".join(f"({owner}, {id_}, 's', 'c', 'p', 0, '2026-01-01')" for owner, id_ in keys)
        source.query(f"INSERT INTO person VALUES {people}", database="pair")
        self.write_source(*only_source)
        self._allow()
        self.call("compile", "--fail-on", "error")
        self.call("run", "--env", ENVIRONMENT, "--until", "caught-up")
        self.call("verify", "--env", ENVIRONMENT)

    def _allow(self) -> None:
        servers = {id(server): server for server in self.arena.placement.values()}.values()
        allow_way_back(self.arena.source.sandbox, ["pair"], [server.sandbox for server in servers])
        allow_cutover(self.arena.source.sandbox, ["pair"], kind="triggers")
        for server in servers:
            allow_cutover(server.sandbox, list(SHARDS), kind="triggers")

    def call(self, *arguments: str, expect: int = 0) -> str:
        return self.job.call(*arguments, expect=expect)

    def start(self, *arguments: str, failpoints: str) -> subprocess.Popen[bytes]:
        """In the background, to be stopped or killed at failpoints."""
        with self.job.log.open("ab") as log:
            command = with_consent((*arguments, "--env", ENVIRONMENT))
            return forks.start(self.job.project, *command, out=log, environ={VARIABLE: failpoints})

    def die_at(self, point: str) -> None:
        """A run that is killed there."""
        run = self.start("run", "--until", "forever", failpoints=f"{point}=kill")
        try:
            code = run.wait(timeout=120)
            assert code != 0, f"{point}: {self.job.end_of_log()}"
            assert code == -signal.SIGKILL, f"{point}: {code}"
        finally:
            kill_tree(run)

    def cutover(self, *arguments: str, expect: int = 0) -> str:
        return self.call("cutover", *arguments, "--env", ENVIRONMENT, expect=expect)

    def conflicts(self) -> list[dict[str, Any]]:
        """All of them, the oldest first."""
        lines = self.call("conflicts", "export", "--env", ENVIRONMENT).splitlines()
        return [json.loads(line) for line in lines]

    def list_held(self) -> list[dict[str, Any]]:
        """Those that wait for an operator."""
        return [one for one in self.conflicts() if one["state"] == "held"]

    def until_decided(self, count: int) -> list[dict[str, Any]]:
        """So many conflicts, none of which is still at work."""

        def require() -> list[dict[str, Any]]:
            found = self.conflicts()
            assert len(found) == count and all(one["state"] != "decided" for one in found), found
            return found

        return repeat_until_it_passes(require, seconds=60)

    @contextmanager
    def both(self) -> Iterator[subprocess.Popen[bytes]]:
        """Within, a run is live in both directions."""
        with self.job.run() as run:
            self.settle_forward()
            self.cutover("--both")
            yield run

    def begin_both(self) -> None:
        """Both sides take writes, and are equal. No run is live."""
        self.begin()
        with self.both():
            self.until_equal()

    @contextmanager
    def both_with_gate(self, gate: Gate) -> Iterator[subprocess.Popen[bytes]]:
        """The same, and its batches wait at the gate."""
        run = self.start("run", "--until", "forever", failpoints=f"before-upsert=wait:{gate.path}")
        try:
            self.settle_forward()
            self.cutover("--both")
            yield run
        finally:
            gate.open()
            kill_tree(run)

    def verify(self) -> None:
        self.call("verify", "--env", ENVIRONMENT)

    def settle_forward(self) -> None:
        self.write_source("UPDATE offer SET value = value + 1 WHERE owner_id = 0 AND id = 0")
        repeat_until_it_passes(self.require_equal, seconds=60)

    @contextmanager
    def freeze(self, run: subprocess.Popen[bytes]) -> Iterator[None]:
        """What is written within is read in one round, where the run was at rest."""
        os.kill(run.pid, signal.SIGSTOP)
        yield
        os.kill(run.pid, signal.SIGCONT)

    def write_source(self, *statements: str) -> None:
        for statement in statements:
            self.arena.source.query(statement, database="pair")

    def write_shards(self, table: str, key: Key, statement: str) -> None:
        """`statement` has `{t}` for the physical table, and `{k}` for the condition of the key."""
        database, name = self.place(table, key)
        condition = f"owner_id = {key[0]} AND id = {key[1]}"
        self.arena.placement[database].query(statement.format(t=name, k=condition), database=database)

    def place(self, table: str, key: Key) -> tuple[str, str]:
        return f"pair_{key[0] % 2}", f"{table}_{key[0] // 2 % 2}"

    def at_source(self, table: str) -> dict[Key, Row]:
        rows = self.arena.source.query(f"SELECT * FROM {table}", database="pair")
        return {(row[0], row[1]): row[2:] for row in rows}

    def at_shards(self, table: str) -> dict[Key, Row]:
        found: dict[Key, Row] = {}
        for database in SHARDS:
            for number in range(2):
                rows = self.arena.placement[database].query(f"SELECT * FROM {table}_{number}", database=database)
                for row in rows:
                    assert self.place(table, (row[0], row[1])) == (database, f"{table}_{number}"), row
                    assert (row[0], row[1]) not in found
                    found[row[0], row[1]] = row[2:]
        return found

    def require_equal(self, besides: Sequence[tuple[str, Key]] = ()) -> None:
        for table in TABLES:
            source, shards = self.at_source(table), self.at_shards(table)
            keys = {key for key in source.keys() | shards.keys() if (table, key) not in besides}
            found = {key: (source.get(key), shards.get(key)) for key in keys if source.get(key) != shards.get(key)}
            assert not found, f"{table}: {found}"

    def until_equal(self, besides: Sequence[tuple[str, Key]] = ()) -> None:
        repeat_until_it_passes(lambda: self.require_equal(besides), seconds=60)
