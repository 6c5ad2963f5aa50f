"""Twins that read the same log: one in a single go, one killed and resumed again and again. They end up alike (C1)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.interleavings.driver import SHARDS, Lab, contents
from tests.interleavings.stories import ALL
from tests.servers.testbed import Arena

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow, pytest.mark.long]

TWINS = ("twin_0", "twin_1")
DEATHS = ("after-upsert", "before-deferred", "after-delete", "before-stage")


def test_a1_fresh_and_resumed_side_by_side(arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "fresh").mkdir()
    (tmp_path / "resumed").mkdir()
    fresh = Lab(arena, tmp_path / "fresh", shards=SHARDS)
    resumed = Lab(arena, tmp_path / "resumed", shards=TWINS, settings={"batch": {"max_rows": 60}})
    fresh.create_source()
    stories = [story for group in ALL.values() for story in group]
    for story in stories:
        fresh.fill(story.before)
    for lab in (fresh, resumed):
        lab.gates.hold("before-open-batch")
    with fresh.running() as run:
        fresh.until(run, "the snapshot is complete", lambda: fresh.books().snapshot_done)
        resumed.finish()
        fresh.write_all([transaction for story in stories for transaction in story.transactions])
        fresh.gates.open_all()
        fresh.drain(run)
    for name in DEATHS:
        resumed.gates.open_all()
        resumed.gates.forget()
        resumed.gates.hold(name)
        with resumed.running() as run:
            resumed.reach(run, name)
    resumed.finish()
    fresh.require_equal()
    ours = {table: rows for table, rows in contents(fresh).items() if not table[2:].startswith("_")}
    theirs = {table: rows for table, rows in contents(resumed).items() if not table[2:].startswith("_")}
    assert len(ours) == 8
    assert ours == theirs
