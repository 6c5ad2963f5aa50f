"""What the stream leaves out as our own is counted, and a cutover compares it: who may write our ledger can imitate our
mark (S2)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from shardwright.runtime.cli.exits import Exit
from shardwright.runtime.ledger import steps
from tests.cutover.lab import CutoverLab
from tests.servers.testbed import Arena
from tests.support.job import ENVIRONMENT

pytestmark = [pytest.mark.server, pytest.mark.spark]

MARK = "_shardwright_step (migration, batch, step, summary, applied_at) VALUES ('lab', 999999, '{}', '', NOW(6))"


def test_s2_rows_behind_a_forged_mark_are_counted_and_stop_a_cutover(arena: Arena, tmp_path: Path) -> None:
    """At the source, in the ledger of the way back, and on a shard, in the ledger beside the rows."""
    lab = CutoverLab(arena, tmp_path)
    lab.begin()
    arena.source.query("CREATE DATABASE _shardwright_lab")
    arena.source.query(steps.TABLE, database="_shardwright_lab")
    with lab.run(gated=False) as run:
        lab.write("UPDATE parent SET note = 'warm'")
        lab.drain_forward(run)
        lab.verify()
        assert _read_left_out(lab) == {"transactions": 0, "rows": 0}
        lab.write(
            f"INSERT INTO _shardwright_lab.{MARK.format('s')}", "UPDATE parent SET note = 'hidden' WHERE id IN (1, 2)"
        )
        lab.drain_forward(run)
        assert _read_left_out(lab) == {"transactions": 1, "rows": 2}
        said = lab.expect_refusal("--rehearse", code=Exit.REFUSED)
        assert "SW8925" in said and "hidden" in said, said
        lab.write("UPDATE parent SET note = 'seen' WHERE id IN (1, 2)")
        lab.drain_forward(run)
        lab.cutover()
        assert "1 transactions with 2 rows of followed tables; they were compared, too" in lab.job.end_of_log()
        lab.equal()
        place = lab.places(4)[0]
        table, shard = f"parent_{place // 2}", place
        lab.on(shard, f"INSERT INTO {MARK.format('t')}", f"UPDATE {table} SET note = 'hidden' WHERE id = 4")
        lab.drain(run)
        assert _read_left_out(lab) == {"transactions": 1, "rows": 1}, "the way back counts its own"
        assert "SW8925" in lab.expect_refusal("rollback", code=Exit.REFUSED)
        lab.on(shard, f"UPDATE {table} SET note = 'seen again' WHERE id = 4")
        lab.drain(run)
        assert "left out of the stream as our own" in lab.verify()
        lab.cutover("rollback")
        lab.equal()


def _read_left_out(lab: CutoverLab) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(lab.job.call("status", "--env", ENVIRONMENT, "--format", "json"))["left_out"]
    return found
