"""A source whose databases stand on two servers, and its run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import yaml

from shardwright.runtime.rehearsal.sandbox.accounts import (
    RUNTIME_USER,
    create_databases,
    create_source_accounts,
    password_file,
)
from tests.servers.testbed import Arena, Server
from tests.support.commands import SMALL_CHUNKS
from tests.support.job import ENVIRONMENT, Job
from tests.support.waiting import wait_until

EXAMPLE = Path(__file__).with_name("grid")
SHARDS = ("part_0", "part_1", "part_2")


class TwoServers:
    """mall_0 stands on the arena's source, mall_1 on a server of its own; the shards on a third one. `settings` are
    further keys of the environment, `spec` changes the spec's text."""

    def __init__(
        self,
        source: Server,
        target: Server,
        second: Server,
        folder: Path,
        *,
        settings: Mapping[str, Any] | None = None,
        spec: Callable[[str], str] = str,
    ) -> None:
        self.servers = {"mall_0": source, "mall_1": second}
        self.arena = Arena(source, (target,), folder)
        self.job = Job(
            self.arena, EXAMPLE, folder, settings={**SMALL_CHUNKS, "network": {"retry_for": "4s"}, **(settings or {})}
        )
        written = self.job.project / "specs" / "grid.yaml"
        written.write_text(spec(written.read_text(encoding="utf-8")), encoding="utf-8")
        move_source(self.job, "mall_1", second, folder / "secrets")
        source.query("DROP DATABASE mall_1")  # it is not looked for here
        for number, database in enumerate(self.servers):
            self.servers[database].run_script(EXAMPLE / "schema" / "mall.sql", database=database)
            for name in ("orders", "notes"):
                self.write(database, f"CREATE TABLE {name}_1 LIKE {name}_0")
            self.write(database, f"INSERT INTO region VALUES (1, 'north {number}'), (2, 'south {number}')")
            self.write(database, f"INSERT INTO job_lock VALUES ('sweep {number}', {number})")
            for part in range(2):
                ids = range(2 * number + part, 800, 4)
                orders = ", ".join(f"({id_}, {id_ % 97}, 'first')" for id_ in ids)
                self.write(database, f"INSERT INTO orders_{part} VALUES {orders}")
        self.job.call("compile")

    def write(self, database: str, sql: str) -> None:
        self.servers[database].query(sql, database=database)

    def orders(self) -> list[tuple[Any, ...]]:
        """Of both sources."""
        return sorted(
            row
            for database, server in self.servers.items()
            for part in range(2)
            for row in server.query(f"SELECT id, user_id, note FROM orders_{part}", database=database)
        )

    def read_orders(self) -> list[tuple[Any, ...]]:
        return sorted(
            row
            for shard in SHARDS
            for part in ("_00", "_01")
            for row in self.arena.placement[shard].query(f"SELECT id, user_id, note FROM orders{part}", database=shard)
        )

    def wait(self, what: str, holds: Callable[[], bool]) -> None:
        wait_until(what, holds, show=self.job.end_of_log, pause=0.2)


def move_source(job: Job, database: str, second: Server, secrets: Path) -> None:
    """The environment says that this source database is on the server `second`, where it is made, and the account."""
    create_databases(second.sandbox, (database,))
    create_source_accounts(second.sandbox, (database,), secrets=secrets)
    file = job.project / "environments" / f"{ENVIRONMENT}.yaml"
    environment = yaml.safe_load(file.read_text(encoding="utf-8"))
    environment["servers"]["second"] = {
        "host": second.host,
        "port": second.port,
        "user": RUNTIME_USER,
        "password": {"file": str(password_file(RUNTIME_USER, secrets=secrets))},
    }
    environment["source_databases"] = {database: "second"}
    file.write_text(yaml.safe_dump(environment, sort_keys=False), encoding="utf-8")
