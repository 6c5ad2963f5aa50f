"""The steps of a cutover's proof, as its state machine takes them."""

from __future__ import annotations

import subprocess
import time
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from pymysql.connections import Connection

from shardwright.runtime.ledger.comparison import begin_record, read_verified, record_verified
from shardwright.runtime.verify.barrier import open_barrier
from shardwright.runtime.verify.coverage import Coverage
from shardwright.runtime.verify.final import compare_at_the_cut, compare_changes, gate
from shardwright.runtime.verify.result import VerifyResult
from tests.support.job import ENVIRONMENT
from tests.support.lab import SUFFIXES, Lab
from tests.support.way_back import deploy

MARGIN, REREAD_ROWS = 1.0, 60
FEW_REMEMBERED = {"failover": {"margin": f"{MARGIN:g}s", "reread_rows": REREAD_ROWS}}
"""So that what is kept for another server's sake is gone soon."""


@dataclass
class Proof:
    lab: Lab
    run: subprocess.Popen[bytes]

    def __post_init__(self) -> None:
        self.deployed = deploy(self.lab.job).in_force()

    @property
    def plan(self) -> Any:
        return self.deployed.plan

    def verify(self, *arguments: str, expect: int = 0) -> None:
        self.lab.job.call("verify", "--env", ENVIRONMENT, *arguments, expect=expect)

    def control(self) -> closing[Connection[Any]]:
        return closing(self.deployed.servers.connect_shard(0))

    def gate(self, **options: Any) -> Any:
        with self.control() as control:
            return gate(self.plan, control, **options)

    def expect_refusal(self, *words: str) -> None:
        found = self.gate()
        assert isinstance(found, str) and all(word in found for word in words), found

    def beside(self, after: int, **options: Any) -> tuple[VerifyResult, int]:
        servers = self.deployed.servers
        moving = open_barrier(self.plan, servers, self.deployed.environment, patience=60)
        assert moving is not None
        return compare_changes(self.plan, servers, after=after, moving=moving, **options)

    def at_the_cut(self, after: int, **options: Any) -> Coverage:
        """Nobody writes any more."""
        self.lab.drain(self.run)
        return compare_at_the_cut(self.plan, self.deployed.servers, after=after, **options)

    def write(self, *transactions: str) -> None:
        """Each is a batch of its own."""
        for transaction in transactions:
            self.lab.write(transaction)
            self.lab.drain(self.run)

    def outlast_margin(self) -> None:
        """What was changed so far is not remembered for another server any more."""
        time.sleep(MARGIN + 1)
        self.write("UPDATE parent SET note = CONCAT(note, '.') WHERE id = 40")

    def ledger(self, sql: str, shard: int = 0) -> list[tuple[Any, ...]]:
        return self.lab.at(shard, sql)

    def spoil(self, id_: int, column: str = "note", value: str = "'spoilt'") -> None:
        """Behind everybody's back, in the shard's table."""
        place = id_ % 4
        self.lab.at(place, f"UPDATE parent{SUFFIXES[place // 2]} SET {column} = {value} WHERE id = {id_}")


def record_equal(connection: Connection[Any], migration: str) -> None:
    """As if a whole comparison had found both sides equal just now."""
    comparison = begin_record(connection, migration, fingerprint="0" * 16)
    assert record_verified(connection, migration, comparison, rows=1) == ""


def why_void(connection: Connection[Any], migration: str) -> str:
    found = read_verified(connection, migration)
    assert found is not None
    return found.void
