"""Families whose tables come from several source tables: rows are where their topmost parent is, whichever source has
it, and whichever they go to (C5, D13, B11).
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.families.merged_driver import LINES, MergedLab, happenings
from tests.servers.testbed import Arena
from tests.support.job import ENVIRONMENT

pytestmark = [pytest.mark.server, pytest.mark.spark]


@pytest.mark.in_turn
@pytest.mark.parametrize("transactions", [25, pytest.param(110, marks=pytest.mark.long)])
def test_b11_d13_rows_of_all_sources_follow_the_topmost_row(
    arena: Arena, tmp_path: Path, dice: random.Random, transactions: int
) -> None:
    """Snapshot under writes, batches of any size, and a run that is killed in the middle of a move."""
    lab = MergedLab(arena, tmp_path)
    lab.fill_merged()
    # Two rows on their way from one source to the other: the start is between INSERT and DELETE.
    lab.write(*(f"INSERT INTO {table} VALUES ('o1', 900, ''), ('o1', 901, '')" for table in LINES))
    lab.gates.hold("before-chunk-read")
    with lab.run() as run:
        lab.reach(run, "before-chunk-read")
        lab.write(*(f"DELETE FROM {table} WHERE number = {number}" for number, table in enumerate(LINES, start=900)))
        lab.drain(run)
        lab.gates.open_all()
        for transaction in happenings(dice, transactions // 2):
            lab.write(*transaction)
        lab.until(run, "the snapshot is complete", lambda: lab.ledger_state().snapshot_done)
        lab.drain(run)
        lab.require_placed()
    lab.write("UPDATE lab.customer SET place = (place + 1) % 4")
    lab.write_all(happenings(dice, transactions // 10))
    lab.gates.open_all()
    lab.gates.hold("after-upsert")
    with lab.run() as run:
        lab.reach(run, "after-upsert")
    with lab.run(gated=False) as run:
        lab.write_all(happenings(dice, transactions // 3))
        lab.drain(run)
    lab.finish()
    lab.require_placed()
    assert "equal" in lab.job.call("verify", "--env", ENVIRONMENT)
