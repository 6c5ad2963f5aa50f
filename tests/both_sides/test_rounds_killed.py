"""A run is killed on both sides of each step of a round with conflicts: the next run decides the same."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tests.both_sides.lab import BothLab
from tests.servers.testbed import Arena
from tests.support.waiting import repeat_until_it_passes

pytestmark = [pytest.mark.server, pytest.mark.spark]

OF_ROUNDS = ("before-round-recorded", "after-round-recorded", "before-round-closed", "after-round-closed")
OF_BATCHES = ("before-open-batch", "after-mark-staged", "before-upsert", "after-upsert", "before-close-batch")
DIED_AT = {*OF_ROUNDS}


@pytest.mark.long
def test_a1_the_next_run_decides_the_same(arena: Arena, tmp_path: Path) -> None:
    lab = BothLab(arena, tmp_path)
    lab.begin_both()
    for number, point in enumerate((*OF_ROUNDS, *OF_BATCHES), 1):
        _meet(lab, number)
        lab.die_at(point)
        with lab.job.run():
            lab.until_equal()
            repeat_until_it_passes(partial(_require_decided, lab, number, point), seconds=60)
        assert (lab.at_source("purse")[3, 3], lab.at_source("seat")[3, 3]) == ((100 + number,), (200 + number,)), point


def _require_decided(lab: BothLab, number: int, point: str) -> None:
    found = [one for one in lab.conflicts() if one["source"]["value"] == str(100 + number)]
    assert sorted((one["table"], one["kind"], one["decision"], one["state"]) for one in found) == [
        ("purse", "update_update", "source", "closed"),
        ("seat", "update_update", "shards", "closed"),
    ], point


def _meet(lab: BothLab, number: int) -> None:
    """While no run is live."""
    for table in ("purse", "seat"):
        lab.write_source(f"UPDATE {table} SET value = {100 + number} WHERE owner_id = 3 AND id = 3")
        lab.write_shards(table, (3, 3), f"UPDATE {{t}} SET value = {200 + number} WHERE {{k}}")
