"""Twins that read the same log: one in a single go, one killed and resumed again and again. They end up alike (C1)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.interleavings.scenarios import ALL
from tests.servers.testbed import Arena
from tests.support.lab import SHARDS, Lab, contents

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow, pytest.mark.long]

TWINS = ("twin_0", "twin_1")
DEATHS = ("after-upsert", "before-deferred", "after-delete", "before-stage")


def test_a1_fresh_and_resumed_side_by_side(arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "fresh").mkdir()
    (tmp_path / "resumed").mkdir()
    fresh = Lab(arena, tmp_path / "fresh", shards=SHARDS)
    resumed = Lab(arena, tmp_path / "resumed", shards=TWINS, settings={"batch": {"max_rows": 60}})
    fresh.create_source()
    scenarios = [scenario for group in ALL.values() for scenario in group]
    for scenario in scenarios:
        fresh.fill(scenario.before)
    for lab in (fresh, resumed):
        lab.gates.hold("before-open-batch")
    with fresh.run() as run:
        fresh.until(run, "the snapshot is complete", lambda: fresh.ledger_state().snapshot_done)
        resumed.finish()
        fresh.write_all([transaction for scenario in scenarios for transaction in scenario.transactions])
        fresh.gates.open_all()
        fresh.drain(run)
    for name in DEATHS:
        resumed.gates.open_all()
        resumed.gates.forget()
        resumed.gates.hold(name)
        with resumed.run() as run:
            resumed.reach(run, name)
    resumed.finish()
    fresh.require_equal()
    ours = {table: rows for table, rows in contents(fresh).items() if not table[2:].startswith("_")}
    theirs = {table: rows for table, rows in contents(resumed).items() if not table[2:].startswith("_")}
    assert len(ours) == 8
    assert ours == theirs
