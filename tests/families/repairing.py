"""What tests of `verify` and `repair` do with labs of families."""

from __future__ import annotations

import json
from pathlib import Path

from shardwright.runtime.failpoints import VARIABLE
from shardwright.runtime.ledger.dead_letters import QuarantinedKey, order_reread
from tests.support.commands import Outcome, shardwright
from tests.support.job import ENVIRONMENT
from tests.support.lab import SUFFIXES, Lab

Named = set[tuple[str, str]]
"""Table and key."""


def carry(lab: Lab, table: str, where: str, *, start: int, end: int, stays: bool = False) -> None:
    """By hand, from place to place."""
    name, other = f"{table}{SUFFIXES[start // 2]}", f"{table}{SUFFIXES[end // 2]}"
    for row in lab.at(start, f"SELECT * FROM {name} WHERE {where}"):
        with lab.arena.shard(lab.shards[end % 2]) as shard, shard.cursor() as cursor:
            cursor.execute(f"INSERT INTO {other} VALUES ({', '.join(['%s'] * len(row))})", row)
            shard.commit()
    if not stays:
        lab.at(start, f"DELETE FROM {name} WHERE {where}")


def order(lab: Lab, *rows: tuple[str, str]) -> None:
    """As `repair` does for rows of which it knows no place. Between the columns of a key are commas."""
    ((migration,),) = lab.at(0, "SELECT migration FROM _shardwright_migration")
    with lab.arena.shard(lab.shards[0]) as control:
        for table, key in rows:
            held = QuarantinedKey(table, f"lab.{table}", tuple(key.split(",")))
            order_reread(control, str(migration), held, code="SW8522", reason="verify: missing", places=frozenset())
        control.commit()


def states(lab: Lab) -> set[str]:
    return {str(state) for (state,) in lab.at(0, "SELECT state FROM _shardwright_dead")}


def verify(lab: Lab, *, code: int) -> Path:
    result = lab.job.project / "result.json"
    lab.job.call("verify", "--env", ENVIRONMENT, "--report", f"json={result}", expect=code)
    return result


def repair(lab: Lab, result: Path, *arguments: str, failpoints: str = "") -> Outcome:
    command = ("repair", str(result), "--env", ENVIRONMENT, "--timeout", "240", *arguments)
    return shardwright(lab.job.project, *command, environ={VARIABLE: failpoints} if failpoints else None)


def mismatches_in(result: Path) -> Named:
    reported = json.loads(result.read_text(encoding="utf-8"))
    return {(one["table"], ",".join(one["key"])) for table in reported["tables"] for one in table["mismatches"]}
