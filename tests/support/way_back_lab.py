"""A lab whose applications write to the shards: its runs follow the shards' logs and keep the source equal."""

from __future__ import annotations

import subprocess
from contextlib import closing
from typing import Any

from shardwright.runtime.cli.connecting import Deployment
from shardwright.runtime.ledger.batches import read_migration
from shardwright.runtime.sources.open import open_sources
from shardwright.runtime.sources.source import head_position
from tests.support.lab import SUFFIXES, Lab
from tests.support.way_back import deploy, turn_back


class BackLab(Lab):
    """`turn` first, once the forward run has ended."""

    def deploy(self) -> Deployment:
        return deploy(self.job)

    def turn(self) -> None:
        turn_back(self.arena, self.job)

    def turn_again(self) -> None:
        """As if the cutover came only now: the shards were changed, and what their logs have of that is left behind."""
        back = self.deploy().reverse_deployment()
        for database in back.servers.databases:
            self.arena.source.query(f"DROP DATABASE `{database}`")
        self.turn()

    def require_parents_equal(self) -> None:
        """Of one table: the application has left the other one's rows behind."""
        rows = sorted(
            row for place in range(4) for row in self.at(place, f"SELECT * FROM parent{SUFFIXES[place // 2]}")
        )
        assert sorted(self.source("SELECT * FROM parent")) == rows

    def insert(self, id_: int, place: int, *, lines: int = 1, note: str = "", name: str | None = None) -> None:
        """A new family on the shards."""
        suffix, name = SUFFIXES[place // 2], name or f"n{id_}"
        self.on(
            place,
            f"INSERT INTO parent{suffix} (id, place, name, note) VALUES ({id_}, {place}, '{name}', '{note}')",
            *(
                f"INSERT INTO child{suffix} (id, line, place, note) VALUES ({id_}, {line}, {place}, '{note}')"
                for line in range(1, lines + 1)
            ),
        )

    def on(self, place: int, *statements: str) -> None:
        """One transaction of an application at a place of the shards."""
        database = self.shards[place % 2]
        with self.arena.placement[database].connect(database, autocommit=False) as connection:
            with connection.cursor() as cursor:
                for statement in statements:
                    cursor.execute(statement)
            connection.commit()

    def source(self, sql: str) -> list[tuple[Any, ...]]:
        return self.arena.source.query(sql, database="lab")

    def drain(self, process: subprocess.Popen[bytes]) -> None:
        """Wait until the stream has passed what the shards' logs have now."""
        back = self.deploy().reverse_deployment()
        head = head_position(open_sources(back.plan, back.servers, back.environment))

        def is_passed() -> bool:
            with closing(back.servers.connect_shard(0)) as control:
                state = read_migration(control, back.plan.migration)
            return state is not None and state.position.has_reached(head)

        self.until(process, f"the stream has passed {head}", is_passed)
